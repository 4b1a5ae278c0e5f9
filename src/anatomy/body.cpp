// SPDX-License-Identifier: MIT
#include "anatomy/body.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "zoe/core/index.h"
#include "zoe/math/box.h"

namespace zoe::anatomy {
namespace {

std::vector<Vec3> positions_of(std::span<const Affine> model_from_joint) {
  std::vector<Vec3> positions;
  positions.reserve(model_from_joint.size());
  for (const Affine& m : model_from_joint) positions.push_back(m.t);
  return positions;
}

double lowest(const Body& body, const std::vector<Vec3>& positions) {
  double low = std::numeric_limits<double>::max();
  for (int j = 0; j < body.num_joints(); ++j) {
    if (body.has_size(j)) low = std::min(low, static_cast<double>(dot(positions[idx(j)], body.up)));
  }
  return low;
}

double vertical_extent(const Body& body, const std::vector<Vec3>& positions) {
  double low = std::numeric_limits<double>::max(), high = std::numeric_limits<double>::lowest();
  for (int j = 0; j < body.num_joints(); ++j) {
    if (!body.has_size(j)) continue;
    const double height = dot(positions[idx(j)], body.up);
    low = std::min(low, height);
    high = std::max(high, height);
  }
  return std::max(0.0, high - low);
}

// Largest fraction of the bones' length along one horizontal axis in the rest pose.
double share_along_one_axis(const Body& body) {
  const auto rest = body.skeleton->rest_model();
  const std::array<Vec3, 2> axes = level_axes(body.up);
  std::array<double, 2> along{};
  double total = 0;
  for (int j = 0; j < body.num_joints(); ++j) {
    const int parent = body.skeleton->parent(j);
    if (!body.has(j) || parent == kNoJoint || !body.has_size(parent)) continue;
    const Vec3 bone = rest[idx(j)].t - rest[idx(parent)].t;
    const double size = length(bone);
    total += size;
    for (std::size_t a = 0; a < axes.size(); ++a) {
      if (std::abs(dot(bone, axes[a])) > 0.98 * size) along[a] += size;
    }
  }
  return total > 0 ? std::max(along[0], along[1]) / total : 0;
}

// Height of every joint above the pose's lowest, as a fraction of the pose's height.
std::vector<double> stance_of(const Body& body, const std::vector<Vec3>& positions) {
  const double low = lowest(body, positions);
  const double height = std::max(1e-9, vertical_extent(body, positions));
  std::vector<double> stance;
  for (const Vec3& position : positions) stance.push_back((dot(position, body.up) - low) / height);
  return stance;
}

// The lowest quarter: galloping feet are in the air most of the time.
std::vector<double> low_stance(const Body& body, const std::vector<PosedBody>& poses) {
  std::vector<std::vector<double>> by_pose;
  for (const PosedBody& pose : poses) by_pose.push_back(stance_of(body, pose.positions));
  std::vector<double> low(idx(body.num_joints()), 0);
  std::vector<double> heights(poses.size());
  for (std::size_t j = 0; j < low.size() && !poses.empty(); ++j) {
    for (std::size_t p = 0; p < poses.size(); ++p) heights[p] = by_pose[p][j];
    std::sort(heights.begin(), heights.end());
    low[j] = heights[heights.size() / 4];
  }
  return low;
}

// Jumps and falls are short: most of the time a body stands.
void find_clip_ground(Body& body, const std::vector<PosedBody>& poses, double typical_height) {
  std::vector<double> lows;
  for (const PosedBody& pose : poses) lows.push_back(lowest(body, pose.positions));
  std::sort(lows.begin(), lows.end());
  body.clip_ground = lows[lows.size() / 4];
  const auto near = std::count_if(lows.begin(), lows.end(),
                                  [&](double low) { return std::abs(low - body.clip_ground) < 0.03 * typical_height; });
  body.clip_ground_share = static_cast<double>(near) / static_cast<double>(lows.size());
}

}  // namespace

bool is_measurable(std::span<const Affine> model_from_joint) {
  constexpr float kFar = 1e12F;  // Squares of it are still finite floats.
  return std::all_of(model_from_joint.begin(), model_from_joint.end(), [](const Affine& m) {
    return std::abs(m.t.x) < kFar && std::abs(m.t.y) < kFar && std::abs(m.t.z) < kFar;
  });
}

std::array<Vec3, 2> level_axes(Vec3 up) {
  if (std::abs(up.x) > 0.7F) return {Vec3{0, 1, 0}, Vec3{0, 0, 1}};
  return {Vec3{1, 0, 0}, std::abs(up.y) > 0.7F ? Vec3{0, 0, 1} : Vec3{0, 1, 0}};
}

void use_pose(Body& body, PosedBody pose) {
  body.clip = pose.clip;
  body.frame = pose.frame;
  body.is_bind = pose.is_bind;
  body.positions = std::move(pose.positions);
  body.model = std::move(pose.model);
  Box3 box;
  bool first = true;
  for (int j = 0; j < body.num_joints(); ++j) {
    if (!body.has_size(j)) continue;
    box.add(body.position(j));
    body.low = first ? body.height(j) : std::min(body.low, body.height(j));
    body.high = first ? body.height(j) : std::max(body.high, body.height(j));
    first = false;
  }
  body.size = std::max(1e-9, box.empty() ? 0.0 : static_cast<double>(length(box.size())));
  if (body.clip >= 0 && !body.skinned) body.stance = body.clip_stance;
  if (body.clip < 0 || body.skinned) body.stance = stance_of(body, body.positions);
  body.centroids.assign(body.positions.size(), Vec3{});  // First as sums.
  for (int j = body.num_joints() - 1; j >= 0; --j) {
    if (!body.has(j)) continue;
    Vec3& sum = body.centroids[idx(j)];
    sum = sum + body.position(j);
    const int parent = body.skeleton->parent(j);
    if (parent != kNoJoint && body.has(parent)) body.centroids[idx(parent)] = body.centroids[idx(parent)] + sum;
    sum = sum * (1.0F / static_cast<float>(body.subtree_size[idx(j)]));
  }
}

void for_each_frame(const Body& body, std::span<const Motion> clips, int max_poses,
                    const std::function<void(PosedBody)>& visit) {
  const int num_clips = static_cast<int>(std::min<std::size_t>(clips.size(), 8));
  std::vector<Affine> model(idx(body.num_joints()));
  for (int c = 0; c < num_clips; ++c) {
    const Motion& clip = clips[idx(c)];
    if (clip.num_joints() != body.num_joints()) continue;
    const int samples = std::min(clip.num_frames, std::max(1, max_poses / num_clips));
    for (int s = 0; s < samples; ++s) {
      const int frame = static_cast<int>((static_cast<std::int64_t>(clip.num_frames) * (2 * s + 1)) / (2 * samples));
      compute_model_from_joint(*body.skeleton, clip.frame(frame), model);
      if (is_measurable(model))
        visit({c, frame, positions_of(model), false, body.flesh.empty() ? std::vector<Affine>{} : model});
    }
  }
}

std::vector<PosedBody> candidate_poses(Body& body, std::span<const Motion> clips) {
  constexpr int kMaxPoses = 24;
  const auto rest_model = body.skeleton->rest_model();
  PosedBody rest{-1, -1, positions_of(rest_model), false, {rest_model.begin(), rest_model.end()}};
  std::vector<PosedBody> poses;
  if (body.skinned) {
    poses.push_back(std::move(rest));
    if (!body.bind_model.empty()) poses.push_back({-1, -1, positions_of(body.bind_model), true, body.bind_model});
    // Nodes and skin of some files both hold a pose of an idle, and a clip a T-pose.
    for_each_frame(body, clips, kMaxPoses, [&](PosedBody pose) { poses.push_back(std::move(pose)); });
    return poses;
  }
  for_each_frame(body, clips, kMaxPoses, [&](PosedBody pose) { poses.push_back(std::move(pose)); });
  // Motion capture often has a rest pose of all bones along one axis: too flat to be a body.
  std::vector<double> extents;
  for (const PosedBody& pose : poses) extents.push_back(vertical_extent(body, pose.positions));
  double typical = 0, tall = 0;
  if (!extents.empty()) {
    std::sort(extents.begin(), extents.end());
    typical = extents[extents.size() / 2];
    tall = extents[extents.size() * 9 / 10];
  }
  const bool flat = vertical_extent(body, rest.positions) < 0.6 * typical;
  body.rest_is_body = poses.empty() || (!flat && share_along_one_axis(body) < 0.7);
  if (poses.empty()) return {std::move(rest)};
  body.standing_height = tall;
  find_clip_ground(body, poses, typical);
  // Not who sits, lies or jumps. Who raises an arm in most frames is taller in those than where the arms hang.
  std::erase_if(poses, [&](const PosedBody& pose) {
    const double extent = vertical_extent(body, pose.positions);
    return extent < 0.78 * typical || extent > 1.25 * typical;
  });
  body.stance = low_stance(body, poses);
  body.clip_stance = body.stance;
  if (body.rest_is_body) poses.insert(poses.begin(), std::move(rest));
  return poses;
}

}  // namespace zoe::anatomy
