// SPDX-License-Identifier: MIT
#include "scene/film_stage.h"

#include <algorithm>
#include <cmath>

#include "zoe/render/film_writer.h"
#include "zoe/scene/surroundings.h"

namespace zoe::scene {

Result<void> FilmStage::open_renderer(Warnings& warnings) {
  bool software = request_.software || request_.style != render::DrawStyle::kPlain;
  if (software && !request_.shader_folder.empty()) {
    return Error{ErrorCode::kUsage, "shaders need OpenGL: neither styles nor the software rasteriser use them"};
  }
  if (!software) {
    Result<std::unique_ptr<render::Context>> context = render::create_headless_context();
    if (context) {
      context_ = std::move(*context);
      driver_ = context_->description();
    } else if (context.error().code == ErrorCode::kUnsupported && request_.shader_folder.empty()) {
      warnings.push_back({"drawn by the software rasteriser, without occlusion and bloom: " + context.error().message});
      software = true;
    } else {
      return context.error();
    }
  }
  if (software) {
    driver_ = "software rasteriser";
    renderer_ = render::Renderer::create_software();
    return {};
  }
  ZOE_TRY_ASSIGN(renderer_, render::Renderer::create(*context_, {.shader_folder = request_.shader_folder}));
  return {};
}

Result<void> FilmStage::open(int width, int height, Warnings& warnings) {
  ZOE_TRY(open_renderer(warnings));
  render::set_quality(frame_.settings, request_.quality);
  frame_.settings.supersampling = request_.supersampling;
  frame_.settings.transparent_background = request_.transparent;
  frame_.settings.style = request_.style;
  frame_.settings.width = width;
  frame_.settings.height = height;
  const float aspect = static_cast<float>(width) / static_cast<float>(height);
  for (const ClipOnBody& clip : request_.clips) {
    auto panel = std::make_unique<Panel>();
    add_draw_systems(panel->scene);
    ecs::World& world = panel->scene.world();
    if (request_.ground != nullptr) world.create(GroundPtr(request_.ground));
    ZOE_TRY_ASSIGN(panel->actor, add_clip_actor(world, clip, *renderer_, request_.look, warnings));
    panel->rig.emplace(world.get<ClipDisplay>(panel->actor).extent, request_.camera, aspect);
    panels_.push_back(std::move(panel));
  }
  std::vector<CameraRig*> rigs;
  for (const auto& panel : panels_) rigs.push_back(&*panel->rig);
  CameraRig::share(rigs);
  return choose_exposure();
}

// Bodies of ordinary brightness are drawn as they are. Dark ones get more light, so that their shape is visible, and
// white ones less, so that they do not burn out. All clips of a film share one exposure.
Result<void> FilmStage::choose_exposure() {
  constexpr float kDark = 0.25F, kWhite = 0.75F;  // Medians of screen values, 0 to 1.
  constexpr int kSide_px = 96;
  const render::Settings kept = frame_.settings;
  frame_.settings.width = frame_.settings.height = kSide_px;
  frame_.settings.supersampling = 1;
  frame_.settings.transparent_background = true;
  frame_.settings.style = render::DrawStyle::kPlain;
  std::vector<float> values;
  render::Picture picture;
  for (std::size_t i = 0; i < panels_.size(); ++i) {
    ZOE_TRY(draw(i, 0.5 * duration_s(i), "", "", picture));
    for (std::size_t k = 0; k + 3 < picture.rgba.size(); k += 4) {
      if (picture.rgba[k + 3] < 250) continue;
      values.push_back((0.2126F * static_cast<float>(picture.rgba[k]) +
                        0.7152F * static_cast<float>(picture.rgba[k + 1]) +
                        0.0722F * static_cast<float>(picture.rgba[k + 2])) /
                       255);
    }
  }
  frame_.settings = kept;
  if (values.empty()) return {};
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  const float median = std::max(*middle, 1e-3F);
  if (median < kDark) frame_.settings.exposure = std::min(kDark / median, 1.7F);
  if (median > kWhite) frame_.settings.exposure = std::max(std::pow(kWhite / median, 2.0F), 0.65F);
  return {};
}

bool FilmStage::is_overview() const {
  const bool is_film = request_.on_page ? request_.time_s < 0 : render::is_film(request_.output);
  return request_.num_ghosts > 0 && !is_film && !request_.sheet;
}

// Stills spread ghosts over the whole clip, films trail them behind.
void FilmStage::add_ghosts_of(Panel& panel, std::size_t clip, double time_s) {
  const bool still = is_overview();
  const int count = request_.num_ghosts;
  ghosts_.clear();
  for (int i = 1; i <= count; ++i) {
    const double ghost_s = still ? duration_s(clip) * (i - 1) / std::max(count - 1, 1) : time_s - 0.12 * i;
    if (ghost_s < 0) continue;
    const float fade = still ? 0.35F : 0.4F * (1 - static_cast<float>(i - 1) / static_cast<float>(count));
    ghosts_.push_back({std::min(ghost_s, duration_s(clip) - 1e-4), fade});
  }
  add_ghosts(panel.scene.world(), panel.actor, ghosts_, frame_);
}

void FilmStage::add_words(const std::string& title, const std::string& label) {
  const auto height = static_cast<float>(frame_.settings.height);
  const float letters = std::clamp(height * 0.032F, 7.0F, 26.0F);
  const Vec4 ink{0.06F, 0.07F, 0.09F, 0.9F};
  const float fitted = std::min(1.0F, (static_cast<float>(frame_.settings.width) - 2 * letters) /
                                          std::max(render::text_width_px(title, letters), 1.0F));
  frame_.overlay.text(letters, letters * 2.1F, title, letters * fitted, ink);
  frame_.overlay.text(letters, height - letters, label, letters * 0.9F, ink);
}

Result<void> FilmStage::draw(std::size_t clip, double time_s, const std::string& title, const std::string& label,
                             render::Picture& picture) {
  Panel& panel = *panels_[clip];
  ecs::World& world = panel.scene.world();
  world.get<MotionPlayer>(panel.actor).seek(time_s);
  panel.scene.step();
  panel.scene.display();
  const CameraRig::View view = is_overview() ? panel.rig->overview() : panel.rig->at(time_s);
  fill_frame(panel.scene, frame_);
  frame_.camera = view.camera;
  // The sun stands where it does for a body that faces +Z: no body is seen from its dark side.
  const float cosine = std::cos(panel.rig->heading_rad()), sine = std::sin(panel.rig->heading_rad());
  const Vec3 sun = render::Environment{}.to_sun;
  frame_.environment.to_sun = {cosine * sun.x + sine * sun.z, sun.y, cosine * sun.z - sine * sun.x};
  fit_surroundings(world.get<ClipDisplay>(panel.actor).extent, view.camera.world_from_camera.t, view.target_m, frame_);
  add_ghosts_of(panel, clip, time_s);
  add_signs(world, panel.actor, time_s, frame_);
  add_words(title, label);
  ZOE_TRY(renderer_->render(frame_));
  renderer_->read_color(picture);
  return {};
}

}  // namespace zoe::scene
