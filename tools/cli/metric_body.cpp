// SPDX-License-Identifier: MIT
#include "metric_body.h"

#include <cmath>

#include "zoe/author/retarget_source.h"
#include "zoe/dataset/read_clip_files.h"
#include "zoe/io/read.h"
#include "zoe/motion/calibration.h"
#include "zoe/motion/convert_space.h"

namespace zoe::cli {

Result<MetricBody> load_metric_body(const std::string& file, const std::string& overrides) {
  ZOE_TRY_ASSIGN(io::Asset asset, io::read_asset(file));
  return metric_body(std::move(asset), file, overrides);
}

namespace {

// Captures may have a rest pose that is no pose: bones along one axis. Models measure from the rest pose, so the frame
// in which the body stands takes its place, facing +Z on the ground.
SkeletonPtr standing_skeleton(const Skeleton& skeleton, const SkeletonAnalysis& analysis,
                              const std::vector<Motion>& clips) {
  const auto clip = static_cast<std::size_t>(analysis.reference_clip);
  const PoseView pose = clips[clip].frame(analysis.reference_frame);
  const Quat turn = from_axis_angle(Vec3{0, 1, 0}, -std::atan2(analysis.forward.x, analysis.forward.z));
  const int hips = std::max(analysis.hips, 0);
  const Vec3 middle = analysis.reference_positions[static_cast<std::size_t>(hips)];
  const Vec3 shift{middle.x, static_cast<float>(analysis.ground_height), middle.z};
  std::vector<JointDesc> joints(skeleton.joints().begin(), skeleton.joints().end());
  for (std::size_t j = 0; j < joints.size(); ++j) {
    Transform& rest = joints[j].rest_local;
    if (joints[j].kind != JointKind::kEndSite) rest = pose.joint(static_cast<int>(j));
    if (joints[j].parent != kNoJoint) continue;
    rest.translation = rotate(turn, rest.translation - shift);
    rest.rotation = normalized(turn * rest.rotation);
  }
  return Skeleton::create(std::move(joints)).value();
}

}  // namespace

Result<MetricBody> metric_body(io::Asset asset, const std::string& file, const std::string& overrides) {
  if (!asset.character || !asset.character->skeleton || asset.character->skeleton->num_joints() == 0)
    return Error{ErrorCode::kInvalid, "it contains no skeleton", {.file = file}};
  ZOE_TRY_ASSIGN(author::AssetAnalysis analysis, author::analyse_asset(asset, overrides));
  MetricBody body{file, asset.character->skeleton, std::move(analysis.body), std::move(asset.clips), {}};
  body.displayed.character = asset.character;
  body.displayed.image_folder = std::filesystem::path(file).parent_path();
  if (const double scale = body.analysis.metres_per_unit; std::abs(scale - 1) > 1e-9) {
    const SpaceChange change{.scale = scale};
    body.skeleton = convert_space(*body.skeleton, change);
    for (Motion& clip : body.clips) clip = convert_space(clip, change, body.skeleton);
    body.displayed.metres_per_unit = static_cast<float>(scale);
    body.analysis = analyse(*body.skeleton, body.clips);
  }
  if (body.analysis.reference_clip >= 0 && body.analysis.up.y > 0.9F) {
    body.skeleton = standing_skeleton(*body.skeleton, body.analysis, body.clips);
    for (Motion& clip : body.clips) clip.skeleton = body.skeleton;
    body.analysis = analyse(*body.skeleton, body.clips);
  }
  for (Motion& clip : body.clips) drop_calibration_frames(clip);
  return body;
}

author::GeneratedBody planned_body(const MetricBody& body, const std::string& overrides) {
  return {body.file, overrides, body.skeleton, &body.analysis};
}

Motion in_file_unit(const Motion& motion, const MetricBody& body) {
  const double scale = body.displayed.metres_per_unit;
  if (std::abs(scale - 1) < 1e-9) {
    Motion out = motion;
    out.skeleton = body.displayed.character->skeleton;
    return out;
  }
  return convert_space(motion, {.scale = 1 / scale}, body.displayed.character->skeleton);
}

Result<std::vector<MetricBody>> load_metric_bodies(const std::vector<std::string>& inputs, Warnings& warnings) {
  const std::vector<std::filesystem::path> paths(inputs.begin(), inputs.end());
  ZOE_TRY_ASSIGN(const std::vector<dataset::ClipFile> files, dataset::list_clip_files(paths, warnings));
  std::vector<MetricBody> bodies;
  for (const dataset::ClipFile& file : files) {
    Result<MetricBody> body = load_metric_body(file.path.string());
    if (body)
      bodies.push_back(std::move(*body));
    else
      warnings.push_back({body.error().message, {.file = file.path.string()}});
  }
  return bodies;
}

}  // namespace zoe::cli
