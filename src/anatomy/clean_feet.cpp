// SPDX-License-Identifier: MIT
#include "zoe/anatomy/clean_feet.h"

#include <algorithm>
#include <cmath>

#include "zoe/anatomy/hip_drop.h"
#include "zoe/anatomy/leg_rig.h"
#include "zoe/anatomy/standing.h"
#include "zoe/core/index.h"
#include "zoe/motion/joint_tracks.h"

#include "anatomy/foot_offsets.h"

namespace zoe {
namespace {

using anatomy::FootOffsets;
using anatomy::FootTrack;
using anatomy::LegRig;

// [frames] of one joint.
std::vector<Vec3> track_of(const Motion& motion, int joint) { return model_positions(motion, {&joint, 1}); }

// A leg with everything that planting needs.
struct Leg {
  LegRig rig;
  int column = 0;  // Of the contacts.
  FootTrack foot;
  std::vector<Vec3> hip;       // [frames]
  std::vector<float> length;   // [frames] Length of thigh and shank together.
  std::vector<float> stretch;  // [frames] hip to ankle before any change.
  FootOffsets offsets;
};

std::vector<Leg> make_legs(const Motion& motion, const SkeletonAnalysis& analysis, bool with_tips) {
  const std::vector<std::vector<int>> parts = foot_parts(analysis);
  std::vector<Leg> legs;
  for (const LegRig& rig : anatomy::find_leg_rigs(*motion.skeleton, analysis, with_tips)) {
    Leg leg;
    leg.rig = rig;
    leg.column =
        static_cast<int>(std::find(analysis.feet.begin(), analysis.feet.end(), rig.ankle) - analysis.feet.begin());
    leg.hip = track_of(motion, rig.hip);
    const std::vector<Vec3> knee = track_of(motion, rig.knee);
    for (const int part : parts[idx(leg.column)]) leg.foot.parts.push_back(track_of(motion, part));
    for (std::size_t f = 0; f < knee.size(); ++f) {
      const Vec3 ankle = leg.foot.parts[0][f];
      leg.length.push_back(distance(leg.hip[f], knee[f]) + distance(knee[f], ankle));
      leg.stretch.push_back(distance(leg.hip[f], ankle));
    }
    legs.push_back(std::move(leg));
  }
  return legs;
}

// The joint that carries all legs.
int carrier_of(const Skeleton& skeleton, std::span<const Leg> legs, const SkeletonAnalysis& analysis) {
  const auto carries = [&](int joint) {
    return std::all_of(legs.begin(), legs.end(), [&](const Leg& leg) {
      int j = leg.rig.hip;
      while (j != kNoJoint && j != joint) j = skeleton.parent(j);
      return j == joint;
    });
  };
  int joint = analysis.hips;
  while (joint != kNoJoint && !carries(joint)) joint = skeleton.parent(joint);
  return joint;
}

Result<Contacts> contacts_for(const Motion& motion, const SkeletonAnalysis& analysis, const CleanFeetOptions& options) {
  if (options.contacts) {
    if (options.contacts->num_frames != motion.num_frames ||
        options.contacts->num_joints != static_cast<int>(analysis.feet.size())) {
      return Error{ErrorCode::kUsage, "clean feet: the contacts are of another clip or of other feet", {}};
    }
    return *options.contacts;
  }
  ContactOptions detection = options.detection;
  for (float* limit :
       {&detection.speed_enter, &detection.speed_leave, &detection.share_enter, &detection.share_leave}) {
    *limit *= options.slide_tolerance;
  }
  return find_foot_contacts(motion, analysis, detection);
}

// Mean speed of the parts in contact over frames in contact; afterwards with the offsets' own speed.
struct Slide {
  double before = 0, after = 0;
  std::size_t frames = 0;

  void add(const Leg& leg, const std::vector<Vec3>& offsets, double fps, Vec3 up) {
    for (std::size_t f = 1; f < offsets.size(); ++f) {
      const Vec3 v = leg.offsets.slide[f];
      if (dot(v, v) == 0) continue;
      Vec3 change = (offsets[f] - offsets[f - 1]) * static_cast<float>(fps);
      change = change - up * dot(change, up);
      before += length(v);
      after += length(v + change);
      ++frames;
    }
  }
};

}  // namespace

Result<Motion> clean_feet(const Motion& motion, const SkeletonAnalysis& analysis, const CleanFeetOptions& options,
                          CleanFeetReport* report) {
  ZOE_CHECK(motion.skeleton != nullptr, "clean_feet() needs a motion with a skeleton");
  if (!(options.slide_tolerance > 0 && options.ramp_s >= 0 && options.swing_s > 0 && options.max_offset > 0 &&
        options.max_reach > 0 && options.max_reach <= 1 && options.max_hip_drop >= 0)) {
    return Error{
        ErrorCode::kUsage, "clean feet: tolerance, swing and offset must be above 0, the reach within (0, 1]", {}};
  }
  ZOE_TRY_ASSIGN(const Contacts contacts, contacts_for(motion, analysis, options));
  CleanFeetReport found;
  found.in_place = contacts.in_place;
  Motion out = motion;
  std::vector<Leg> legs = make_legs(motion, analysis, options.with_tips);
  if (found.in_place || legs.empty()) {
    if (report != nullptr) *report = found;
    return out;
  }

  // 1. Offset of each foot.
  const Vec3 up = normalized(analysis.up, Vec3{0, 1, 0});
  const auto frames = idx(motion.num_frames);
  std::vector<float> drops(frames, 0);
  float longest_leg = 0;
  std::vector<std::vector<Vec3>> goals;
  for (Leg& leg : legs) {
    std::vector<std::uint8_t> touching(frames);
    for (int f = 0; f < motion.num_frames; ++f) touching[idx(f)] = contacts.at(f, leg.column) ? 1 : 0;
    for (const auto& part : leg.foot.parts) {
      leg.foot.standing.push_back(anatomy::standing_height(part, touching, up, 0));
    }
    const float length_of_leg = *std::max_element(leg.length.begin(), leg.length.end());
    longest_leg = std::max(longest_leg, length_of_leg);
    const anatomy::OffsetSettings settings{.near_ground = options.detection.height_leave * length_of_leg,
                                           .max_offset = options.max_offset * length_of_leg,
                                           .ramp_s = options.ramp_s,
                                           .swing_s = options.swing_s,
                                           .ground_height = options.ground_height};
    leg.offsets = anatomy::find_foot_offsets(leg.foot, touching, motion.fps, up, settings);
    goals.emplace_back(frames);
    for (std::size_t f = 0; f < frames; ++f) {
      goals.back()[f] = leg.foot.parts[0][f] + leg.offsets.offsets[f];
      const float reach = std::max(options.max_reach * leg.length[f], std::min(leg.stretch[f], leg.length[f]));
      // A foot in the air may miss its goal.
      if (touching[f]) drops[f] = std::max(drops[f], anatomy::needed_drop(leg.hip[f], goals.back()[f], up, reach));
      found.worst_offset_m = std::max<double>(found.worst_offset_m, length(leg.offsets.offsets[f]));
    }
    found.num_contacts += leg.offsets.num_contacts;
    found.num_held_back += leg.offsets.num_held_back;
  }

  // 2. Hips are lowered, smoothly, where a leg would not reach.
  anatomy::smooth_drops(drops, options.max_hip_drop * longest_leg, motion.fps);
  found.worst_hip_drop_m = *std::max_element(drops.begin(), drops.end());
  if (const int carrier = carrier_of(*motion.skeleton, legs, analysis); carrier != kNoJoint)
    anatomy::lower(out, carrier, drops, up);

  // 3. Legs to their goals.
  std::vector<LegRig> rigs;
  for (const Leg& leg : legs) rigs.push_back(leg.rig);
  anatomy::reach_ankles(out, rigs, goals);

  if (report != nullptr) {
    Slide slide;
    for (const Leg& leg : legs) {
      // Measured on the result, not on the goals.
      const std::vector<Vec3> ankle = track_of(out, leg.rig.ankle);
      std::vector<Vec3> moved(frames);
      for (std::size_t f = 0; f < frames; ++f) moved[f] = ankle[f] - leg.foot.parts[0][f];
      slide.add(leg, moved, motion.fps, up);
    }
    const double count = std::max<double>(1, static_cast<double>(slide.frames)) / analysis.metres_per_unit;
    found.slide_before_m_s = slide.before / count;
    found.slide_after_m_s = slide.after / count;
    found.worst_offset_m *= analysis.metres_per_unit;
    found.worst_hip_drop_m *= analysis.metres_per_unit;
    found.num_legs = static_cast<int>(legs.size());
    *report = found;
  }
  return out;
}

}  // namespace zoe
