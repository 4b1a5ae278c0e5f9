// SPDX-License-Identifier: MIT
#include "motion/synthetic.h"

#include <algorithm>
#include <random>

namespace zoe::test {

SkeletonPtr random_skeleton(int num_joints, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> unit(-1, 1);
  std::vector<JointDesc> joints;
  for (int i = 0; i < num_joints; ++i) {
    JointDesc joint;
    joint.name = "joint" + std::to_string(i);
    joint.parent = i == 0 ? kNoJoint : std::max(0, i - 1 - static_cast<int>(random() % 4));
    const Vec3 direction = normalized(Vec3{unit(random), unit(random), unit(random)}, {0, 1, 0});
    joint.rest_local.translation = i == 0 ? Vec3{0, 1, 0} : direction * (0.225F + 0.175F * unit(random));
    joint.rest_local.rotation = normalized(Quat{unit(random), unit(random), unit(random), 1.5F});
    joints.push_back(joint);
  }
  return Skeleton::create(std::move(joints)).value();
}

Motion random_motion(const SyntheticOptions& options) {
  Motion motion = make_motion(random_skeleton(options.num_joints, options.seed), "synthetic", options.fps,
                              options.num_frames, options.scales);
  std::mt19937 random(options.seed * 7919 + 1);
  std::uniform_real_distribution<double> unit(-1, 1);
  std::normal_distribution<double> normal(0, 1);
  motion.num_morph_weights = options.num_morph_weights;
  const auto n = static_cast<std::size_t>(options.num_joints);
  // Three sines of random direction a joint, 0.3 to 3 Hz.
  struct Wave {
    Vec3d axis;
    double hertz, phase;
  };
  std::vector<Wave> waves(3 * n);
  for (Wave& wave : waves)
    wave = {{unit(random), unit(random), unit(random)}, 1.65 + 1.35 * unit(random), 3 * unit(random)};
  const auto value = [&](const Wave& wave, double t) { return std::sin(6.283185307 * wave.hertz * t + wave.phase); };
  for (int frame = 0; frame < options.num_frames; ++frame) {
    const double t = frame / options.fps;
    for (std::size_t joint = 0; joint < n; ++joint) {
      const std::size_t i = static_cast<std::size_t>(frame) * n + joint;
      Vec3d turn{};
      for (std::size_t k = 0; k < 3; ++k) turn += waves[3 * joint + k].axis * (value(waves[3 * joint + k], t) / 3);
      turn *= options.swing_rad;
      turn += Vec3d{normal(random), normal(random), normal(random)} * options.noise_rad;
      motion.rotations[i] = to_float(normalized(to_double(motion.rotations[i]) * from_rotation_vector(turn)));
      if (options.animated_translations || joint == 0) {
        const double sway = 0.05 * value(waves[3 * joint], t);
        motion.translations[i] += to_float(waves[3 * joint + 1].axis * sway);
      }
      if (joint == 0) {
        motion.translations[i].x +=
            static_cast<float>(options.root_travel_m * frame / std::max(1, options.num_frames - 1));
      }
      if (options.scales && joint % 3 == 1) {
        motion.scales[i] = to_float(Vec3d{1, 1, 1} + waves[3 * joint].axis * (0.2 * value(waves[3 * joint + 2], t)));
      }
    }
    for (int k = 0; k < options.num_morph_weights; ++k) {
      motion.morph_weights.push_back(
          static_cast<float>(0.5 + 0.5 * value(waves[static_cast<std::size_t>(k) % waves.size()], t)));
    }
  }
  make_continuous(motion);
  return motion;
}

double worst_position_difference(const Motion& a, const Motion& b) {
  double worst = 0;
  const auto n = static_cast<std::size_t>(a.num_joints());
  std::vector<Affined> ma(n), mb(n);
  for (int frame = 0; frame < std::min(a.num_frames, b.num_frames); ++frame) {
    for (int joint = 0; joint < a.num_joints(); ++joint) {
      const auto i = static_cast<std::size_t>(joint);
      const int parent = a.skeleton->parent(joint);
      ma[i] = to_affine(to_double(a.frame(frame).joint(joint)));
      mb[i] = to_affine(to_double(b.frame(frame).joint(joint)));
      if (parent != kNoJoint) {
        ma[i] = ma[static_cast<std::size_t>(parent)] * ma[i];
        mb[i] = mb[static_cast<std::size_t>(parent)] * mb[i];
      }
      worst = std::max(worst, distance(ma[i].t, mb[i].t));
    }
  }
  return worst;
}

}  // namespace zoe::test
