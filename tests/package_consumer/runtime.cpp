// SPDX-License-Identifier: MIT
// A user's program on the runtime modules alone: a skeleton, a motion, forward kinematics.
#include <cmath>
#include <cstdio>
#include <vector>

#include <zoe/character/pose.h>
#include <zoe/core/version.h>
#include <zoe/motion/motion.h>

int main() {
  auto skeleton = zoe::Skeleton::create({
      {.name = "hips", .rest_local = {.translation = {0, 1, 0}}},
      {.name = "spine", .parent = 0, .rest_local = {.translation = {0, 0.5F, 0}}},
  });
  if (!skeleton) return std::fprintf(stderr, "%s\n", skeleton.error().format().c_str()), 1;
  const zoe::Motion motion = zoe::make_motion(*skeleton, "rest", 30, 2, false);
  if (!zoe::validate(motion)) return 1;
  std::vector<zoe::Affine> model(2);
  zoe::compute_model_from_joint(**skeleton, motion.frame(1), model);
  std::printf("zoe %s: spine at height %.2f\n", ZOE_VERSION_STRING, model[1].t.y);
  return std::abs(model[1].t.y - 1.5F) < 1e-6F ? 0 : 1;
}
