// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. The folder of `zoe physics learn`: body.glb, the body with clips that decide its
// limits and soles, and model.safetensors, the policy.
#pragma once

#include <filesystem>

#include "zoe/physics/tracking_policy.h"

#include "physics/body_file.h"

namespace zoe::cli {

std::filesystem::path body_of_policy(const std::filesystem::path& folder);
std::filesystem::path network_of_policy(const std::filesystem::path& folder);

// The clip in metres, without calibration frames; on the body of another file unless that is empty.
Result<LoadedClip> load_metric_clip_on(const std::string& file, const ClipOptions& options, Warnings& warnings);

// The policy of a folder for this body. Errors name the file.
Result<physics::TrackingPolicyPtr> load_policy(const std::filesystem::path& folder, const physics::BodyModel& model);

int run_physics_learn(const Arguments& arguments);
int run_physics_feet(const Arguments& arguments);

}  // namespace zoe::cli
