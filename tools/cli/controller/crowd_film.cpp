// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include "zoe/anatomy/analysis.h"
#include "zoe/character/local_to_model_job.h"
#include "zoe/render/film_writer.h"
#include "zoe/render/picture_file.h"
#include "zoe/render/renderer.h"
#include "zoe/render/skeleton_body.h"

#include "controller/crowd_watcher.h"

namespace zoe::cli {
namespace {

constexpr float kFovY_rad = 30 * std::numbers::pi_v<float> / 180;
constexpr int kColumns = 4, kRows = 3;  // Of a sheet.
constexpr double kTrail_s = 3;          // Of the ways behind everybody.
constexpr std::array<Vec4, 6> kColors{{{0.80F, 0.40F, 0.18F, 1},
                                       {0.16F, 0.42F, 0.72F, 1},
                                       {0.30F, 0.58F, 0.26F, 1},
                                       {0.72F, 0.60F, 0.18F, 1},
                                       {0.55F, 0.28F, 0.60F, 1},
                                       {0.20F, 0.58F, 0.58F, 1}}};

// Bodies of bones, all of a crowd in one picture.
class Stage {
 public:
  Result<void> open(const CrowdShot& shot, const control::Crowd& crowd, int width, int height) {
    groups_ = shot.scene->groups;
    // Where anybody starts or ends, a metre around and two high: what a camera must see.
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      for (const Vec3 place : {shot.scene->places[i].position, shot.scene->goals[i]}) {
        for (int corner = 0; corner < 8; ++corner) {
          outline_.push_back(place + Vec3{corner % 2 == 0 ? -1.0F : 1.0F, corner / 2 % 2 == 0 ? 0.0F : 2.0F,
                                          corner / 4 == 0 ? -1.0F : 1.0F});
        }
      }
    }
    if (outline_.empty()) outline_ = {{-1, 0, -1}, {1, 2, 1}};
    min_ = max_ = outline_.front();
    for (const Vec3& place : outline_) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        min_[axis] = std::min(min_[axis], place[axis]);
        max_[axis] = std::max(max_[axis], place[axis]);
      }
    }
    ZOE_TRY_ASSIGN(context_, render::create_headless_context());
    ZOE_TRY_ASSIGN(renderer_, render::Renderer::create(*context_));
    render::set_quality(frame_.settings, render::Quality::kLow);
    frame_.settings.width = width;
    frame_.settings.height = height;
    const Skeleton& skeleton = *crowd.controller().skeleton();
    joints_.resize(static_cast<std::size_t>(skeleton.num_joints()));
    // The model's own body in the pose that characters start from.
    const auto typical = crowd.controller().make_state();
    LocalToModelJob{.skeleton = &skeleton, .pose = typical->pose(), .model_from_joint = joints_}.run();
    Motion still = make_motion(crowd.controller().skeleton(), "still", 30, 1, false);
    std::copy(typical->pose().translations.begin(), typical->pose().translations.end(), still.translations.begin());
    std::copy(typical->pose().rotations.begin(), typical->pose().rotations.end(), still.rotations.begin());
    const SkeletonAnalysis analysis = analyse(skeleton, {&still, 1});
    body_.emplace(skeleton, joints_, analysis.family == BodyFamily::kBiped ? analysis.head : kNoJoint);
    return {};
  }

  void look_from_the_front() {
    constexpr float kPitch = 0.45F, kMargin = 1.03F;
    const Vec3 target = (min_ + max_) * 0.5F, back{0, std::sin(kPitch), std::cos(kPitch)};
    const Affine camera_from_world = inverse(render::look_at(back, {}).world_from_camera);
    const float tan_y = std::tan(kFovY_rad / 2), tan_x = tan_y * aspect();
    float distance_m = 1;
    for (const Vec3& place : outline_) {
      const Vec3 seen = camera_from_world.apply_vector(place - target);
      distance_m = std::max(
          {distance_m, seen.z + std::abs(seen.x) * kMargin / tan_x, seen.z + std::abs(seen.y) * kMargin / tan_y});
    }
    set_camera(render::look_at(target + back * distance_m, target), distance_m);
  }
  void look_from_above() {
    const Vec3 target = (min_ + max_) * 0.5F, size = max_ - min_;
    const float height_m = std::max(size.z, size.x / aspect()), distance_m = height_m + 10;
    render::Camera camera = render::look_at(target + Vec3{0, distance_m, 0}, target, {0, 0, 1});
    camera.ortho_height_m = height_m;
    camera.ortho_depth_m = 2 * distance_m;
    set_camera(camera, distance_m);
  }
  Vec3 eye() const { return frame_.camera.world_from_camera.t; }

  void begin() { frame_.clear(); }
  render::RenderFrame& frame() { return frame_; }
  Vec4 color(std::size_t character) const {
    return kColors[static_cast<std::size_t>(groups_[character]) % kColors.size()];
  }
  void add(const control::Crowd& crowd) {
    for (int i = 0; i < crowd.size(); ++i) {
      const control::ControllerState& state = crowd.state(i);
      const Skeleton& skeleton = *crowd.controller().skeleton();
      LocalToModelJob{.skeleton = &skeleton, .pose = state.pose(), .model_from_joint = joints_}.run();
      // Bones are as thick as the body is large.
      const float size = state.proportions().upper;
      for (Affine& joint : joints_) joint.t *= 1 / size;
      const Vec4 bone = color(static_cast<std::size_t>(i));
      body_->add_to(frame_, joints_, {{size, 0, 0}, {0, size, 0}, {0, 0, size}, {}}, 0,
                    {.bone = bone, .joint = {bone.x * 0.5F, bone.y * 0.5F, bone.z * 0.5F, 1}});
    }
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
  float aspect() const {
    return static_cast<float>(frame_.settings.width) / static_cast<float>(frame_.settings.height);
  }
  void set_camera(const render::Camera& camera, float distance_m) {
    frame_.camera = camera;
    frame_.camera.fov_y_rad = kFovY_rad;
    frame_.camera.near_m = 0.01F * distance_m;
    frame_.environment.ground_fade_m = 4 * distance_m;
    frame_.settings.shadow_resolution = 2048;
  }

  std::vector<int> groups_;
  std::vector<Vec3> outline_;
  Vec3 min_, max_;  // Of the outline.
  std::unique_ptr<render::Context> context_;
  std::unique_ptr<render::Renderer> renderer_;
  render::RenderFrame frame_;
  std::vector<Affine> joints_;
  std::optional<render::SkeletonBody> body_;
};

std::string label_of(const control::Crowd& crowd, double time_s) {
  return fmt::format("{} characters, {:.1f} s", crowd.size(), time_s);
}

// A film, or one picture of the middle.
class Film final : public CrowdWatcher {
 public:
  static Result<std::unique_ptr<CrowdWatcher>> open(const CrowdShot& shot, const control::Crowd& crowd) {
    auto film = std::make_unique<Film>();
    film->output_ = shot.output;
    film->still_at_s_ = shot.seconds / 2;
    ZOE_TRY(film->stage_.open(shot, crowd, shot.width, shot.height));
    film->stage_.look_from_the_front();
    if (shot.output.extension() != ".png") {
      ZOE_TRY_ASSIGN(film->writer_, render::FilmWriter::open(
                                        shot.output, {.width = shot.width, .height = shot.height, .fps = shot.fps}));
    }
    return std::unique_ptr<CrowdWatcher>(std::move(film));
  }
  std::optional<Vec3> eye() const override { return stage_.eye(); }
  Result<void> look(const control::Crowd& crowd, double time_s) override {
    if (!writer_ && (has_still_ || time_s < still_at_s_ - 0.05)) return {};
    stage_.begin();
    stage_.add(crowd);
    ZOE_TRY(stage_.draw(label_of(crowd, time_s), picture_));
    has_still_ = true;
    if (!writer_) return {};
    return writer_->add(picture_);
  }
  Result<void> finish() override {
    return writer_ ? writer_->finish() : render::write_png(output_, picture_, render::PngAlpha::kDrop);
  }

 private:
  Stage stage_;
  std::filesystem::path output_;
  std::unique_ptr<render::FilmWriter> writer_;
  render::Picture picture_;
  double still_at_s_ = 0;
  bool has_still_ = false;
};

// Moments from above, each with the ways of the seconds before it.
class Sheet final : public CrowdWatcher {
 public:
  static Result<std::unique_ptr<CrowdWatcher>> open(const CrowdShot& shot, const control::Crowd& crowd) {
    auto sheet = std::make_unique<Sheet>();
    sheet->shot_ = shot;
    sheet->width_ = (shot.width - kGap * (kColumns - 1)) / kColumns;
    sheet->height_ = (shot.height - kGap * (kRows - 1)) / kRows;
    if (std::min(sheet->width_, sheet->height_) < 16) {
      return Error{ErrorCode::kUsage, "a sheet of 4 x 3 moments needs a larger --size", {}};
    }
    ZOE_TRY(sheet->stage_.open(shot, crowd, sheet->width_, sheet->height_));
    sheet->stage_.look_from_above();
    sheet->page_ = render::make_picture(shot.width, shot.height, 46, 50, 56, 255);
    return std::unique_ptr<CrowdWatcher>(std::move(sheet));
  }
  std::optional<Vec3> eye() const override { return stage_.eye(); }
  Result<void> look(const control::Crowd& crowd, double time_s) override {
    const auto n = static_cast<std::size_t>(crowd.size());
    for (int i = 0; i < crowd.size(); ++i) ways_.push_back(crowd.state(i).root().position);
    constexpr int kCells = kColumns * kRows;
    const double next_s = (shot_.seconds - 1 / shot_.fps) * num_cells_ / (kCells - 1);
    if (num_cells_ >= kCells || time_s < next_s - 0.5 / shot_.fps) return {};
    stage_.begin();
    const std::size_t looks = n > 0 ? ways_.size() / n : 0;
    const auto trail = static_cast<std::size_t>(kTrail_s * shot_.fps);
    std::vector<Vec3> way;
    for (std::size_t i = 0; i < n; ++i) {
      way.clear();
      for (std::size_t k = looks > trail ? looks - trail : 0; k < looks; k += 3) {
        way.push_back(ways_[k * n + i] + Vec3{0, 0.02F, 0});
      }
      const Vec4 color = stage_.color(i);
      stage_.frame().overlay.polyline(way, {color.x, color.y, color.z, 0.7F}, 1.5F);
      const int character = static_cast<int>(i);
      stage_.frame().overlay.circle(crowd.state(character).root().position + Vec3{0, 0.02F, 0}, {0, 1, 0},
                                    crowd.radius_m(character), color, 1.2F, 14);
    }
    stage_.add(crowd);
    ZOE_TRY(stage_.draw(fmt::format("{:.1f} s", time_s), cell_));
    render::paste(cell_, num_cells_ % kColumns * (width_ + kGap), num_cells_ / kColumns * (height_ + kGap), page_);
    ++num_cells_;
    return {};
  }
  Result<void> finish() override { return render::write_png(shot_.output, page_, render::PngAlpha::kDrop); }

 private:
  static constexpr int kGap = 2;
  CrowdShot shot_;
  Stage stage_;
  int width_ = 0, height_ = 0, num_cells_ = 0;
  render::Picture page_, cell_;
  std::vector<Vec3> ways_;  // [looks × characters]
};

}  // namespace

Result<std::unique_ptr<CrowdWatcher>> film_crowd(const CrowdShot& shot, const control::Crowd& crowd) {
  return shot.sheet ? Sheet::open(shot, crowd) : Film::open(shot, crowd);
}

}  // namespace zoe::cli
