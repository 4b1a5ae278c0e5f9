// SPDX-License-Identifier: MIT
#include "zoe/scene/extent.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "zoe/character/deform.h"

#include "scene/clip_sampler.h"

namespace zoe::scene {
namespace {

constexpr int kMeasuredPoses = 24;
constexpr double kMeasuredEvery_s = 0.25;
constexpr float kHeldReach = 0.3F;  // How far held objects beyond the body belong to the picture, in sizes of the body.

void add_point(Vec3 p, Vec3& min, Vec3& max) {
  min = {std::min(min.x, p.x), std::min(min.y, p.y), std::min(min.z, p.z)};
  max = {std::max(max.x, p.x), std::max(max.y, p.y), std::max(max.z, p.z)};
}

// A box around points, and the points farthest in 26 directions: the axes and the directions between them.
class Outline {
 public:
  Outline() {
    std::size_t next = 0;
    for (int i = 0; i < 27; ++i) {
      if (i == 13) continue;  // No direction at all.
      directions_[next++] = normalized(
          Vec3{static_cast<float>(i % 3 - 1), static_cast<float>(i / 3 % 3 - 1), static_cast<float>(i / 9 - 1)});
    }
    reach_.fill(-1e30F);
  }
  void add(Vec3 p) {
    add_point(p, min_, max_);
    for (std::size_t i = 0; i < directions_.size(); ++i) {
      const float reach = dot(p, directions_[i]);
      if (reach <= reach_[i]) continue;
      reach_[i] = reach;
      points_[i] = p;
    }
  }
  void add_ball(Vec3 center, float radius) {
    add_point(center - Vec3{radius, radius, radius}, min_, max_);
    add_point(center + Vec3{radius, radius, radius}, min_, max_);
    for (std::size_t i = 0; i < directions_.size(); ++i) {
      const float reach = dot(center, directions_[i]) + radius;
      if (reach <= reach_[i]) continue;
      reach_[i] = reach;
      points_[i] = center + directions_[i] * radius;
    }
  }
  // Points of held objects, moved to within the body's reach.
  void add_held(std::span<const Vec3> held) {
    const Vec3 size = max() - min();
    const float near = kHeldReach * std::max({size.x, size.y, size.z});
    const Vec3 low = min() - Vec3{near, 0, near}, high = max() + Vec3{near, near, near};
    for (const Vec3 p : held) {
      add({std::clamp(p.x, low.x, high.x), std::clamp(p.y, low.y, high.y), std::clamp(p.z, low.z, high.z)});
    }
  }
  bool empty() const { return min_.x > max_.x; }
  Vec3 min() const { return empty() ? Vec3{} : min_; }
  Vec3 max() const { return empty() ? Vec3{} : max_; }
  std::vector<Vec3> points() const {
    return empty() ? std::vector<Vec3>{{}} : std::vector<Vec3>(points_.begin(), points_.end());
  }

 private:
  std::array<Vec3, 26> directions_, points_;
  std::array<float, 26> reach_;
  Vec3 min_{1e30F, 1e30F, 1e30F}, max_{-1e30F, -1e30F, -1e30F};
};

// True if the skinned meshes reach as high as the joints. Else rigid ones are limbs, not tools.
bool is_skin_the_body(const Character& character, std::span<const Affine> model_from_joint) {
  Vec3 min{1e30F, 1e30F, 1e30F}, max = -min, joint_min = min, joint_max = max;
  for (std::size_t k = 0; k < character.instances.size(); ++k) {
    if (character.instances[k].skin < 0) continue;
    for (const Vec3 p : deform_instance(character, k, model_from_joint).positions) add_point(p, min, max);
  }
  for (const Affine& joint : model_from_joint) add_point(joint.t, joint_min, joint_max);
  return max.y - min.y > 0.7F * (joint_max.y - joint_min.y);
}

void add_meshes(const Character& character, const ClipSampler& pose, bool skin_is_body, const Affine& world_from_model,
                Outline& outline, std::vector<Vec3>& held) {
  for (std::size_t k = 0; k < character.instances.size(); ++k) {
    const DeformedMesh mesh = deform_instance(character, k, pose.model_from_joint(), pose.morph_weights());
    const bool is_held = skin_is_body && character.instances[k].skin < 0;
    for (const Vec3 p : mesh.positions) {
      const Vec3 point = world_from_model.apply_point(p);
      if (is_held) {
        held.push_back(point);
      } else {
        outline.add(point);
      }
    }
  }
}

// What is drawn: limbs, balls and the skull. `frame` is memory.
void add_bones(const render::SkeletonBody& bones, const ClipSampler& pose, const Affine& world_from_model,
               render::RenderFrame& frame, Outline& outline) {
  frame.cones.clear();
  bones.add_to(frame, pose.model_from_joint(), world_from_model);
  for (const render::RoundCone& cone : frame.cones) {
    outline.add_ball(cone.start_m, cone.start_radius_m);
    outline.add_ball(cone.end_m, cone.end_radius_m);
  }
}

}  // namespace

BodyExtent measure_extent(const Motion& motion, const Character* meshes, const render::SkeletonBody* bones,
                          const Affine& world_from_model) {
  ZOE_CHECK((meshes != nullptr) != (bones != nullptr), "an extent is of meshes or of bones");
  const double duration_s = motion.duration_s();
  // Between poses far apart in time the camera would lose the body. Poses of bones cost little.
  const int wanted = meshes != nullptr ? static_cast<int>(duration_s / kMeasuredEvery_s) : motion.num_frames;
  const int most = std::clamp(wanted, kMeasuredPoses, (meshes != nullptr ? 4 : 40) * kMeasuredPoses);
  const int count = std::clamp(motion.num_frames, 1, most);
  ClipSampler pose;
  std::vector<float> lowest;
  std::vector<Vec3> held;
  render::RenderFrame frame;
  bool skin_is_body = false;
  BodyExtent extent;
  extent.size_m = 1e-3F;
  for (int i = 0; i < count; ++i) {
    const double time_s = count > 1 ? duration_s * i / (count - 1) : 0;
    // The last moment of a clip is the first of the next cycle; stay inside.
    pose.sample(motion, std::min(time_s, duration_s - 1e-4));
    Outline outline;
    held.clear();
    if (meshes != nullptr) {
      if (i == 0) skin_is_body = is_skin_the_body(*meshes, pose.model_from_joint());
      add_meshes(*meshes, pose, skin_is_body, world_from_model, outline, held);
    } else {
      add_bones(*bones, pose, world_from_model, frame, outline);
    }
    lowest.push_back(outline.min().y);
    outline.add_held(held);
    const Vec3 size = outline.max() - outline.min();
    extent.samples.push_back({time_s, outline.min(), outline.max(), outline.points()});
    extent.size_m = std::max({extent.size_m, size.x, size.y, size.z});
  }
  // Captures sometimes dip below their ground: the lowest fifth gives its height.
  std::nth_element(lowest.begin(), lowest.begin() + static_cast<long>(lowest.size() / 5), lowest.end());
  extent.lowest_m = lowest[lowest.size() / 5];
  return extent;
}

float front_of(const RootTrajectory& root) {
  constexpr double kTurnsAround = 0.5;  // Length of the mean of unit vectors.
  double x = 0, z = 0;
  for (const PlanarRoot& frame : root.roots) {
    x += std::sin(frame.facing_rad);
    z += std::cos(frame.facing_rad);
  }
  const auto count = static_cast<double>(root.roots.size());
  if (root.roots.empty()) return 0;
  return std::hypot(x, z) < kTurnsAround * count ? root.roots.front().facing_rad : static_cast<float>(std::atan2(x, z));
}

void scale_extent(BodyExtent& extent, float factor) {
  extent.size_m *= factor;
  extent.lowest_m *= factor;
  for (BodyExtent::Sample& sample : extent.samples) {
    sample.min *= factor;
    sample.max *= factor;
    for (Vec3& point : sample.outline) point *= factor;
  }
}

}  // namespace zoe::scene
