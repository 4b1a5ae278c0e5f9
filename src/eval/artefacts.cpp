// SPDX-License-Identifier: MIT
#include "zoe/eval/artefacts.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "zoe/core/index.h"
#include "zoe/core/random.h"

#include "eval/real_clips.h"

namespace zoe::eval {
namespace {

constexpr float kOnGround_m = 0.01F, kMarginShare = 1.25F, kHeightMargin_m = 0.02F;
constexpr double kSameEvent_s = 0.2;

float percentile_of(std::vector<float>& values, double share) {
  if (values.empty()) return 0;
  const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[static_cast<std::size_t>(at)];
}

class WildSticks final : public control::IntentSource {
 public:
  WildSticks(std::uint64_t seed, float pace_mps) : random_(seed), pace_mps_(pace_mps) {}

  control::Intent next(const PlanarRoot& /*root*/, double dt_s) override {
    left_s_ -= dt_s;
    if (left_s_ <= 0) {
      left_s_ = static_cast<double>(random_.uniform(0.2F, 0.9F));
      constexpr float kPi = std::numbers::pi_v<float>;
      const bool back = random_.uniform(0.0F, 1.0F) < 1.0F / 3;
      angle_rad_ = back ? angle_rad_ + kPi : random_.uniform(-kPi, kPi);
      const float speed = random_.uniform(0.0F, 1.0F) < 0.1F ? 0.0F : pace_mps_ * random_.uniform(0.2F, 2.2F);
      intent_ = control::Intent::move({speed * std::sin(angle_rad_), 0, speed * std::cos(angle_rad_)});
      if (random_.uniform(0.0F, 1.0F) < 0.5F) intent_.wanted[0].facing_rad = random_.uniform(-kPi, kPi);
    }
    return intent_;
  }

 private:
  Random random_;
  float pace_mps_, angle_rad_ = 0;
  double left_s_ = 0;
  control::Intent intent_;
};

// Frames of one type, or of all: events and share.
class EventCount {
 public:
  void add(bool is_one) {
    ++frames_;
    ++since_;
    if (!is_one) return;
    ++with_;
    if (with_ == 1 || since_ > kSameEvent_s * kArtefactRate_hz) ++events_;
    since_ = 0;
  }
  double per_minute() const {
    return frames_ > 0 ? static_cast<double>(events_) * 60 * kArtefactRate_hz / static_cast<double>(frames_) : 0;
  }
  double share() const { return frames_ > 0 ? static_cast<double>(with_) / static_cast<double>(frames_) : 0; }

 private:
  std::int64_t frames_ = 0, with_ = 0, events_ = 0, since_ = 0;
};

}  // namespace

std::unique_ptr<control::IntentSource> wild_sticks(std::uint64_t seed, float pace_mps) {
  return std::make_unique<WildSticks>(seed, pace_mps);
}

ArtefactWatch::ArtefactWatch(const control::Body& body, const ArtefactLimits& limits)
    : body_(body),
      limits_(limits),
      joints_(idx(body.skeleton->num_joints())),
      before_(joints_),
      velocities_(joints_.size()),
      slides_(body.legs.size()) {}

unsigned ArtefactWatch::see(const PoseView& pose_world, const PlanarRoot& root_world) {
  constexpr auto kRate = static_cast<float>(kArtefactRate_hz);
  std::swap(joints_, before_);
  compute_model_from_joint(*body_.skeleton, pose_world, joints_);
  const Vec3 root_step = num_seen_ > 0 ? root_world.position - root_before_.position : Vec3{};
  root_before_ = root_world;
  seen_ = {.slide_mps = 0, .joint_mps = 0, .joint_mps2 = 0, .lowest_m = 1e3F, .highest_m = 0, .top_m = -1e3F};
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    seen_.top_m = std::max(seen_.top_m, joints_[j].t.y - root_world.position.y);
    const Vec3 velocity = (joints_[j].t - before_[j].t - root_step) * kRate;
    seen_.joint_mps = std::max(seen_.joint_mps, length(velocity));
    seen_.joint_mps2 = std::max(seen_.joint_mps2, length(velocity - velocities_[j]) * kRate);
    velocities_[j] = velocity;
  }
  for (std::size_t l = 0; l < body_.legs.size(); ++l) {
    const control::BodyLeg& leg = body_.legs[l];
    float slowest = -1;
    const auto part = [&](int joint, float standing_m) {
      if (joint == kNoJoint) return;
      const Vec3 now = joints_[idx(joint)].t, before = before_[idx(joint)].t;
      const float standing = standing_m + root_world.position.y;
      seen_.lowest_m = std::min(seen_.lowest_m, now.y - standing);
      if (std::max(now.y, before.y) - standing > kOnGround_m) return;
      const float speed = std::hypot(now.x - before.x, now.z - before.z) * kRate;
      slowest = slowest < 0 ? speed : std::min(slowest, speed);
    };
    part(leg.leg.ankle, leg.leg.ankle_height_m);
    part(leg.leg.ball, leg.leg.ball_height_m);
    std::array<float, 3>& last = slides_[l];
    last = {last[1], last[2], std::max(slowest, 0.0F)};
    seen_.slide_mps = std::max(seen_.slide_mps, *std::min_element(last.begin(), last.end()));
  }
  seen_.highest_m = seen_.lowest_m;
  if (++num_seen_ < 5) return 0;
  unsigned found = 0;
  const auto flag = [&](Artefact artefact, bool is_there) {
    found |= is_there ? 1U << static_cast<unsigned>(artefact) : 0U;
  };
  flag(Artefact::kSlide, seen_.slide_mps > limits_.slide_mps);
  flag(Artefact::kSpike, seen_.joint_mps > limits_.joint_mps || seen_.joint_mps2 > limits_.joint_mps2);
  flag(Artefact::kHeight,
       !body_.legs.empty() && (seen_.lowest_m < limits_.lowest_m || seen_.lowest_m > limits_.highest_m));
  flag(Artefact::kHeight, seen_.top_m < limits_.top_m);
  return found;
}

Result<ArtefactLimits> artefact_limits(const dataset::Dataset& data, const control::Body& body) {
  std::vector<float> slides, speeds, changes, lows, tops;
  ZOE_TRY(for_each_real_clip(data, body, [&](const RealClip& clip) {
    ArtefactWatch watch(body, {});
    const int stride = std::max(1, static_cast<int>(std::lround(clip.motion.fps / kArtefactRate_hz)));
    for (int f = 0, seen = 0; f < clip.motion.num_frames; f += stride, ++seen) {
      watch.see(clip.motion.frame(f), clip.roots[idx(f)]);
      if (seen < 4) continue;
      slides.push_back(watch.seen().slide_mps);
      speeds.push_back(watch.seen().joint_mps);
      changes.push_back(watch.seen().joint_mps2);
      lows.push_back(watch.seen().lowest_m);
      tops.push_back(watch.seen().top_m);
    }
  }));
  if (slides.empty()) return Error{ErrorCode::kInvalid, "no clip to compare with", {.file = data.folder().string()}};
  ArtefactLimits limits;
  limits.slide_mps = kMarginShare * percentile_of(slides, 0.99);
  limits.joint_mps = kMarginShare * percentile_of(speeds, 0.999);
  limits.joint_mps2 = kMarginShare * percentile_of(changes, 0.999);
  limits.lowest_m = percentile_of(lows, 0.001) - kHeightMargin_m;
  limits.highest_m = percentile_of(lows, 0.999) + kHeightMargin_m;
  limits.top_m = percentile_of(tops, 0.001) - kHeightMargin_m;
  return limits;
}

Artefacts count_artefacts(const control::Controller& controller, const control::Body& body,
                          const ArtefactLimits& limits, const ArtefactOptions& options) {
  const auto sticks = wild_sticks(options.seed, body.motion_range.pace_mps);
  const auto state = controller.make_state();
  ArtefactWatch watch(body, limits);
  EventCount all, kinds[kNumArtefacts];
  constexpr double kStep_s = 1 / kArtefactRate_hz;
  const auto frames = static_cast<std::int64_t>(options.minutes * 60 * kArtefactRate_hz);
  for (std::int64_t f = 0; f < frames; ++f) {
    controller.tick(*state, sticks->next(state->root(), kStep_s), kStep_s);
    const unsigned found = watch.see(state->pose(), state->root());
    all.add(found != 0);
    for (unsigned k = 0; k < kNumArtefacts; ++k) kinds[k].add((found >> k & 1U) != 0);
  }
  Artefacts out{.per_minute = all.per_minute(), .share = all.share()};
  for (int k = 0; k < kNumArtefacts; ++k) out.by_kind[k] = kinds[k].per_minute();
  return out;
}

}  // namespace zoe::eval
