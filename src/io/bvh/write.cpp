// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

#include <fmt/format.h>

#include "zoe/core/file.h"
#include "zoe/io/bvh.h"

#include "io/bvh/bake_scale.h"
#include "io/bvh/number_format.h"

namespace zoe::io {
namespace bvh {
namespace {

// Deeper joints share this indent: a chain of 60,000 joints would otherwise need gigabytes of tabs.
constexpr std::size_t kMaxIndent = 40;

struct JointPlan {
  std::vector<int> children;
  bool has_positions = false;
  bool is_end_site = false;  // Written as "End Site", without channels.
};

// Largest distance of a track from its rest offset, and whether the joint ever rotates.
struct TrackUse {
  float moved = 0;
  bool turned = false;
};

std::vector<TrackUse> measure_tracks(const Motion& motion) {
  const auto n = static_cast<std::size_t>(motion.num_joints());
  std::vector<TrackUse> use(n);
  for (std::size_t i = 0; i < motion.rotations.size(); ++i) {
    const std::size_t joint = i % n;
    const Vec3 rest = motion.skeleton->rest_local(static_cast<int>(joint)).translation;
    use[joint].moved = std::max(use[joint].moved, distance(motion.translations[i], rest));
    const Quat q = motion.rotations[i];
    use[joint].turned = use[joint].turned || q.x * q.x + q.y * q.y + q.z * q.z > 1e-12F;
  }
  return use;
}

float span_of_rest_pose(const Skeleton& skeleton) {
  Vec3 low = skeleton.rest_model()[0].t, high = low;
  for (const Affine& joint : skeleton.rest_model()) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], joint.t[axis]);
      high[axis] = std::max(high[axis], joint.t[axis]);
    }
  }
  return std::max({high.x - low.x, high.y - low.y, high.z - low.z});
}

std::vector<JointPlan> plan_joints(const Motion& motion, const BvhWriteOptions& options) {
  const Skeleton& skeleton = *motion.skeleton;
  const std::vector<TrackUse> use = measure_tracks(motion);
  const float tolerance = static_cast<float>(options.position_tolerance) * span_of_rest_pose(skeleton);
  std::vector<JointPlan> plan(use.size());
  for (int joint = 0; joint < skeleton.num_joints(); ++joint) {
    const auto j = static_cast<std::size_t>(joint);
    const int parent = skeleton.parent(joint);
    if (parent != kNoJoint) plan[static_cast<std::size_t>(parent)].children.push_back(joint);
    plan[j].has_positions = parent == kNoJoint || use[j].moved > tolerance;
    plan[j].is_end_site = skeleton.kind(joint) == JointKind::kEndSite && !plan[j].has_positions && !use[j].turned;
  }
  for (JointPlan& joint : plan) joint.is_end_site = joint.is_end_site && joint.children.empty();
  return plan;
}

// A name that no reader mistakes for structure: no line ends, braces or outer blanks.
std::string safe_name(const std::string& name, int joint) {
  std::string safe = name;
  for (char& c : safe) {
    if (static_cast<unsigned char>(c) < ' ' || c == '{' || c == '}') c = '_';
  }
  const std::size_t first = safe.find_first_not_of(' ');
  if (first == std::string::npos) return fmt::format("joint_{}", joint);
  return safe.substr(first, safe.find_last_not_of(' ') - first + 1);
}

// Prevents jumps of a joint's Euler angles: of all angles for the same rotation, takes those nearest to the frame
// before. Animators edit these curves.
class AngleTrack {
 public:
  std::array<double, 3> next(EulerOrder order, Quat rotation) {
    const std::array<double, 3> a = to_euler(order, to_double(rotation));
    if (!started_) {
      started_ = true;
      return last_ = a;
    }
    constexpr double pi = std::numbers::pi;
    // R_i(a) R_j(b) R_k(c) = R_i(a + pi) R_j(pi - b) R_k(c + pi).
    const auto [near, near_cost] = unrolled(a);
    const auto [other, other_cost] = unrolled({a[0] + pi, pi - a[1], a[2] + pi});
    return last_ = other_cost < near_cost ? other : near;
  }

 private:
  std::pair<std::array<double, 3>, double> unrolled(std::array<double, 3> angles) const {
    double cost = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const double step = std::remainder(angles[i] - last_[i], 2 * std::numbers::pi);
      angles[i] = last_[i] + step;
      cost += std::abs(step);
    }
    return {angles, cost};
  }

  std::array<double, 3> last_{};
  bool started_ = false;
};

class Writer {
 public:
  Writer(const Motion& motion, const BvhWriteOptions& options)
      : motion_(motion), options_(options), format_(options.precision), plan_(plan_joints(motion, options)) {
    const auto axes = axes_of(options.euler_order);
    for (const int axis : axes) rotation_channels_ += fmt::format(" {}rotation", "XYZ"[axis]);
  }

  std::string write() {
    text_ = "HIERARCHY\n";
    for (int joint = 0; joint < motion_.num_joints(); ++joint) {
      if (motion_.skeleton->parent(joint) == kNoJoint) write_tree(joint);
    }
    fmt::format_to(std::back_inserter(text_), "MOTION\nFrames: {}\nFrame Time: {:.12g}\n", motion_.num_frames,
                   1.0 / motion_.fps);
    write_rows();
    return std::move(text_);
  }

 private:
  // Depth first with an explicit stack: chains may be deep.
  void write_tree(int root) {
    struct Level {
      int joint;
      std::size_t next_child;
    };
    std::vector<Level> stack{{root, 0}};
    open_joint(root, 0);
    while (!stack.empty()) {
      const auto& children = plan_[static_cast<std::size_t>(stack.back().joint)].children;
      if (stack.back().next_child < children.size()) {
        const int child = children[stack.back().next_child++];
        open_joint(child, stack.size());
        stack.push_back({child, 0});
      } else {
        stack.pop_back();
        indent(stack.size());
        text_ += "}\n";
      }
    }
  }

  void indent(std::size_t depth) { text_.append(std::min(depth, kMaxIndent), '\t'); }

  void open_joint(int joint, std::size_t depth) {
    const JointPlan& plan = plan_[static_cast<std::size_t>(joint)];
    const Skeleton& skeleton = *motion_.skeleton;
    const int parent = skeleton.parent(joint);
    indent(depth);
    if (plan.is_end_site) {
      text_ += "End Site";
      if (options_.end_site_names && skeleton.name(joint) != skeleton.name(parent) + "_End") {
        text_ += ' ' + safe_name(skeleton.name(joint), joint);
      }
    } else {
      text_ += (parent == kNoJoint ? "ROOT " : "JOINT ") + safe_name(skeleton.name(joint), joint);
    }
    text_ += '\n';
    indent(depth);
    text_ += "{\n";
    indent(depth + 1);
    text_ += "OFFSET";
    const Vec3d offset = to_double(skeleton.rest_local(joint).translation) * options_.scale;
    for (std::size_t axis = 0; axis < 3; ++axis) append_number(offset[axis]);
    text_ += '\n';
    if (plan.is_end_site) return;
    indent(depth + 1);
    text_ += plan.has_positions ? "CHANNELS 6 Xposition Yposition Zposition" : "CHANNELS 3";
    text_ += rotation_channels_ + '\n';
    channel_joints_.push_back(joint);
  }

  void append_number(double value) {
    char buffer[kMaxNumberLength];
    text_ += ' ';
    text_.append(buffer, format_.write(value, buffer));
  }

  void write_rows() {
    std::vector<AngleTrack> tracks(channel_joints_.size());
    std::vector<char> row(channel_joints_.size() * 6 * (kMaxNumberLength + 1) + 1);
    for (int frame = 0; frame < motion_.num_frames; ++frame) {
      const PoseView pose = motion_.frame(frame);
      char* out = row.data();
      for (std::size_t i = 0; i < channel_joints_.size(); ++i) {
        const auto joint = static_cast<std::size_t>(channel_joints_[i]);
        if (plan_[joint].has_positions) {
          const Vec3d position = to_double(pose.translations[joint]) * options_.scale;
          for (std::size_t axis = 0; axis < 3; ++axis) out = append_column(position[axis], row.data(), out);
        }
        for (const double angle : tracks[i].next(options_.euler_order, pose.rotations[joint])) {
          out = append_column(angle * kDegreesPerRadian, row.data(), out);
        }
      }
      *out++ = '\n';
      text_.append(row.data(), out);
      if (frame == 0) {
        text_.reserve(text_.size() + static_cast<std::size_t>(out - row.data()) *
                                         static_cast<std::size_t>(motion_.num_frames) / 8 * 9);
      }
    }
  }

  char* append_column(double value, const char* row_start, char* out) const {
    if (out != row_start) *out++ = ' ';
    return format_.write(value, out);
  }

  const Motion& motion_;
  const BvhWriteOptions& options_;
  NumberFormat format_;
  std::vector<JointPlan> plan_;
  std::string rotation_channels_;
  std::vector<int> channel_joints_;  // In the order of the file's columns.
  std::string text_;
};

}  // namespace
}  // namespace bvh

Result<std::string> format_bvh(const Motion& motion, const BvhWriteOptions& options, Warnings* warnings) {
  ZOE_CHECK(motion.skeleton != nullptr, "a motion needs a skeleton");
  ZOE_CHECK(options.precision >= 0 && options.precision <= bvh::kMaxPrecision, "0 to 12 decimals");
  if (motion.num_joints() == 0) return Error{ErrorCode::kUsage, "a BVH file needs a joint", {}};
  if (motion.num_frames == 0) {
    return format_bvh(make_motion(motion.skeleton, motion.name, motion.fps, 1, true), options, warnings);
  }
  const auto warn = [&](std::string message) {
    if (warnings != nullptr) warnings->push_back({std::move(message), {}});
  };
  if (motion.num_morph_weights > 0) warn("BVH has no morph targets; their weights are omitted");
  if (!bvh::has_scale(motion)) return bvh::Writer(motion, options).write();
  warn("BVH has no scale; it is baked into the positions of joints");
  const Motion baked = bvh::bake_scale(motion);
  return bvh::Writer(baked, options).write();
}

Result<void> write_bvh(const std::filesystem::path& path, const Motion& motion, const BvhWriteOptions& options,
                       Warnings* warnings) {
  ZOE_TRY_ASSIGN(const std::string text, format_bvh(motion, options, warnings));
  return write_file_atomic(path, text);
}

Result<void> write_bvh(const std::filesystem::path& path, const Asset& asset, std::size_t clip,
                       const BvhWriteOptions& options, Warnings* warnings) {
  if (asset.clips.empty() && clip == 0) {
    return write_bvh(path, make_motion(asset.character->skeleton, asset.character->name, 30.0, 1, true), options,
                     warnings);
  }
  if (clip >= asset.clips.size()) {
    return Error{ErrorCode::kUsage, fmt::format("clip {} of {}", clip, asset.clips.size()), {.file = path.string()}};
  }
  return write_bvh(path, asset.clips[clip], options, warnings);
}

}  // namespace zoe::io
