// SPDX-License-Identifier: MIT
#include "zoe/eval/deeds.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "zoe/character/copy_pose.h"
#include "zoe/character/pose.h"
#include "zoe/control/body_height.h"
#include "zoe/core/index.h"
#include "zoe/core/random.h"
#include "zoe/motion/edit.h"
#include "zoe/motion/frame_span.h"

#include "eval/for_tasks.h"
#include "eval/prop_depth.h"
#include "eval/pulled_share.h"

namespace zoe::eval {
namespace {

using control::Deed;

constexpr float kFingerShare = 0.01F;
constexpr float kBehind_rad = std::numbers::pi_v<float>;

Vec3 around(Vec3 centre, float angle_rad, float distance_m) {
  return centre + Vec3{std::sin(angle_rad), 0, std::cos(angle_rad)} * distance_m;
}
float drawn(Random& random, const control::DeedFacts::Range& range) { return random.uniform(range[0], range[1]); }

// Distance of a point from the seat's surface: above or below it, and beyond its edges.
float seat_distance(const Prop& seat, Vec3 bottom) {
  const Vec3 own = prop_from_world(seat, bottom) - seat.seat_m;
  return length(Vec3{std::max(0.0F, std::abs(own.x) - seat.seat_half_width_m), own.y,
                     std::max(0.0F, std::abs(own.z) - seat.seat_half_depth_m)});
}

}  // namespace

DeedTask draw_deed_task(Deed deed, const control::DeedFacts& facts, std::uint64_t seed) {
  Random random = Random(seed).split(91 + static_cast<std::uint64_t>(deed));
  DeedTask out;
  out.task.deed = deed;
  const float bearing = random.uniform(-kBehind_rad, kBehind_rad);
  if (deed == Deed::kSit) {
    SeatSizes seat;
    seat.height_m = drawn(random, facts.seat_height), seat.width_m = drawn(random, facts.seat_width);
    seat.depth_m = drawn(random, facts.seat_depth);
    seat.back_m = random.uniform() < 0.25F ? 0.0F : facts.seat_back[1] * random.uniform(0.55F, 1.0F);
    // The character comes from before the seat or from its side.
    out.props = {make_seat(seat, around({}, bearing, random.uniform(1.6F, 3.6F)),
                           bearing + kBehind_rad + random.uniform(-1.6F, 1.6F))};
  } else if (deed == Deed::kCarry) {
    const Vec3 size{drawn(random, facts.box_width), drawn(random, facts.box_height), drawn(random, facts.box_depth)};
    const auto height = [&] {
      return random.uniform() < 0.3F ? 0.0F : facts.box_bottom[1] * random.uniform(0.55F, 0.95F);
    };
    const Vec3 at = around({0, 0, 0}, bearing, random.uniform(1.4F, 2.6F));
    const float facing = bearing + random.uniform(-0.5F, 0.5F), from_m = height(), to_m = height();
    out.props = {make_box(size, drawn(random, facts.box_kg), at + Vec3{0, from_m, 0}, facing)};
    const float away = facing + kBehind_rad + random.uniform(-1.2F, 1.2F);
    out.task.destination = {around(around(at, facing, -1.0F), away, random.uniform(1.8F, 3.2F)) + Vec3{0, to_m, 0},
                            away + random.uniform(-0.5F, 0.5F)};
    const auto table = [&](Vec3 place, float turn) {
      if (place.y > 0)
        out.props.push_back(make_obstacle({0.95F * size.x, place.y, size.z}, {place.x, 0, place.z}, turn));
    };
    table(out.props[0].position, facing);
    table(out.task.destination.position, out.task.destination.facing_rad);
  } else {
    DoorSizes door;
    // The handle is a little before the leaf's edge.
    door.width_m = drawn(random, facts.door_width) / 0.92F;
    door.handle_height_m = drawn(random, facts.handle_height);
    door.height_m = 2 * door.handle_height_m;
    out.props = {make_door(door, around({}, bearing, random.uniform(2, 3.4F)), bearing + random.uniform(-0.6F, 0.6F))};
  }
  return out;
}

DeedRecording record_deed(const control::Controller& controller, const control::DeedFacts& facts, const DeedTask& task,
                          double seconds, double fps, bool stops) {
  const int frames = std::max(2, static_cast<int>(std::lround(seconds * fps)));
  DeedRecording out;
  const auto state = controller.make_state();
  const control::Hands hands = control::hands_of(*controller.skeleton(), facts.left_hand, facts.right_hand);
  control::PropUser user(controller, task.props, task.task, hands, &facts);
  out.recording.motion = make_motion(controller.skeleton(), "deed", fps, frames, false);
  int f = 0;
  for (; f < frames; ++f) {
    user.tick(controller, *state, 1 / fps);
    copy_pose(state->pose(), frame_span(out.recording.motion, f));
    out.recording.roots.push_back(state->root());
    out.recording.contacts.insert(out.recording.contacts.end(), state->contacts().begin(), state->contacts().end());
    out.props.insert(out.props.end(), user.props().begin(), user.props().end());
    out.deeds.push_back(state->deed().value_or(control::DeedProgress{}).deed);
    out.holds.push_back(user.holds() ? 1 : 0);
    if (user.done() && out.done_s < 0) out.done_s = f / fps;
    if (stops && out.done_s >= 0 && f / fps > out.done_s + 1) break;
  }
  out.pulled_m = state->deed().value_or(control::DeedProgress{}).pulled_m;
  out.note = user.note();
  if (auto kept = trim(out.recording.motion, 0, std::min(f, frames - 1))) out.recording.motion = std::move(*kept);
  out.recording.num_recoveries = state->num_recoveries();
  return out;
}

double DeedReport::reached_share() const {
  const auto good = std::count_if(results.begin(), results.end(), [](const DeedResult& r) { return r.reached; });
  return results.empty() ? 0 : static_cast<double>(good) / static_cast<double>(results.size());
}

double DeedReport::pulled_share() const { return pulled_share_of(results); }

namespace {

DeedResult measure_deed(const control::Controller& controller, const control::DeedFacts& facts, Deed deed,
                        std::uint64_t seed, const DeedOptions& options, FootSkate& skate) {
  const Skeleton& skeleton = *controller.skeleton();
  const control::Hands hands = control::hands_of(skeleton, facts.left_hand, facts.right_hand);
  std::vector<Affine> models(idx(skeleton.num_joints()));
  DeedResult result;
  result.seed = seed;
  DeedTask task = draw_deed_task(deed, facts, seed);
  if (deed == Deed::kSit && !options.seats.empty()) {
    Prop seat = options.seats[static_cast<std::size_t>(seed % options.seats.size())];
    seat.position = task.props[0].position, seat.facing_rad = task.props[0].facing_rad;
    task.props[0] = seat;
  }
  const DeedRecording made = record_deed(controller, facts, task, options.seconds, controller.rate_hz());
  const std::size_t num_props = task.props.size(), frames = made.recording.roots.size();
  result.done = made.done_s >= 0;
  result.seconds = static_cast<double>(frames) / controller.rate_hz();
  result.num_recoveries = made.recording.num_recoveries;
  result.walked_m = static_cast<float>(made.recording.distance_m());
  result.pulled_m = made.pulled_m;
  result.inside_m = result.inside_thin_m = result.shins_m = -1;
  const float height_m = control::body_height_m(controller);
  for (std::size_t f = 0; f < frames; ++f) {
    compute_model_from_joint(skeleton, made.recording.motion.frame(static_cast<int>(f)), models);
    const std::span<const Prop> props = std::span(made.props).subspan(f * num_props, num_props);
    const bool uses = made.deeds[f] != Deed::kIdle && made.deeds[f] != Deed::kWalk;
    int joint = kNoJoint;
    DepthOptions depth{.height_m = height_m, .hands = hands.joints, .used = uses ? 0 : -1};
    result.inside_m = std::max(result.inside_m, depth_in_props(skeleton, models, props, depth));
    depth.finger_share = kFingerShare;
    depth.deepest_joint = &joint;
    if (const float thin = depth_in_props(skeleton, models, props, depth); thin > result.inside_thin_m) {
      result.inside_thin_m = thin;
      if (joint != kNoJoint) result.inside_joint = skeleton.name(joint);
    }
    if (made.deeds[f] == Deed::kSit) {
      const DepthOptions legs{.height_m = height_m, .used = 0, .shins = controller.contact_joints()};
      result.shins_m = std::max(result.shins_m, depth_in_props(skeleton, models, props.first(1), legs));
    }
    if (made.holds[f] != 0 && hands.joints[0] != kNoJoint) {
      std::array<float, 2> far{};
      for (std::size_t side = 0; side < 2; ++side) {
        const Vec3 palm = models[idx(hands.joints[side])].apply_point(hands.palms[side]);
        far[side] =
            deed == Deed::kOpen ? distance(palm, handle_of(props[0])) : std::abs(signed_distance(props[0], palm));
      }
      result.hands_m =
          std::max(result.hands_m, deed == Deed::kOpen ? std::min(far[0], far[1]) : std::max(far[0], far[1]));
    }
  }
  const std::span<const Prop> last = std::span(made.props).subspan((frames - 1) * num_props, num_props);
  const PlanarRoot& root = made.recording.roots.back();
  if (deed == Deed::kSit) {
    const Vec3 hips = facts.hips >= 0 ? models[idx(facts.hips)].t : root.position;
    const Vec3 bottom = hips - Vec3{0, facts.seated_m, 0}, own = prop_from_world(last[0], bottom) - last[0].seat_m;
    result.seat_m = seat_distance(last[0], bottom);
    result.distance_m = std::hypot(own.x, std::max(0.0F, std::abs(own.z) - last[0].seat_half_depth_m), own.y);
    result.angle_rad = std::abs(control::wrapped(root.facing_rad - last[0].facing_rad));
  } else if (deed == Deed::kCarry) {
    result.distance_m = distance(last[0].position, task.task.destination.position);
    result.angle_rad = std::abs(control::wrapped(last[0].facing_rad - task.task.destination.facing_rad));
  } else {
    const Vec3 own = prop_from_world(last[0], root.position);
    // Behind the door's plane, in its width.
    result.distance_m = std::max({0.0F, -own.z, own.x - 1.1F * last[0].handle_m.x, -own.x});
    result.angle_rad = std::max(0.0F, 1.2F - last[0].open_rad);
  }
  result.reached = result.done && result.distance_m <= options.within_m && result.angle_rad <= options.within_rad;
  skate.add(controller, made.recording);
  return result;
}

}  // namespace

DeedReport measure_deeds(const control::Controller& controller, const control::DeedFacts& facts, Deed deed,
                         const DeedOptions& options) {
  DeedReport report;
  report.deed = deed;
  report.results.resize(idx(options.num_tasks));
  std::vector<FootSkate> skates(report.results.size());
  for_tasks(options.pool, report.results.size(), options.on_task, [&](std::size_t i) {
    report.results[i] = measure_deed(controller, facts, deed, options.seed + i, options, skates[i]);
  });
  FootSkate skate;
  for (const FootSkate& one : skates) skate.add(one);
  report.foot_skate_cm_s = skate.cm_s();
  report.low_feet_cm_s = skate.low_cm_s();
  return report;
}

}  // namespace zoe::eval
