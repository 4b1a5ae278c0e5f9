// SPDX-License-Identifier: MIT
#include "zoe/motion/root.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "zoe/math/filter.h"
#include "zoe/math/portable_quat.h"
#include "zoe/motion/joint_tracks.h"

namespace zoe {
namespace {

constexpr double kPi = std::numbers::pi;

// The representative of the angle within half a turn of the reference.
double unwrapped(double reference, double angle) { return reference + std::remainder(angle - reference, 2 * kPi); }

struct RawRoot {
  Vec3d position;
  double facing = 0;
};

// Unit ground projection of the vector between two joints, or zero where it is too steep.
Vec3d horizontal(Vec3 from, Vec3 to, double min_share) {
  const Vec3d d = to_double(to - from);
  const Vec3d flat{d.x, 0, d.z};
  const double size = length(flat);
  return size > 1e-5 && size >= min_share * length(d) ? flat / size : Vec3d{};
}

class RootReader {
 public:
  RootReader(const RootJoints& joints, const RootOptions& options) : options_(options) {
    add(joints.hip);
    if (options.facing == RootOptions::Facing::kQuadruped) {
      add_pair(joints.hip, joints.neck);
    } else {
      add_pair(joints.right_hip, joints.left_hip);
      add_pair(joints.right_shoulder, joints.left_shoulder);
    }
  }

  std::span<const int> joints() const { return {joints_.data(), count_}; }
  bool can_face() const { return count_ > 1; }

  // positions: of joints().
  Vec3d position(std::span<const Vec3> positions) const {
    Vec3d p = to_double(positions[0]);
    if (options_.position == RootOptions::Position::kGround) p.y = options_.ground_height_m;
    return p;
  }
  bool facing(std::span<const Vec3> positions, double& angle) const {
    Vec3d sum{};
    for (std::size_t i = 1; i < count_; i += 2) {
      sum += horizontal(positions[i], positions[i + 1], options_.min_horizontal_share);
    }
    // Hips and shoulders that point against each other cancel.
    if (length(sum) < 1e-3) return false;
    // From right to left, +X faces +Z: the left-right direction times up.
    const Vec3d forward = options_.facing == RootOptions::Facing::kQuadruped ? sum : cross(sum, Vec3d{0, 1, 0});
    angle = std::atan2(forward.x, forward.z);
    return true;
  }

 private:
  void add(int joint) { joints_[count_++] = joint; }
  void add_pair(int from, int to) {
    if (from == kNoJoint || to == kNoJoint) return;
    add(from);
    add(to);
  }

  const RootOptions& options_;
  std::array<int, 5> joints_{};
  std::size_t count_ = 0;
};

// Facings are continuous; frames without one keep the one before, leading ones take the first.
std::vector<RawRoot> read_roots(const Motion& motion, const RootReader& reader, int& frames_without_facing) {
  const std::vector<Vec3> positions = model_positions(motion, reader.joints());
  const std::size_t stride = reader.joints().size();
  std::vector<RawRoot> out(static_cast<std::size_t>(motion.num_frames));
  bool started = false;
  double facing = 0;
  for (std::size_t frame = 0; frame < out.size(); ++frame) {
    const std::span<const Vec3> here(positions.data() + frame * stride, stride);
    double angle = 0;
    if (reader.facing(here, angle)) {
      facing = started ? unwrapped(facing, angle) : angle;
      if (!started) {
        for (std::size_t i = 0; i < frame; ++i) out[i].facing = facing;
      }
      started = true;
    } else {
      ++frames_without_facing;
    }
    out[frame] = {reader.position(here), facing};
  }
  return out;
}

RawRoot between(const RawRoot& a, const RawRoot& b, double t) {
  return {lerp(a.position, b.position, t), a.facing + (b.facing - a.facing) * t};
}
RawRoot reflected(const RawRoot& about, const RawRoot& root) {
  return {about.position * 2.0 - root.position, 2 * about.facing - root.facing};
}

// frame: any number. Reflections reach at most one clip length.
RawRoot at(const std::vector<RawRoot>& roots, double frame, RootOptions::Ends ends) {
  const double last = static_cast<double>(roots.size() - 1);
  const auto inside = [&](double f) {
    f = std::clamp(f, 0.0, last);
    const auto i = std::min(static_cast<std::size_t>(f), roots.size() - 1);
    return between(roots[i], roots[std::min(i + 1, roots.size() - 1)], f - static_cast<double>(i));
  };
  if (ends == RootOptions::Ends::kReflect && frame < 0) return reflected(roots.front(), inside(-frame));
  if (ends == RootOptions::Ends::kReflect && frame > last) return reflected(roots.back(), inside(2 * last - frame));
  return inside(frame);
}

std::vector<RawRoot> smoothed(const std::vector<RawRoot>& roots, double fps, const RootOptions& options) {
  const auto count = static_cast<std::size_t>(options.num_samples);
  const double step_s = 2 * options.half_window_s / (options.num_samples - 1);
  std::vector<double> position_weights(count), facing_weights(count);
  gaussian_weights(options.position_power, position_weights);
  std::vector<RawRoot> samples(count), out(roots.size());
  for (std::size_t frame = 0; frame < roots.size(); ++frame) {
    for (std::size_t k = 0; k < count; ++k) {
      const double offset_s = (static_cast<double>(k) - static_cast<double>(count / 2)) * step_s;
      samples[k] = at(roots, static_cast<double>(frame) + offset_s * fps, options.ends);
    }
    // The signed turning speeds between samples sum to the whole turn over the step.
    gaussian_weights(std::abs(samples.back().facing - samples.front().facing) / step_s, facing_weights);
    const RawRoot& middle = roots[frame];
    Vec3d offset{};
    double sine = 0, cosine = 0;
    for (std::size_t k = 0; k < count; ++k) {
      offset += (samples[k].position - middle.position) * position_weights[k];
      sine += std::sin(samples[k].facing - middle.facing) * facing_weights[k];
      cosine += std::cos(samples[k].facing - middle.facing) * facing_weights[k];
    }
    const bool cancels = std::hypot(sine, cosine) < 1e-5;
    const double facing = middle.facing + (cancels ? 0.0 : std::atan2(sine, cosine));
    out[frame] = {middle.position + offset, frame > 0 ? unwrapped(out[frame - 1].facing, facing) : facing};
  }
  return out;
}

}  // namespace

Quat rotation_of(const PlanarRoot& root) { return portable_from_axis_angle(Vec3{0, 1, 0}, root.facing_rad); }

RootDelta delta_between(const PlanarRoot& from, const PlanarRoot& to) {
  return {rotate(conjugate(rotation_of(from)), to.position - from.position), to.facing_rad - from.facing_rad};
}

PlanarRoot moved_by(const PlanarRoot& root, const RootDelta& delta) {
  return {root.position + rotate(rotation_of(root), delta.translation), root.facing_rad + delta.turn_rad};
}

Result<RootTrajectory> extract_root(const Motion& motion, const RootJoints& joints, const RootOptions& options) {
  const auto usage = [](const char* message) { return Error{ErrorCode::kUsage, message, {}}; };
  if (motion.num_frames < 1) return usage("root extraction needs at least one frame");
  const RootReader reader(joints, options);
  if (!are_joints(motion, reader.joints())) return usage("root extraction: a joint is missing or out of range");
  if (!reader.can_face()) {
    return usage("root extraction: facing needs both hips or both shoulders, or the neck of a quadruped");
  }
  const bool smooth = options.half_window_s > 0;
  if (smooth && (options.num_samples < 3 || options.num_samples % 2 == 0)) {
    return usage("root extraction: the number of samples must be odd and at least 3");
  }
  RootTrajectory out;
  out.fps = motion.fps;
  std::vector<RawRoot> roots = read_roots(motion, reader, out.frames_without_facing);
  if (smooth) roots = smoothed(roots, motion.fps, options);
  for (const RawRoot& root : roots) out.roots.push_back({to_float(root.position), static_cast<float>(root.facing)});
  out.velocities.resize(roots.size());
  out.turn_speeds_rad_s.resize(roots.size());
  out.deltas.resize(roots.size());
  for (std::size_t i = 1; i < roots.size(); ++i) {
    out.velocities[i] = to_float((roots[i].position - roots[i - 1].position) * motion.fps);
    out.turn_speeds_rad_s[i] = static_cast<float>((roots[i].facing - roots[i - 1].facing) * motion.fps);
    out.deltas[i] = delta_between(out.roots[i - 1], out.roots[i]);
  }
  if (roots.size() > 1) {
    out.velocities[0] = out.velocities[1];
    out.turn_speeds_rad_s[0] = out.turn_speeds_rad_s[1];
  }
  return out;
}

}  // namespace zoe
