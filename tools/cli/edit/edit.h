// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. The edits of `zoe edit`: each makes a motion of a motion and states the facts.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "zoe/generate/body_model.h"
#include "zoe/generate/in_between.h"

#include "metric_body.h"

namespace zoe::cli {

// --model anytop: the network that ships.
constexpr const char* kShippedModel = "anytop";

struct EditRequest {
  std::string file, clip, model, output, action, fill = "spline", joints, trajectory;
  std::vector<std::string> gaps, keys;
  std::optional<double> prefix_s, suffix_s, speed_m_s;
  bool json = false, upper_body = false, loop = false, world_keys = false, keep_feet = false;
  std::uint64_t seed = 1;
  int steps = 0;  // 0: the model's.
};

struct EditedMotion {
  Motion motion;
  nlohmann::ordered_json facts;  // "method", "seam_ratio" and what belongs to the edit.
};

// --in-between, --keys, --joints, --upper-body.
Result<EditedMotion> fill_parts(const EditRequest& request, const MetricBody& body, const Motion& motion);
// --prefix, --suffix.
Result<EditedMotion> lengthen(const EditRequest& request, const MetricBody& body, const Motion& motion);
// --loop.
Result<EditedMotion> close_to_cycle(const EditRequest& request, const MetricBody& body, const Motion& motion);
// --trajectory.
Result<EditedMotion> follow_trajectory(const EditRequest& request, const MetricBody& body, const Motion& motion);

// The motion that the network makes of what is known, at the motion's own rate and place.
Result<Motion> made_by_model(const EditRequest& request, const MetricBody& body, const Motion& motion,
                             std::span<const generate::Gap> gaps, std::span<const int> free_joints);

// The same with a loaded model. options: seed, words and sampler; the rest is set here.
Result<Motion> made_by_model(const generate::BodyModel& model, const generate::BodyLayout& layout,
                             generate::BodySampleOptions options, const Motion& motion,
                             std::span<const generate::Gap> gaps, std::span<const int> free_joints);

// Positions of a path file, or of the root of a motion file, over the ground.
struct GroundPath {
  std::vector<Vec3> positions;
  bool closed = false;
};
Result<GroundPath> read_ground_path(const std::string& file);

}  // namespace zoe::cli
