// SPDX-License-Identifier: MIT
#include "physics/policy_folder.h"

#include <cmath>

#include "zoe/motion/calibration.h"
#include "zoe/motion/convert_space.h"

namespace zoe::cli {

std::filesystem::path body_of_policy(const std::filesystem::path& folder) { return folder / "body.glb"; }
std::filesystem::path network_of_policy(const std::filesystem::path& folder) { return folder / "model.safetensors"; }

Result<LoadedClip> load_metric_clip_on(const std::string& file, const ClipOptions& options, Warnings& warnings) {
  ClipOptions own = options;
  own.character.clear();
  ZOE_TRY_ASSIGN(LoadedClip clip, load_clip(file, own, warnings));
  ZOE_TRY_ASSIGN(const SkeletonAnalysis analysis, analyse_clip(clip));
  drop_calibration_frames(clip.motion);
  if (const double scale = analysis.metres_per_unit; std::abs(scale - 1) > 1e-9) {
    const SpaceChange change{.scale = scale};
    const auto character = std::make_shared<const Character>(convert_space(*clip.character(), change));
    clip.motion = convert_space(clip.motion, change, character->skeleton);
    io::Asset asset{character, {}, {}, {}};
    if (!clip.is_rest()) asset.clips.push_back(clip.motion);
    clip.asset = std::make_shared<const io::Asset>(std::move(asset));
  }
  if (!options.character.empty()) ZOE_TRY(change_body(clip, options.character));
  return clip;
}

Result<physics::TrackingPolicyPtr> load_policy(const std::filesystem::path& folder, const physics::BodyModel& model) {
  const std::filesystem::path file = network_of_policy(folder);
  ZOE_TRY_ASSIGN(nn::NetworkPtr network, nn::load_fixed_network(file));
  Result<physics::TrackingPolicyPtr> policy = physics::TrackingPolicy::create(std::move(network), model);
  if (!policy) return Error{policy.error().code, policy.error().message, {.file = file.string()}};
  return policy;
}

}  // namespace zoe::cli
