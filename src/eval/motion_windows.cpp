// SPDX-License-Identifier: MIT
#include "zoe/eval/motion_windows.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "zoe/core/index.h"

#include "eval/body_signals.h"
#include "eval/window_spectrum.h"

namespace zoe::eval {
namespace {

// Below these, in body lengths, motion is measurement noise; logarithms begin there.
constexpr double kStillSpeed = 0.01, kStillAcceleration = 0.1, kStillPower = 1e-7;

constexpr std::array<const char*, kNumParts> kPartNames{"trunk", "legs", "arms", "tail", "all"};

// Writes one row. With `names`, also the names of its columns.
struct Row {
  std::vector<float>& values;
  std::vector<std::string>* names;

  void add(const std::string& name, double value) {
    values.push_back(static_cast<float>(value));
    if (names != nullptr) names->push_back(name);
  }
};

struct Moments {
  double mean = 0, deviation = 0, third = 0;  // third: of the normalised deviations, of the cube root's size.
  double low = 0, high = 0;                   // 5 % and 95 %.
};

template <typename Signal>
Moments moments_of(std::size_t begin, std::size_t end, Signal signal, double least_deviation = 0.02) {
  std::vector<double> values;
  for (std::size_t f = begin; f < end; ++f) values.push_back(static_cast<double>(signal(f)));
  Moments out;
  const auto count = static_cast<double>(values.size());
  for (const double value : values) out.mean += value / count;
  double squares = 0, cubes = 0;
  for (const double value : values) {
    const double d = value - out.mean;
    squares += d * d / count;
    cubes += d * d * d / count;
  }
  out.deviation = std::sqrt(squares);
  out.third = std::cbrt(cubes) / (out.deviation + least_deviation);
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) { return values[static_cast<std::size_t>(share * (count - 1) + 0.5)]; };
  out.low = at(0.05), out.high = at(0.95);
  return out;
}

double log_of(double value, double least) { return std::log(std::max(value, 0.0) + least); }

void add_root(const BodySignals& s, std::size_t begin, std::size_t end, Row& row) {
  const auto ahead = moments_of(begin, end, [&](std::size_t f) { return s.centre_velocity[f].z; });
  const auto side = moments_of(begin, end, [&](std::size_t f) { return std::abs(s.centre_velocity[f].x); });
  const auto up = moments_of(begin, end, [&](std::size_t f) { return s.centre_velocity[f].y; });
  row.add("root.ahead.mean", ahead.mean);
  row.add("root.ahead.deviation", log_of(ahead.deviation, kStillSpeed));
  row.add("root.ahead.third", ahead.third);
  row.add("root.side.mean", side.mean);
  row.add("root.up.mean", up.mean);
  row.add("root.up.deviation", log_of(up.deviation, kStillSpeed));
  row.add("root.up.third", up.third);
  double path = 0, turn = 0;
  for (std::size_t f = begin + 1; f < end; ++f) {
    path += static_cast<double>(length(s.root_places[f] - s.root_places[f - 1]));
    turn += std::abs(static_cast<double>(s.facing_rad[f] - s.facing_rad[f - 1]));
  }
  const double seconds = static_cast<double>(end - begin) / kSignalFps;
  const auto net = static_cast<double>(length(s.root_places[end - 1] - s.root_places[begin]));
  row.add("root.speed", log_of(path / seconds, kStillSpeed));
  row.add("root.straight", net / (path + 0.02));
  row.add("root.turn", turn / seconds);
  row.add("root.net_turn", std::abs(static_cast<double>(s.facing_rad[end - 1] - s.facing_rad[begin])) / seconds);
  const auto tall = moments_of(begin, end, [&](std::size_t f) { return s.trunk_axis[f].y; });
  const auto pitch = moments_of(begin, end, [&](std::size_t f) { return s.trunk_axis[f].z; });
  const auto lean = moments_of(begin, end, [&](std::size_t f) { return std::abs(s.trunk_axis[f].x); });
  row.add("trunk.tall.mean", tall.mean);
  row.add("trunk.tall.deviation", tall.deviation);
  row.add("trunk.pitch.mean", pitch.mean);
  row.add("trunk.pitch.deviation", pitch.deviation);
  row.add("trunk.lean.mean", lean.mean);
}

// Signals of one part, [frames of the window].
struct PartSignals {
  std::vector<double> speed, acceleration, height, ahead, spread;
  double orbit = 0;  // -1 to 1: joints circle upwards-forwards or the other way round. Changes its sign with time.
};

PartSignals measure_part(const BodySignals& s, std::size_t part, std::size_t begin, std::size_t end) {
  const std::size_t frames = end - begin, joints = s.num_joints;
  PartSignals out;
  for (auto* list : {&out.speed, &out.acceleration, &out.height, &out.ahead, &out.spread}) list->assign(frames, 0.0);
  const auto share = static_cast<double>(s.body.shares[part]);
  if (share <= 0) return out;
  std::vector<Vec3> centres(frames);
  double swept = 0, most_swept = 0;
  const auto is_of = [&](std::size_t j) {
    return s.body.weights[j] > 0 &&
           (part == static_cast<std::size_t>(Part::kAll) || static_cast<std::size_t>(s.body.part_of[j]) == part);
  };
  for (std::size_t j = 0; j < joints; ++j) {
    if (!is_of(j)) continue;
    const double weight = static_cast<double>(s.body.weights[j]) / share;
    Vec3 mean{};
    for (std::size_t f = begin; f < end; ++f) mean += s.places[f * joints + j];
    mean *= 1 / static_cast<float>(frames);
    for (std::size_t f = begin; f < end; ++f) {
      const Vec3 place = s.places[f * joints + j], velocity = s.velocities[f * joints + j];
      const std::size_t before = f > 0 ? f - 1 : f, after = f + 1 < idx(s.num_frames) ? f + 1 : f;
      const Vec3 change = s.velocities[after * joints + j] - s.velocities[before * joints + j];
      out.speed[f - begin] += weight * static_cast<double>(length(velocity));
      out.acceleration[f - begin] += weight * static_cast<double>(length(change)) * kSignalFps /
                                     static_cast<double>(std::max<std::size_t>(after - before, 1));
      out.height[f - begin] += weight * static_cast<double>(place.y);
      out.ahead[f - begin] += weight * static_cast<double>(place.z);
      centres[f - begin] += place * static_cast<float>(weight);
      const Vec3 arm = place - mean;
      swept += weight * static_cast<double>(arm.z * velocity.y - arm.y * velocity.z);
      most_swept += weight * static_cast<double>(length(arm) * length(velocity));
    }
  }
  for (std::size_t j = 0; j < joints; ++j) {
    if (!is_of(j)) continue;
    const double weight = static_cast<double>(s.body.weights[j]) / share;
    for (std::size_t f = begin; f < end; ++f)
      out.spread[f - begin] += weight * static_cast<double>(length(s.places[f * joints + j] - centres[f - begin]));
  }
  out.orbit = swept / (most_swept + 1e-3);
  return out;
}

void add_part(const BodySignals& s, std::size_t part, std::size_t begin, std::size_t end, const Bands& spectrum,
              Row& row) {
  const PartSignals signals = measure_part(s, part, begin, end);
  const std::size_t frames = end - begin;
  const auto of = [frames](const std::vector<double>& list) {
    return moments_of(0, frames, [&list](std::size_t f) { return list[f]; });
  };
  const Moments speed = of(signals.speed), acceleration = of(signals.acceleration), height = of(signals.height),
                ahead = of(signals.ahead), spread = of(signals.spread);
  const std::string name = kPartNames[part];
  row.add(name + ".share", s.body.shares[part]);
  row.add(name + ".speed.mean", log_of(speed.mean, kStillSpeed));
  row.add(name + ".speed.low", log_of(speed.low, kStillSpeed));
  row.add(name + ".speed.high", log_of(speed.high, kStillSpeed));
  row.add(name + ".speed.third", speed.third);
  row.add(name + ".acceleration.mean", log_of(acceleration.mean, kStillAcceleration));
  row.add(name + ".acceleration.low", log_of(acceleration.low, kStillAcceleration));
  row.add(name + ".acceleration.high", log_of(acceleration.high, kStillAcceleration));
  row.add(name + ".height.mean", height.mean);
  row.add(name + ".height.deviation", height.deviation);
  row.add(name + ".ahead.mean", ahead.mean);
  row.add(name + ".ahead.deviation", ahead.deviation);
  row.add(name + ".spread.mean", spread.mean);
  row.add(name + ".spread.deviation", spread.deviation);
  row.add(name + ".orbit", signals.orbit);
  for (std::size_t band = 0; band < kNumBands; ++band)
    row.add(fmt::format("{}.power{}", name, band), log_of(spectrum[band], kStillPower));
}

// How two joints go together, all pairs on average: -1 in turns, 1 at the same time, 0 unrelated or still.
double agreement(const BodySignals& s, const std::vector<std::pair<int, int>>& pairs, std::size_t begin,
                 std::size_t end, bool sideways = false) {
  double sum = 0;
  for (const auto& pair : pairs) {
    double both = 0, left2 = 0, right2 = 0;
    for (std::size_t f = begin; f < end; ++f) {
      const Vec3 left = s.velocities[f * s.num_joints + idx(pair.first)],
                 right = s.velocities[f * s.num_joints + idx(pair.second)];
      // Sideways, left and right are each other's image.
      const float side = sideways ? 1.0F : 0.0F;
      both += static_cast<double>(left.z * right.z + left.y * right.y + side * left.x * right.x);
      left2 += static_cast<double>(left.z * left.z + left.y * left.y + side * left.x * left.x);
      right2 += static_cast<double>(right.z * right.z + right.y * right.y + side * right.x * right.x);
    }
    const auto frames = static_cast<double>(end - begin);
    sum += both / (std::sqrt(left2 * right2) + frames * kStillSpeed * kStillSpeed);
  }
  return pairs.empty() ? 0.0 : sum / static_cast<double>(pairs.size());
}

void add_supports(const BodySignals& s, std::size_t begin, std::size_t end, Row& row) {
  constexpr double kNear = 0.02;  // Body lengths: 4 cm for a person.
  const std::size_t count = s.body.supports.size();
  double down = 0, slide = 0, sink = 0, lift = 0, changes = 0, airborne = 0, fastest = 0;
  std::vector<double> slowest(end - begin, 0.0);  // Of each frame: what carries the body stands still.
  for (std::size_t f = begin; f < end; ++f) {
    bool any = false;
    for (std::size_t i = 0; i < count; ++i) {
      const auto height = static_cast<double>(s.support_heights[f * count + i]);
      const Vec3 velocity = s.world_velocities[f * count + i];
      const auto speed = static_cast<double>(std::hypot(velocity.x, velocity.z));
      const double weight = std::exp(-0.5 * std::max(height, 0.0) * height / (kNear * kNear));
      down += weight;
      slide += weight * speed;
      sink += std::max(-height, 0.0);
      lift += std::max(height, 0.0);
      fastest += speed;
      any = any || height < kNear;
      slowest[f - begin] = i == 0 ? speed : std::min(slowest[f - begin], speed);
      if (f > begin && (height < kNear) != (static_cast<double>(s.support_heights[(f - 1) * count + i]) < kNear))
        changes += 1;
    }
    airborne += any ? 0 : 1;
  }
  const double frames = static_cast<double>(end - begin), all = std::max(frames * static_cast<double>(count), 1.0);
  row.add("support.feet", s.body.has_feet ? 1 : 0);
  row.add("support.down", down / all);
  row.add("support.slide", log_of(slide / (down + 1), kStillSpeed));
  const Moments still = moments_of(0, end - begin, [&](std::size_t f) { return log_of(slowest[f], kStillSpeed); });
  row.add("support.slowest.mean", still.mean);
  row.add("support.slowest.low", still.low);
  row.add("support.slowest.high", still.high);
  row.add("support.sink", log_of(sink / all, 1e-3));
  row.add("support.lift", log_of(lift / all, 1e-3));
  row.add("support.speed", log_of(fastest / all, kStillSpeed));
  row.add("support.changes", changes / all * kSignalFps);
  row.add("support.airborne", airborne / frames);
}

void describe(const BodySignals& s, std::size_t begin, std::size_t end, Row& row) {
  const WindowSpectrum spectrum = window_spectrum(s, begin, end);
  add_root(s, begin, end, row);
  for (std::size_t part = 0; part < kNumParts; ++part) add_part(s, part, begin, end, spectrum.parts[part], row);
  for (std::size_t band = 0; band < kNumBands; ++band) {
    row.add(fmt::format("root.ahead.power{}", band), log_of(spectrum.ahead[band], 1e-4));
    row.add(fmt::format("root.up.power{}", band), log_of(spectrum.up[band], 1e-4));
    row.add(fmt::format("root.turn.power{}", band), log_of(spectrum.turn[band], 1e-3));
  }
  row.add("legs.together", agreement(s, s.body.legs, begin, end));
  row.add("arms.together", agreement(s, s.body.arms, begin, end));
  row.add("arms.legs.same", agreement(s, s.body.arm_leg_same, begin, end));
  row.add("arms.legs.cross", agreement(s, s.body.arm_leg_cross, begin, end));
  row.add("legs.rows.same", agreement(s, s.body.row_same, begin, end));
  row.add("legs.rows.cross", agreement(s, s.body.row_cross, begin, end));
  row.add("trunk.wave", agreement(s, s.body.chain, begin, end, true));
  row.add("legs.pairs", std::log1p(static_cast<double>(s.body.legs.size())));
  row.add("arms.pairs", std::log1p(static_cast<double>(s.body.arms.size())));
  add_supports(s, begin, end, row);
}

std::vector<std::string> column_names() {
  BodySignals still;
  still.num_frames = 2;
  still.num_joints = 0;
  still.root_places.resize(2);
  still.facing_rad.resize(2);
  still.centre_velocity.resize(2);
  still.trunk_axis.resize(2);
  std::vector<float> values;
  std::vector<std::string> names;
  Row row{values, &names};
  describe(still, 0, 2, row);
  return names;
}

}  // namespace

const std::vector<std::string>& description_columns() {
  static const std::vector<std::string> names = column_names();
  return names;
}

int description_width() { return static_cast<int>(description_columns().size()); }

Result<MotionWindows> describe_windows(const Motion& motion, const SkeletonAnalysis& analysis,
                                       const WindowOptions& options) {
  MotionWindows out;
  if (motion.duration_s() * kSignalFps < kLeastWindowFrames - 1) return out;
  ZOE_TRY_ASSIGN(const BodySignals signals, measure_body(motion, analysis));
  const int length = std::min(signals.num_frames, kWindowFrames), room = signals.num_frames - length;
  const int hop = std::max(1, static_cast<int>(std::lround(options.hop_s * kSignalFps)));
  const int count = 1 + (room + hop - 1) / hop;
  out.seconds = length / kSignalFps;
  out.values.reserve(idx(count) * idx(description_width()));
  for (int i = 0; i < count; ++i) {
    const int first = count > 1 ? static_cast<int>(std::lround(static_cast<double>(i) * room / (count - 1))) : 0;
    Row row{out.values, nullptr};
    describe(signals, idx(first), idx(first + length), row);
    out.start_s.push_back(first / kSignalFps);
  }
  return out;
}

}  // namespace zoe::eval
