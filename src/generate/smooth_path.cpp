// SPDX-License-Identifier: MIT
#include "generate/smooth_path.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "zoe/core/index.h"

namespace zoe::generate {
namespace {

// A polyline by its parameter; straight on beyond its ends, or periodic.
class ParamLine {
 public:
  // chord_m: over which the directions of the ends are measured, because first steps are short and crooked.
  ParamLine(std::span<const Vec3> points, std::span<const double> params, bool closed, double chord_m)
      : points_(points), params_(params), closed_(closed) {
    const double begin = params.front(), end = params.back(), chord = std::min(chord_m, end - begin);
    into_ = normalized(at(begin + chord) - at(begin), Vec3{0, 0, 1});
    out_ = normalized(at(end) - at(end - chord), Vec3{0, 0, 1});
  }

  Vec3 at(double param) const {
    const double begin = params_.front(), end = params_.back();
    if (closed_) param = begin + std::fmod(std::fmod(param - begin, end - begin) + (end - begin), end - begin);
    if (param < begin) return points_.front() + into_ * static_cast<float>(param - begin);
    if (param > end) return points_.back() + out_ * static_cast<float>(param - end);
    const auto after = std::upper_bound(params_.begin() + 1, params_.end() - 1, param);
    const auto i = static_cast<std::size_t>(after - params_.begin());
    const double t = (param - params_[i - 1]) / std::max(1e-9, params_[i] - params_[i - 1]);
    const Vec3 p = points_[i - 1] + (points_[i] - points_[i - 1]) * static_cast<float>(t);
    return {p.x, 0, p.z};
  }

 private:
  std::span<const Vec3> points_;
  std::span<const double> params_;
  bool closed_;
  Vec3 into_, out_;  // Directions at the ends.
};

}  // namespace

SmoothPath::SmoothPath(std::span<const Vec3> points, std::span<const double> params, double rounding_m, bool closed)
    : closed_(closed) {
  const ParamLine line(points, params, closed, rounding_m);
  const double span = params.back() - params.front();
  // Open paths are not rounded beyond their ends, so that they begin and end where they are drawn.
  const auto count = static_cast<std::size_t>(std::clamp(std::ceil(span / rounding_m * 8), 8.0, 100000.0));
  double facing = 0, arc = 0;
  for (std::size_t i = 0; i <= count; ++i) {
    const double param = params.front() + span * static_cast<double>(i) / static_cast<double>(count);
    Vec3 mean{};
    constexpr int kSteps = 16;
    for (int k = -kSteps; k <= kSteps; ++k)
      mean = mean + line.at(param + rounding_m * k / kSteps) * (std::abs(k) == kSteps ? 0.5F : 1.0F);
    const Vec3 along = line.at(param + rounding_m) - line.at(param - rounding_m);
    PlanarRoot sample{mean * (1.0F / (2 * kSteps)), samples_.empty() ? 0.0F : samples_.back().facing_rad};
    if (length(along) > 1e-6F) {
      facing = std::atan2(double{along.x}, double{along.z});
      if (!samples_.empty()) {
        constexpr double kTurn = 2 * std::numbers::pi;
        facing += kTurn * std::round((double{samples_.back().facing_rad} - facing) / kTurn);
      }
      sample.facing_rad = static_cast<float>(facing);
    }
    if (!samples_.empty()) arc += double{distance(sample.position, samples_.back().position)};
    params_.push_back(param);
    arcs_.push_back(arc);
    samples_.push_back(sample);
  }
}

std::size_t SmoothPath::sample_before(double arc_m) const {
  const auto after = std::upper_bound(arcs_.begin() + 1, arcs_.end() - 1, arc_m);
  return static_cast<std::size_t>(after - arcs_.begin()) - 1;
}

PlanarRoot SmoothPath::at(double arc_m) const {
  double turns = 0;
  if (closed_ && length_m() > 0) {
    turns = std::floor(arc_m / length_m());
    arc_m -= turns * length_m();
  }
  const std::size_t i = sample_before(arc_m);
  const auto t = static_cast<float>((arc_m - arcs_[i]) / std::max(1e-9, arcs_[i + 1] - arcs_[i]));
  const PlanarRoot &a = samples_[i], &b = samples_[i + 1];
  const float bound = std::clamp(t, 0.0F, 1.0F);
  const float whole = samples_.back().facing_rad - samples_.front().facing_rad;  // Of one round.
  return {a.position + (b.position - a.position) * t,
          a.facing_rad + (b.facing_rad - a.facing_rad) * bound + (closed_ ? static_cast<float>(turns) * whole : 0.0F)};
}

double SmoothPath::arc_of(double param) const {
  const auto after = std::upper_bound(params_.begin() + 1, params_.end() - 1, param);
  const auto i = static_cast<std::size_t>(after - params_.begin());
  const double t = (param - params_[i - 1]) / std::max(1e-9, params_[i] - params_[i - 1]);
  return arcs_[i - 1] + (arcs_[i] - arcs_[i - 1]) * t;
}

double SmoothPath::distance_to(Vec3 position, double from_m, double to_m) const {
  double best = 1e30;
  const double step = std::max(1e-3, length_m() / static_cast<double>(samples_.size()));
  for (double s = from_m; s <= to_m; s += step) {
    const Vec3 p = at(s).position;
    best = std::min(best, std::hypot(double{p.x - position.x}, double{p.z - position.z}));
  }
  return best;
}

}  // namespace zoe::generate
