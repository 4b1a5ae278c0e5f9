// SPDX-License-Identifier: MIT
#include "zoe/eval/stand.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "zoe/control/intent.h"
#include "zoe/core/index.h"

namespace zoe::eval {
namespace {

using control::Intent;

constexpr double kDegrees = 180 / std::numbers::pi;
constexpr float kContact_m = 0.01F;
constexpr double kAtRest_mps = 0.1, kWatched_s = 3, kSlides_s = 1, kSettles_s = 1;

float planar_distance(Vec3 a, Vec3 b) { return std::hypot(a.x - b.x, a.z - b.z); }

struct Foot {
  int ankle, ball;  // The same joint where a foot has no ball.
  float ankle_height_m, ball_height_m;
};

// One character, watched tick by tick.
class Watched {
 public:
  Watched(const control::Controller& controller, const control::Body& body)
      : controller_(controller),
        body_(body),
        state_(controller.make_state()),
        models_(idx(body.skeleton->num_joints())),
        before_(models_.size()),
        slides_m_(body.legs.size()) {
    compute_model_from_joint(*body.skeleton, body.start.rotations.empty() ? state_->pose() : body.start.view(),
                             models_);
    for (const control::BodyLeg& part : body.legs) {
      const Leg& leg = part.leg;
      const bool has_ball = leg.ball != kNoJoint;
      feet_.push_back({leg.ankle, has_ball ? leg.ball : leg.ankle, leg.ankle_height_m,
                       has_ball ? leg.ball_height_m : leg.ankle_height_m});
      start_feet_.push_back(rotation_of(models_[idx(leg.ankle)]));
    }
    look();
  }

  void tick(const Intent& intent) {
    before_.swap(models_);
    roots_[1] = roots_[0];
    roots_[0] = state_->root();
    controller_.tick(*state_, intent, controller_.step_s());
    look();
    for (std::size_t i = 0; i < feet_.size(); ++i) {
      const auto moved_m = [&](int joint) { return planar_distance(models_[idx(joint)].t, before_[idx(joint)].t); };
      if (!stands(feet_[i], models_) || !stands(feet_[i], before_)) continue;
      slides_m_[i] += static_cast<double>(std::min(moved_m(feet_[i].ankle), moved_m(feet_[i].ball)));
    }
  }

  const PlanarRoot& root() const { return state_->root(); }
  // Over two ticks.
  double speed_mps() const {
    return static_cast<double>(planar_distance(root().position, roots_[1].position)) / (2 * controller_.step_s());
  }
  void forget_slides() { std::fill(slides_m_.begin(), slides_m_.end(), 0.0); }
  double worst_slide_m() const { return slides_m_.empty() ? 0 : *std::max_element(slides_m_.begin(), slides_m_.end()); }
  // Of feet on the ground, about the vertical.
  double worst_twist_rad() const {
    double worst = 0;
    const Quat root_from_world = conjugate(zoe::rotation_of(root()));
    for (std::size_t i = 0; i < feet_.size(); ++i) {
      if (!stands(feet_[i], models_)) continue;
      const Quat turn = root_from_world * rotation_of(models_[idx(feet_[i].ankle)]) * conjugate(start_feet_[i]);
      const double angle = 2 * static_cast<double>(std::atan2(turn.y, turn.w));
      worst = std::max(worst, std::abs(std::remainder(angle, 2 * std::numbers::pi)));
    }
    return worst;
  }

 private:
  void look() { compute_model_from_joint(*body_.skeleton, state_->pose(), models_); }
  static bool stands(const Foot& foot, const std::vector<Affine>& models) {
    return models[idx(foot.ankle)].t.y <= foot.ankle_height_m + kContact_m &&
           models[idx(foot.ball)].t.y <= foot.ball_height_m + kContact_m;
  }

  const control::Controller& controller_;
  const control::Body& body_;
  std::unique_ptr<control::ControllerState> state_;
  std::vector<Foot> feet_;  // [legs]
  std::vector<Affine> models_, before_;
  std::vector<Quat> start_feet_;  // [legs] Of the ankle.
  std::vector<double> slides_m_;  // [legs]
  PlanarRoot roots_[2] = {};      // One and two ticks ago.
};

class StandTrial {
 public:
  StandTrial(const control::Controller& controller, const control::Body& body, const StandOptions& options)
      : controller_(controller), body_(body), options_(options) {
    if (options_.speed_mps <= 0) options_.speed_mps = body.motion_range.pace_mps;
  }

  void stand(Watched& one, double seconds) {
    const PlanarRoot place = one.root();
    for (double time_s = 0; time_s < seconds; time_s += controller_.step_s()) {
      one.tick(Intent::stand());
      out_.drift_cm =
          std::max(out_.drift_cm, 100.0 * static_cast<double>(planar_distance(one.root().position, place.position)));
      out_.turn_deg =
          std::max(out_.turn_deg, kDegrees * static_cast<double>(std::abs(one.root().facing_rad - place.facing_rad)));
      out_.twist_deg = std::max(out_.twist_deg, kDegrees * one.worst_twist_rad());
    }
  }

  void run() {
    Watched fresh(controller_, body_);
    stand(fresh, options_.seconds);
    start(fresh);
    for (int stop = 0; stop < options_.num_stops; ++stop) {
      Watched one(controller_, body_);
      walk(one, 3 + 0.17 * stop);
      this->stop(one);
      if (stop == 0) stand(one, options_.seconds);
      start(one);
    }
  }
  const StandMetrics& metrics() const { return out_; }

 private:
  Intent forward() const { return Intent::move({0, 0, options_.speed_mps}); }
  void walk(Watched& one, double seconds) {
    for (double time_s = 0; time_s < seconds; time_s += controller_.step_s()) one.tick(forward());
  }
  void stop(Watched& one) {
    one.forget_slides();
    double stop_s = 0, slide_m = 0;
    for (double time_s = controller_.step_s(); time_s <= kSettles_s; time_s += controller_.step_s()) {
      one.tick(Intent::stand());
      if (one.speed_mps() > kAtRest_mps) stop_s = time_s;
      if (time_s <= kSlides_s) slide_m = one.worst_slide_m();
    }
    out_.stop_s = std::max(out_.stop_s, stop_s);
    out_.stop_slide_cm = std::max(out_.stop_slide_cm, 100 * slide_m);
  }
  void start(Watched& one) {
    one.forget_slides();
    double start_s = kWatched_s, slide_m = 0;
    for (double time_s = controller_.step_s(); time_s <= kWatched_s; time_s += controller_.step_s()) {
      one.tick(forward());
      if (one.speed_mps() >= 0.5 * static_cast<double>(options_.speed_mps)) start_s = std::min(start_s, time_s);
      if (time_s <= kSlides_s) slide_m = one.worst_slide_m();
      if (time_s > kSlides_s && start_s < kWatched_s) break;
    }
    out_.start_s = std::max(out_.start_s, start_s);
    out_.start_slide_cm = std::max(out_.start_slide_cm, 100 * slide_m);
  }

  const control::Controller& controller_;
  const control::Body& body_;
  StandOptions options_;
  StandMetrics out_;
};

}  // namespace

StandMetrics measure_stand(const control::Controller& controller, const control::Body& body,
                           const StandOptions& options) {
  StandTrial trial(controller, body, options);
  trial.run();
  return trial.metrics();
}

}  // namespace zoe::eval
