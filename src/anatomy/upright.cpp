// SPDX-License-Identifier: MIT
#include "anatomy/upright.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "zoe/core/index.h"

namespace zoe::anatomy {
namespace {

constexpr std::array<Vec3, 6> kAxes{{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, -1, 0}, {0, 0, -1}, {-1, 0, 0}}};
// Prior of each direction: files that state nothing are mostly Y up, then Z up.
constexpr std::array<double, 6> kPrior{0.5, 0.2, 0, 0, 0, 0};
using Votes = std::array<double, 6>;

using Positions = std::vector<Vec3>;

struct Samples {
  std::vector<Positions> poses;
  std::vector<Positions> next;  // The same poses slightly later. Empty for a rest pose.
};

// Frames of the clips; the rest pose where there are none, or where a mesh was bound in it.
Samples sampled_poses(const Body& body, std::span<const Motion> clips) {
  constexpr int kMaxPoses = 48;
  Samples out;
  const int num_clips = static_cast<int>(std::min<std::size_t>(clips.size(), 8));
  std::vector<Affine> model(idx(body.num_joints()));
  const auto positions = [](std::span<const Affine> joints) {
    Positions pose;
    for (const Affine& m : joints) pose.push_back(m.t);
    return pose;
  };
  for (int c = 0; c < num_clips && !body.skinned; ++c) {
    const Motion& clip = clips[idx(c)];
    if (clip.num_joints() != body.num_joints()) continue;
    const int samples = std::min(clip.num_frames, std::max(1, kMaxPoses / num_clips));
    for (int s = 0; s < samples; ++s) {
      const auto frame = static_cast<int>((static_cast<std::int64_t>(clip.num_frames) * (2 * s + 1)) / (2 * samples));
      compute_model_from_joint(*body.skeleton, clip.frame(frame), model);
      if (!is_measurable(model)) continue;
      Positions now = positions(model);
      const int later = std::min(frame + std::max(1, static_cast<int>(clip.fps / 30)), clip.num_frames - 1);
      compute_model_from_joint(*body.skeleton, clip.frame(later), model);
      if (!is_measurable(model)) continue;
      out.poses.push_back(std::move(now));
      out.next.push_back(positions(model));
    }
  }
  if (out.poses.empty()) out.poses.push_back(positions(body.skeleton->rest_model()));
  return out;
}

struct Leg {
  int top = kNoJoint, foot = kNoJoint;
  float weight = 1;
};

bool is_leg(Role role) {
  return role == Role::kLeg || role == Role::kUpperLeg || role == Role::kLowerLeg || role == Role::kFoot;
}
bool is_arm(Role role) { return role == Role::kUpperArm || role == Role::kForearm || role == Role::kHand; }

// Arms too: they hang, or are the forelegs of a sitting dog; stretched ones cancel each other.
std::vector<Leg> named_legs(const Body& body) {
  std::vector<int> top(idx(body.num_joints()),
                       kNoJoint);  // Of the run of joints of one type that ends at each joint.
  std::vector<Leg> legs;
  for (int j = 0; j < body.num_joints(); ++j) {
    if (!body.has(j)) continue;
    const bool leg = is_leg(body.role(j));
    if (!leg && !is_arm(body.role(j))) continue;
    const auto alike = [&](int other) { return leg ? is_leg(body.role(other)) : is_arm(body.role(other)); };
    const int parent = body.skeleton->parent(j);
    const bool goes_on = parent != kNoJoint && top[idx(parent)] != kNoJoint && alike(parent);
    top[idx(j)] = goes_on ? top[idx(parent)] : j;
    if (goes_on && std::none_of(body.children_of(j).begin(), body.children_of(j).end(), alike))
      legs.push_back({top[idx(j)], j, leg ? 1.0F : 0.5F});
  }
  return legs;
}

// Legs point down.
Votes votes_of_names(const std::vector<Leg>& legs, const std::vector<Positions>& poses) {
  Vec3 sum{};
  float weight = 0;
  for (const Leg& leg : legs) {
    for (const Positions& pose : poses) {
      sum = sum + normalized(pose[idx(leg.top)] - pose[idx(leg.foot)], Vec3{}) * leg.weight;
      weight += leg.weight;
    }
  }
  Votes votes{};
  if (!(weight > 0)) return votes;
  sum = sum * (1 / weight);
  for (std::size_t a = 0; a < kAxes.size(); ++a) votes[a] = dot(sum, kAxes[a]);
  return votes;
}

// Hands, feet, heads: the largest parts that reach less than an eighth of the body.
std::vector<int> extremities(const Body& body, double size) {
  std::vector<int> found;
  const double small = 0.12 * size;
  for (int j = 0; j < body.num_joints(); ++j) {
    if (!body.has(j) || body.reach[idx(j)] >= small) continue;
    const int parent = body.skeleton->parent(j);
    if (parent == kNoJoint || !body.has(parent) || body.reach[idx(parent)] >= small) found.push_back(j);
  }
  return found;
}

struct Shape {
  double size = 1;
  Vec3 centre;
  std::array<double, 6> low{};  // Along each axis.
};

Shape shape_of(const Body& body, const Positions& pose) {
  Shape shape;
  Votes high{};
  Vec3 sum{};
  int count = 0;
  for (int j = 0; j < body.num_joints(); ++j) {
    if (!body.has_size(j)) continue;
    for (std::size_t a = 0; a < kAxes.size(); ++a) {
      const double height = dot(pose[idx(j)], kAxes[a]);
      shape.low[a] = count == 0 ? height : std::min(shape.low[a], height);
      high[a] = count == 0 ? height : std::max(high[a], height);
    }
    sum = sum + pose[idx(j)];
    ++count;
  }
  double diagonal = 0;
  for (std::size_t a = 0; a < 3; ++a) diagonal += (high[a] - shape.low[a]) * (high[a] - shape.low[a]);
  shape.size = std::max(1e-9, std::sqrt(diagonal));
  shape.centre = sum * (1.0F / static_cast<float>(std::max(count, 1)));
  return shape;
}

// 0 to about 1: two or more extremities are lowest, the middle of the body is above them, and it is
// not lying flat.
double stands(const Positions& pose, const Shape& shape, const std::vector<int>& ends, std::size_t axis) {
  const Vec3 up = kAxes[axis];
  double weight = 0;
  Vec3 support{};
  for (const int end : ends) {
    const double height = (dot(pose[idx(end)], up) - shape.low[axis]) / shape.size;
    const double share = std::exp(-(height / 0.05) * (height / 0.05));
    weight += share;
    support = support + pose[idx(end)] * static_cast<float>(share);
  }
  if (weight < 1e-6) return 0;
  const Vec3 off = shape.centre - support * static_cast<float>(1 / weight);
  const double aside = length(off - up * dot(off, up)) / shape.size;
  const std::size_t opposite = (axis + 3) % kAxes.size();
  const double height = (-shape.low[opposite] - shape.low[axis]) / shape.size;
  return std::min(weight / 2, 1 + weight / 20) * std::exp(-(aside / 0.3) * (aside / 0.3)) *
         (0.3 + 0.7 * std::min(1.0, height / 0.5));
}

Votes votes_of_geometry(const Body& body, const std::vector<Positions>& poses, const std::vector<Shape>& shapes) {
  Votes votes{};
  const std::vector<int> ends = extremities(body, shapes.front().size);
  for (std::size_t p = 0; p < poses.size(); ++p) {
    for (std::size_t a = 0; a < votes.size(); ++a)
      votes[a] += stands(poses[p], shapes[p], ends, a) / static_cast<double>(poses.size());
  }
  return votes;
}

// 1 where the lowest point never leaves its height.
Votes votes_of_motion(const std::vector<Shape>& shapes) {
  Votes votes{};
  if (shapes.size() < 4) return votes;
  std::vector<double> lows(shapes.size());
  for (std::size_t a = 0; a < votes.size(); ++a) {
    for (std::size_t p = 0; p < shapes.size(); ++p) lows[p] = shapes[p].low[a];
    std::sort(lows.begin(), lows.end());
    const double spread = lows[lows.size() * 9 / 10] - lows[lows.size() / 10];
    votes[a] = std::exp(-spread / (0.05 * shapes.front().size));
  }
  return votes;
}

// -1 to 1: the lowest part stands still while the rest moves.
Votes votes_of_contact(const Body& body, const Samples& samples) {
  Votes votes{};
  double weight = 0;
  for (std::size_t p = 0; p < samples.next.size(); ++p) {
    const Positions &now = samples.poses[p], &next = samples.next[p];
    double mean = 0, count = 0;
    std::array<int, 6> lowest{};
    lowest.fill(kNoJoint);
    for (int j = 0; j < body.num_joints(); ++j) {
      if (!body.has_size(j)) continue;
      mean += distance(now[idx(j)], next[idx(j)]);
      ++count;
      for (std::size_t a = 0; a < kAxes.size(); ++a) {
        if (lowest[a] == kNoJoint || dot(now[idx(j)], kAxes[a]) < dot(now[idx(lowest[a])], kAxes[a])) lowest[a] = j;
      }
    }
    if (!(mean > 0)) continue;
    mean /= count;
    weight += mean;  // Fast frames have more weight.
    for (std::size_t a = 0; a < kAxes.size(); ++a) {
      const double step = distance(now[idx(lowest[a])], next[idx(lowest[a])]);
      votes[a] += mean * std::clamp(1 - step / mean, -1.0, 1.0);
    }
  }
  for (double& vote : votes) vote = weight > 0 ? vote / weight : 0;
  return votes;
}

}  // namespace

Upright find_up(const Body& body, std::span<const Motion> clips) {
  if (body.root == kNoJoint) return {};
  const Samples samples = sampled_poses(body, clips);
  const std::vector<Positions>& poses = samples.poses;
  std::vector<Shape> shapes;
  for (const Positions& pose : poses) shapes.push_back(shape_of(body, pose));
  struct Voice {
    Votes votes;
    double weight;
    EvidenceSource source;
  };
  const Voice voices[] = {{votes_of_names(named_legs(body), poses), 3, EvidenceSource::kNames},
                          {votes_of_geometry(body, poses, shapes), 1.5, EvidenceSource::kGeometry},
                          {votes_of_motion(shapes), 1, EvidenceSource::kMotion},
                          {votes_of_contact(body, samples), 2, EvidenceSource::kMotion}};
  Votes sums = kPrior;
  for (const Voice& voice : voices) {
    for (std::size_t a = 0; a < sums.size(); ++a) sums[a] += voice.weight * voice.votes[a];
  }
  const auto best = static_cast<std::size_t>(std::max_element(sums.begin(), sums.end()) - sums.begin());
  double second = -1e9, most = 0;
  for (std::size_t a = 0; a < sums.size(); ++a) second = a == best ? second : std::max(second, sums[a]);
  Upright found{kAxes[best], {}};
  for (const Voice& voice : voices) {
    if (voice.weight * voice.votes[best] <= most) continue;
    most = voice.weight * voice.votes[best];
    found.evidence.source = voice.source;
  }
  found.evidence.confidence = std::clamp(0.3 + 0.35 * (sums[best] - second), 0.1, 0.95);
  return found;
}

}  // namespace zoe::anatomy
