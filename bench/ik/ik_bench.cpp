// SPDX-License-Identifier: MIT
#include "ik/ik_bench.h"

#include <algorithm>
#include <random>

#include "zoe/ik/fabrik_job.h"
#include "zoe/ik/full_body_ik_job.h"
#include "zoe/ik/two_bone_ik_job.h"
#include "zoe/math/batch.h"

#include "character/synthetic.h"

namespace zoe::bench {
namespace {

constexpr std::size_t kCharacters = 1024;

// A limb of bones 0.35 m long below a root, random poses, and targets within reach.
struct Limbs {
  SkeletonPtr skeleton;
  std::vector<int> chain;
  std::vector<Pose> poses;
  PoseBatch batch;
  VectorBatch targets{kCharacters}, poles{kCharacters};
  std::vector<float> missing_m = std::vector<float>(kCharacters);

  explicit Limbs(int num_bones) {
    std::vector<JointDesc> joints{{"root", kNoJoint, {{0, 1, 0}, {}}}};
    for (int i = 0; i <= num_bones; ++i) {
      joints.push_back({"limb", i, {{0, i == 0 ? 0.1F : -0.35F, 0}, {}}});
      chain.push_back(i + 1);
    }
    skeleton = Skeleton::create(std::move(joints)).value();
    batch = PoseBatch(kCharacters, static_cast<std::size_t>(skeleton->num_joints()), false);
    std::mt19937 random(7);
    std::uniform_real_distribution<float> bend(-0.5F, 0.5F), share(0.3F, 0.95F);
    const auto direction = [&] { return normalized(Vec3{bend(random), bend(random), bend(random)}, {0, 1, 0}); };
    for (std::size_t i = 0; i < kCharacters; ++i) {
      Pose pose = make_pose(*skeleton);
      for (Quat& q : pose.rotations) q = normalized(Quat{bend(random), bend(random), bend(random), 1});
      const Vec3 base = pose.translations[0] + rotate(pose.rotations[0], pose.translations[1]);
      targets.set(i, base + direction() * (share(random) * 0.35F * static_cast<float>(num_bones)));
      poles.set(i, direction());
      poses.push_back(std::move(pose));
      const PoseView view = poses.back().view();
      pack_poses({&view, 1}, i, batch);
    }
  }
  double within(float tolerance_m) const {
    const auto n = std::count_if(missing_m.begin(), missing_m.end(), [&](float m) { return m <= tolerance_m; });
    return 100.0 * static_cast<double>(n) / kCharacters;
  }
};

Row make_row(std::string name, double ours_s, double peer_s, std::string peer_name) {
  Row row;
  row.name = std::move(name);
  row.unit = "Msolves/s";
  row.ours = kCharacters / ours_s / 1e6;
  row.peer = kCharacters / peer_s / 1e6;
  row.peer_name = std::move(peer_name);
  return row;
}
std::string percent(double value) { return std::to_string(value).substr(0, 5) + " %"; }

void bench_two_bone(const Options& options, std::vector<Row>& rows) {
  Limbs limbs(2);
  const TwoBoneIkSettings settings{.start_joint = 1, .mid_joint = 2, .end_joint = 3};
  std::vector<Pose> poses = limbs.poses;
  const auto singles = [&] {
    for (std::size_t i = 0; i < kCharacters; ++i) {
      TwoBoneIkJob{.skeleton = limbs.skeleton.get(),
                   .settings = settings,
                   .target_model = limbs.targets.get(i),
                   .pole_model = limbs.poles.get(i),
                   .pose = ik_pose(poses[i])}
          .run();
    }
    keep(poses[0]);
  };
  const auto batched = [&] {
    BatchTwoBoneIkJob{.skeleton = limbs.skeleton.get(),
                      .settings = settings,
                      .targets_model = &limbs.targets,
                      .poles_model = &limbs.poles,
                      .poses = &limbs.batch,
                      .missing_m = limbs.missing_m}
        .run();
    keep(*limbs.batch.block(0));
  };
  const auto s = seconds_per_call(options, {singles, batched});
  const std::string isa = batch::instruction_set();
  rows.push_back(make_row("ik/two-bone, batch (" + isa + "), " + percent(limbs.within(1e-4F)) + " to 0.1 mm", s[1],
                          s[0], "one by one (ozz 0.16, other machine: 5.5)"));
}

void bench_fabrik(const Options& options, int num_bones, std::vector<Row>& rows) {
  Limbs limbs(num_bones);
  const FabrikSettings settings{.chain = limbs.chain};
  const PoseBatch fresh = limbs.batch;
  std::vector<Pose> poses = limbs.poses;
  // Every solve starts from the same pose: the copy that restores it is part of the time.
  const auto singles = [&] {
    for (std::size_t i = 0; i < kCharacters; ++i) {
      std::copy(limbs.poses[i].rotations.begin(), limbs.poses[i].rotations.end(), poses[i].rotations.begin());
      FabrikJob{.skeleton = limbs.skeleton.get(),
                .settings = settings,
                .target_model = limbs.targets.get(i),
                .pole_model = limbs.poles.get(i),
                .pose = ik_pose(poses[i])}
          .run();
    }
    keep(poses[0]);
  };
  const auto batched = [&] {
    std::copy_n(fresh.block(0), fresh.num_blocks() * fresh.block_size(), limbs.batch.block(0));
    BatchFabrikJob{.skeleton = limbs.skeleton.get(),
                   .settings = settings,
                   .targets_model = &limbs.targets,
                   .poles_model = &limbs.poles,
                   .poses = &limbs.batch,
                   .missing_m = limbs.missing_m}
        .run();
    keep(*limbs.batch.block(0));
  };
  const auto s = seconds_per_call(options, {singles, batched});
  const std::string isa = batch::instruction_set();
  rows.push_back(make_row("ik/FABRIK " + std::to_string(num_bones) + " bones, batch (" + isa + "), " +
                              percent(limbs.within(1e-3F)) + " to 1 mm",
                          s[1], s[0], "one by one (TheComet/ik, other machine: 2.1 for 2 bones)"));
}

// Hands, feet and head of a person from one pose to another; fingers do not turn.
void bench_full_body(const Options& options, std::vector<Row>& rows) {
  const SkeletonPtr skeleton = make_person();
  const Pose from = make_person_pose(*skeleton, 1), to = make_person_pose(*skeleton, 2);
  const auto n = static_cast<std::size_t>(skeleton->num_joints());
  std::vector<Affine> models(n);
  compute_model_from_joint(*skeleton, to.view(), models);
  std::vector<std::uint8_t> movable(n);
  std::vector<IkGoal> goals;
  for (std::size_t joint = 0; joint < n; ++joint) {
    const std::string& name = skeleton->name(static_cast<int>(joint));
    movable[joint] = name == "finger" ? 0 : 1;
    const bool last = joint + 1 == n || skeleton->name(static_cast<int>(joint) + 1) != name ||
                      skeleton->parent(static_cast<int>(joint) + 1) != static_cast<int>(joint);
    if (last && (name == "arm" || name == "leg" || name == "neck")) {
      goals.push_back({.joint = static_cast<int>(joint), .target = models[joint].t});
    }
  }
  FullBodyIkState state = make_full_body_ik_state(*skeleton);
  Pose pose = from;
  const auto solve = [&] {
    std::copy(from.rotations.begin(), from.rotations.end(), pose.rotations.begin());
    pose.translations[0] = from.translations[0];
    FullBodyIkJob{
        .skeleton = skeleton.get(), .goals = goals, .movable = movable, .pose = ik_pose(pose), .state = &state}
        .run();
    keep(pose);
  };
  Row row;
  row.name = "ik/full body, " + std::to_string(std::count(movable.begin(), movable.end(), 1)) + " of " +
             std::to_string(n) + " joints turn, " + std::to_string(goals.size()) + " goals";
  row.unit = "solves/s";
  row.ours = 1 / seconds_per_call(options, {solve})[0];
  rows.push_back(std::move(row));
}

}  // namespace

void bench_ik(const Options& options, std::vector<Row>& rows) {
  bench_two_bone(options, rows);
  bench_fabrik(options, 3, rows);
  bench_fabrik(options, 10, rows);
  bench_full_body(options, rows);
}

}  // namespace zoe::bench
