// SPDX-License-Identifier: MIT
#include "physics/policy_folder.h"

namespace zoe::cli {

std::filesystem::path body_of_policy(const std::filesystem::path& folder) { return folder / "body.glb"; }
std::filesystem::path network_of_policy(const std::filesystem::path& folder) { return folder / "model.safetensors"; }

Result<physics::TrackingPolicyPtr> load_policy(const std::filesystem::path& folder, const physics::BodyModel& model) {
  const std::filesystem::path file = network_of_policy(folder);
  ZOE_TRY_ASSIGN(nn::NetworkPtr network, nn::load_fixed_network(file));
  Result<physics::TrackingPolicyPtr> policy = physics::TrackingPolicy::create(std::move(network), model);
  if (!policy) return Error{policy.error().code, policy.error().message, {.file = file.string()}};
  return policy;
}

}  // namespace zoe::cli
