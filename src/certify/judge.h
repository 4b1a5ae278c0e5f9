// SPDX-License-Identifier: MIT
// Part of Zoetrope. Collects what the checks measure, and makes findings of what is above a limit.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "certify/clip_track.h"
#include "certify/limits.h"

namespace zoe::certify {

class Judge {
 public:
  Judge(const CertifyOptions& options, float size_m) : options_(options), size_m_(size_m) {}

  // The limit of a check in the unit of its values.
  double limit(Check check) const;
  // Notes a value without a finding: the check ran.
  void measure(Check check, double value);
  // A value; a finding where it is above the limit times `allowance`. Frames are those of the track.
  void add(Check check, double value, int first_frame, int last_frame, std::vector<int> joints, std::string text,
           double allowance = 1);
  void skip(Check check, std::string reason);
  const CertifyOptions& options() const { return options_; }

  // Findings that overlap are joined, the less specific ones at the same frames dropped, worst first.
  Certificate finish(int first_frame, int num_frames, double fps);

 private:
  CertifyOptions options_;
  float size_m_;
  Certificate certificate_;
};

// The checks. Each measures at least once, or says why it is skipped.
void check_foot_slide(const ClipTrack& track, Judge& judge);
void check_floor(const ClipTrack& track, Judge& judge);   // Penetration, floating.
void check_hinges(const ClipTrack& track, Judge& judge);  // Knees, elbows.
void check_twist(const ClipTrack& track, Judge& judge);
void check_sides(const ClipTrack& track, Judge& judge);
void check_jitter(const ClipTrack& track, Judge& judge);
void check_spikes(const ClipTrack& track, Judge& judge);
void check_seam(const ClipTrack& track, Judge& judge);
void check_bones(const ClipTrack& track, Judge& judge);
// Returns false where the body does not stand along +Y: other checks would judge nonsense.
bool check_body(const Skeleton& skeleton, const SkeletonAnalysis& analysis, std::span<const Motion> clips,
                const Character* character, Judge& judge);

// [frames - 1] rotation of a joint from each frame to the next, degrees.
std::vector<double> steps_deg(const ClipTrack& track, int joint);
// How far a joint leaves its path in one frame and comes back in the next, degrees; 0 where it does not.
double single_jump_deg(const ClipTrack& track, int joint, const std::vector<double>& steps, int frame);

// Joints that body parts hang on: not end sites, not plain nodes, not leaves.
std::vector<int> moving_joints(const Skeleton& skeleton);

// The axis along which the body stands, judged without what the file states. Empty where the body does not show it.
std::optional<Vec3> shown_up(const Skeleton& skeleton, const SkeletonAnalysis& analysis, std::span<const Motion> clips,
                             const Character* character);
// The rest pose shows where the body looks.
bool shows_facing(const SkeletonAnalysis& analysis);

// A walk or run on the spot, as in games: feet in contact slide backwards.
bool is_in_place(const ClipTrack& track);

// The body is on its feet for 0.7 s without a break.
bool stands(const ClipTrack& track);

// Those that move at least 7 % of the body's size: not fingers and toes, whose captures jump.
std::vector<int> spike_joints(const Skeleton& skeleton, const SkeletonAnalysis& analysis);

}  // namespace zoe::certify
