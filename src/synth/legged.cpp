// SPDX-License-Identifier: MIT
#include "synth/legged.h"

#include <algorithm>
#include <cmath>

#include "synth/angle.h"

namespace zoe::synth {
namespace {

constexpr float kReachable = 0.985F;  // Of a leg's two bones; straighter legs snap.

// Running mean over 2 * half + 1 entries, twice: without kinks in speed.
void smooth(std::vector<float>& values, int half) {
  if (half < 1) return;
  const int n = static_cast<int>(values.size());
  for (int round = 0; round < 2; ++round) {
    std::vector<double> sums(values.size() + 1, 0.0);
    for (std::size_t i = 0; i < values.size(); ++i) sums[i + 1] = sums[i] + values[i];
    for (int i = 0; i < n; ++i) {
      const int a = std::max(0, i - half), b = std::min(n, i + half + 1);
      values[static_cast<std::size_t>(i)] =
          static_cast<float>((sums[static_cast<std::size_t>(b)] - sums[static_cast<std::size_t>(a)]) / (b - a));
    }
  }
}

// Never below the input: the largest value nearby, then smoothed over a shorter window.
void smooth_above(std::vector<float>& values, int half) {
  const std::vector<float> before = values;
  const int n = static_cast<int>(values.size());
  for (int i = 0; i < n; ++i) {
    const int a = std::max(0, i - 2 * half), b = std::min(n, i + 2 * half + 1);
    values[static_cast<std::size_t>(i)] = *std::max_element(before.begin() + a, before.begin() + b);
  }
  smooth(values, half);
}

}  // namespace

LeggedAnimator::LeggedAnimator(const Body& body, const ClipRequest& request, Random random, float travel)
    : LeggedAnimator(body, request, nullptr, random, travel) {}

LeggedAnimator::LeggedAnimator(const Body& body, const ClipRequest& request, const Task& task, Random random,
                               float travel)
    : LeggedAnimator(body, request, &task, random, travel) {}

LeggedAnimator::LeggedAnimator(const Body& body, const ClipRequest& request, const Task* task, Random random,
                               float travel)
    : body_(body),
      task_(task),
      request_(request),
      gait_(gait_numbers(body.legs.size() == 2 && !body.upright() ? BodyFamily::kBird : body.family, request.gait)),
      style_(style_numbers(request.style)),
      rig_(body) {
  gait_.travel *= travel;
  terrain_ = make_terrain(request.terrain, body.leg_length_m, random.split(1));
  still_ = request.gait == Gait::kIdle || request.gait == Gait::kAttack || request.gait == Gait::kJump;
  if (still_) gait_.flight = request.gait == Gait::kJump;
  // Vertical motion is not combined with a moment of flight.
  if (gait_.flight) gait_.bob = 0, style_.crouch *= 0.4F;
  // The bent legs of birds can be lowered less.
  if (!body.wings.empty() && body.legs.size() == 2) style_.crouch *= 0.5F;
  // Short legs cannot follow a long back that flexes.
  const float slack = std::min(1.0F, 1.2F * body.leg_length_m / std::max(1e-3F, body.body_length_m));
  gait_.flex *= slack, gait_.pitch *= slack;
  const TrackRequest track{&body_, request_, gait_, style_};
  track_ = task_ != nullptr ? task_->track() : make_track(track, random.split(2));
  actions_ = plan_actions(body_, request_, style_, random.split(9));
  actions_.move(track_);
  if (follows_path(body_)) path_ = curve_of(track_, 0.1F * body_.leg_length_m);
  falls_ = plan_footfalls(body_, track_, track, terrain_, actions_);
  rest_com_ = centre_of_mass(body, body.skeleton->rest_model());
  num_frames_ = std::max(1, static_cast<int>(std::lround(request.seconds * request.fps)) + 1);
  pad_ = static_cast<int>(std::ceil(request.fps));
  frames_.resize(static_cast<std::size_t>(num_frames_ + 2 * pad_));
  shift_x_ = Wander(random.split(3), 0.12F), shift_z_ = Wander(random.split(4), 0.17F),
  look_ = Wander(random.split(5), 0.13F);
  nod_ = Wander(random.split(6), 0.2F), tremble_ = Wander(random.split(7), 5), tail_ = Wander(random.split(8), 0.35F);
  // Small animals breathe faster.
  breath_hz_ = 0.3F / std::sqrt(std::max(0.1F, body.leg_length_m));
}

void LeggedAnimator::measure_ground() {
  const std::size_t n = frames_.size();
  std::vector<float> mean(n), pitch(n), roll(n);
  const Stances stances = neutral_stances(body_, style_);
  for (std::size_t f = 0; f < n; ++f) {
    const double t = time_of(static_cast<int>(f) - pad_);
    const Track::Sample now = track_.at(t);
    // A plane through the feet by least squares: heights over (x, z) of their neutral positions, which are centred on
    // x.
    float sum = 0, zz = 0, zh = 0, xx = 0, xh = 0, middle_z = 0;
    for (const Vec3& p : stances.neutral) middle_z += p.z / static_cast<float>(stances.neutral.size());
    for (std::size_t i = 0; i < body_.legs.size(); ++i) {
      const Vec3 p = stances.neutral[i], there = now.position + rotate(about_y(now.facing_rad), p);
      // Beside edges the height is that below the feet.
      const float h = has_edges(terrain_.kind) ? ground_under(falls_, i, t) - body_.legs[i].sole_m
                                               : terrain_.ground->height(there.x, there.z);
      sum += h;
      zz += (p.z - middle_z) * (p.z - middle_z), zh += (p.z - middle_z) * h;
      xx += p.x * p.x, xh += p.x * h;
    }
    mean[f] = sum / static_cast<float>(body_.legs.size());
    pitch[f] = zz > 1e-3F * body_.leg_length_m * body_.leg_length_m ? -std::atan(zh / zz) : 0.0F;
    roll[f] = 0.5F * std::atan(xh / std::max(xx, 1e-6F));
    if (body_.upright()) roll[f] *= 0.15F;
  }
  const int half = static_cast<int>(0.14 * request_.fps);
  smooth(mean, half), smooth(pitch, half), smooth(roll, half);
  for (std::size_t f = 0; f < n; ++f)
    frames_[f].ground_m = mean[f], frames_[f].pitch_rad = pitch[f], frames_[f].roll_rad = roll[f];
}

std::vector<FootPose> LeggedAnimator::feet_at(double time_s) const {
  std::vector<FootPose> feet;
  for (std::size_t i = 0; i < body_.legs.size(); ++i) feet.push_back(foot_at(body_, falls_, i, time_s));
  return feet;
}

float LeggedAnimator::drop_needed(std::span<const FootPose> feet) const {
  float drop = 0;
  for (std::size_t i = 0; i < feet.size(); ++i) {
    const Leg& leg = body_.legs[i];
    // In the air knees may be straight for a moment: the foot is pulled along.
    if (gait_.flight && !feet[i].loaded) continue;
    const Vec3 to = rig_.ankle_target(leg, feet[i]) - rig_.position(leg.upper);
    const float reach = kReachable * leg.reach_m, across2 = to.x * to.x + to.z * to.z;
    const float below = std::sqrt(std::max(0.0F, reach * reach - across2));
    drop = std::max(drop, -to.y - below);
  }
  return drop;
}

void LeggedAnimator::add_drops(std::vector<float> drops) {
  const double width_s = gait_.flight ? 0.6 / track_.stride_hz : 0.07;
  smooth_above(drops, std::max(1, static_cast<int>(width_s * request_.fps)));
  for (std::size_t f = 0; f < frames_.size(); ++f)
    frames_[f].drop_m = std::min(frames_[f].drop_m + drops[f], 0.45F * body_.leg_length_m);
}

void LeggedAnimator::find_drops() {
  std::vector<float> drops(frames_.size());
  for (std::size_t f = 0; f < frames_.size(); ++f) {
    const double t = time_of(static_cast<int>(f) - pad_);
    frames_[f].height_m = standing_height(t);
    pose_trunk(t, frames_[f], {});
    drops[f] = drop_needed(feet_at(t));
  }
  add_drops(std::move(drops));
}

float LeggedAnimator::standing_height(double time_s) const {
  const double x = std::clamp(time_s * request_.fps + pad_, 0.0, static_cast<double>(frames_.size()) - 1.001);
  const auto i = static_cast<std::size_t>(x);
  const auto t = static_cast<float>(x - static_cast<double>(i));
  const auto height = [&](const Frame& f) { return f.ground_m - f.drop_m; };
  return height(frames_[i]) + (height(frames_[i + 1]) - height(frames_[i])) * t + rest_com_.y -
         (gait_.crouch + style_.crouch) * body_.leg_length_m;
}

void LeggedAnimator::pose_trunk(double time_s, const Frame& frame, Vec3 shift) {
  const Track::Sample now = track_.at(time_s);
  const float leg = body_.leg_length_m, phase = 2 * kPi * now.phase, e = now.effort, rest = 1 - e;
  const float mid_stance = kPi * now.duty;
  ActionPose action = actions_.at(body_, time_s);
  const TaskPose task = task_ != nullptr ? task_->at(time_s) : TaskPose{};
  action.lean_rad += task.lean_rad;
  if (task.calm_arms > 0) {
    action.arms_share = task.calm_arms;
    for (std::size_t side = 0; side < 2; ++side) action.arms[side] = 0.06F, action.elbows[side] = 0.28F;
  }
  rig_.reset();
  if (path_) {
    pose_long_trunk(now, frame, action);
    pose_head(now, time_s, action);
    rig_.update();
    return;
  }

  // The pelvis: left foot down at phase zero; +x is left.
  const float swing = std::cos(phase), list = std::cos(phase - mid_stance);
  const float yaw = -(gait_.yaw + style_.hip_sway) * e * swing;
  float roll = (gait_.roll + style_.hip_sway) * e * list + frame.roll_rad;
  // The hip over the foot that stands is higher.
  if (body_.upright() && still_) roll += 0.06F * rest * shift_x_.at(time_s);
  const float turn_lean = -0.7F * std::atan(now.speed_m_s * now.turn_rad_s / kGravity);
  roll += turn_lean;
  const float gather = std::cos(phase - 2 * kPi * 0.86F);
  float pitch = frame.pitch_rad + gait_.pitch * e * std::cos(phase - 2 * kPi * 0.55F) - 0.5F * gait_.flex * e * gather;
  if (body_.upright()) pitch = 0.35F * (gait_.lean * e + style_.spine_pitch) + (gait_.flight ? 0.05F * e : 0.0F);
  pitch += (body_.upright() ? 0.4F : 1.0F) * action.lean_rad;
  if (style_.limp > 0 && !body_.legs.empty()) roll += 0.07F * style_.limp * e * list;
  // Into the turn: the back bends, and both girdles stay above their feet.
  const float curve = std::clamp((body_.upright() ? 0.15F : 0.3F) * now.turn_rad_s, -0.5F, 0.5F);
  const Quat trunk = about_y(now.facing_rad + yaw - 0.5F * curve) * about_z(roll) * about_x(pitch);

  Vec3 centre{now.position.x, frame.ground_m + rest_com_.y - (gait_.crouch + style_.crouch) * leg - frame.drop_m,
              now.position.z};
  centre.y += gait_.bob * style_.bob * leg * e * std::cos(2 * (phase - mid_stance));
  if (style_.limp > 0) centre.y -= 0.035F * style_.limp * leg * e * std::max(0.0F, -list);
  const float breath = std::sin(2 * kPi * breath_hz_ * static_cast<float>(time_s));
  const float side =
      gait_.sway * style_.sway * leg * e * list + 0.035F * leg * rest * (still_ ? shift_x_.at(time_s) : 0.0F);
  const float ahead = 0.012F * leg * rest * (still_ ? shift_z_.at(time_s) : 0.0F);
  centre.y += 0.004F * leg * rest * breath;
  centre += rotate(about_y(now.facing_rad), Vec3{side, action.rise * leg, ahead + action.reach * leg}) + shift;
  if (gait_.flight) centre.y = frame.height_m + shift.y;
  const Vec3 root_rest = body_.skeleton->rest_model()[static_cast<std::size_t>(body_.root)].t;
  const Vec3 root = centre + rotate(trunk, root_rest - rest_com_) + task.hips_offset;
  rig_.place_root(lerp(root, task.hips, task.hips_weight), trunk, {now.position.x, frame.ground_m, now.position.z},
                  now.facing_rad);

  // The spine: opposite to the pelvis, into the turn, with the breath.
  Vec3 bend{};
  bend.y = 1.7F * gait_.yaw * e * swing + curve + action.twist_rad;
  bend.z = -0.9F * (roll - turn_lean);
  const float breathing = 0.02F + 0.015F * e;
  if (body_.upright()) {
    bend.x = 0.65F * (gait_.lean * e + style_.spine_pitch) + 0.6F * action.lean_rad - breathing * breath +
             0.02F * e * std::cos(2 * phase);
  } else {
    bend.x = gait_.flex * e * gather + 0.12F * style_.spine_pitch;
  }
  bend.x += style_.tremble * tremble_.at(time_s);
  rig_.bend(body_.spine, bend);
  for (const int joint : body_.spine) rig_.clamp(joint);
  rig_.update();
  pose_head(now, time_s, action);
  pose_arms(now, time_s, action);
  pose_wings(time_s, action);
  pose_tail(now, time_s, action);
  rig_.update();
  if (task_ != nullptr) pose_hands(task);
}

Clip LeggedAnimator::run() {
  Clip clip;
  clip.request = request_;
  clip.terrain = terrain_;
  clip.motion = make_motion(body_.skeleton, to_string(request_.gait), request_.fps, num_frames_, false);
  for (int f = 0; f < num_frames_; ++f) {
    const std::vector<FootPose> feet = feet_at(time_of(f));
    bool loaded = false;
    for (const FootPose& foot : feet) {
      clip.contacts.push_back(foot.planted ? 1 : 0);
      loaded = loaded || foot.loaded;
    }
    clip.airborne.push_back(gait_.flight && !loaded ? 1 : 0);
  }
  measure_ground();
  find_drops();
  // Where the centre of mass leads, the trunk is known only afterwards: checks again, and lowers it where feet were out
  // of reach.
  for (int attempt = 0; attempt < 4; ++attempt) {
    if (gait_.flight) plan_heights();
    std::vector<float> drops(frames_.size(), 0.0F);
    float worst = 0;
    missed_m_ = 0;
    for (int f = 0; f < num_frames_; ++f) {
      const double t = time_of(f);
      const std::vector<FootPose> feet = feet_at(t);
      const Track::Sample now = track_.at(t);
      const Vec3 goal{now.position.x, frame(f).height_m, now.position.z};
      Vec3 shift{};
      float missed = 0;
      for (int round = 0; round < (gait_.flight ? 8 : 1); ++round) {
        pose_trunk(t, frame(f), shift);
        missed = 0;
        for (std::size_t i = 0; i < feet.size(); ++i) {
          const float miss = rig_.solve_leg(body_.legs[i], feet[i]);
          if (feet[i].planted) missed = std::max(missed, miss);
        }
        if (!gait_.flight) break;
        rig_.update();
        const Vec3 error = goal - rig_.centre_of_mass();
        if (length(error) < 2e-6F) break;
        shift += error;
      }
      missed_m_ = std::max(missed_m_, missed);
      rig_.write(clip.motion, f);
      drops[static_cast<std::size_t>(f + pad_)] = drop_needed(feet);
      worst = std::max(worst, drops[static_cast<std::size_t>(f + pad_)]);
    }
    if (worst < 1e-4F * body_.leg_length_m) break;
    for (float& drop : drops) drop *= 1.15F;
    add_drops(std::move(drops));
  }
  make_continuous(clip.motion);
  clip.speed_m_s = (track_.at(request_.seconds).arc_m - track_.at(0).arc_m) / static_cast<float>(request_.seconds);
  clip.froude = clip.speed_m_s * clip.speed_m_s / (kGravity * body_.leg_length_m);
  return clip;
}

}  // namespace zoe::synth
