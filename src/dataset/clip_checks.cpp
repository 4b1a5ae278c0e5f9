// SPDX-License-Identifier: MIT
#include "dataset/clip_checks.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "zoe/core/index.h"
#include "zoe/motion/calibration.h"
#include "zoe/motion/convert_space.h"
#include "zoe/motion/edit.h"
#include "zoe/motion/remap.h"

namespace zoe::dataset {
namespace {

// Thresholds of a body one metre tall. Distances and speeds are scaled with the body.
constexpr float kStillAngleRad = 0.5F * std::numbers::pi_v<float> / 180;
constexpr float kStillShare = 1e-3F;
constexpr float kJumpShare = 0.25F;  // A step of one frame is a jump from this fraction of the height on …
constexpr float kJumpSpeed = 12;     // … if it is also faster than this many heights per second (sprinters: 7) …
constexpr float kJumpFactor = 8;     // … and this many times larger than in the frames around it,
// and the median of this many on each side: a small bird flies dozens of its heights per second in every frame.
constexpr std::size_t kJumpAround = 8;
constexpr int kMaxParts = 16;

// Bones with a length in the group's skeleton and none here get that length, scaled with the body.
int restore_bones(Motion& motion, const Skeleton& usual, std::vector<std::string>& names) {
  const double span = bone_span(*motion.skeleton), usual_span = bone_span(usual);
  std::vector<JointDesc> joints(motion.skeleton->joints().begin(), motion.skeleton->joints().end());
  std::vector<int> mended;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const Vec3 offset = usual.rest_local(static_cast<int>(j)).translation;
    if (joints[j].parent == kNoJoint || length(joints[j].rest_local.translation) > 1e-6F || !(length(offset) > 1e-3F))
      continue;
    bool always = true;  // Files may animate the offset of a joint that has none at rest.
    for (int f = 0; f < motion.num_frames && always; ++f) always = length(motion.frame(f).translations[j]) < 1e-6F;
    if (always) mended.push_back(static_cast<int>(j));
  }
  if (mended.empty()) return 0;
  double covered = usual_span;  // The usual length of bones that need no repair, to compare sizes.
  for (const int j : mended) covered -= static_cast<double>(length(usual.rest_local(j).translation));
  const auto grow = static_cast<float>(covered > 0 && span > 0 ? span / covered : 1.0);
  for (const int j : mended) {
    joints[idx(j)].rest_local.translation = usual.rest_local(j).translation * grow;
    names.push_back(joints[idx(j)].name);
    for (int f = 0; f < motion.num_frames; ++f)
      motion.translations[idx(f) * joints.size() + idx(j)] = joints[idx(j)].rest_local.translation;
  }
  motion.skeleton = Skeleton::create(std::move(joints)).value();
  return static_cast<int>(mended.size());
}

bool is_frozen(const Motion& motion, float height) {
  const std::size_t n = idx(motion.num_joints());
  const float least_dot = std::cos(kStillAngleRad / 2), least_way = kStillShare * height;
  for (std::size_t i = n; i < motion.rotations.size(); ++i) {
    if (std::abs(dot(motion.rotations[i], motion.rotations[i % n])) < least_dot) return false;
    if (distance(motion.translations[i], motion.translations[i % n]) > least_way) return false;
  }
  return true;
}

// Positions of the body: translations of the joints from the root of the hierarchy down to the hips carry it.
std::vector<Vec3> body_places(const Motion& motion, int hips) {
  std::vector<int> chain;
  for (int j = hips; j != kNoJoint; j = motion.skeleton->parent(j)) chain.push_back(j);
  std::vector<Vec3> places;
  for (int f = 0; f < motion.num_frames; ++f) {
    const PoseView pose = motion.frame(f);
    Vec3 p{};
    for (const int j : chain) p = pose.translations[idx(j)] + rotate(pose.rotations[idx(j)], p);
    places.push_back(p);
  }
  return places;
}

// Of the steps to the frames around `frame`, without itself.
float median_around(const std::vector<float>& steps, std::size_t frame) {
  std::vector<float> around;
  const std::size_t first = frame > kJumpAround ? frame - kJumpAround : 1;
  for (std::size_t g = first; g < steps.size() && g <= frame + kJumpAround; ++g)
    if (g != frame) around.push_back(steps[g]);
  if (around.empty()) return 0;
  const auto middle = around.begin() + static_cast<std::ptrdiff_t>((around.size() - 1) / 2);
  std::nth_element(around.begin(), middle, around.end());
  return *middle;
}

// Frames with a jump of the body since the frame before.
std::vector<int> find_jumps(const Motion& motion, int hips, float height) {
  const std::vector<Vec3> places = body_places(motion, hips);
  std::vector<float> steps(1, 0.0F);
  for (std::size_t f = 1; f < places.size(); ++f) steps.push_back(distance(places[f], places[f - 1]));
  const float least = std::max(kJumpShare, kJumpSpeed / static_cast<float>(motion.fps)) * height;
  std::vector<int> jumps;
  for (std::size_t f = 1; f < steps.size(); ++f) {
    if (!(steps[f] > least)) continue;
    float around = median_around(steps, f);
    // Or the larger of the neighbours that are not jumps themselves.
    for (const std::size_t g : {f - 1, f + 1})
      if (g >= 1 && g < steps.size() && steps[g] <= least) around = std::max(around, steps[g]);
    if (steps[f] > kJumpFactor * around) jumps.push_back(static_cast<int>(f));
  }
  return jumps;
}

Note reject(std::string code, std::string text) { return {std::move(code), std::move(text)}; }

}  // namespace

CheckedClip check_clip(Motion motion, const PlannedFile& file, const PlannedGroup& group, double min_seconds) {
  CheckedClip out;
  if (file.repair) out.repairs.push_back(*file.repair);
  const auto rejected = [&](std::string code, std::string text) {
    out.rejection = reject(std::move(code), std::move(text));
    return std::move(out);
  };
  const double duration_s = motion.duration_s();
  if (motion.num_frames < 2)
    return rejected("one_frame", fmt::format("{} frame{}: a pose, not a motion", motion.num_frames,
                                             motion.num_frames == 1 ? "" : "s"));
  if (const auto valid = validate(motion); !valid) return rejected("not_finite", valid.error().format());

  if (const int pose = drop_calibration_frames(motion); pose > 0) {
    out.repairs.push_back({"calibration_pose", fmt::format("starts with {} frame{} of a calibration pose; excluded",
                                                           pose, pose == 1 ? "" : "s")});
  }
  if (file.by_name) motion = remap_by_name(motion, convert_space(*group.skeleton, {.scale = 1 / file.metres_per_unit}));
  if (motion.skeleton->topology_hash() != group.skeleton->topology_hash())
    return rejected("missing_joints", "has other joints than its file's skeleton");
  if (file.metres_per_unit != 1) {
    const SpaceChange change{.scale = file.metres_per_unit};
    motion = convert_space(motion, change, convert_space(*motion.skeleton, change));
  }
  std::vector<std::string> names;
  if (restore_bones(motion, *group.skeleton, names) > 0)
    out.repairs.push_back(
        {"zero_length_bones", fmt::format("bones without length got that of other clips: {}", fmt::join(names, ", "))});
  if (!(bone_span(*motion.skeleton) > 0)) return rejected("zero_length_bones", "no bone has a length");

  const auto height = static_cast<float>(group.analysis.height_m > 0 ? group.analysis.height_m : 1.0);
  if (is_frozen(motion, height))
    return rejected("frozen", fmt::format("nothing moves in {} frames", motion.num_frames));
  const std::vector<int> jumps = find_jumps(motion, std::max(group.analysis.hips, 0), height);
  if (static_cast<int>(jumps.size()) >= kMaxParts)
    return rejected("teleports", fmt::format("the body jumps in {} of {} frames", jumps.size(), motion.num_frames));

  std::vector<int> cuts{0};
  cuts.insert(cuts.end(), jumps.begin(), jumps.end());
  cuts.push_back(motion.num_frames);
  int too_short = 0;
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    if ((cuts[i + 1] - cuts[i] - 1) / motion.fps < min_seconds - 1e-9) {
      ++too_short;
      continue;
    }
    CheckedPart part{static_cast<int>(i),
                     jumps.empty() ? std::move(motion) : trim(motion, cuts[i], cuts[i + 1] - 1).value()};
    if (!jumps.empty() && is_frozen(part.motion, height)) continue;
    out.parts.push_back(std::move(part));
    if (jumps.empty()) break;  // Moved from.
  }
  if (!jumps.empty()) {
    Note note{"teleports", fmt::format("the body jumps at frame {}{}; cut there",
                                       fmt::join(jumps.begin(),
                                                 jumps.begin() + std::min<std::ptrdiff_t>(std::ssize(jumps), 5), ", "),
                                       jumps.size() > 5 ? ", …" : "")};
    if (out.parts.empty()) return rejected("teleports", note.text + ", and no piece is long enough");
    out.repairs.push_back(std::move(note));
  } else if (too_short > 0) {
    return rejected("short", fmt::format("{:.2f} s, less than {:g} s", duration_s, min_seconds));
  }
  return out;
}

}  // namespace zoe::dataset
