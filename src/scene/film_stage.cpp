// SPDX-License-Identifier: MIT
#include "scene/film_stage.h"

#include <algorithm>

#include "zoe/render/film_writer.h"
#include "zoe/scene/surroundings.h"

namespace zoe::scene {

Result<void> FilmStage::open(int width, int height, Warnings& warnings) {
  ZOE_TRY_ASSIGN(context_, render::create_headless_context());
  ZOE_TRY_ASSIGN(renderer_, render::Renderer::create(*context_, {.shader_folder = request_.shader_folder}));
  render::set_quality(frame_.settings, request_.quality);
  frame_.settings.supersampling = request_.supersampling;
  frame_.settings.transparent_background = request_.transparent;
  frame_.settings.width = width;
  frame_.settings.height = height;
  const float aspect = static_cast<float>(width) / static_cast<float>(height);
  for (const ClipOnBody& clip : request_.clips) {
    auto panel = std::make_unique<Panel>();
    add_draw_systems(panel->scene);
    ecs::World& world = panel->scene.world();
    ZOE_TRY_ASSIGN(panel->actor, add_clip_actor(world, clip, *renderer_, request_.look, warnings));
    panel->rig.emplace(world.get<ClipDisplay>(panel->actor).extent, request_.camera, aspect);
    panels_.push_back(std::move(panel));
  }
  std::vector<CameraRig*> rigs;
  for (const auto& panel : panels_) rigs.push_back(&*panel->rig);
  CameraRig::share(rigs);
  return {};
}

bool FilmStage::is_overview() const {
  return request_.num_ghosts > 0 && !render::is_film(request_.output) && !request_.sheet;
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
  fit_surroundings(world.get<ClipDisplay>(panel.actor).extent, view.camera.world_from_camera.t, view.target_m, frame_);
  add_ghosts_of(panel, clip, time_s);
  add_signs(world, panel.actor, time_s, frame_);
  add_words(title, label);
  ZOE_TRY(renderer_->render(frame_));
  renderer_->read_color(picture);
  return {};
}

}  // namespace zoe::scene
