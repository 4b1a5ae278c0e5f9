// SPDX-License-Identifier: MIT
#include "zoe/sprite/timing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "sprite/pose_track.h"

namespace zoe::sprite {
namespace {

constexpr double kFilmRate = 24;  // "On twos" counts 24ths of a second.
constexpr double kMoves = 0.05;   // Sizes of the body: axes of joints that move less have no extremes.

// What a pace means.
struct PaceRule {
  double kept;  // Extremes to keep …
  double most;  // … with at most this part of 24 drawings per second.
  int on;       // Shortest exposure, 24ths of a second.
  double hold;  // Extra time of still poses.
};
constexpr PaceRule kArcadeRule{0.95, 0.4, 2, 1.5}, kSnappyRule{0.98, 0.6, 1, 0.6};

// Extents of the moving axes, and those that some of the poses have.
class Extremes {
 public:
  explicit Extremes(const PoseTrack& track) {
    const std::size_t num_axes = track.poses[0].size();
    for (std::size_t axis = 0; axis < num_axes; ++axis) {
      double low = 1e300, high = -1e300;
      for (const std::vector<double>& pose : track.poses) {
        low = std::min(low, pose[axis]);
        high = std::max(high, pose[axis]);
      }
      if (high - low > kMoves) moving_.push_back({axis, high - low});
    }
  }
  template <typename PoseOf>
  double kept(std::size_t count, const PoseOf& pose_of) const {
    if (moving_.empty()) return 1;
    double sum = 0;
    for (const Axis& axis : moving_) {
      double low = 1e300, high = -1e300;
      for (std::size_t i = 0; i < count; ++i) {
        low = std::min(low, pose_of(i)[axis.index]);
        high = std::max(high, pose_of(i)[axis.index]);
      }
      sum += std::min(1.0, (high - low) / axis.extent);
    }
    return sum / static_cast<double>(moving_.size());
  }

 private:
  struct Axis {
    std::size_t index;
    double extent;
  };
  std::vector<Axis> moving_;
};

// Moments that must be drawn: ends, wind-up and strike around the fastest moment, and the caller's.
std::vector<bool> find_pins(const PoseTrack& track, const Timing& timing, bool loop) {
  std::vector<bool> pinned(track.size());
  pinned.front() = pinned.back() = true;
  for (const double pin_s : timing.pins_s) {
    std::size_t best = 0;
    for (std::size_t i = 0; i < track.size(); ++i) {
      if (std::abs(track.times_s[i] - pin_s) < std::abs(track.times_s[best] - pin_s)) best = i;
    }
    pinned[best] = true;
  }
  if (loop || track.size() < 5) return pinned;
  const auto fastest =
      static_cast<std::size_t>(std::max_element(track.speeds.begin(), track.speeds.end()) - track.speeds.begin());
  // Outwards until the body is slow, and on while it still slows down clearly.
  const double slow = 0.35 * track.speeds[fastest], still = 0.03 * track.speeds[fastest];
  const auto goes_on = [&](std::size_t at, std::size_t next) {
    return track.speeds[at] > slow || (track.speeds[at] > still && track.speeds[next] < track.speeds[at]);
  };
  std::size_t before = fastest, after = fastest;
  while (before > 0 && goes_on(before, before - 1)) --before;
  while (after + 1 < track.size() && goes_on(after, after + 1)) ++after;
  pinned[before] = pinned[after] = true;
  return pinned;
}

// The best choice of drawings for every number of them, by dynamic programming over the last drawing.
class DrawingChoice {
 public:
  DrawingChoice(const PoseTrack& track, const std::vector<bool>& pinned, std::size_t most) : size_(track.size()) {
    // cost[i][j]: poses between drawings i and j, from the line between them. Infinite over a pinned moment.
    std::vector<std::vector<double>> cost(size_, std::vector<double>(size_, kInfinity));
    for (std::size_t i = 0; i < size_; ++i) {
      for (std::size_t j = i + 1; j < size_; ++j) {
        double sum = 0;
        for (std::size_t k = i + 1; k < j; ++k) sum += line_distance(track.poses[k], track.poses[i], track.poses[j]);
        cost[i][j] = sum;
        if (pinned[j]) break;
      }
    }
    most_ = std::clamp<std::size_t>(most, 2, std::max<std::size_t>(2, size_));
    best_.assign(most_ + 1, std::vector<double>(size_, kInfinity));
    from_.assign(most_ + 1, std::vector<std::size_t>(size_, 0));
    best_[1][0] = 0;
    for (std::size_t n = 2; n <= most_; ++n) {
      for (std::size_t j = 1; j < size_; ++j) {
        for (std::size_t i = 0; i < j; ++i) {
          const double total = best_[n - 1][i] + cost[i][j];
          if (total < best_[n][j]) {
            best_[n][j] = total;
            from_[n][j] = i;
          }
        }
      }
    }
  }

  std::size_t most() const { return most_; }
  bool possible(std::size_t count) const { return best_[count][size_ - 1] < kInfinity; }
  // Indices of moments, first and last among them.
  std::vector<std::size_t> drawings(std::size_t count) const {
    std::vector<std::size_t> chosen;
    std::size_t at = size_ - 1;
    for (std::size_t n = count; n > 1; --n) {
      chosen.push_back(at);
      at = from_[n][at];
    }
    chosen.push_back(at);
    std::reverse(chosen.begin(), chosen.end());
    return chosen;
  }

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::size_t size_, most_ = 2;
  std::vector<std::vector<double>> best_;  // [drawings][last moment]
  std::vector<std::vector<std::size_t>> from_;
};

// Whole 24ths of a second for each drawing, at least `on`, that add up to the length where that is long enough.
std::vector<int> share_film_frames(const std::vector<double>& weights, double length_s, int on) {
  const int total =
      std::max(static_cast<int>(std::lround(length_s * kFilmRate)), on * static_cast<int>(weights.size()));
  const int spare = total - on * static_cast<int>(weights.size());
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<int> frames;
  double time = 0;
  int given = 0;
  for (const double weight : weights) {
    time += sum > 0 ? weight / sum : 1.0 / static_cast<double>(weights.size());
    const int until = static_cast<int>(std::lround(spare * time));
    frames.push_back(on + until - given);
    given = until;
  }
  return frames;
}

std::vector<Exposure> expose(const PoseTrack& track, const std::vector<std::size_t>& chosen, bool loop, int on,
                             double hold) {
  // The last pose of a loop is its first: drawn once, displayed until the end.
  const std::size_t count = loop ? chosen.size() - 1 : chosen.size();
  const double length_s = track.times_s.back(), fastest = *std::max_element(track.speeds.begin(), track.speeds.end());
  std::vector<double> weights;
  for (std::size_t i = 0; i < count; ++i) {
    const double until_s = i + 1 < chosen.size() ? track.times_s[chosen[i + 1]] : length_s;
    const double lasts_s = i + 1 < chosen.size() ? until_s - track.times_s[chosen[i]] : on / kFilmRate;
    const double still = fastest > 0 ? 1 - std::min(1.0, track.speeds[chosen[i]] / fastest) : 1;
    weights.push_back(lasts_s * (1 + hold * still * still));
  }
  const std::vector<int> frames = share_film_frames(weights, length_s, on);
  const int total = std::accumulate(frames.begin(), frames.end(), 0);
  const double total_ms = std::lround(1000 * length_s) > 0 ? std::lround(1000 * length_s) : 1000 * total / kFilmRate;
  std::vector<Exposure> exposures;
  int shown = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto until_ms = [&](int frame) { return std::lround(total_ms * frame / total); };
    exposures.push_back(
        {track.times_s[chosen[i]], std::max(1, static_cast<int>(until_ms(shown + frames[i]) - until_ms(shown)))});
    shown += frames[i];
  }
  return exposures;
}

}  // namespace

std::optional<Pace> pace_from(std::string_view word) {
  if (word == "smooth") return Pace::kSmooth;
  if (word == "arcade") return Pace::kArcade;
  if (word == "snappy") return Pace::kSnappy;
  return std::nullopt;
}

Feel feel_of(Pace pace, const Feel& stated) {
  constexpr Feel kSmoothFeel{0, 0, 1, 0}, kArcadeFeel{1, 1, 1, 1}, kSnappyFeel{0.6F, 0.6F, 0.8F, 0};
  const Feel& usual = pace == Pace::kArcade ? kArcadeFeel : pace == Pace::kSnappy ? kSnappyFeel : kSmoothFeel;
  const auto choose = [](float value, float by_pace) { return value < 0 ? by_pace : value; };
  return {choose(stated.smear, usual.smear), choose(stated.squash, usual.squash), choose(stated.follow, usual.follow),
          choose(stated.impact, usual.impact)};
}

std::vector<Exposure> time_drawings(const Motion& motion, const Timing& timing, bool loop) {
  if (timing.pace == Pace::kSmooth || motion.num_frames < 3)
    return even_exposures(motion, timing.fps, timing.num_drawings, loop);
  const PaceRule& rule = timing.pace == Pace::kArcade ? kArcadeRule : kSnappyRule;
  const PoseTrack track = track_poses(motion);
  const std::vector<bool> pinned = find_pins(track, timing, loop);
  const auto num_pins = static_cast<std::size_t>(std::count(pinned.begin(), pinned.end(), true));
  const std::size_t extra = loop ? 1 : 0;  // The end of a loop is chosen, but not drawn.
  const auto budget = static_cast<std::size_t>(std::max(2.0, std::floor(rule.most * kFilmRate * motion.duration_s())));
  std::size_t most = timing.num_drawings > 0 ? static_cast<std::size_t>(timing.num_drawings) : budget;
  most = std::max(most + extra, num_pins);
  const DrawingChoice choice(track, pinned, most);
  const Extremes extremes(track);
  std::size_t count = choice.most();
  if (timing.num_drawings <= 0) {
    for (std::size_t n = std::max<std::size_t>(num_pins, 3); n <= choice.most(); ++n) {
      if (!choice.possible(n)) continue;
      const std::vector<std::size_t> chosen = choice.drawings(n);
      const auto pose_of = [&](std::size_t i) -> const std::vector<double>& { return track.poses[chosen[i]]; };
      if (extremes.kept(chosen.size() - extra, pose_of) < rule.kept) continue;
      count = n;
      break;
    }
  }
  while (count > 2 && !choice.possible(count)) --count;
  return expose(track, choice.drawings(count), loop, timing.on > 0 ? timing.on : rule.on,
                timing.hold >= 0 ? timing.hold : rule.hold);
}

double kept_extremes(const Motion& motion, std::span<const Exposure> exposures) {
  const PoseTrack track = track_poses(motion);
  std::vector<std::vector<double>> poses;
  for (const Exposure& exposure : exposures) poses.push_back(pose_at(motion, exposure.time_s));
  return Extremes(track).kept(poses.size(), [&](std::size_t i) -> const std::vector<double>& { return poses[i]; });
}

}  // namespace zoe::sprite
