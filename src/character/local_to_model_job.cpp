// SPDX-License-Identifier: MIT
#include "zoe/character/local_to_model_job.h"

#include "character/local_to_model_kernels.h"

namespace zoe {

static_assert(sizeof(Affine) == 12 * sizeof(float) && sizeof(Quat) == 4 * sizeof(float) &&
                  sizeof(Vec3) == 3 * sizeof(float),
              "kernels read arrays of these as arrays of floats");

const char* LocalToModelJob::validate() const noexcept {
  if (skeleton == nullptr) return "skeleton is missing";
  const auto n = static_cast<std::size_t>(skeleton->num_joints());
  if (pose.translations.size() != n) return "pose.translations does not have one entry per joint";
  if (pose.rotations.size() != n) return "pose.rotations does not have one entry per joint";
  if (!pose.scales.empty() && pose.scales.size() != n) return "pose.scales is neither empty nor one entry per joint";
  if (model_from_joint.size() < n) return "model_from_joint is smaller than the skeleton";
  return nullptr;
}

bool LocalToModelJob::run() const noexcept {
  if (validate() != nullptr) return false;
  if (skeleton->num_joints() == 0) return true;
  kernels::local_to_model(static_cast<std::size_t>(skeleton->num_joints()), skeleton->parents().data(),
                          &pose.translations.data()->x, &pose.rotations.data()->x,
                          pose.scales.empty() ? nullptr : &pose.scales.data()->x, &model_from_joint.data()->x.x);
  return true;
}

const char* BatchLocalToModelJob::validate() const noexcept {
  if (skeleton == nullptr) return "skeleton is missing";
  if (poses == nullptr) return "poses is missing";
  if (models == nullptr) return "models is missing";
  if (poses->num_joints() != static_cast<std::size_t>(skeleton->num_joints())) {
    return "poses has another number of joints than the skeleton";
  }
  if (models->num_joints() != poses->num_joints()) return "models has another number of joints than poses";
  if (models->num_poses() != poses->num_poses()) return "models has another number of poses than poses";
  return nullptr;
}

bool BatchLocalToModelJob::run() const noexcept {
  if (validate() != nullptr) return false;
  for (std::size_t block = 0; block < poses->num_blocks(); ++block) {
    kernels::local_to_model_block(poses->num_joints(), skeleton->parents().data(), poses->has_scales(),
                                  poses->block(block), models->block(block));
  }
  return true;
}

}  // namespace zoe
