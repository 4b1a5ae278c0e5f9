// SPDX-License-Identifier: MIT
#include "synth/errand.h"

#include <algorithm>
#include <cmath>

#include "zoe/math/spring.h"

#include "synth/angle.h"

namespace zoe::synth {
namespace {

// A smooth line through points by its arc length.
class Line {
 public:
  explicit Line(const std::vector<Vec3>& points) {
    // Catmull-Rom; the ends continue straight.
    const auto at = [&](std::ptrdiff_t i) {
      const auto n = static_cast<std::ptrdiff_t>(points.size());
      if (i < 0) return points[0] * 2.0F - points[1];
      if (i >= n) return points[points.size() - 1] * 2.0F - points[points.size() - 2];
      return points[static_cast<std::size_t>(i)];
    };
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
      const auto k = static_cast<std::ptrdiff_t>(i);
      const Vec3 a = at(k - 1), b = at(k), c = at(k + 1), d = at(k + 2);
      for (int s = i == 0 ? 0 : 1; s <= kPieces; ++s) {
        const float t = static_cast<float>(s) / kPieces, t2 = t * t, t3 = t2 * t;
        const Vec3 p =
            (b * 2.0F + (c - a) * t + (a * 2.0F - b * 5.0F + c * 4.0F - d) * t2 + (b * 3.0F - a - c * 3.0F + d) * t3) *
            0.5F;
        if (!points_.empty()) arcs_.push_back(arcs_.back() + distance(points_.back(), p));
        if (points_.empty()) arcs_.push_back(0);
        points_.push_back(p);
      }
    }
  }
  float length_m() const { return arcs_.back(); }
  Vec3 at(float arc) const {
    const std::size_t i = piece(arc);
    const float span = std::max(arcs_[i + 1] - arcs_[i], 1e-6F);
    return lerp(points_[i], points_[i + 1], std::clamp((arc - arcs_[i]) / span, 0.0F, 1.0F));
  }
  // Direction a little ahead.
  float heading(float arc) const {
    const Vec3 d = at(std::min(arc + 0.15F, length_m())) - at(std::max(0.0F, std::min(arc, length_m() - 0.15F)));
    return std::atan2(d.x, d.z);
  }

 private:
  static constexpr int kPieces = 24;
  std::size_t piece(float arc) const {
    const auto after = std::upper_bound(arcs_.begin(), arcs_.end(), arc);
    const auto i = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, after - arcs_.begin() - 1));
    return std::min(i, points_.size() - 2);
  }
  std::vector<Vec3> points_;
  std::vector<float> arcs_;
};

// The body between samples.
class Walker {
 public:
  Walker(const TrackRequest& request, Errand& errand) : request_(request), errand_(errand) {
    dt_s_ = static_cast<float>(1 / errand.track.rate_hz);
  }

  void stand(double seconds, std::optional<float> facing) {
    if (facing) target_rad_ = near(*facing);
    const auto count = static_cast<int>(std::lround(seconds / static_cast<double>(dt_s_)));
    for (int i = 0; i < count; ++i) turn(), add({});
  }

  void walk(const Stage& stage) {
    std::vector<Vec3> points{position_};
    for (const Vec3& p : stage.points)
      if (distance(points.back(), p) > 0.02F) points.push_back(p);
    if (points.size() > 1) {
      const Line line(points);
      const float top = stage.pace * errand_.track.nominal_speed_m_s, speed_up = 1.6F * top, brake = 1.3F * top;
      float arc = 0, speed = 0;
      for (int i = 0; i < 100000 && line.length_m() - arc > 2e-3F; ++i) {
        const float left = line.length_m() - arc;
        target_rad_ = near(line.heading(arc));
        // The last half metre turns towards the final facing.
        if (stage.facing) {
          const float share = smooth_step(0, 1, (0.5F - left) / 0.5F), end = near(*stage.facing);
          target_rad_ += (end - target_rad_) * share * (std::abs(end - target_rad_) < 2.0F ? 1.0F : 0.4F);
        }
        turn();
        const float off = std::abs(near(line.heading(arc)) - facing_.value);
        const float ready = left < 0.5F ? 1.0F : std::clamp(1.6F - off, 0.0F, 1.0F);
        const float wanted = std::min(top * ready, std::sqrt(2 * brake * left) + 0.02F);
        speed += std::clamp(wanted - speed, -2 * brake * dt_s_, speed_up * dt_s_);
        arc += std::max(speed, 0.0F) * dt_s_;
        const Vec3 next = line.at(arc);
        add(next - position_);
      }
    }
    if (!stage.facing) return;
    target_rad_ = near(*stage.facing);
    for (int i = 0; i < 5000 && std::abs(target_rad_ - facing_.value) > 0.01F; ++i) turn(), add({});
  }

  void follow(const Stage& stage) {
    const auto count = static_cast<int>(std::lround(stage.seconds / static_cast<double>(dt_s_)));
    for (int i = 1; i <= count; ++i) {
      const Stage::Led led = stage.lead(static_cast<float>(i) / static_cast<float>(count));
      target_rad_ = near(led.facing_rad);
      turn();
      add(led.position - position_);
    }
  }

  std::vector<float>& feet_m_s() { return feet_m_s_; }

 private:
  // The angle nearest to the present facing.
  float near(float angle_rad) const { return facing_.value + std::remainder(angle_rad - facing_.value, 2 * kPi); }
  void turn() {
    constexpr float kHalfLife_s = 0.16F, kMost_rad_s = 2.4F;
    const Spring<float> next = advance(facing_, target_rad_, kHalfLife_s, dt_s_);
    const float rate = kMost_rad_s * std::tanh((next.value - facing_.value) / dt_s_ / kMost_rad_s);
    facing_ = {facing_.value + rate * dt_s_, rate};
  }
  void add(Vec3 moved) {
    moved.y = 0;
    position_ += moved;
    const float speed = length(moved) / dt_s_, turn = facing_.velocity;
    Track::Sample sample;
    sample.position = position_;
    sample.facing_rad = facing_.value;
    sample.turn_rad_s = turn;
    sample.speed_m_s = speed;
    sample.duty = request_.gait.duty;
    const float needed = speed + std::abs(turn) * 0.8F * request_.body->leg_length_m;
    sample.effort = std::min(1.0F, needed / errand_.track.nominal_speed_m_s);
    sample.arc_m = arc_m_ += length(moved);
    errand_.track.samples.push_back(sample);
    feet_m_s_.push_back(needed);
  }

  const TrackRequest& request_;
  Errand& errand_;
  float dt_s_ = 0;
  Vec3 position_;
  Spring<float> facing_{};
  float target_rad_ = 0, arc_m_ = 0;
  std::vector<float> feet_m_s_;
};

}  // namespace

Errand plan_errand(const TrackRequest& request, const std::vector<Stage>& stages, float phase) {
  Errand errand;
  Track& track = errand.track;
  track.nominal_speed_m_s =
      std::sqrt(request.gait.froude * kGravity * request.body->leg_length_m) * request.style.speed;
  track.stride_hz = walking_stride_hz(request, track.nominal_speed_m_s);
  const double margin = std::max(request.margin_s, 2.5 / (0.6 * static_cast<double>(track.stride_hz)));
  track.start_s = -margin;
  Walker walker(request, errand);
  walker.stand(margin, {});
  const auto now = [&] { return track.start_s + static_cast<double>(track.samples.size()) / track.rate_hz; };
  for (const Stage& stage : stages) {
    errand.begin_s.push_back(now());
    if (!stage.points.empty()) walker.walk(stage);
    if (stage.lead) walker.follow(stage);
    if (stage.points.empty() && !stage.lead) walker.stand(stage.seconds, stage.facing);
  }
  errand.end_s = now();
  walker.stand(margin + 1, {});
  add_steps(track, request, walker.feet_m_s(), phase);
  return errand;
}

}  // namespace zoe::synth
