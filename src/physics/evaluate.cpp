// SPDX-License-Identifier: MIT
#include "zoe/physics/evaluate.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <numbers>

#include "zoe/core/hash64.h"
#include "zoe/core/index.h"
#include "zoe/core/random.h"
#include "zoe/math/finite.h"
#include "zoe/motion/edit.h"

#include "physics/sound_frames.h"

namespace zoe::physics {
namespace {

double body_weight_n(const BodyModel& model) { return model.plan().mass_kg * kGravityM_s2; }

double thread_cpu_s() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

Vec3d sideways(double size, double angle_rad) { return {size * std::cos(angle_rad), 0, size * std::sin(angle_rad)}; }

bool is_sound(const Pose& pose) { return all_finite(pose.translations) && all_unit(pose.rotations, 1e-3F); }

// The frame, moved by `shift` and turned about its root joint.
void moved_frame(const PoseView& frame, Vec3 shift, Quat turn, Pose& out) {
  std::ranges::copy(frame.translations, out.translations.begin());
  std::ranges::copy(frame.rotations, out.rotations.begin());
  if (!frame.scales.empty()) std::ranges::copy(frame.scales, out.scales.begin());
  out.translations[0] += shift;
  out.rotations[0] = normalized(turn * out.rotations[0]);
}

}  // namespace

Result<ClipScore> evaluate_clip(const BodyModelPtr& model, const Motion& motion, const EvaluateOptions& options) {
  Motion clip = motion;
  if (clip.duration_s() > options.seconds) {
    ZOE_TRY_ASSIGN(clip, trim(clip, 0, static_cast<int>(options.seconds * clip.fps)));
  }
  ClipScore score{.duration_s = clip.duration_s()};
  const TrackOptions assisted{.assist_n = options.assist_share * body_weight_n(*model)};
  ZOE_TRY_ASSIGN(score.assisted, track_motion(model, clip, assisted));
  ZOE_TRY_ASSIGN(const TrackReport again, track_motion(model, clip, assisted));
  score.repeats = again.hash == score.assisted.hash;
  ZOE_TRY_ASSIGN(score.alone, track_motion(model, clip, {}));
  score.assisted.motion = score.alone.motion = {};
  constexpr double kPush_s = 0.2, kUsual_kg = 70;
  const double force_n = options.push_ns / kPush_s * std::min(1.0, model->plan().mass_kg / kUsual_kg);
  for (int seed = 0; seed < options.num_seeds; ++seed) {
    Random random(static_cast<std::uint64_t>(seed) + 1);
    const double angle = 2 * std::numbers::pi * random.uniform_double();
    const double time_s = (0.15 + 0.6 * random.uniform_double()) * score.duration_s;
    const PushOptions push{.pushes = {{.time_s = time_s, .duration_s = kPush_s, .force_n = sideways(force_n, angle)}}};
    ZOE_TRY_ASSIGN(const PushReport pushed, push_motion(model, clip, push));
    ++score.num_pushes;
    score.num_recovered += pushed.recovered ? 1 : 0;
    score.num_falls += pushed.num_falls;
    score.down_s += pushed.down_s / options.num_seeds;
    score.largest_step_m = std::max(score.largest_step_m, pushed.largest_step_m);
  }
  return score;
}

double crowd_frame_s(const BodyModelPtr& model, const Motion& motion, int num_characters, int num_frames) {
  const Result<Motion> targets = targets_of(*model, motion);
  ZOE_CHECK(targets && num_characters > 0 && num_frames > 0, "crowd_frame_s: a clip of the body, characters, frames");
  const double ground_m = ground_under(*model, *targets), assist_n = 1.5 * body_weight_n(*model);
  std::vector<BodyState> states;
  const auto frame_of = [&](int character, int frame) {
    return targets->frame((character * 7 + frame) % targets->num_frames);
  };
  for (int i = 0; i < num_characters; ++i) {
    states.emplace_back(model);
    states.back().reset(frame_of(i, 0), ground_m);
  }
  // The first frames come from rest.
  for (int frame = 1; frame <= 5; ++frame)
    for (int i = 0; i < num_characters; ++i) states[idx(i)].tick(frame_of(i, frame), {.assist_n = assist_n});
  const double begin_s = thread_cpu_s();
  for (int frame = 6; frame < 6 + num_frames; ++frame)
    for (int i = 0; i < num_characters; ++i) states[idx(i)].tick(frame_of(i, frame), {.assist_n = assist_n});
  return (thread_cpu_s() - begin_s) / num_frames;
}

Result<SoakReport> soak(const BodyModelPtr& model, const Motion& motion, double minutes, std::uint64_t seed) {
  ZOE_TRY_ASSIGN(const Motion targets, targets_of(*model, motion));
  const double ground_m = ground_under(*model, targets), frame_s = model->options().frame_s;
  SoakReport report;
  Random random(seed);
  Hash64 hash;
  ReactiveBody body(model);
  Pose pose = make_pose(model->skeleton());
  body.reset(targets.frame(0), ground_m);
  Vec3 shift{};
  Vec3d push_n{};
  int push_ticks = 0;
  const auto unit = [&] { return random.uniform_double(); };
  const auto per_unit = static_cast<float>(1 / model->plan().metres_per_unit);
  const auto num_ticks = static_cast<std::int64_t>(minutes * 60 / frame_s);
  for (std::int64_t tick = 0; tick < num_ticks; ++tick) {
    const double event = unit();
    // About one event in two seconds.
    if (event < 0.006) {
      push_n = sideways(30 * unit() * body_weight_n(*model), 2 * std::numbers::pi * unit()) +
               Vec3d{0, (unit() - 0.3) * 10 * body_weight_n(*model), 0};
      push_ticks = 1 + static_cast<int>(20 * unit());
      ++report.num_pushes;
    } else if (event < 0.0072) {
      const Vec3 axis = normalized(Vec3{static_cast<float>(unit() - 0.5), static_cast<float>(unit() - 0.5),
                                        static_cast<float>(unit() - 0.5) + 1e-3F});
      const Quat turn = from_axis_angle(axis, static_cast<float>(6.28 * unit()));
      moved_frame(targets.frame(static_cast<int>(tick % targets.num_frames)),
                  Vec3{0, static_cast<float>(3 * unit()) * per_unit, 0}, turn, pose);
      report.num_falls += body.num_falls(), report.num_get_ups += body.num_get_ups();
      body.reset(pose.view(), ground_m);
      ++report.num_drops;
    } else if (event < 0.0084) {
      shift = Vec3{static_cast<float>(40 * (unit() - 0.5)), 0, static_cast<float>(40 * (unit() - 0.5))} * per_unit;
      ++report.num_teleports;
    }
    moved_frame(targets.frame(static_cast<int>(tick % targets.num_frames)), shift, Quat{}, pose);
    const ReactionReport ticked = body.tick(pose.view(), push_ticks-- > 0 ? push_n : Vec3d{});
    report.num_resets += ticked.went_bad ? 1 : 0;
    report.num_not_finite += is_sound(body.pose()) ? 0 : 1;
    ++report.num_ticks;
    const std::uint64_t now = body.state().hash();
    hash.add(std::as_bytes(std::span(&now, 1)));
  }
  report.num_falls += body.num_falls(), report.num_get_ups += body.num_get_ups();
  report.hash = hash.finish();
  return report;
}

}  // namespace zoe::physics
