// SPDX-License-Identifier: MIT
#include "author/engine/describe.h"

#include "zoe/control/step_constants.h"
#include "zoe/core/index.h"

namespace zoe::author {
namespace {

using namespace control;

Json times_of(const features::SampleTimes& times) {
  Json out = Json::array();
  for (int i = 0; i < times.count; ++i) out.push_back(times.at(i));
  return out;
}

}  // namespace

Json describe_body(const Body& body, const StepShape& shape) {
  const Skeleton& skeleton = *body.skeleton;
  Json joints = Json::array(), start = Json::array(), legs = Json::array(), decoded = Json::array();
  for (int j = 0; j < skeleton.num_joints(); ++j) {
    const Transform rest = skeleton.rest_local(j);
    joints.push_back({{"name", skeleton.name(j)},
                      {"parent", skeleton.parent(j) == kNoJoint ? -1 : skeleton.parent(j)},
                      {"rest_translation", vector(rest.translation)},
                      {"rest_rotation", quaternion(rest.rotation)}});
    start.push_back({{"translation", vector(body.start.translations[idx(j)])},
                     {"rotation", quaternion(body.start.rotations[idx(j)])}});
  }
  for (const StepShape::DecodedJoint& joint : shape.decoded)
    decoded.push_back({{"joint", joint.joint}, {"takes_position", joint.takes_position}});
  for (const BodyLeg& leg : body.legs) {
    legs.push_back({{"hip", leg.leg.hip},
                    {"knee", leg.leg.knee},
                    {"ankle", leg.leg.ankle},
                    {"ball", leg.leg.ball == kNoJoint ? -1 : leg.leg.ball},
                    {"knee_axis", vector(leg.leg.knee_axis)},
                    {"ankle_height_m", number(leg.leg.ankle_height_m)},
                    {"ball_height_m", number(leg.leg.ball_height_m)},
                    {"ankle_contact", leg.ankle_contact},
                    {"ball_contact", leg.ball_contact}});
  }
  return {{"space", "right-handed, Y up, +Z forward, metres; quaternions x y z w"},
          {"joints", joints},
          {"start", start},
          {"decoded_joints", decoded},
          {"contact_joints", body.contact_joints},
          {"legs", legs}};
}

Json describe_locks(bool used, const control::LockOptions& locks) {
  const FootLockJob job;
  return {{"used", used},
          {"blend_in_s", number(locks.lock_s)},
          {"blend_out_s", number(locks.release_s)},
          {"tear_m", number(locks.tear_m)},
          {"soft_s", number(locks.soft_s)},
          {"step_lift", number(locks.step_lift)},
          {"max_reach", number(job.max_reach)},
          {"max_hip_drop_m", number(locks.soft_s > 0 ? control::kSoftHipDrop_m : job.max_hip_drop_m)},
          {"soften", number(job.soften)},
          {"hip_half_life_s", number(job.hip_half_life_s)}};
}

Json describe_constants(const NeuralParts& parts, const StepShape& shape, double rate_hz, const std::string& licence) {
  const NeuralOptions& options = parts.options;
  const MotionRange& range = parts.body.motion_range;
  const Lead lead;
  Json out{{"type", parts.type},
           {"licence", licence},
           {"rate_hz", rate_hz},
           {"trajectory",
            {{"times_s", times_of(shape.way_times)},
             {"velocity_half_life_s", number(options.trajectory.velocity_half_life_s)},
             {"facing_half_life_s", number(options.trajectory.facing_half_life_s)},
             {"max_turn_speed_rad_s", number(options.trajectory.max_turn_speed_rad_s)},
             {"back_mps", number(options.trajectory.back_mps)},
             {"side_mps", number(options.trajectory.side_mps)},
             {"turning_mps", number(options.trajectory.turning_mps)},
             {"piece_s", kPredictPiece_s},
             {"least_speed_with_facing_mps", number(kLeastSpeedWithFacing_mps)},
             {"own_way_now", number(options.own_way_now)},
             {"own_way_far", number(options.own_way_far)}}},
           {"correction",
            {{"position_half_life_s", number(options.correction.position_half_life_s)},
             {"facing_half_life_s", number(options.correction.facing_half_life_s)},
             {"share", number(options.correction.share)},
             {"shifted_mps", number(kShifted_mps)}}},
           {"lead", {{"max_distance_m", number(lead.max_distance_m)}, {"max_turn_rad", number(lead.max_turn_rad)}}},
           {"leash",
            {{"slack_s", number(kLeashSlack_s)},
             {"full_s", number(kLeashFull_s)},
             {"forget_half_life_s", number(kLeashForgetHalfLife_s)},
             {"pull_half_life_s", number(kLeashPullHalfLife_s)},
             {"pace_mps", number(range.pace_mps)},
             {"run_mps", number(range.run_mps)}}},
           {"labels",
            {{"usual_styles", numbers(shape.usual_styles)},
             {"usual_actions", numbers(shape.usual_actions)},
             {"half_life_s", number(options.label_half_life_s)}}},
           {"phase",
            {{"is_input", shape.has_phase_input},
             {"most_hz", number(kMostPhase_hz)},
             {"local_columns", shape.local_phase_columns},
             {"signal_columns", shape.signal_columns},
             {"signal_times_s", times_of(shape.signal_times)},
             {"stability", number(options.phase_stability)},
             {"silent", number(kSilentPhase)},
             {"most_rhythm_hz", number(kMostRhythm_hz)}}},
           {"pose_filter", {{"follow", number(options.follow)}, {"body_follow", number(options.body_follow)}}},
           {"foot_lock", describe_locks(options.lock_feet, options.locks)},
           {"speeds",
            {{"walk_mps", number(range.walk_mps)},
             {"jog_mps", number(range.jog_mps)},
             {"turn_speed_rad_s", number(range.turn_speed_rad_s)}}}};
  if (shape.interval > 0) {
    out["sequence"] = {{"interval", shape.interval},
                       {"first_frame", shape.first_frame},
                       {"last_frame", shape.last_frame},
                       {"played_frames", shape.played_frames},
                       {"standing_frame", numbers(shape.standing_frame)}};
  }
  return out;
}

}  // namespace zoe::author
