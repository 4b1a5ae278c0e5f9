// SPDX-License-Identifier: MIT
#include "zoe/motion/contacts.h"

#include <algorithm>
#include <cmath>

#include "zoe/math/filter.h"
#include "zoe/motion/joint_tracks.h"

namespace zoe {
namespace {

constexpr float kGravity = 9.81F;  // m/s²

Error usage(const char* message) { return {ErrorCode::kUsage, message, {}}; }

Result<void> check_request(const Motion& motion, std::span<const int> joints) {
  if (motion.num_frames < 1) return usage("contacts need at least one frame");
  if (joints.empty() || !are_joints(motion, joints)) return usage("contacts: a joint is missing or out of range");
  return {};
}

void resize(Contacts& out, const Motion& motion, std::size_t num_joints) {
  out.num_frames = motion.num_frames;
  out.num_joints = static_cast<int>(num_joints);
  const std::size_t count = static_cast<std::size_t>(motion.num_frames) * num_joints;
  out.touching.assign(count, 0);
  out.weights.assign(count, 0);
}

float bone_length_at_rest(const Skeleton& skeleton, int joint) {
  return length(skeleton.rest_local(joint).translation);
}

// Nearest rank.
float percentile(std::vector<float> values, double share) {
  const auto rank = static_cast<std::ptrdiff_t>(std::llround(share * static_cast<double>(values.size() - 1)));
  std::nth_element(values.begin(), values.begin() + rank, values.end());
  return values[static_cast<std::size_t>(rank)];
}

// One up to `enter`, zero from `leave` on.
float falling(float value, float enter, float leave) {
  const float t = std::clamp((leave - value) / std::max(leave - enter, 1e-6F), 0.0F, 1.0F);
  return t * t * (3 - 2 * t);
}

// Turns runs of `value` shorter than min_frames into their neighbours; runs at the ends may go on outside and stay.
void drop_short_runs(std::span<std::uint8_t> track, std::size_t stride, std::uint8_t value, int min_frames) {
  const int frames = static_cast<int>((track.size() + stride - 1) / stride);
  const auto at = [&](int frame) -> std::uint8_t& { return track[static_cast<std::size_t>(frame) * stride]; };
  for (int begin = 0; begin < frames;) {
    int end = begin + 1;
    while (end < frames && at(end) == at(begin)) ++end;
    const bool inside = begin > 0 && end < frames;
    if (inside && at(begin) == value && end - begin < min_frames) {
      for (int frame = begin; frame < end; ++frame) at(frame) = static_cast<std::uint8_t>(1 - value);
    }
    begin = end;
  }
}

// Second-order central differences, one-sided at the ends.
float speed_at(std::span<const Vec3> positions, std::size_t stride, int frames, int frame, std::size_t joint,
               double fps) {
  const int before = std::max(frame - 1, 0), after = std::min(frame + 1, frames - 1);
  if (after == before) return 0;
  const auto at = [&](int f) { return positions[static_cast<std::size_t>(f) * stride + joint]; };
  return distance(at(before), at(after)) * static_cast<float>(fps / (after - before));
}

struct Limits {
  float speed_enter, speed_leave;    // m/s
  float height_enter, height_leave;  // Metres above the standing height.
};

}  // namespace

float leg_length(const Skeleton& skeleton, std::span<const int> joints) {
  if (joints.empty()) return 0;
  // Joints that are above every one of the given ones.
  std::vector<std::size_t> visits(static_cast<std::size_t>(skeleton.num_joints()), 0);
  for (int joint : joints) {
    for (int j = joint; j != kNoJoint; j = skeleton.parent(j)) ++visits[static_cast<std::size_t>(j)];
  }
  std::vector<float> lengths;
  for (int joint : joints) {
    float sum = 0;
    for (int j = joint; j != kNoJoint && visits[static_cast<std::size_t>(j)] < joints.size(); j = skeleton.parent(j)) {
      sum += bone_length_at_rest(skeleton, j);
    }
    lengths.push_back(sum);
  }
  return percentile(std::move(lengths), 0.5);
}

Result<Contacts> find_contacts(const Motion& motion, std::span<const int> joints, const ContactOptions& options) {
  ZOE_TRY(check_request(motion, joints));
  if (!(options.speed_enter > 0 && options.speed_leave >= options.speed_enter && options.height_enter > 0 &&
        options.height_leave >= options.height_enter && options.low_percentile >= 0 && options.low_percentile <= 1)) {
    return usage("contacts: need 0 < enter <= leave for speed and height, and a percentile from 0 to 1");
  }
  Contacts out;
  resize(out, motion, joints.size());
  const float leg = options.leg_length_m > 0 ? options.leg_length_m : leg_length(*motion.skeleton, joints);
  if (!(leg > 1e-6F)) return usage("contacts: the joints have no bones below a common one; give leg_length_m");
  out.leg_length_m = leg;
  const float froude = std::sqrt(kGravity * leg);
  const Limits limits{options.speed_enter * froude, options.speed_leave * froude, options.height_enter * leg,
                      options.height_leave * leg};

  std::vector<Vec3> positions = model_positions(motion, joints);
  const std::size_t n = joints.size();
  const std::span<float> numbers(&positions[0].x, positions.size() * 3);
  for (std::size_t k = 0; k < 3 * n; ++k) {
    low_pass_zero_phase(numbers.subspan(k), options.cutoff_hz, motion.fps, 3 * n);
  }

  std::vector<float> standing(n);  // Height of each joint when it touches.
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<float> heights;
    for (std::size_t i = j; i < positions.size(); i += n) heights.push_back(positions[i].y);
    standing[j] = percentile(std::move(heights), options.low_percentile);
  }
  out.ground_height_m = options.ground_height_m.value_or(*std::min_element(standing.begin(), standing.end()));
  for (float& height : standing) {
    const float clearance = height - out.ground_height_m;
    if (clearance < 0 || clearance > options.max_clearance * leg) height = out.ground_height_m;
  }

  const int min_frames = static_cast<int>(std::ceil(options.min_duration_s * motion.fps));
  for (std::size_t j = 0; j < n; ++j) {
    bool touching = false;
    for (int frame = 0; frame < motion.num_frames; ++frame) {
      const std::size_t i = static_cast<std::size_t>(frame) * n + j;
      const float speed = speed_at(positions, n, motion.num_frames, frame, j, motion.fps);
      const float height = positions[i].y - standing[j];
      touching = speed <= (touching ? limits.speed_leave : limits.speed_enter) &&
                 height <= (touching ? limits.height_leave : limits.height_enter);
      out.touching[i] = touching ? 1 : 0;
      out.weights[i] = falling(speed, limits.speed_enter, limits.speed_leave) *
                       falling(height, limits.height_enter, limits.height_leave);
    }
    const std::span<std::uint8_t> track(out.touching.data() + j, out.touching.size() - j);
    drop_short_runs(track, n, 0, min_frames);
    drop_short_runs(track, n, 1, min_frames);
  }
  return out;
}

Result<Contacts> find_contacts_by_speed(const Motion& motion, std::span<const int> joints,
                                        std::span<const float> thresholds_m_s, bool proportional) {
  ZOE_TRY(check_request(motion, joints));
  if (thresholds_m_s.size() != joints.size()) return usage("contacts: give one speed threshold for each joint");
  Contacts out;
  resize(out, motion, joints.size());
  out.leg_length_m = leg_length(*motion.skeleton, joints);
  float scale = 1;
  if (proportional) {
    scale = 0;
    for (int j = 0; j < motion.num_joints(); ++j) {
      if (motion.skeleton->parent(j) != kNoJoint) scale += bone_length_at_rest(*motion.skeleton, j);
    }
  }
  const std::vector<Vec3> positions = model_positions(motion, joints);
  const std::size_t n = joints.size();
  for (std::size_t i = 0; i < positions.size(); ++i) {
    // Frame 0 takes the first forward difference.
    const std::size_t now = i < n && motion.num_frames > 1 ? i + n : i;
    const float step = now < n ? 0 : distance(positions[now], positions[now - n]);
    out.touching[i] = step * static_cast<float>(motion.fps) < thresholds_m_s[i % n] * scale ? 1 : 0;
    out.weights[i] = out.touching[i];
  }
  return out;
}

}  // namespace zoe
