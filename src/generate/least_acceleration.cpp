// SPDX-License-Identifier: MIT
#include "zoe/generate/least_acceleration.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "zoe/core/check.h"
#include "zoe/core/index.h"

namespace zoe::generate {
namespace {

constexpr int kIterations = 30;    // Of reweighted least squares; the last ones change the largest change by below 1 %.
constexpr float kMostTurn = 2.8F;  // Radians from the known frame before, where rotation vectors are still a chart.

// Unknown frames with the known ones that their changes of velocity depend on: frames [first - 2, last + 2].
struct Run {
  int first = 0, last = 0;  // The first and the last unknown frame; known ones may be between.
};

// Runs whose changes of velocity depend on each other are one. open: those at an end of the motion as well.
std::vector<Run> find_runs(std::span<const std::uint8_t> known, bool open) {
  std::vector<Run> runs;
  const auto frames = static_cast<int>(known.size());
  for (int f = 0; f < frames; ++f) {
    if (known[idx(f)] != 0) continue;
    if (runs.empty() || f > runs.back().last + 3)
      runs.push_back({f, f});
    else
      runs.back().last = f;
  }
  std::erase_if(runs, [&](const Run& run) {
    const bool at_begin = run.first == 0, at_end = run.last + 1 == frames;
    return (at_begin && at_end) || (!open && (at_begin || at_end));
  });
  return runs;
}

// Weighted least squares over the second differences of one track, by Cholesky's method for five diagonals.
class TrackSolver {
 public:
  // unknown: [run frames + 4]; places at both ends are known, or do not exist (exists: false there).
  TrackSolver(std::vector<std::uint8_t> unknown, std::vector<std::uint8_t> exists, const TrackOptions& options)
      : options_(options), unknown_(std::move(unknown)), exists_(std::move(exists)), row_(unknown_.size(), -1) {
    for (std::size_t i = 0; i < unknown_.size(); ++i)
      if (unknown_[i] != 0) row_[i] = num_rows_++;
    weights_.resize(unknown_.size());
    for (auto& band : bands_) band.resize(idx(num_rows_));
    right_.resize(idx(num_rows_));
  }

  void solve(std::vector<Vec3>& track) {
    std::fill(weights_.begin(), weights_.end(), 1.0);
    step(track, 1);
    double norm = 2;
    for (int i = 0; i < kIterations && options_.norm > 2; ++i) {
      norm = std::min(options_.norm, norm * 1.3);
      double most = 1e-12;
      for (std::size_t f = 1; f + 1 < track.size(); ++f)
        if (counts(f)) most = std::max(most, double{length(change(track, f))});
      for (std::size_t f = 1; f + 1 < track.size(); ++f)
        weights_[f] = std::pow(std::max(1e-3, double{length(change(track, f))} / most), norm - 2);
      step(track, 1 / (norm - 1));  // Newton's step of the norm.
    }
  }

 private:
  static Vec3 change(const std::vector<Vec3>& track, std::size_t f) {
    return track[f + 1] - track[f] * 2.0F + track[f - 1];
  }
  bool counts(std::size_t f) const {
    const bool has_all = exists_[f - 1] != 0 && exists_[f] != 0 && exists_[f + 1] != 0;
    return has_all && (unknown_[f - 1] != 0 || unknown_[f] != 0 || unknown_[f + 1] != 0);
  }

  // Moves the unknown frames by `share` of the way to the least weighted sum.
  void step(std::vector<Vec3>& track, double share) {
    constexpr std::array<double, 3> kStencil{1, -2, 1};
    for (auto& band : bands_) std::fill(band.begin(), band.end(), 0.0);
    std::fill(right_.begin(), right_.end(), std::array<double, 3>{});
    for (std::size_t f = 1; f + 1 < track.size(); ++f) {
      if (!counts(f)) continue;
      const Vec3 d = change(track, f);
      for (std::size_t a = 0; a < 3; ++a) {
        const int row = row_[f + a - 1];
        if (row < 0) continue;
        const double scaled = weights_[f] * kStencil[a];
        right_[idx(row)][0] -= scaled * d.x;
        right_[idx(row)][1] -= scaled * d.y;
        right_[idx(row)][2] -= scaled * d.z;
        for (std::size_t b = a; b < 3; ++b)
          if (row_[f + b - 1] >= 0) bands_[idx(row_[f + b - 1] - row)][idx(row)] += scaled * kStencil[b];
      }
    }
    for (std::size_t f = 1; options_.damping > 0 && f < track.size(); ++f) {
      const int from = row_[f - 1], to = row_[f];
      if (exists_[f - 1] == 0 || exists_[f] == 0 || (from < 0 && to < 0)) continue;
      const Vec3 d = track[f] - track[f - 1];
      for (const auto& [row, sign] : {std::pair{from, -1.0}, {to, 1.0}}) {
        if (row < 0) continue;
        bands_[0][idx(row)] += options_.damping;
        right_[idx(row)][0] -= options_.damping * sign * d.x;
        right_[idx(row)][1] -= options_.damping * sign * d.y;
        right_[idx(row)][2] -= options_.damping * sign * d.z;
      }
      if (from >= 0 && to >= 0) bands_[1][idx(from)] -= options_.damping;
    }
    for (double& diagonal : bands_[0]) diagonal += 1e-12;
    factor();
    for (std::size_t i = 0; i < track.size(); ++i) {
      if (row_[i] < 0) continue;
      const std::array<double, 3>& move = right_[idx(row_[i])];
      track[i] = track[i] + Vec3{static_cast<float>(share * move[0]), static_cast<float>(share * move[1]),
                                 static_cast<float>(share * move[2])};
    }
  }

  // right_ := inverse of the matrix times right_; bands_[k][i] is entry (i + k, i).
  void factor() {
    const std::size_t rows = idx(num_rows_);
    for (std::size_t i = 0; i < rows; ++i) {
      // L D L^T: subtracts what earlier columns contribute.
      for (std::size_t k = 1; k <= std::min<std::size_t>(2, i); ++k) {
        const double l = bands_[k][i - k], d = bands_[0][i - k];
        bands_[0][i] -= l * l * d;
        if (k == 1 && i + 1 < rows) bands_[1][i] -= bands_[2][i - 1] * l * d;
        for (std::size_t c = 0; c < 3; ++c) right_[i][c] -= l * right_[i - k][c];
      }
      for (std::size_t k = 1; k <= 2; ++k) bands_[k][i] = i + k < rows ? bands_[k][i] / bands_[0][i] : 0;
    }
    for (std::size_t i = rows; i-- > 0;) {
      for (std::size_t c = 0; c < 3; ++c) {
        right_[i][c] /= bands_[0][i];
        for (std::size_t k = 1; k <= 2 && i + k < rows; ++k) right_[i][c] -= bands_[k][i] * right_[i + k][c];
      }
    }
  }

  TrackOptions options_;
  std::vector<std::uint8_t> unknown_, exists_;
  std::vector<int> row_;
  int num_rows_ = 0;
  std::vector<double> weights_;
  std::array<std::vector<double>, 3> bands_;
  std::vector<std::array<double, 3>> right_;
};

// Model-space rotations of frames [begin, begin + count), [count × joints]; frames beyond the motion repeat its ends.
std::vector<Quat> model_rotations(const Motion& motion, int begin, int count) {
  const std::size_t joints = idx(motion.num_joints());
  std::vector<Quat> out(idx(count) * joints);
  for (int i = 0; i < count; ++i) {
    const PoseView pose = motion.frame(std::clamp(begin + i, 0, motion.num_frames - 1));
    for (std::size_t j = 0; j < joints; ++j) {
      const int parent = motion.skeleton->parent(static_cast<int>(j));
      const Quat above = parent == kNoJoint ? Quat{} : out[idx(i) * joints + idx(parent)];
      out[idx(i) * joints + j] = normalized(above * pose.rotations[j]);
    }
  }
  return out;
}

}  // namespace

Motion least_acceleration(const Motion& motion, std::span<const std::uint8_t> known, const TrackOptions& options) {
  ZOE_CHECK(idx(motion.num_frames) == known.size(), "a flag for each frame");
  // Rotations are those of model space: joints that twist against each other, as captured chains do, move nothing there.
  Motion out = motion;
  const std::size_t joints = idx(motion.num_joints());
  for (const Run& run : find_runs(known, options.damping > 0)) {
    const int begin = run.first - 2, count = run.last + 3 - begin;
    std::vector<std::uint8_t> unknown(idx(count), 0), exists(idx(count), 0);
    for (int i = 0; i < count; ++i) {
      const int f = begin + i;
      exists[idx(i)] = f >= 0 && f < motion.num_frames ? 1 : 0;
      unknown[idx(i)] = exists[idx(i)] != 0 && known[idx(f)] == 0 ? 1 : 0;
    }
    TrackSolver solver(unknown, exists, options);
    std::vector<Quat> turned = model_rotations(motion, begin, count);
    std::vector<Vec3> places(idx(count)), turns(idx(count));
    for (std::size_t j = 0; j < joints; ++j) {
      const auto at = [&](int i) { return idx(std::clamp(begin + i, 0, motion.num_frames - 1)) * joints + j; };
      // Of the known frame before the run, or after it.
      const Quat reference = turned[(run.first > 0 ? 1 : idx(count) - 2) * joints + j];
      float most_turn = 0;
      for (int i = 0; i < count; ++i) {
        places[idx(i)] = motion.translations[at(i)];
        turns[idx(i)] = to_rotation_vector(conjugate(reference) * turned[idx(i) * joints + j]);
        if (unknown[idx(i)] == 0) most_turn = std::max(most_turn, length(turns[idx(i)]));
      }
      solver.solve(places);
      if (most_turn < kMostTurn) solver.solve(turns);
      for (int i = 0; i < count; ++i) {
        if (unknown[idx(i)] == 0) continue;
        out.translations[at(i)] = places[idx(i)];
        if (most_turn < kMostTurn)
          turned[idx(i) * joints + j] = normalized(reference * from_rotation_vector(turns[idx(i)]));
        const int parent = motion.skeleton->parent(static_cast<int>(j));
        const Quat above = parent == kNoJoint ? Quat{} : turned[idx(i) * joints + idx(parent)];
        out.rotations[at(i)] = normalized(conjugate(above) * turned[idx(i) * joints + j]);
      }
    }
  }
  make_continuous(out);
  return out;
}

}  // namespace zoe::generate
