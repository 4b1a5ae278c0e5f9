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

// The analysis with the ends of legs as feet where the feet hang on no leg.
SkeletonAnalysis with_leg_ends(const SkeletonAnalysis& analysis, std::span<const LoosePart> parts,
                               const Skeleton& skeleton) {
  SkeletonAnalysis out = analysis;
  std::size_t leg = 0;
  for (Limb& limb : out.limbs) {
    if (limb.kind != LimbKind::kLeg || leg >= out.feet.size()) continue;
    int& foot = out.feet[leg++];
    for (const LoosePart& part : parts) {
      if (!part.is_foot) continue;
      const auto end = std::find(limb.joints.begin(), limb.joints.end(), part.carrier);
      if (end != limb.joints.end()) {
        limb.joints.erase(end + 1, limb.joints.end());
      } else if (skeleton.parent(part.carrier) == limb.joints.back()) {
        limb.joints.push_back(part.carrier);
      } else {
        continue;
      }
      foot = part.carrier;
      break;
    }
  }
  return out;
}

// Median length of the legs at rest, from the body to the foot, metres; 0 without legs. Where front and hind legs meet
// only at the hips, leg_length() counts half of the spine as well.
float length_of_legs(const SkeletonAnalysis& analysis, const Skeleton& skeleton) {
  std::vector<float> lengths;
  std::size_t leg = 0;
  for (const Limb& limb : analysis.limbs) {
    if (limb.kind != LimbKind::kLeg || leg >= analysis.feet.size()) continue;
    const int foot = analysis.feet[leg++];
    float sum = 0;
    for (std::size_t i = 1; i < limb.joints.size() && limb.joints[i - 1] != foot; ++i)
      sum += distance(skeleton.rest_model()[idx(limb.joints[i - 1])].t, skeleton.rest_model()[idx(limb.joints[i])].t);
    if (sum > 0) lengths.push_back(sum);
  }
  if (lengths.empty()) return 0;
  std::nth_element(lengths.begin(), lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2), lengths.end());
  return lengths[lengths.size() / 2];
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

// Mean speed over the ground in contact, units per frame.
double slide(std::span<const Vec3> track, std::span<const std::uint8_t> touching) {
  double sum = 0;
  int count = 0;
  for (std::size_t f = 1; f < track.size(); ++f) {
    if (touching[f] == 0 || touching[f - 1] == 0) continue;
    sum += std::hypot(double{track[f].x} - double{track[f - 1].x}, double{track[f].z} - double{track[f - 1].z});
    ++count;
  }
  return count > 0 ? sum / count : 1e9;
}

// Feet in contact stay at one height, and feet between two contacts are raised: one that is dragged ahead looks like
// one that slides.
void lift_swings(Motion& motion, const SkeletonAnalysis& analysis, const Contacts& contacts) {
  constexpr float kLift = 0.08F;  // Leg lengths above the ground in the middle of a swing.
  const std::vector<anatomy::LegRig> rigs = anatomy::find_leg_rigs(*motion.skeleton, analysis, /*with_tips=*/true);
  std::vector<std::vector<Vec3>> goals;
  for (const anatomy::LegRig& rig : rigs) {
    const auto leg =
        static_cast<int>(std::find(analysis.feet.begin(), analysis.feet.end(), rig.ankle) - analysis.feet.begin());
    std::vector<Vec3>& goal = goals.emplace_back(model_positions(motion, {&rig.ankle, 1}));
    float standing = 0;  // Mean height in contact.
    int count = 0;
    for (int f = 0; f < motion.num_frames; ++f)
      if (contacts.at(f, leg)) standing += goal[idx(f)].y, ++count;
    if (count == 0) continue;
    standing /= static_cast<float>(count);
    for (int begin = 0, end; begin < motion.num_frames; begin = end) {
      for (end = begin + 1; end < motion.num_frames && contacts.at(end, leg) == contacts.at(begin, leg);) ++end;
      for (int f = begin; f < end; ++f) {
        const auto u = static_cast<float>(f - begin + 1) / static_cast<float>(end - begin + 1);
        const float own = std::max(goal[idx(f)].y - standing, kLift * contacts.leg_length_m);
        goal[idx(f)].y = standing + (contacts.at(begin, leg) ? 0 : own * 4 * u * (1 - u));
      }
    }
  }
  anatomy::reach_ankles(motion, rigs, goals);
}

double mean_speed(const RootTrajectory& roots) {
  double sum = 0;
  for (const Vec3& v : roots.velocities) sum += std::hypot(double{v.x}, double{v.z});
  return roots.velocities.empty() ? 0 : sum / static_cast<double>(roots.velocities.size());
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
  attach_parts(out, parts);
  if (analysis.feet.empty()) {
    if (report != nullptr) *report = found;
    return out;
  }
  const SkeletonAnalysis led = with_leg_ends(analysis, parts, *motion.skeleton);
  RootTrajectory roots = find_root(out, led);
  found.speed_before_m_s = found.speed_m_s = mean_speed(roots);
  // Generated bodies go where their roots go: nothing is a cycle on the spot.
  ZOE_TRY_ASSIGN(
      Contacts contacts,
      find_foot_contacts(out, led, {.in_place = false, .leg_length_m = length_of_legs(led, *motion.skeleton)}));
  StepContacts steps = find_step_contacts(out, led.feet, roots, contacts.leg_length_m);
  // Walks on two legs were learned from captures that travel, walks on four from cycles on the spot. And feet that
  // dangle in the air do not carry a body.
  constexpr std::size_t kFewestLegs = 4;
  if (led.feet.size() < kFewestLegs || analysis.family == BodyFamily::kFlyer || analysis.family == BodyFamily::kFish) {
    steps.num_stepping = 0;
    steps.is_step.assign(steps.is_step.size(), 0);
  }
  found.num_stepping = steps.num_stepping;
  if (!options.keep_path && steps.num_stepping > 0) {
    out = with_travel(out, roots, steps.velocities);
    roots = find_root(out, led);
    found.speed_m_s = mean_speed(roots);
  }
  const auto legs = led.feet.size();
  for (std::size_t leg = 0; leg < legs; ++leg) {
    const std::vector<Vec3> track = model_positions(out, {&led.feet[leg], 1});
    std::vector<std::uint8_t> touching =
        network_contacts(body, frames, analysis.feet[leg], track, contacts.leg_length_m);
    if (steps.is_step[leg] != 0) {
      std::vector<std::uint8_t> by_steps(track.size());
      for (std::size_t f = 0; f < track.size(); ++f) by_steps[f] = steps.contacts.touching[f * legs + leg];
      if (touching.empty() || slide(track, by_steps) < slide(track, touching)) touching = std::move(by_steps);
    }
    for (std::size_t f = 0; f < touching.size(); ++f) {
      contacts.touching[f * legs + leg] = touching[f];
      contacts.weights[f * legs + leg] = touching[f] != 0 ? 1.0F : 0.0F;
    }
  }
  CleanFeetOptions cleaning{.with_tips = true};
  if (steps.num_stepping > 0) lift_swings(out, led, contacts);
  cleaning.contacts = std::move(contacts);
  ZOE_TRY_ASSIGN(out, clean_feet(out, led, cleaning, &found.feet));
  attach_parts(out, parts);
  if (report != nullptr) {
    found.change_m = mean_change(motion, out, led);
    *report = found;
  }
  return out;
}

}  // namespace zoe::generate
