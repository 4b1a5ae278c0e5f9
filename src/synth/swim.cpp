// SPDX-License-Identifier: MIT
#include "synth/swim.h"

#include <algorithm>
#include <cmath>

#include "synth/angle.h"

namespace zoe::synth {

SwimAnimator::SwimAnimator(const Body& body, const ClipRequest& request, Random random)
    : body_(body),
      request_(request),
      gait_(gait_numbers(body.family, request.gait)),
      style_(style_numbers(request.style)),
      rig_(body) {
  // Darts and bites move: the track continues, the speed comes in bursts.
  ClipRequest moving = request;
  if (request.gait == Gait::kAttack) moving.gait = Gait::kDart;
  track_ = make_track({&body_, moving, gait_, style_}, random.split(2));
  actions_ = plan_actions(body_, request_, style_, random.split(9));
  num_frames_ = std::max(1, static_cast<int>(std::lround(request.seconds * request.fps)) + 1);
  eel_ = body.tail.size() > 8;
  Random draw = random.split(3);
  wave_ = eel_ ? draw.uniform(0.6F, 0.75F) : draw.uniform(0.9F, 1.15F);
  depth_m_ = body.body_length_m * draw.uniform(0.6F, 1.2F);
  heave_ = Wander(random.split(5), 0.11F), fins_ = Wander(random.split(6), 0.4F), look_ = Wander(random.split(7), 0.2F);
  course_ = curve_of(track_, 0.02F * body.body_length_m);
  plan_states(random.split(4));
}

void SwimAnimator::plan_states(Random random) {
  const float length_m = body_.body_length_m, dt = static_cast<float>(1 / request_.fps);
  const bool bursts = request_.gait == Gait::kDart || request_.gait == Gait::kAttack;
  const double period =
      static_cast<double>(random.uniform(0.9F, 1.4F)) * std::sqrt(std::max(0.3, static_cast<double>(length_m)));
  const double first = 0.3 * period;
  State now;
  now.beats = random.uniform();
  for (int f = 0; f < num_frames_; ++f) {
    const double t = f / request_.fps;
    const Track::Sample sample = track_.at(t);
    float speed = sample.speed_m_s;
    now.effort = 0.25F + 0.75F * sample.effort;
    if (bursts) {
      // A few hard beats, then a glide that slows down. Attacks burst into the hit.
      const double since = request_.gait == Gait::kDart ? std::fmod(t + period - first, period) / period : 0;
      float burst = 1.6F * smooth_step(0, 0.22F, static_cast<float>(since)) *
                    (1 - smooth_step(0.22F, 1, static_cast<float>(since)));
      for (const Attack& attack : actions_.attacks) burst = std::max(burst, 1.5F * std::max(0.0F, attack.at(t)));
      speed *= 0.3F + 1.3F * burst;
      now.effort = 0.35F + 0.75F * std::min(1.0F, burst);
    }
    states_.push_back(now);
    // Strouhal number: f A / U = 0.3 with A the tail's whole sweep, 0.2 of the length at full effort. Fins keep a
    // hovering fish up.
    const float sweep = 0.2F * length_m * now.effort, hover_hz = 0.35F / std::sqrt(std::max(0.15F, length_m));
    now.beats += dt * std::max(hover_hz, style_.frequency * 0.3F * speed / sweep);
    now.arc_m += dt * speed;
  }
}

float SwimAnimator::swing(float x, const State& state) const {
  const float c = std::clamp(x, 0.0F, 1.2F);
  const float growth = eel_ ? 0.1F * std::exp(1.3F * (c - 1)) : 0.02F - 0.0825F * c + 0.1625F * c * c;
  const float bound = body_.vertical_swimmer ? 0.9F : 1.0F;
  return body_.body_length_m * bound * growth * state.effort * std::clamp(0.6F + 0.4F * style_.bob, 0.7F, 1.2F) *
         std::sin(2 * kPi * (x / wave_ - state.beats));
}

void SwimAnimator::pose(int frame) {
  const double t = frame / request_.fps;
  const State& state = states_[static_cast<std::size_t>(frame)];
  const Track::Sample now = track_.at(t);
  const float length_m = body_.body_length_m;
  const auto rest = body_.skeleton->rest_model();
  const Vec3 nose = rest[static_cast<std::size_t>(body_.head)].t + Vec3{0, 0, 0.2F * length_m};
  const float root_z = rest[static_cast<std::size_t>(body_.root)].t.z, root_x = (nose.z - root_z) / length_m;
  // Slow vertical motion along the path, as a line in space that the body follows.
  const auto depth = [&](float arc) {
    return depth_m_ + 0.16F * length_m * heave_.at(static_cast<double>(arc / length_m)) -
           0.25F * style_.spine_pitch * length_m;
  };
  const float drift = 0.05F * length_m * heave_.at(3 * t + 7) * (1 - std::min(1.0F, now.effort));
  const float turn = now.effort > 0 ? now.turn_rad_s * std::min(1.0F, now.effort) : 0.0F;
  const float bank = -std::clamp((body_.vertical_swimmer ? 0.8F : 0.45F) * turn, -0.6F, 0.6F);
  rig_.reset();
  const Laying laying{[&](float arc, int joint) {
                        (void)joint;
                        Vec3 p = course_->at(arc);
                        const Vec3 ahead = course_->tangent(arc), left = cross(Vec3{0, 1, 0}, ahead);
                        const float wave = swing(root_x - (arc - state.arc_m) / length_m, state);
                        p.y = depth(arc) + drift;
                        return p + (body_.vertical_swimmer ? Vec3{0, 1, 0} : left) * wave;
                      },
                      [&](float arc) {
                        const Vec3 ahead = course_->tangent(arc);
                        return rotate(from_axis_angle(ahead, bank), Vec3{0, 1, 0});
                      }};
  lay_body(rig_, laying, state.arc_m);
  rig_.update();
  // The head swings less than the neck.
  const Vec3 way = course_->tangent(state.arc_m + 0.4F * length_m);
  const Quat parent = rig_.rotation(body_.chest);
  const Quat facing =
      about_y(std::atan2(way.x, way.z) + 0.12F * style_.look_around * look_.at(t)) * about_x(0.15F * style_.head_pitch);
  const Quat level = facing * about_z(bank);
  rig_.set(body_.head, slerp(Quat{}, nearest_to(Quat{}, normalized(conjugate(parent) * level)), 0.5F));
  rig_.clamp(body_.head);
  const float breath =
      std::max(0.0F, std::sin(2 * kPi * 0.8F * static_cast<float>(t) / std::sqrt(std::max(0.2F, length_m))));
  rig_.set(body_.jaw,
           about_x(0.02F + (body_.vertical_swimmer ? 0.0F : 0.08F * breath) + actions_.at(body_, t).jaw_rad));
  rig_.clamp(body_.jaw);
  pose_fins(t, state, turn);
}

void SwimAnimator::pose_fins(double time_s, const State& state, float turn_rad_s) {
  const float rest = 1 - std::clamp(1.3F * track_.at(time_s).effort, 0.0F, 1.0F);
  for (const Fin& fin : body_.fins) {
    const float s = fin.side == Side::kLeft ? 1.0F : -1.0F;
    for (std::size_t i = 0; i < fin.joints.size(); ++i) {
      const float lag = 0.6F * static_cast<float>(i), t = static_cast<float>(time_s);
      if (fin.side == Side::kCenter) {
        // The tail fin bends against the water, a quarter of a beat later.
        const bool tail = body_.skeleton->parent(fin.joints[i]) == body_.tail.back();
        const float angle =
            (tail ? 0.3F : 0.04F) * state.effort * std::cos(2 * kPi * (1.05F / wave_ - state.beats) - 0.5F * kPi);
        rig_.set(fin.joints[i], tail && body_.vertical_swimmer ? about_x(angle)
                                : tail                         ? about_y(-angle)
                                                               : about_z(angle));
      } else {
        // Sculling while hovering, spread and still while cruising, the inner one out in turns.
        const float scull =
            (0.12F + 0.45F * rest) *
            std::sin(2 * kPi * 1.1F / std::sqrt(std::max(0.2F, body_.body_length_m)) * t - lag + (s > 0 ? 0.0F : 0.6F));
        const float inner = 0.35F * std::clamp(s * turn_rad_s, -1.0F, 1.0F),
                    sweep = -0.15F * (1 - rest) + 0.1F * fins_.at(time_s);
        const float share = 1 / static_cast<float>(fin.joints.size());
        rig_.set(fin.joints[i], about_z(s * (scull + inner) * share) * about_y(s * (-sweep) * share));
      }
      rig_.clamp(fin.joints[i]);
    }
  }
}

Clip SwimAnimator::run() {
  Clip clip;
  clip.request = request_;
  clip.motion = make_motion(body_.skeleton, to_string(request_.gait), request_.fps, num_frames_, false);
  clip.airborne.assign(static_cast<std::size_t>(num_frames_), 0);
  for (int f = 0; f < num_frames_; ++f) {
    pose(f);
    rig_.write(clip.motion, f);
  }
  make_continuous(clip.motion);
  clip.speed_m_s = (states_.back().arc_m - states_.front().arc_m) / static_cast<float>(request_.seconds);
  clip.froude = clip.speed_m_s * clip.speed_m_s / (kGravity * body_.leg_length_m);
  return clip;
}

}  // namespace zoe::synth
