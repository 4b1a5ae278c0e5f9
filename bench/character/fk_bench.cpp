// SPDX-License-Identifier: MIT
#include "character/fk_bench.h"

#include <algorithm>

#include "zoe/character/local_to_model_job.h"
#include "zoe/math/batch.h"

#include "character/sse_baseline.h"
#include "character/synthetic.h"

namespace zoe::bench {
namespace {

// Least traffic per joint: 3 + 4 floats are read and 12 written, each once.
constexpr double kBytesPerJoint = (3 + 4 + 12) * sizeof(float);

struct Crowd {
  SkeletonPtr skeleton = make_person();
  std::size_t num_joints = static_cast<std::size_t>(skeleton->num_joints());
  std::vector<Pose> poses;
  std::vector<PoseView> views;             // Without scales, which are all one.
  std::vector<std::vector<float>> groups;  // For the SSE baseline.

  explicit Crowd(std::size_t num_characters) {
    for (std::size_t i = 0; i < num_characters; ++i) poses.push_back(make_person_pose(*skeleton, unsigned(i)));
    for (const Pose& pose : poses) {
      views.push_back({pose.translations, pose.rotations, {}});
      groups.push_back(to_groups_of_four(views.back()));
    }
  }
};

Row make_row(std::string name, double bytes_per_s, double joints, double ours_s, double peer_s, std::string peer_name) {
  Row row;
  row.name = std::move(name);
  row.unit = "Mjoints/s";
  row.ours = joints / ours_s / 1e6;
  row.peer = joints / peer_s / 1e6;
  row.peer_name = std::move(peer_name);
  row.limit = bytes_per_s / kBytesPerJoint / 1e6;
  row.limit_name = "copy of as many bytes (76 per joint)";
  return row;
}

void bench_crowd(const Options& options, std::size_t num_characters, std::vector<Row>& rows) {
  const Crowd crowd(num_characters);
  const std::size_t n = crowd.num_joints;
  std::vector<Affine> models(num_characters * n), reference(num_characters * n);
  std::vector<Matrix4> matrices(num_characters * (n + 3));
  PoseBatch batch(num_characters, n, false);
  pack_poses(crowd.views, 0, batch);
  ModelBatch batch_models(num_characters, n);

  const auto scalar = [&] {
    for (std::size_t i = 0; i < num_characters; ++i) {
      compute_model_from_joint(*crowd.skeleton, crowd.views[i], std::span(reference).subspan(i * n, n));
    }
    keep(reference[0]);
  };
  const auto sse = [&] {
    for (std::size_t i = 0; i < num_characters; ++i) {
      keep(sse_local_to_model(*crowd.skeleton, crowd.groups[i].data(), matrices.data() + i * (n + 3)));
    }
    keep(matrices[0]);
  };
  const auto singles = [&] {
    for (std::size_t i = 0; i < num_characters; ++i) {
      LocalToModelJob{crowd.skeleton.get(), crowd.views[i], std::span(models).subspan(i * n, n)}.run();
    }
    keep(models[0]);
  };
  const auto batched = [&] {
    BatchLocalToModelJob{crowd.skeleton.get(), &batch, &batch_models}.run();
    keep(*batch_models.block(0));
  };
  const auto pack = [&] {
    pack_poses(crowd.views, 0, batch);
    keep(*batch.block(0));
  };
  const auto unpack = [&] {
    unpack_models(batch_models, models);
    keep(models[0]);
  };

  const double joints = static_cast<double>(num_characters * n);
  const double bytes_per_s = copy_bandwidth_bytes_per_s(static_cast<std::size_t>(joints * kBytesPerJoint));
  const std::string size = num_characters == 1 ? "1 character" : std::to_string(num_characters) + " characters";
  const std::string isa = batch::instruction_set();
  const auto s = seconds_per_call(options, {scalar, sse, singles, batched, pack, unpack});
  const std::string sse_name =
      "SSE2 4x4 baseline (ozz 0.16, other machine: " + std::string(num_characters == 1 ? "103" : "93") + " SSE2, " +
      (num_characters == 1 ? "126" : "116") + " native)";
  rows.push_back(make_row("fk/" + size + ", pose by pose (" + isa + ")", bytes_per_s, joints, s[2], s[1], sse_name));
  rows.push_back(
      make_row("fk/" + size + ", pose by pose, against scalar", bytes_per_s, joints, s[2], s[0], "scalar reference"));
  if (num_characters < kPosesPerBlock) return;
  rows.push_back(make_row("fk/" + size + ", batch (" + isa + ")", bytes_per_s, joints, s[3], s[1], sse_name));
  rows.push_back(
      make_row("fk/" + size + ", batch, against scalar", bytes_per_s, joints, s[3], s[0], "scalar reference"));
  rows.push_back(make_row("fk/" + size + ", pack + batch + unpack", bytes_per_s, joints, s[4] + s[3] + s[5], s[0],
                          "scalar reference"));
}

}  // namespace

void bench_fk(const Options& options, std::vector<Row>& rows) {
  bench_crowd(options, 1, rows);
  bench_crowd(options, 1000, rows);
}

}  // namespace zoe::bench
