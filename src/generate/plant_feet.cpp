// SPDX-License-Identifier: MIT
#include "zoe/generate/plant_feet.h"

#include <algorithm>
#include <cmath>

#include "zoe/anatomy/find_root.h"
#include "zoe/anatomy/leg_rig.h"
#include "zoe/core/index.h"
#include "zoe/generate/ground_move.h"
#include "zoe/generate/loose_parts.h"
#include "zoe/motion/joint_tracks.h"

#include "generate/foot_goals.h"
#include "generate/standing_legs.h"
#include "generate/step_contacts.h"

namespace zoe::generate {
namespace {

constexpr int kContactColumn = 12;
constexpr float kMostHeight = 0.25F;  // Of a leg.

// Touching in one frame alone, or not touching in one alone, is noise.
void without_single_frames(std::vector<std::uint8_t>& touching) {
  for (std::size_t f = 1; f + 1 < touching.size(); ++f)
    if (touching[f - 1] == touching[f + 1]) touching[f] = touching[f - 1];
}

// [frames] The network's contact of a joint. Empty: it has none, or never touches.
std::vector<std::uint8_t> network_contacts(const BodyLayout& body, std::span<const float> frames, int joint,
                                           std::span<const Vec3> track, float leg_m) {
  const auto token = std::find(body.tokens.joints.begin(), body.tokens.joints.end(), joint);
  if (token == body.tokens.joints.end()) return {};
  const auto index = static_cast<std::size_t>(token - body.tokens.joints.begin());
  const std::size_t row = idx(body.tokens.num_tokens()) * features::kTokenWidth;
  float lowest = track[0].y;
  for (const Vec3& p : track) lowest = std::min(lowest, p.y);
  std::vector<std::uint8_t> touching(track.size());
  for (std::size_t f = 0; f < track.size(); ++f)
    touching[f] = frames[f * row + index * features::kTokenWidth + kContactColumn] > 0.5F &&
                  track[f].y - lowest < kMostHeight * leg_m;
  without_single_frames(touching);
  if (std::none_of(touching.begin(), touching.end(), [](std::uint8_t one) { return one != 0; })) return {};
  return touching;
}

// Number of frames in contact.
double covers(std::span<const std::uint8_t> touching) {
  return static_cast<double>(std::count(touching.begin(), touching.end(), std::uint8_t{1}));
}

// Mean speed over the ground in contact, units per frame.
double slide(std::span<const Vec3> track, std::span<const std::uint8_t> touching) {
  double sum = 0;
  int count = 0;
  for (std::size_t f = 1; f < track.size(); ++f) {
    if (touching[f] == 0 || touching[f - 1] == 0) continue;
    sum += std::hypot(double{track[f].x} - double{track[f - 1].x}, double{track[f].z} - double{track[f - 1].z});
    ++count;
  }
  return count > 0 ? sum / count : 0;
}

// Legs reach for the feet that hang on no leg, as their rig does: such feet are handles, and say where a leg goes. But
// not where the network has them still, or as noise.
void reach_loose_feet(Motion& motion, const SkeletonAnalysis& led, std::span<const LoosePart> parts) {
  constexpr double kLeastSwing = 0.6;  // Of the feet, over that of the legs' ends.
  constexpr double kMostNoise = 0.25;  // Of their swing.
  const std::span<const Affine> rest = motion.skeleton->rest_model();
  const RootTrajectory roots = find_root(motion, led);
  std::vector<anatomy::LegRig> rigs;
  std::vector<std::vector<Vec3>> goals;
  PathSwing feet, ends;
  for (const anatomy::LegRig& rig : anatomy::find_leg_rigs(*motion.skeleton, led, /*with_tips=*/true)) {
    const auto part = std::find_if(parts.begin(), parts.end(),
                                   [&](const LoosePart& one) { return one.is_foot && one.carrier == rig.ankle; });
    if (part == parts.end()) continue;
    const Vec3 apart = rest[idx(rig.ankle)].t - rest[idx(part->joint)].t;
    rigs.push_back(rig);
    for (Vec3& p : goals.emplace_back(model_positions(motion, {&part->joint, 1}))) p += apart;
    add_swing(motion, part->joint, roots, feet);
    add_swing(motion, rig.ankle, roots, ends);
  }
  if (rigs.empty() || feet.swing_m < kLeastSwing * ends.swing_m || feet.noise_m > kMostNoise * feet.swing_m) return;
  anatomy::reach_ankles(motion, rigs, goals);
}

// How far a body without feet is to be raised, in all frames alike so that jumps stay, until the lowest tenth of its
// frames are as low as it is at rest. Bodies that fly are only raised.
float rise_of_footless(const Motion& motion, const SkeletonAnalysis& analysis) {
  std::vector<char> counts(idx(motion.num_joints()), 0);  // Bones of the body; roots of rigs may be anywhere.
  for (int j = 0; j < motion.num_joints(); ++j)
    counts[idx(j)] = motion.skeleton->kind(j) == JointKind::kBone && j != analysis.root ? 1 : 0;
  const auto lowest_of = [&](std::span<const Vec3> positions) {
    float lowest = 1e9F;
    for (std::size_t j = 0; j < positions.size(); ++j)
      if (counts[j] != 0) lowest = std::min(lowest, positions[j].y);
    return lowest;
  };
  const std::vector<Vec3> positions = all_positions(motion);
  std::vector<float> lows;
  for (int f = 0; f < motion.num_frames; ++f)
    lows.push_back(lowest_of(std::span(positions).subspan(idx(f) * counts.size(), counts.size())));
  if (lows.empty() || lows[0] > 1e8F) return 0;
  const auto tenth = static_cast<std::ptrdiff_t>(lows.size() / 10);
  std::nth_element(lows.begin(), lows.begin() + tenth, lows.end());
  const float low = lows[idx(static_cast<int>(tenth))];
  if (analysis.family == BodyFamily::kFlyer) return std::max(0.0F, -low);
  const float at_rest = analysis.reference_positions.empty()
                            ? 0.0F
                            : lowest_of(analysis.reference_positions) - static_cast<float>(analysis.ground_height);
  return std::clamp(at_rest, 0.0F, 0.2F * static_cast<float>(analysis.height_m)) - low;
}

double mean_speed(std::span<const Vec3> velocities) {
  double sum = 0;
  for (const Vec3& v : velocities) sum += std::hypot(double{v.x}, double{v.z});
  return velocities.empty() ? 0 : sum / static_cast<double>(velocities.size());
}

// Steps that lead the body, and their velocities; feet that stand lead a body that would glide. Where the body travels
// faster than they carry it, strides grow first.
StepContacts leading_steps(Motion& motion, const SkeletonAnalysis& led, const GaitLegs& legs, RootTrajectory& roots,
                           double& stretch) {
  constexpr double kEqual = 1.15, kMostStretch = 1.6;  // Ratios of the body's speed to that of its steps.
  // Walks on two legs were learned from captures that travel, walks on four from cycles on the spot: two legs lead only
  // where the body would slide, or step on the spot.
  constexpr std::size_t kFewestLegs = 4;
  constexpr double kSameSpeed = 1.25;
  constexpr double kGlides = 1.5;   // Ratio of the body's speed to that of the feet under it.
  constexpr double kSlowest = 0.1;  // Speed that counts over the root of gravity times leg length.
  StepContacts steps = find_step_contacts(motion, led.feet, roots, legs.leg_m);
  const double speed = mean_speed(roots.velocities), by_steps = mean_speed(steps.velocities);
  const double slowest = kSlowest * std::sqrt(9.81 * double{legs.leg_m});
  const bool two_lead = by_steps > slowest && std::max(speed, by_steps) > kSameSpeed * std::min(speed, by_steps);
  // Feet that dangle in the air do not carry a body.
  const bool flies = led.family == BodyFamily::kFlyer || led.family == BodyFamily::kFish;
  if (flies || (led.feet.size() < kFewestLegs && !two_lead)) {
    steps.num_stepping = 0;
    steps.is_step.assign(steps.is_step.size(), 0);
  }
  if (steps.num_stepping == 0) {
    steps.velocities.clear();
    if (flies || legs.rigs.empty() || speed < slowest || speed < kSameSpeed * by_steps) return steps;
    std::vector<Vec3> standing = standing_velocities(motion, led.feet, roots, legs.leg_m);
    if (!standing.empty() && speed > kGlides * mean_speed(standing)) steps.velocities = std::move(standing);
    return steps;
  }
  if (speed < kEqual * by_steps) return steps;
  stretch = double{lengthen_strides(motion, roots, legs, static_cast<float>(std::min(kMostStretch, speed / by_steps)))};
  if (stretch <= 1) return steps;
  roots = find_root(motion, led);
  StepContacts longer = find_step_contacts(motion, led.feet, roots, legs.leg_m);
  return longer.num_stepping > 0 ? longer : steps;
}

// Mean distance of bones between two motions, each relative to its own root's position.
double mean_change(const Motion& before, const Motion& after, const SkeletonAnalysis& analysis) {
  const RootTrajectory from = find_root(before, analysis), to = find_root(after, analysis);
  const std::vector<Vec3> a = all_positions(before), b = all_positions(after);
  const auto joints = idx(before.num_joints());
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (before.skeleton->kind(static_cast<int>(i % joints)) != JointKind::kBone) continue;
    const Vec3 p = a[i] - from.roots[i / joints].position, q = b[i] - to.roots[i / joints].position;
    sum += double{distance(p, q)};
    ++count;
  }
  return count > 0 ? sum / count : 0;
}

}  // namespace

Result<Motion> plant_feet(const Motion& motion, const SkeletonAnalysis& analysis, const BodyLayout& body,
                          std::span<const float> frames, const PlantOptions& options, PlantReport* report) {
  ZOE_CHECK(frames.size() == idx(motion.num_frames) * idx(body.tokens.num_tokens()) * features::kTokenWidth,
            "the numbers of the motion");
  PlantReport found;
  const std::vector<LoosePart> parts = find_loose_parts(*motion.skeleton, analysis, options.clips);
  for (const LoosePart& part : parts) ++(part.is_foot ? found.num_loose_feet : found.num_loose_parts);
  Motion out = motion;
  reach_loose_feet(out, with_leg_ends(analysis, parts, *motion.skeleton), parts);
  attach_parts(out, parts);
  if (analysis.family != BodyFamily::kFish && (analysis.feet.empty() || analysis.family == BodyFamily::kFlyer)) {
    const float up_m = rise_of_footless(out, analysis);
    found.raised_m = std::abs(double{up_m});
    if (up_m != 0) out = with_shifts(out, std::vector<Vec3>(idx(out.num_frames), Vec3{0, up_m, 0}));
  }
  if (analysis.feet.empty()) {
    if (report != nullptr) *report = found;
    return out;
  }
  const SkeletonAnalysis led = with_leg_ends(analysis, parts, *motion.skeleton);
  RootTrajectory roots = find_root(out, led);
  found.speed_before_m_s = found.speed_m_s = mean_speed(roots.velocities);
  // Generated bodies go where their roots go: nothing is a cycle on the spot.
  const ContactOptions detection{.in_place = false, .leg_length_m = length_of_legs(led, *motion.skeleton)};
  ZOE_TRY_ASSIGN(Contacts contacts, find_foot_contacts(out, led, detection));
  const GaitLegs rigs = gait_legs(*motion.skeleton, led, contacts.leg_length_m);
  const StepContacts steps = leading_steps(out, led, rigs, roots, found.stride_stretch);
  found.num_stepping = steps.num_stepping;
  if (!options.keep_path && !steps.velocities.empty()) {
    out = with_travel(out, roots, steps.velocities);
    roots = find_root(out, led);
    found.speed_m_s = mean_speed(roots.velocities);
    ZOE_TRY_ASSIGN(contacts, find_foot_contacts(out, led, detection));
  }
  const auto legs = led.feet.size();
  constexpr double kFewer = 0.7;  // A network that sees fewer contacts than this part of the steps' has missed some.
  double slide_before_m_s = 0;
  for (std::size_t leg = 0; leg < legs; ++leg) {
    const std::vector<Vec3> track = model_positions(out, {&led.feet[leg], 1});
    std::vector<std::uint8_t> touching =
        network_contacts(body, frames, analysis.feet[leg], track, contacts.leg_length_m);
    if (steps.is_step[leg] != 0) {
      std::vector<std::uint8_t> by_steps(track.size());
      for (std::size_t f = 0; f < track.size(); ++f) by_steps[f] = steps.contacts.touching[f * legs + leg];
      if (touching.empty() || covers(by_steps) * kFewer >= covers(touching) ||
          slide(track, by_steps) < slide(track, touching))
        touching = std::move(by_steps);
    }
    if (covers(touching) > 1) slide_before_m_s += slide(track, touching) * motion.fps / static_cast<double>(legs);
    for (std::size_t f = 0; f < touching.size(); ++f) {
      contacts.touching[f * legs + leg] = touching[f];
      contacts.weights[f * legs + leg] = touching[f] != 0 ? 1.0F : 0.0F;
    }
  }
  CleanFeetOptions cleaning{.with_tips = true};
  if (led.family != BodyFamily::kFlyer && led.family != BodyFamily::kFish) {
    const std::vector<float> standing = standing_heights(led, *motion.skeleton, contacts.leg_length_m);
    std::vector<Vec3> shifts;
    for (const float up_m : ground_offsets(out, led.feet, contacts, standing)) shifts.push_back({0, up_m, 0});
    if (!shifts.empty()) {
      out = with_shifts(out, shifts);
      for (const Vec3& shift : shifts) found.raised_m += std::abs(double{shift.y}) / motion.num_frames;
      set_steps(out, rigs, contacts, standing, steps.is_step);
    }
  }
  cleaning.contacts = contacts;
  ZOE_TRY_ASSIGN(out, clean_feet(out, led, cleaning, &found.feet));
  if (found.feet.num_legs > 0) found.feet.slide_before_m_s = slide_before_m_s;
  attach_parts(out, parts);
  std::vector<int> loose_feet;
  std::vector<std::size_t> columns;
  for (const LoosePart& part : parts) {
    const auto leg = std::find(led.feet.begin(), led.feet.end(), part.carrier);
    if (!part.is_foot || leg == led.feet.end()) continue;
    loose_feet.push_back(part.joint);
    columns.push_back(static_cast<std::size_t>(leg - led.feet.begin()));
  }
  if (!loose_feet.empty()) level_feet(out, led, roots, contacts, loose_feet, columns);
  if (report != nullptr) {
    found.change_m = mean_change(motion, out, led);
    *report = found;
  }
  return out;
}

}  // namespace zoe::generate
