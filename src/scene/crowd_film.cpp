// SPDX-License-Identifier: MIT
#include "zoe/scene/crowd_film.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "zoe/math/box.h"
#include "zoe/render/film_writer.h"
#include "zoe/render/picture_file.h"
#include "zoe/render/renderer.h"
#include "zoe/scene/crowd_actors.h"
#include "zoe/scene/crowd_look.h"
#include "zoe/scene/draw.h"

namespace zoe::scene {
namespace {

constexpr int kColumns = 4, kRows = 3, kMomentGap_px = 2;  // Of a sheet.
constexpr double kTrail_s = 3;                             // Of the paths behind characters.

// The space of a body at each position, all times `scale`. A camera must contain it.
std::vector<Vec3> outline_of(std::span<const Vec3> positions_m, float scale) {
  std::vector<Vec3> outline;
  for (const Vec3 position : positions_m) {
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 around{corner % 2 == 0 ? -0.6F : 0.6F, corner / 2 % 2 == 0 ? 0.0F : 1.9F,
                        corner / 4 == 0 ? -0.6F : 0.6F};
      outline.push_back((position + around) * scale);
    }
  }
  if (outline.empty()) outline = {Vec3{-1, 0, -1} * scale, Vec3{1, 2, 1} * scale};
  return outline;
}

// All of a crowd in one picture, as characters or as bodies of bones.
class Stage {
 public:
  Result<void> open(const CrowdFilmRequest& request, std::shared_ptr<control::Crowd> crowd, int width, int height) {
    crowd_ = crowd;
    groups_ = request.groups;
    scale_ = request.body.character ? request.body.scale() : 1;
    outline_ = outline_of(request.positions_m, scale_);
    ZOE_TRY_ASSIGN(context_, render::create_headless_context());
    ZOE_TRY_ASSIGN(renderer_, render::Renderer::create(*context_));
    render::set_quality(frame_.settings, render::Quality::kLow);
    frame_.settings.width = width;
    frame_.settings.height = height;
    frame_.settings.shadow_resolution = 2048;
    add_draw_systems(scene_);
    ecs::World& world = scene_.world();
    const Entity entity = add_crowd_actors(world, std::move(crowd), nullptr, request.body);
    add_drawn_crowd(world, entity, groups_, *renderer_);
    return {};
  }

  // Of the present crowd.
  std::vector<Vec3> present_outline() const {
    std::vector<Vec3> positions_m;
    for (int i = 0; i < crowd_->size(); ++i) positions_m.push_back(crowd_->state(i).root().position);
    return outline_of(positions_m, scale_);
  }
  std::span<const Vec3> outline() const { return outline_; }
  // Metres of the picture over those of the crowd.
  float scale() const { return scale_; }
  float aspect() const {
    return static_cast<float>(frame_.settings.width) / static_cast<float>(frame_.settings.height);
  }
  void look_from(const FramedView& view) {
    frame_.camera = view.camera;
    frame_.environment.ground_fade_m = 4 * view.distance_m;
  }
  // In the metres of the crowd.
  Vec3 eye_m() const { return frame_.camera.world_from_camera.t / scale_; }
  const control::Crowd& crowd() const { return *crowd_; }
  Vec4 color(std::size_t character) const {
    const int group = character < groups_.size() ? groups_[character] : 0;
    return group_color(group);
  }

  // The present crowd, to which more can be added.
  render::RenderFrame& begin() {
    scene_.step();
    scene_.display();
    fill_frame(scene_, frame_);
    return frame_;
  }
  Result<void> draw(const std::string& label, render::Picture& picture) {
    const float letters = std::clamp(0.03F * static_cast<float>(frame_.settings.height), 9.0F, 26.0F);
    frame_.overlay.text(letters, static_cast<float>(frame_.settings.height) - letters, label, letters,
                        {0.06F, 0.07F, 0.09F, 0.9F});
    ZOE_TRY(renderer_->render(frame_));
    renderer_->read_color(picture);
    return {};
  }

 private:
  std::shared_ptr<control::Crowd> crowd_;
  std::vector<int> groups_;
  std::vector<Vec3> outline_;
  float scale_ = 1;
  std::unique_ptr<render::Context> context_;
  std::unique_ptr<render::Renderer> renderer_;
  Scene scene_;
  render::RenderFrame frame_;
};

// The box around the crowd that the camera contains. It grows immediately, so that every character stays in the
// picture. It shrinks slowly, so that the camera moves smoothly.
class FollowedBox {
 public:
  // The corners for the present outline. `step_s`: since the last call.
  std::vector<Vec3> update(std::span<const Vec3> outline, double step_s) {
    constexpr double kHalfLife_s = 1.5;
    Box3 now;
    for (const Vec3 point : outline) now.add(point);
    if (box_.empty()) box_ = now;
    const auto share = static_cast<float>(1 - std::exp2(-step_s / kHalfLife_s));
    for (std::size_t axis = 0; axis < 3; ++axis) {
      box_.min[axis] = std::min(now.min[axis], box_.min[axis] + share * (now.min[axis] - box_.min[axis]));
      box_.max[axis] = std::max(now.max[axis], box_.max[axis] + share * (now.max[axis] - box_.max[axis]));
    }
    std::vector<Vec3> corners;
    for (int i = 0; i < 8; ++i) {
      corners.push_back({(i & 1) != 0 ? box_.max.x : box_.min.x, (i & 2) != 0 ? box_.max.y : box_.min.y,
                         (i & 4) != 0 ? box_.max.z : box_.min.z});
    }
    return corners;
  }

 private:
  Box3 box_;
};

// A film, or one picture of the middle. The camera follows the crowd.
class Film final : public CrowdFilm {
 public:
  Result<void> start(const CrowdFilmRequest& request, std::shared_ptr<control::Crowd> crowd) {
    output_ = request.output;
    still_at_s_ = request.seconds / 2;
    ZOE_TRY(stage_.open(request, std::move(crowd), request.width, request.height));
    fps_ = request.fps;
    follow();
    if (output_.extension() == ".png") return {};
    ZOE_TRY_ASSIGN(writer_, render::FilmWriter::open(
                                output_, {.width = request.width, .height = request.height, .fps = request.fps}));
    return {};
  }
  Vec3 eye_m() const override { return stage_.eye_m(); }
  Result<void> look(double time_s) override {
    if (!writer_ && (has_still_ || time_s < still_at_s_ - 0.05)) return {};
    if (!writer_) box_ = {};
    follow();
    stage_.begin();
    ZOE_TRY(stage_.draw(fmt::format("{} characters, {:.1f} s", stage_.crowd().size(), time_s), picture_));
    has_still_ = true;
    return writer_ ? writer_->add(picture_) : Result<void>{};
  }
  Result<void> finish() override {
    return writer_ ? writer_->finish() : render::write_png(output_, picture_, render::PngAlpha::kDrop);
  }

 private:
  void follow() {
    stage_.look_from(frame_from_front(box_.update(stage_.present_outline(), 1 / fps_), stage_.aspect()));
  }

  Stage stage_;
  FollowedBox box_;
  double fps_ = 30;
  std::filesystem::path output_;
  std::unique_ptr<render::FilmWriter> writer_;
  render::Picture picture_;
  double still_at_s_ = 0;
  bool has_still_ = false;
};

// Moments from above, each with the paths of the seconds before it.
class Sheet final : public CrowdFilm {
 public:
  Result<void> start(const CrowdFilmRequest& request, std::shared_ptr<control::Crowd> crowd) {
    request_ = request;
    width_ = (request.width - kMomentGap_px * (kColumns - 1)) / kColumns;
    height_ = (request.height - kMomentGap_px * (kRows - 1)) / kRows;
    if (std::min(width_, height_) < 16) {
      return Error{ErrorCode::kUsage, "a sheet of 4 x 3 moments needs a larger --size", {}};
    }
    ZOE_TRY(stage_.open(request, std::move(crowd), width_, height_));
    stage_.look_from(frame_from_above(stage_.outline(), stage_.aspect()));
    page_ = render::make_picture(request.width, request.height, 46, 50, 56, 255);
    return {};
  }
  Vec3 eye_m() const override { return stage_.eye_m(); }
  Result<void> look(double time_s) override {
    const control::Crowd& crowd = stage_.crowd();
    for (int i = 0; i < crowd.size(); ++i) positions_.push_back(crowd.state(i).root().position);
    constexpr int kCells = kColumns * kRows;
    const double next_s = (request_.seconds - 1 / request_.fps) * num_cells_ / (kCells - 1);
    if (num_cells_ >= kCells || time_s < next_s - 0.5 / request_.fps) return {};
    add_paths(stage_.begin());
    ZOE_TRY(stage_.draw(fmt::format("{:.1f} s", time_s), cell_));
    render::paste(cell_, num_cells_ % kColumns * (width_ + kMomentGap_px),
                  num_cells_ / kColumns * (height_ + kMomentGap_px), page_);
    ++num_cells_;
    return {};
  }
  Result<void> finish() override { return render::write_png(request_.output, page_, render::PngAlpha::kDrop); }

 private:
  void add_paths(render::RenderFrame& frame) {
    constexpr Vec3 kLift{0, 0.02F, 0};  // Above the ground, so that it is visible.
    const control::Crowd& crowd = stage_.crowd();
    const auto n = static_cast<std::size_t>(crowd.size());
    const std::size_t looks = n > 0 ? positions_.size() / n : 0;
    const auto trail = static_cast<std::size_t>(kTrail_s * request_.fps);
    for (std::size_t i = 0; i < n; ++i) {
      path_.clear();
      for (std::size_t k = looks > trail ? looks - trail : 0; k < looks; k += 3)
        path_.push_back(positions_[k * n + i] * stage_.scale() + kLift);
      const Vec4 color = stage_.color(i);
      frame.overlay.polyline(path_, {color.x, color.y, color.z, 0.7F}, 1.5F);
      const int character = static_cast<int>(i);
      frame.overlay.circle(crowd.state(character).root().position * stage_.scale() + kLift, {0, 1, 0},
                           crowd.radius_m(character) * stage_.scale(), color, 1.2F, 14);
    }
  }

  CrowdFilmRequest request_;
  Stage stage_;
  int width_ = 0, height_ = 0, num_cells_ = 0;
  render::Picture page_, cell_;
  std::vector<Vec3> positions_;  // [looks × characters]
  std::vector<Vec3> path_;
};

template <typename T>
Result<std::unique_ptr<CrowdFilm>> make(const CrowdFilmRequest& request, std::shared_ptr<control::Crowd> crowd) {
  auto film = std::make_unique<T>();
  ZOE_TRY(film->start(request, std::move(crowd)));
  return std::unique_ptr<CrowdFilm>(std::move(film));
}

}  // namespace

Result<std::unique_ptr<CrowdFilm>> CrowdFilm::open(const CrowdFilmRequest& request,
                                                   std::shared_ptr<control::Crowd> crowd) {
  ZOE_CHECK(crowd != nullptr, "a film of a crowd needs a crowd");
  return request.sheet ? make<Sheet>(request, std::move(crowd)) : make<Film>(request, std::move(crowd));
}

}  // namespace zoe::scene
