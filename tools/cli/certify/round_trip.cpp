// SPDX-License-Identifier: MIT
#include "certify/round_trip.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "zoe/io/read.h"
#include "zoe/io/write.h"
#include "zoe/motion/joint_tracks.h"

#include "temporary_folder.h"

namespace zoe::cli {
namespace {

struct Difference {
  double worst = 0, size = 0;  // In the unit of the data.
  int frame = 0, joint = 0;
};

std::vector<int> all_joints(const Motion& motion) {
  std::vector<int> joints(static_cast<std::size_t>(motion.num_joints()));
  std::iota(joints.begin(), joints.end(), 0);
  return joints;
}

// Empty where the two cannot be compared.
std::optional<Difference> compare(const Motion& before, const Motion& after) {
  if (before.num_joints() != after.num_joints() || before.num_frames != after.num_frames) return std::nullopt;
  const std::vector<Vec3> a = model_positions(before, all_joints(before)),
                          b = model_positions(after, all_joints(after));
  Difference out;
  const auto joints = static_cast<std::size_t>(before.num_joints());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto apart = static_cast<double>(distance(a[i], b[i]));
    out.size = std::max(out.size, static_cast<double>(distance(a[i], a[i - i % joints])));
    if (apart <= out.worst) continue;
    out.worst = apart;
    out.frame = static_cast<int>(i / joints);
    out.joint = static_cast<int>(i % joints);
  }
  return out;
}

// Bones and clips only: meshes are large, and their own check is of the rig.
Result<io::Asset> through_file(const io::Asset& asset, const Motion& clip) {
  auto bare = std::make_shared<Character>();
  bare->name = asset.character->name;
  bare->skeleton = asset.character->skeleton;
  io::Asset one{bare, {clip}, asset.source, {}};
  one.clips[0].num_morph_weights = 0;
  one.clips[0].morph_weights.clear();
  const bool same_format = asset.source.format == "bvh" || asset.source.format == "npz" || asset.source.format == "fbx";
  ZOE_TRY_ASSIGN(const TemporaryFolder folder, TemporaryFolder::make());
  const std::filesystem::path path = folder.path() / ("clip." + (same_format ? asset.source.format : "glb"));
  ZOE_TRY(io::write_asset(path, one));
  io::ReadOptions options;
  options.bvh_up = 'y';
  return io::read_asset(path, options);
}

}  // namespace

void check_round_trip(const io::Asset& asset, JudgedFile& judged) {
  constexpr double kLimit = 0.002;  // Of the body's extent: BVH has four decimals.
  for (std::size_t i = 0; i < judged.clips.size() && i < asset.clips.size(); ++i) {
    certify::Certificate& certificate = judged.clips[i].certificate;
    const Result<io::Asset> back = through_file(asset, asset.clips[i]);
    if (!back || back->clips.empty()) {
      certificate.findings.push_back(
          {certify::Check::kRoundTrip,
           0,
           0,
           {},
           1,
           0,
           "m",
           "The clip cannot be written and read again" + (back ? std::string(".") : ": " + back.error().message)});
      continue;
    }
    const std::optional<Difference> difference = compare(asset.clips[i], back->clips[0]);
    if (!difference) {
      certificate.skipped.push_back({certify::Check::kRoundTrip, "the format drops joints or frames of this clip"});
      continue;
    }
    const double limit = kLimit * difference->size;
    certificate.measures.push_back({certify::Check::kRoundTrip, difference->worst, limit, "m"});
    if (difference->worst <= limit) continue;
    certificate.findings.push_back(
        {certify::Check::kRoundTrip,
         difference->frame,
         difference->frame,
         {difference->joint},
         difference->worst,
         limit,
         "m",
         fmt::format("{} moves by {:.4f} m when the clip is written and read again. Uneven scales and shears do not "
                     "survive formats: bake them.",
                     asset.character->skeleton->name(difference->joint), difference->worst)});
  }
}

}  // namespace zoe::cli
