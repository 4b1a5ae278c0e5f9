// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "zoe/core/file.h"
#include "zoe/io/npz.h"
#include "zoe/io/npz_file.h"

namespace zoe::io {
namespace {

struct GlobalTracks {
  std::vector<float> positions;    // [frames, joints, 3]
  std::vector<float> quaternions;  // [frames, joints, 4]
};

bool all_ones(const std::vector<Vec3>& scales) {
  return std::all_of(scales.begin(), scales.end(), [](Vec3 s) { return s == Vec3{1, 1, 1}; });
}

// Positions are those of the whole chain with its scales. Quaternions are the product of the chain's rotations. That is
// the rotation of the joint where it is defined (no shear, no mirroring), and it can always be inverted.
GlobalTracks compute_globals(const Motion& motion, double scale) {
  const std::span<const int> parents = motion.skeleton->parents();
  const std::size_t n = parents.size();
  GlobalTracks out;
  out.positions.resize(motion.rotations.size() * 3);
  out.quaternions.resize(motion.rotations.size() * 4);
  const bool scaled = !all_ones(motion.scales);
  std::vector<Affined> model_from_joint(scaled ? n : 0);
  std::vector<Vec3d> places(n);
  std::vector<Quatd> rotations(n);
  std::vector<Quat> last(n);  // w >= 0 in the first frame, continuous from there on.
  float* to_position = out.positions.data();
  float* to_quaternion = out.quaternions.data();
  for (int frame = 0; frame < motion.num_frames; ++frame) {
    const PoseView pose = motion.frame(frame);
    for (std::size_t j = 0; j < n; ++j) {
      const auto parent = static_cast<std::size_t>(parents[j]);
      const bool is_root = parents[j] == kNoJoint;
      const Quatd local = to_double(pose.rotations[j]);
      rotations[j] = normalized(is_root ? local : rotations[parent] * local);
      if (scaled) {
        const Affined own = to_affine(to_double(pose.joint(static_cast<int>(j))));
        model_from_joint[j] = is_root ? own : model_from_joint[parent] * own;
        places[j] = model_from_joint[j].t;
      } else {
        const Vec3d offset = to_double(pose.translations[j]);
        places[j] = is_root ? offset : places[parent] + rotate(rotations[parent], offset);
      }
      const Vec3 position = to_float(places[j] * scale);
      last[j] = nearest_to(last[j], to_float(rotations[j]));
      *to_position++ = position.x;
      *to_position++ = position.y;
      *to_position++ = position.z;
      *to_quaternion++ = last[j].x;
      *to_quaternion++ = last[j].y;
      *to_quaternion++ = last[j].z;
      *to_quaternion++ = last[j].w;
    }
  }
  return out;
}

std::vector<float> scale_track(const Motion& motion) {
  std::vector<float> out;
  if (all_ones(motion.scales)) return out;
  out.reserve(motion.scales.size() * 3);
  for (const Vec3 s : motion.scales) out.insert(out.end(), {s.x, s.y, s.z});
  return out;
}

}  // namespace

Result<std::vector<std::byte>> encode_motion_npz(const Motion& motion, const MotionNpzWriteOptions& options) {
  ZOE_CHECK(motion.skeleton != nullptr, "a motion needs a skeleton");
  const Skeleton& skeleton = *motion.skeleton;
  if (skeleton.num_joints() == 0) return Error{ErrorCode::kUsage, "a motion file needs a joint", {}};
  if (motion.num_frames == 0) {
    return encode_motion_npz(make_motion(motion.skeleton, motion.name, motion.fps, 1, true), options);
  }
  const auto frames = static_cast<std::size_t>(motion.num_frames),
             joints = static_cast<std::size_t>(skeleton.num_joints());
  std::vector<std::string> bone_names, parent_names;
  std::vector<std::int32_t> parent_indices;
  for (int joint = 0; joint < skeleton.num_joints(); ++joint) {
    const int parent = skeleton.parent(joint);
    bone_names.push_back(skeleton.name(joint));
    parent_names.push_back(parent == kNoJoint ? std::string() : skeleton.name(parent));
    parent_indices.push_back(parent);
  }
  const GlobalTracks globals = compute_globals(motion, options.scale);
  const std::vector<float> scales = scale_track(motion);
  const std::string names[] = {motion.name};
  const Array name = string_array(names), bones = string_array(bone_names), parents = string_array(parent_names);
  const std::vector<double> fps{motion.fps};
  std::vector<NamedArray> arrays{{"name", name.view()},
                                 {"framerate", view_of(fps, {})},
                                 {"positions", view_of(globals.positions, {frames, joints, 3})},
                                 {"quaternions", view_of(globals.quaternions, {frames, joints, 4})},
                                 {"bone_names", bones.view()},
                                 {"parent_names", parents.view()},
                                 {"parent_indices", view_of(parent_indices)}};
  arrays[0].view.shape.clear();  // A scalar.
  if (!scales.empty()) arrays.push_back({"scales", view_of(scales, {frames, joints, 3})});
  return encode_npz(arrays, {.compression = options.compression});
}

Result<void> write_motion_npz(const std::filesystem::path& path, const Motion& motion,
                              const MotionNpzWriteOptions& options) {
  ZOE_TRY_ASSIGN(const std::vector<std::byte> bytes, encode_motion_npz(motion, options));
  return write_file_atomic(path, bytes);
}

Result<void> write_motion_npz(const std::filesystem::path& path, const Asset& asset, std::size_t clip,
                              const MotionNpzWriteOptions& options) {
  if (asset.clips.empty() && clip == 0) {
    return write_motion_npz(path, make_motion(asset.character->skeleton, asset.character->name, 30.0, 1, true),
                            options);
  }
  if (clip >= asset.clips.size()) {
    return Error{ErrorCode::kUsage, fmt::format("clip {} of {}", clip, asset.clips.size()), {.file = path.string()}};
  }
  return write_motion_npz(path, asset.clips[clip], options);
}

}  // namespace zoe::io
