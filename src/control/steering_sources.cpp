// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numbers>

#include "zoe/control/sources.h"
#include "zoe/control/trajectory.h"
#include "zoe/math/portable.h"

namespace zoe::control {
namespace {

constexpr float kPi = std::numbers::pi_v<float>;
// Farther from its path, or farther than it goes in this time, a character walks back to it first.
constexpr float kAstray_m = 2, kAstray_s = 1.5F;

class PathSource final : public IntentSource {
 public:
  PathSource(Path path, const PathOptions& options) : path_(std::move(path)), options_(options) {}

  Intent next(const PlanarRoot& root, double dt_s) override {
    time_s_ += static_cast<float>(dt_s);
    // Progress along the path follows the character, never backward and not over a shortcut.
    way_m_ = path_.nearest(root.position, way_m_, way_m_ + 1.0F);
    if (!path_.closed()) way_m_ = std::min(way_m_, path_.length_m());
    Vec3 back = path_.at(way_m_) - root.position;
    back.y = 0;
    if (length(back) > std::max(kAstray_m, kAstray_s * options_.speed_mps)) return walk_back(root.position);
    const float rate = std::numbers::ln2_v<float> / options_.return_half_life_s;
    Intent intent;
    intent.num_wanted = kMaxWanted;
    for (int i = 0; i < kMaxWanted; ++i) {
      const float ahead_s = 0.15F * static_cast<float>(i);
      const float speed = speed_at(time_s_ + ahead_s);
      const float way = way_m_ + speed * (ahead_s + options_.lead_s);
      const Vec3 direction = path_.direction_at(way);
      const bool ends = !path_.closed() && way >= path_.length_m();
      WantedMotion& wanted = intent.wanted[static_cast<std::size_t>(i)];
      wanted.time_s = ahead_s;
      wanted.velocity_mps =
          (ends ? Vec3{} : direction * speed) + (speed > 0 ? back * (rate * portable_exp(-rate * ahead_s)) : Vec3{});
      wanted.facing_rad = portable_atan2(direction.x, direction.z);
    }
    return intent;
  }
  const Path* path() const override { return &path_; }
  bool done() const override { return !path_.closed() && way_m_ >= path_.length_m() - 0.05F; }

 private:
  // The way back to a path that is far away, e.g. after a fall: as fast as along it, facing ahead.
  Intent walk_back(Vec3 from) const {
    Vec3 way = path_.at(way_m_ + 0.5F * kAstray_m) - from;
    way.y = 0;
    return Intent::move(normalized(way) * speed_at(time_s_));
  }
  float speed_at(float time_s) const {
    if (options_.off_s <= 0) return options_.speed_mps;
    return std::fmod(time_s, options_.on_s + options_.off_s) < options_.on_s ? options_.speed_mps : 0;
  }
  Path path_;
  PathOptions options_;
  float way_m_ = 0, time_s_ = 0;
};

class StickSource final : public IntentSource {
 public:
  StickSource(std::uint64_t seed, float top_speed_mps) : random_(seed), top_(top_speed_mps) {}

  Intent next(const PlanarRoot& /*root*/, double dt_s) override {
    left_s_ -= static_cast<float>(dt_s);
    if (left_s_ <= 0) {
      left_s_ = random_.uniform(0.5F, 2.5F);
      const float speed = random_.uniform() < 0.33F ? 0 : random_.uniform(0.4F, 1) * top_;
      const float angle = random_.uniform(-kPi, kPi);
      velocity_ = {speed * portable_sin(angle), 0, speed * portable_cos(angle)};
    }
    return Intent::move(velocity_);
  }

 private:
  Random random_;
  float top_, left_s_ = 0;
  Vec3 velocity_;
};

}  // namespace

std::unique_ptr<IntentSource> follow(Path path, const PathOptions& options) {
  return std::make_unique<PathSource>(std::move(path), options);
}

std::unique_ptr<IntentSource> random_sticks(std::uint64_t seed, float top_speed_mps) {
  return std::make_unique<StickSource>(seed, top_speed_mps);
}

Sticks from_keys(bool forward, bool left, bool back, bool right, bool run) {
  Sticks sticks;
  sticks.move_x = (right ? 1.0F : 0.0F) - (left ? 1.0F : 0.0F);
  sticks.move_y = (forward ? 1.0F : 0.0F) - (back ? 1.0F : 0.0F);
  sticks.run = run;
  return sticks;
}

Intent from_sticks(const Sticks& sticks, float camera_facing_rad, const MotionRange& range) {
  constexpr float kDeadZone = 0.15F;
  // +X is to the left of +Z, so a stick to the right is -X.
  const auto in_world = [&](float x, float y, float& strength) {
    const float far = portable_hypot(x, y);
    strength = std::isfinite(far) && far > kDeadZone ? std::min((far - kDeadZone) / (1 - kDeadZone), 1.0F) : 0.0F;
    if (strength == 0) return Vec3{};
    return rotate(rotation_of(PlanarRoot{{}, camera_facing_rad}), Vec3{-x / far, 0, y / far});
  };
  float move = 0, look = 0;
  const Vec3 way = in_world(sticks.move_x, sticks.move_y, move);
  const Vec3 sight = in_world(sticks.look_x, sticks.look_y, look);
  const float speed = sticks.run ? range.stick_run_mps() : sticks.walk ? range.stick_walk_mps() : range.stick_mps();
  Intent intent = Intent::move(way * (speed * move));
  if (look > 0) intent.wanted[0].facing_rad = portable_atan2(sight.x, sight.z);
  if (sticks.run) intent.gait = Gait::kRun;
  return intent;
}

}  // namespace zoe::control
