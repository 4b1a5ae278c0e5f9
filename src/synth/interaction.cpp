// SPDX-License-Identifier: MIT
// Sitting, carrying, opening and walking around: each is a walk with stops, and a function of time for hips, hands and
// prop.
#include "zoe/synth/interaction.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "zoe/core/index.h"

#include "synth/angle.h"
#include "synth/body_sizes.h"
#include "synth/errand.h"
#include "synth/legged.h"

namespace zoe::synth {
namespace {

Error usage(std::string what) { return {ErrorCode::kUsage, std::move(what), {}}; }
Vec3 ahead(float facing_rad) { return {std::sin(facing_rad), 0, std::cos(facing_rad)}; }
float share(double time_s, double from_s, double to_s) {
  return smooth_step(0, 1, static_cast<float>((time_s - from_s) / std::max(1e-6, to_s - from_s)));
}

// A task with its labels.
class PropTask : public Task {
 public:
  PropTask(const Body& body, const InteractionRequest& request) : body_(body), sizes_(measure_sizes(body)) {
    props_ = request.props;
  }
  const Track& track() const override { return errand_.track; }
  double seconds() const { return errand_.end_s; }
  virtual Prop used_at(double time_s) const {
    (void)time_s;
    return props_.front();
  }
  virtual Deed deed_at(double time_s) const = 0;
  virtual DeedGoal goal_at(double time_s) const = 0;

 protected:
  double begins(std::size_t stage) const { return errand_.begin_s[stage]; }
  Deed walking_or(Deed other, double time_s) const {
    return errand_.track.at(time_s).effort > 0.1F ? Deed::kWalk : other;
  }
  static void extend(std::vector<Vec3>& points, const std::vector<Vec3>& way) {
    points.insert(points.end(), way.begin(), way.end());
  }
  // Two stages: it walks to a place and, where it missed that, takes the steps that are left.
  static void come_to(Vec3 place, float facing_rad, const Miss& miss, Stage& comes, Stage& corrects) {
    const Vec3 first = place + rotate(about_y(facing_rad), miss.aside);
    comes.points.push_back(first);
    comes.facing = facing_rad + miss.turn_rad;
    const float far_m = length(miss.aside);
    if (far_m == 0 && miss.turn_rad == 0) return;
    const double steps_s = 0.6 + static_cast<double>(far_m / 0.35F + std::abs(miss.turn_rad) / 1.2F);
    corrects.seconds = miss.pause_s + steps_s;
    corrects.lead = [=, pause = static_cast<float>(miss.pause_s / corrects.seconds)](float u) {
      const float done = smooth_step(pause, 1, u);
      return Stage::Led{lerp(first, place, done), facing_rad + miss.turn_rad * (1 - done)};
    };
  }

  const Body& body_;
  BodySizes sizes_;
  std::vector<Prop> props_;
  Errand errand_;
};

class SitTask final : public PropTask {
 public:
  SitTask(const Body& body, const InteractionRequest& request, const TrackRequest& track, float phase)
      : PropTask(body, request), seat_(props_.front()) {
    const SeatFit fit = fit_to_seat(sizes_, seat_);
    facing_ = seat_.facing_rad;
    seated_ = world_from_prop(seat_, {seat_.seat_m.x, fit.hips_y_m, fit.hips_z_m});
    stand_ = world_from_prop(seat_, {seat_.seat_m.x, 0, fit.stand_z_m});
    exit_ = request.way_on.empty() ? stand_ + ahead(facing_) * (1.4F * body.leg_length_m) : request.way_on.back();
    // Turns where the toes are clear of the seat, then steps back to it.
    const Vec3 turn = world_from_prop(seat_, {seat_.seat_m.x, 0, std::max(fit.turn_z_m, fit.stand_z_m)});
    std::vector<Stage> stages(10);
    extend(stages[0].points, request.way_there);
    come_to(turn, facing_, request.miss_there, stages[0], stages[1]);
    stages[2].seconds = 0.7 + static_cast<double>(distance(turn, stand_)) / 0.45;
    stages[2].lead = [turn, stand = stand_, facing = facing_](float u) {
      return Stage::Led{lerp(turn, stand, smooth_step(0, 1, u)), facing};
    };
    stages[3].seconds = 0.8;
    stages[4].seconds = 1.5;
    stages[5].seconds = request.stay_s;
    stages[6].seconds = 1.4;
    stages[7].seconds = 0.3;
    extend(stages[8].points, request.way_on);
    if (request.way_on.empty()) stages[8].points.push_back(exit_);
    stages[9].seconds = 0.8;
    errand_ = plan_errand(track, stages, phase);
  }

  TaskPose at(double time_s) const override {
    const float down = share(time_s, begins(4), begins(5)), up = share(time_s, begins(6), begins(7)), w = down - up;
    TaskPose pose;
    if (w <= 0) return pose;
    pose.hips_weight = w;
    pose.hips = seated_;
    // The trunk leans forward on the way, so that the weight stays over the feet.
    const float moving = 4 * w * (1 - w);
    pose.lean_rad = 0.85F * moving + 0.04F * w;
    const Vec3 forward = ahead(facing_), left{forward.z, 0, -forward.x};
    for (std::size_t side = 0; side < 2; ++side) {
      const float s = side == 0 ? 1.0F : -1.0F;
      const Vec3 knee = seated_ + forward * (0.68F * sizes_.thigh_m) + left * (s * 1.15F * sizes_.hip_half_m);
      pose.hands[side] = {w, knee + Vec3{0, sizes_.thigh_radius_m + 0.02F, 0}};
    }
    return pose;
  }
  Deed deed_at(double time_s) const override {
    if (time_s >= begins(4) && time_s < begins(7)) return Deed::kSit;
    return walking_or(Deed::kIdle, time_s);
  }
  DeedGoal goal_at(double time_s) const override {
    if (time_s >= begins(6)) return {Deed::kIdle, exit_, errand_.track.at(errand_.end_s).facing_rad};
    return {Deed::kSit, {seated_.x, seat_.position.y, seated_.z}, facing_};
  }

 private:
  Prop seat_;
  Vec3 seated_, stand_, exit_;
  float facing_ = 0;
};

class CarryTask final : public PropTask {
 public:
  CarryTask(const Body& body, const InteractionRequest& request, const TrackRequest& track, float phase)
      : PropTask(body, request), box_(props_.front()) {
    target_ = box_;
    target_.position = request.destination;
    target_.facing_rad = request.destination_facing_rad;
    half_ = box_.parts[0].half_m;
    held_ = held_place(sizes_, half_);
    gap_ = stand_off(sizes_, half_);
    from_ = box_.position - ahead(box_.facing_rad) * gap_, to_ = target_.position - ahead(target_.facing_rad) * gap_;
    from_.y = to_.y = 0;
    // A step back from the table, before the turn.
    const Vec3 back = from_ - ahead(box_.facing_rad) * (0.3F * body.leg_length_m);
    // And one after the box is put down: arms that hang would be in it.
    leave_ = to_ - ahead(target_.facing_rad) * (0.32F * body.leg_length_m);
    std::vector<Stage> stages(13);
    extend(stages[0].points, request.way_there);
    come_to(from_, box_.facing_rad, request.miss_there, stages[0], stages[1]);
    stages[2].seconds = 0.9;
    stages[3].seconds = 1.1;  // Down, hands on the box.
    stages[4].seconds = 1.3;  // Up.
    stages[5].lead = [=, start = from_, facing = box_.facing_rad](float u) {
      return Stage::Led{lerp(start, back, smooth_step(0, 1, u)), facing};
    };
    stages[5].seconds = 0.9;
    extend(stages[6].points, request.way_on);
    come_to(to_, target_.facing_rad, request.miss_on, stages[6], stages[7]);
    stages[6].pace = 0.8F;
    stages[8].seconds = 0.9;
    stages[9].seconds = 1.3;   // Down.
    stages[10].seconds = 1.1;  // Up.
    stages[11].lead = [start = to_, end = leave_, facing = target_.facing_rad](float u) {
      return Stage::Led{lerp(start, end, smooth_step(0, 1, u)), facing};
    };
    stages[11].seconds = 0.9;
    stages[12].seconds = 0.8;
    errand_ = plan_errand(track, stages, phase);
    const float body_kg = std::max(1.0F, body.mass_kg());
    // The common centre of mass stays over the feet.
    weight_lean_ = -std::clamp(box_.mass_kg / body_kg * held_.z / (0.6F * sizes_.trunk_m), 0.0F, 0.28F);
  }

  Prop used_at(double time_s) const override {
    if (time_s < begins(4)) return box_;
    if (time_s >= begins(10)) return target_;
    const Track::Sample now = errand_.track.at(time_s);
    const Vec3 carried = now.position + rotate(about_y(now.facing_rad), held_);
    Prop box = box_;
    const float up = share(time_s, begins(4), begins(5)), down = share(time_s, begins(9), begins(10));
    // Vertically first on the way up, last on the way down: tables have edges.
    const auto mixed = [](Vec3 low, Vec3 high, float u) {
      const float across = smooth_step(0.25F, 1, u), along = smooth_step(0, 0.85F, u);
      return Vec3{low.x + (high.x - low.x) * across, low.y + (high.y - low.y) * along,
                  low.z + (high.z - low.z) * across};
    };
    box.position = down > 0 ? mixed(target_.position, carried, 1 - down) : mixed(box_.position, carried, up);
    box.facing_rad = now.facing_rad;
    return box;
  }

  TaskPose at(double time_s) const override {
    TaskPose pose;
    // Swinging hands would hit a box on a table.
    pose.calm_arms = share(time_s, begins(2) - 1.9, begins(2) - 1.1) - share(time_s, begins(12), begins(12) + 0.5);
    const float grip = share(time_s, begins(3), begins(4)) - share(time_s, begins(10), begins(11));
    if (grip <= 0) return pose;
    const Prop box = used_at(time_s);
    const Track::Sample now = errand_.track.at(time_s);
    const Crouch crouch = crouch_for(sizes_, palm_in_root(box, now, 1));
    const float loaded = share(time_s, begins(4), begins(5)) - share(time_s, begins(9), begins(10));
    pose.lean_rad = grip * crouch.lean_rad + weight_lean_ * loaded;
    pose.hips_offset = rotate(about_y(now.facing_rad), crouch.hips) * grip;
    for (std::size_t side = 0; side < 2; ++side)
      pose.hands[side] = {grip, world_from_prop(box, palm_place(half_, side == 0 ? 1.0F : -1.0F))};
    return pose;
  }
  Deed deed_at(double time_s) const override {
    if (time_s >= begins(3) && time_s < begins(5)) return Deed::kLift;
    if (time_s >= begins(5) && time_s < begins(9)) return Deed::kCarry;
    if (time_s >= begins(9) && time_s < begins(11)) return Deed::kPutDown;
    return walking_or(Deed::kIdle, time_s);
  }
  DeedGoal goal_at(double time_s) const override {
    if (time_s < begins(5)) return {Deed::kLift, from_, box_.facing_rad};
    if (time_s < begins(11)) return {Deed::kPutDown, to_, target_.facing_rad};
    return {Deed::kIdle, leave_, target_.facing_rad};
  }

 private:
  Vec3 palm_in_root(const Prop& box, const Track::Sample& now, float side) const {
    return rotate(about_y(-now.facing_rad), world_from_prop(box, palm_place(half_, side)) - now.position);
  }

  Prop box_, target_;
  Vec3 half_, held_, from_, to_, leave_;
  float gap_ = 0, weight_lean_ = 0;
};

class OpenTask final : public PropTask {
 public:
  OpenTask(const Body& body, const InteractionRequest& request, const TrackRequest& track, float phase)
      : PropTask(body, request), door_(props_.front()) {
    off_ = std::max(0.62F * sizes_.arm_m + 0.5F * sizes_.belly_m, sizes_.toes_m + 0.2F) + 0.07F;
    along_ = 0.72F * door_.handle_m.x;
    const Stage::Led first = led(0);
    exit_ = world_from_prop(door_, {0.75F * door_.handle_m.x, 0, 1.6F * body.leg_length_m + door_.handle_m.x});
    std::vector<Stage> stages(7);
    extend(stages[0].points, request.way_there);
    come_to(first.position, first.facing_rad, request.miss_there, stages[0], stages[1]);
    stages[2].seconds = 0.8;
    stages[3].seconds = 0.7;
    stages[4].seconds = 2.6;
    stages[4].lead = [this](float u) { return led(smooth_step(0, 1, u)); };
    stages[5].points.push_back(exit_);
    stages[6].seconds = 0.8;
    errand_ = plan_errand(track, stages, phase);
  }

  Prop used_at(double time_s) const override {
    Prop door = door_;
    door.open_rad = kOpen_rad * opened(time_s);
    return door;
  }
  TaskPose at(double time_s) const override {
    TaskPose pose;
    const float hold = share(time_s, begins(3), begins(4)) - share(time_s, begins(5), begins(5) + kRelease_s);
    if (hold <= 0) return pose;
    const Vec3 handle = handle_of(used_at(time_s));
    pose.hands[0] = {hold, handle};
    const Track::Sample now = errand_.track.at(time_s);
    const Vec3 palm = rotate(about_y(-now.facing_rad), handle - now.position);
    const Crouch crouch = crouch_for(sizes_, palm);
    pose.lean_rad = hold * (crouch.lean_rad + 0.08F);
    pose.hips_offset = rotate(about_y(now.facing_rad), crouch.hips) * hold;
    return pose;
  }
  Deed deed_at(double time_s) const override {
    if (time_s >= begins(3) && time_s < begins(5) + kRelease_s) return Deed::kOpen;
    return walking_or(Deed::kIdle, time_s);
  }
  DeedGoal goal_at(double time_s) const override {
    const Stage::Led last = led(1);
    if (time_s < begins(5)) return {Deed::kOpen, last.position, last.facing_rad};
    return {Deed::kIdle, exit_, errand_.track.at(errand_.end_s).facing_rad};
  }

 private:
  static constexpr float kOpen_rad = 1.35F;
  static constexpr double kRelease_s = 0.5;
  float opened(double time_s) const { return share(time_s, begins(4), begins(5)); }
  // Beside the leaf as it opens: the handle stays at the left hand.
  Stage::Led led(float open) const {
    const float angle = kOpen_rad * open;
    const Vec3 own = rotate(about_y(-angle), Vec3{along_, 0, -off_});
    return {world_from_prop(door_, own), door_.facing_rad - 0.55F * angle};
  }

  Prop door_;
  Vec3 exit_;
  float off_ = 0, along_ = 0;
};

class WalkTask final : public PropTask {
 public:
  WalkTask(const Body& body, const InteractionRequest& request, const TrackRequest& track, float phase)
      : PropTask(body, request), goal_{Deed::kIdle, request.destination, request.destination_facing_rad} {
    std::vector<Stage> stages(4);
    stages[0].seconds = 0.4;
    extend(stages[1].points, request.way_there);
    come_to(request.destination, request.destination_facing_rad, request.miss_there, stages[1], stages[2]);
    stages[3].seconds = 1;
    errand_ = plan_errand(track, stages, phase);
  }
  TaskPose at(double) const override { return {}; }
  Deed deed_at(double time_s) const override { return walking_or(Deed::kIdle, time_s); }
  DeedGoal goal_at(double) const override { return goal_; }

 private:
  DeedGoal goal_;
};

Result<void> check(const Body& body, const InteractionRequest& request) {
  if (body.family != BodyFamily::kBiped || body.arms.size() != 2 || body.legs.size() != 2)
    return usage(fmt::format("only bipeds with two arms use props; this is {}", body.species));
  if (!(request.fps > 0 && request.fps <= 1000)) return usage("fps must be above 0 and at most 1000");
  if (!(request.stay_s >= 0 && request.stay_s <= 3600)) return usage("0 to 3600 s on a seat");
  if (request.deed == Deed::kSit && !body.tail.empty())
    return usage("bodies with a tail have no place for it on a seat");
  const BodySizes sizes = measure_sizes(body);
  const auto needs = [&](PropType type) -> Result<void> {
    if (request.props.empty() || request.props.front().type != type || request.props.front().num_parts < 1)
      return usage(fmt::format("the first prop must be a {}", to_string(type)));
    return {};
  };
  switch (request.deed) {
    case Deed::kSit:
      ZOE_TRY(needs(PropType::kSeat));
      return check_seat(sizes, request.props.front());
    case Deed::kCarry:
      ZOE_TRY(needs(PropType::kBox));
      return check_box(sizes, request.props.front(), request.destination.y);
    case Deed::kOpen:
      ZOE_TRY(needs(PropType::kDoor));
      return check_door(sizes, request.props.front());
    case Deed::kWalk:
      return {};
    default:
      return usage(fmt::format("'{}' is part of a deed; request sit, carry, open or walk", to_string(request.deed)));
  }
}

}  // namespace

const char* to_string(Deed deed) {
  constexpr const char* kNames[kNumDeeds] = {"idle", "walk", "sit", "lift", "carry", "put_down", "open"};
  return kNames[static_cast<std::size_t>(deed)];
}

Result<InteractionClip> make_interaction(const Body& body, const InteractionRequest& request, Random random) {
  ZOE_TRY(check(body, request));
  ClipRequest clip;
  clip.fps = request.fps;
  const TrackRequest track{&body, clip, gait_numbers(body.family, Gait::kWalk), style_numbers(clip.style)};
  const float phase = random.uniform();
  std::unique_ptr<PropTask> task;
  if (request.deed == Deed::kSit) task = std::make_unique<SitTask>(body, request, track, phase);
  if (request.deed == Deed::kCarry) task = std::make_unique<CarryTask>(body, request, track, phase);
  if (request.deed == Deed::kOpen) task = std::make_unique<OpenTask>(body, request, track, phase);
  if (request.deed == Deed::kWalk) task = std::make_unique<WalkTask>(body, request, track, phase);
  clip.seconds = task->seconds();
  if (clip.seconds * clip.fps > 100000) return usage("the clip would have over 100,000 frames");

  InteractionClip out;
  float travel = 1;
  for (int attempt = 0; attempt < 4; ++attempt, travel *= 0.75F) {
    LeggedAnimator animator(body, clip, *task, random.split(1), travel);
    out.clip = animator.run();
    if (animator.missed_m() < 1e-4F * body.leg_length_m) break;
  }
  out.clip.motion.name = to_string(request.deed);
  out.num_props = request.props.size();
  for (int f = 0; f < out.clip.motion.num_frames; ++f) {
    const double time_s = f / clip.fps;
    out.deeds.push_back(task->deed_at(time_s));
    out.goals.push_back(task->goal_at(time_s));
    for (std::size_t i = 0; i < request.props.size(); ++i)
      out.props.push_back(i == 0 && request.deed != Deed::kWalk ? task->used_at(time_s) : request.props[i]);
  }
  return out;
}

}  // namespace zoe::synth
