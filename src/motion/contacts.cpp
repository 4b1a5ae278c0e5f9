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

// In the model: scales of the joints above count.
float bone_length_at_rest(const Skeleton& skeleton, int joint) {
  const auto rest = skeleton.rest_model();
  const int parent = skeleton.parent(joint);
  return parent == kNoJoint
             ? 0.0F
             : distance(rest[static_cast<std::size_t>(joint)].t, rest[static_cast<std::size_t>(parent)].t);
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

// Replaces runs of `value` shorter than min_frames by their neighbours. Runs at the ends may continue outside and stay.
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

// [joints] Number of given joints at or below each.
std::vector<std::size_t> visits_from(const Skeleton& skeleton, std::span<const int> joints) {
  std::vector<std::size_t> visits(static_cast<std::size_t>(skeleton.num_joints()), 0);
  for (int joint : joints) {
    for (int j = joint; j != kNoJoint; j = skeleton.parent(j)) ++visits[static_cast<std::size_t>(j)];
  }
  return visits;
}

// Of the lowest joint above all given ones, over the ground.
struct Travel {
  std::vector<float> speeds;  // [frames] m/s, without the variation of its steps.
  float reach_m = 0;          // Largest distance from its first position.
};

Travel travel_of(const Motion& motion, std::span<const int> joints) {
  constexpr double kCutoffHz = 1.5;
  Travel travel;
  travel.speeds.assign(static_cast<std::size_t>(motion.num_frames), 0);
  const std::vector<std::size_t> visits = visits_from(*motion.skeleton, joints);
  int carrier = joints.front();
  while (carrier != kNoJoint &&
         (visits[static_cast<std::size_t>(carrier)] < joints.size() || carrier == joints.front())) {
    carrier = motion.skeleton->parent(carrier);
  }
  if (carrier == kNoJoint || motion.num_frames < 2) return travel;
  std::vector<Vec3> positions = model_positions(motion, {&carrier, 1});
  for (Vec3& p : positions) p.y = 0;
  for (const Vec3& p : positions) travel.reach_m = std::max(travel.reach_m, distance(p, positions.front()));
  const std::span<float> numbers(&positions[0].x, positions.size() * 3);
  for (std::size_t k : {0U, 2U}) low_pass_zero_phase(numbers.subspan(k), kCutoffHz, motion.fps, 3);
  for (int f = 0; f < motion.num_frames; ++f) {
    travel.speeds[static_cast<std::size_t>(f)] = speed_at(positions, 1, motion.num_frames, f, 0, motion.fps);
  }
  return travel;
}

struct Limits {
  float speed_enter, speed_leave;    // m/s
  float height_enter, height_leave;  // Metres above the contact height.
};

constexpr float kAnySpeed = 1e9F;  // m/s

// The body does not travel, yet parts near the ground slide: a cycle for a treadmill.
bool is_in_place(std::span<const Vec3> positions, std::span<const float> standing, const Limits& limits,
                 const Travel& travel, const Motion& motion, float leg_m) {
  float sum = 0;
  int low = 0;
  if (travel.reach_m > leg_m) return false;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const std::size_t j = i % standing.size();
    if (positions[i].y - standing[j] > limits.height_enter) continue;
    sum +=
        speed_at(positions, standing.size(), motion.num_frames, static_cast<int>(i / standing.size()), j, motion.fps);
    ++low;
  }
  return low > 0 && sum / static_cast<float>(low) > limits.speed_leave;
}

}  // namespace

float leg_length(const Skeleton& skeleton, std::span<const int> joints) {
  if (joints.empty()) return 0;
  const std::vector<std::size_t> visits = visits_from(skeleton, joints);
  std::vector<float> lengths;
  for (int joint : joints) {
    // Up to the joint where another leg joins: where more of the given joints are below than are on this one's own
    // line.
    const auto is_given = [&](int j) { return std::find(joints.begin(), joints.end(), j) != joints.end() ? 1U : 0U; };
    std::size_t on_line = visits[static_cast<std::size_t>(joint)];
    float sum = 0;
    for (int j = joint, above = skeleton.parent(j); above != kNoJoint; j = above, above = skeleton.parent(j)) {
      sum += bone_length_at_rest(skeleton, j);
      on_line += is_given(above);
      if (visits[static_cast<std::size_t>(above)] > on_line) break;
      if (skeleton.parent(above) == kNoJoint) sum = 0;  // A single line has no information about legs.
    }
    lengths.push_back(sum);
  }
  // Toes that split below an ankle end there and do not count.
  const float longest = *std::max_element(lengths.begin(), lengths.end());
  std::erase_if(lengths, [&](float sum) { return sum < 0.5F * longest; });
  return lengths.empty() ? 0 : percentile(std::move(lengths), 0.5);
}

Result<Contacts> find_contacts(const Motion& motion, std::span<const int> joints, const ContactOptions& options) {
  ZOE_TRY(check_request(motion, joints));
  if (!(options.speed_enter > 0 && options.speed_leave >= options.speed_enter && options.height_enter > 0 &&
        options.height_leave >= options.height_enter && options.share_enter >= 0 &&
        options.share_leave >= options.share_enter && options.metres_per_unit > 0 && options.low_percentile >= 0 &&
        options.low_percentile <= 1)) {
    return usage(
        "contacts: need 0 < enter <= leave for speed and height, a unit above 0, and a percentile from 0 to 1");
  }
  Contacts out;
  resize(out, motion, joints.size());
  const float leg = options.leg_length_m > 0 ? options.leg_length_m : leg_length(*motion.skeleton, joints);
  if (!(leg > 1e-6F)) return usage("contacts: the joints have no bones below a common one; give leg_length_m");
  out.leg_length_m = leg;
  const float froude = std::sqrt(kGravity / static_cast<float>(options.metres_per_unit) * leg);
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

  const Travel travel = travel_of(motion, joints);
  out.in_place = options.in_place.value_or(is_in_place(positions, standing, limits, travel, motion, leg));
  const int min_frames = static_cast<int>(std::ceil(options.min_duration_s * motion.fps));
  for (std::size_t j = 0; j < n; ++j) {
    bool touching = false;
    for (int frame = 0; frame < motion.num_frames; ++frame) {
      const std::size_t i = static_cast<std::size_t>(frame) * n + j;
      const float speed = speed_at(positions, n, motion.num_frames, frame, j, motion.fps);
      const float height = positions[i].y - standing[j];
      const float body = travel.speeds[static_cast<std::size_t>(frame)];
      // Where the ground itself would move, speeds have no meaning.
      const float enter = out.in_place ? kAnySpeed : std::max(limits.speed_enter, options.share_enter * body);
      const float leave = out.in_place ? kAnySpeed : std::max(limits.speed_leave, options.share_leave * body);
      touching =
          speed <= (touching ? leave : enter) && height <= (touching ? limits.height_leave : limits.height_enter);
      out.touching[i] = touching ? 1 : 0;
      out.weights[i] = falling(speed, enter, leave) * falling(height, limits.height_enter, limits.height_leave);
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
