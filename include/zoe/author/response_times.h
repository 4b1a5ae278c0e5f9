// SPDX-License-Identifier: MIT
// Part of Zoetrope. How quickly a body changes its velocity and its turning, measured on its training data, and the
// half-lives of a controller's springs for it. So a dog is not led as slowly as a person, nor a person as fast as a
// dog. And where it goes at all.
#pragma once

#include <optional>
#include <span>

#include "zoe/control/trajectory.h"
#include "zoe/features/decode.h"
#include "zoe/features/gather_job.h"

namespace zoe::author {

// Medians over all substantial changes within a second (at least 0.3 of the usual speed): the change divided by the
// largest acceleration in it. How often the data changes its velocity does not count.
struct ResponseTimes {
  float velocity_s = 0;
  float turn_s = 0;

  // Of the CMU walks that the half-lives of all types were chosen on.
  static constexpr ResponseTimes of_a_person() { return {0.4F, 0.25F}; }
};

// Empty where fewer than 30 moments move, or fewer than 30 changes are substantial.
std::optional<ResponseTimes> measure_response_times(const features::Layout& layout, const features::Decoder& decoder,
                                                    std::span<const features::ClipRows> clips);

// A person's half-lives, times the ratio of the body's response times to a person's; at least half, at most twice.
control::TrajectoryOptions half_lives_of(const ResponseTimes& body, const control::TrajectoryOptions& person);

// Where the body goes, seen from itself, as means over half a second: longer than the sway of a step.
struct BodyReach {
  float back_mps = 0, side_mps = 0;  // 99 of 100 moments are slower.
  float turn_rad_s = 0;              // The same.
  float turning_mps = 0;             // Median speed forward of the twentieth that turns fastest.
};
// Empty where fewer than 30 moments move.
std::optional<BodyReach> measure_reach(const features::Layout& layout, const features::Decoder& decoder,
                                       std::span<const features::ClipRows> clips);
// Springs that do not lead a body where it never goes.
control::TrajectoryOptions limits_of(const BodyReach& body, const control::TrajectoryOptions& free);

}  // namespace zoe::author
