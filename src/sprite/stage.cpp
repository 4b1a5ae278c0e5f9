// SPDX-License-Identifier: MIT
#include "sprite/stage.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "zoe/anatomy/find_root.h"
#include "zoe/math/portable.h"
#include "zoe/motion/sample.h"
#include "zoe/motion/still.h"

namespace zoe::sprite {
namespace {

constexpr double kTurned_rad = 1.05;   // Clips that begin 60° away from the rest pose's front have their own front.
constexpr float kNearOrigin = 0.35F;   // Heights: clips that start nearer keep the model's origin as their pivot.
constexpr float kOffCenter = 0.15F;    // Sizes of the body: an origin farther from the middle is no pivot.
constexpr float kTravels = 1.5F;       // Heights: clips that go farther travel.
constexpr float kLoopTravels = 0.08F;  // The same for loops.

Affine turn_y(double angle_rad) {
  const SineCosine turn = sine_cosine(angle_rad);
  const auto s = static_cast<float>(turn.sine), c = static_cast<float>(turn.cosine);
  return {{c, 0, -s}, {0, 1, 0}, {s, 0, c}, {}};
}

// Positions of one joint in a frame.
Vec3 joint_position(const Motion& motion, int frame, int joint) {
  std::vector<Affine> joints(static_cast<std::size_t>(motion.num_joints()));
  compute_model_from_joint(*motion.skeleton, motion.frame(frame), joints);
  return joints[static_cast<std::size_t>(joint)].t;
}

// The turn of a clip's first pose from the rest pose, where it is more than a leaning trunk. Only bodies whose facing
// their joints give: the trunk of an upright dragon points nowhere.
double turn_of(const Motion& motion, const SkeletonAnalysis& body) {
  if (body.family != BodyFamily::kBiped && body.family != BodyFamily::kQuadruped) return 0;
  const Pose rest = make_pose(*motion.skeleton);
  const RootTrajectory at_rest = find_root(make_still(motion.skeleton, rest.view()), body),
                       moving = find_root(motion, body);
  if (at_rest.frames_without_facing > 0 || moving.frames_without_facing == motion.num_frames) return 0;
  const SineCosine apart =
      sine_cosine(static_cast<double>(moving.roots[0].facing_rad) - static_cast<double>(at_rest.roots[0].facing_rad));
  const double turn = portable_atan2(apart.sine, apart.cosine);
  return std::abs(turn) > kTurned_rad ? turn : 0;
}

}  // namespace

Vec3 find_pivot(const Request& request, const render::SoftwareModel& model) {
  render::PosedVertices vertices;
  render::pose_vertices(model, request.character->skeleton->rest_model(), {}, vertices);
  Vec3 low{1e30F, 1e30F, 1e30F}, high = -low;
  for (const Vec3 p : vertices.positions) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], p[axis]);
      high[axis] = std::max(high[axis], p[axis]);
    }
  }
  Vec3 pivot{};
  for (const std::size_t axis : {0U, 2U}) {
    const float middle = (low[axis] + high[axis]) / 2, size = high[axis] - low[axis];
    if (std::abs(middle) > kOffCenter * size) pivot[axis] = middle;
  }
  return is_finite(pivot) ? pivot : Vec3{};
}

ClipStage::ClipStage(const Request& request, const Clip& clip, Vec3 pivot) : clip_(&clip) {
  const Motion& motion = *clip.motion;
  const SkeletonAnalysis& body = request.body;
  const float scale = static_cast<float>(body.metres_per_unit);
  const float height = std::max(1e-6F, static_cast<float>(body.height_m) / (scale > 0 ? scale : 1.0F));
  const int root = body.hips != kNoJoint ? body.hips : body.root != kNoJoint ? body.root : 0;
  const Vec3 first = joint_position(motion, 0, root), last = joint_position(motion, motion.num_frames - 1, root);
  travel_ = last - first;
  travel_.y = 0;
  const float limit = request.root == RootMotion::kKeep     ? 1e30F
                      : request.root == RootMotion::kRemove ? 0.0F
                                                            : height * (clip.loop ? kLoopTravels : kTravels);
  if (length(travel_) <= limit) travel_ = {};
  const double own_front = portable_atan2(static_cast<double>(body.forward.x), static_cast<double>(body.forward.z));
  const double turn = turn_of(motion, body);
  // Clips that travel, or begin far from the model's origin, are put over the pivot as in the rest pose.
  Vec3 origin = pivot;
  const Vec3 apart = first - pivot;
  if (length(travel_) > 0 || turn != 0 || length(Vec3{apart.x, 0, apart.z}) > kNearOrigin * height) {
    const Vec3 rest = request.character->skeleton->rest_model()[static_cast<std::size_t>(root)].t - pivot;
    const Vec3 from_pivot = turn_y(turn).apply_vector({rest.x, 0, rest.z});
    origin = {first.x - from_pivot.x, 0, first.z - from_pivot.z};
  }
  const auto ground = static_cast<float>(body.ground_height);
  if (std::abs(ground) > 0.1F * height) origin.y = ground;  // Else the file's own zero is the ground.
  const Affine turned = turn_y(-own_front - turn);
  sprite_from_model_ = turned;
  sprite_from_model_.t = turned.apply_vector(-origin);
}

void ClipStage::joints(double time_s, std::vector<Affine>& out) const {
  const Motion& motion = *clip_->motion;
  Pose local = make_pose(*motion.skeleton);
  sample(motion, motion.start_time_s + time_s, Wrap::kClamp, local);
  out.resize(static_cast<std::size_t>(motion.num_joints()));
  compute_model_from_joint(*motion.skeleton, local.view(), out);
}

void ClipStage::pose(const render::SoftwareModel& model, double time_s, render::PosedVertices& out) const {
  const Motion& motion = *clip_->motion;
  Pose local = make_pose(*motion.skeleton);
  sample(motion, motion.start_time_s + time_s, Wrap::kClamp, local);
  std::vector<Affine> joints(static_cast<std::size_t>(motion.num_joints()));
  compute_model_from_joint(*motion.skeleton, local.view(), joints);
  std::vector<float> weights(static_cast<std::size_t>(motion.num_morph_weights));
  if (!weights.empty()) {
    SampleJob{.motion = &motion,
              .time_s = motion.start_time_s + time_s,
              .translations = local.translations,
              .rotations = local.rotations,
              .morph_weights = weights}
        .run();
  }
  render::pose_vertices(model, joints, weights, out);
}

Affine ClipStage::sprite_from_model(double time_s) const {
  Affine placed = sprite_from_model_;
  placed.t = placed.t - removed_travel(time_s);
  return placed;
}

Vec3 ClipStage::removed_travel(double time_s) const {
  const double length_s = clip_->motion->duration_s();
  const float part = length_s > 0 ? static_cast<float>(time_s / length_s) : 0.0F;
  return sprite_from_model_.apply_vector(travel_ * part);
}

Affine view_from_sprite(float yaw_deg, float pitch_deg) {
  constexpr double kRad = std::numbers::pi / 180;
  const SineCosine pitch = sine_cosine(static_cast<double>(pitch_deg) * kRad);
  const auto s = static_cast<float>(pitch.sine), c = static_cast<float>(pitch.cosine);
  // The camera looks down by the pitch: what is nearer on the ground is lower in the picture.
  const Affine lowered{{1, 0, 0}, {0, c, s}, {0, -s, c}, {}};
  return lowered * turn_y(static_cast<double>(yaw_deg) * kRad);
}

std::vector<Direction> directions_of(const Request& request) {
  constexpr std::array<const char*, 16> kNames{"s", "sse", "se", "ese", "e", "ene", "ne", "nne",
                                               "n", "nnw", "nw", "wnw", "w", "wsw", "sw", "ssw"};
  const int count = request.num_directions;
  const float turn = request.turn_deg >= 0 ? request.turn_deg : count <= 2 ? 20.0F : 0.0F;
  std::vector<Direction> directions;
  if (count <= 2) {
    directions.push_back({"e", 90 - turn});
    if (count == 2 && !request.mirror) directions.push_back({"w", 270 + turn});
    return directions;
  }
  for (int i = 0; i < count; ++i) {
    const int sixteenth = i * 16 / count;
    if (request.mirror && sixteenth > 8) break;
    directions.push_back({kNames[static_cast<std::size_t>(sixteenth)], static_cast<float>(sixteenth) * 22.5F});
  }
  return directions;
}

std::string mirrored_direction(const std::string& name) {
  if (name.find('e') == std::string::npos) return {};
  std::string mirrored = name;
  std::replace(mirrored.begin(), mirrored.end(), 'e', 'w');
  return mirrored;
}

}  // namespace zoe::sprite
