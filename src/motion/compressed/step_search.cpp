// SPDX-License-Identifier: MIT
#include "motion/compressed/step_search.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "motion/compressed/analyse.h"
#include "motion/compressed/segment_coder.h"
#include "motion/compressed/sensitivity.h"

namespace zoe {
namespace {

constexpr int kRounds = 6;
constexpr std::uint8_t kUnitScale = 128;

std::uint8_t step_code(double step) {
  return static_cast<std::uint8_t>(std::clamp(std::lround(-8.0 * std::log2(std::max(step, 1e-30))), 0L, 255L));
}

// Approximate bits of a rotation track's lanes along an axis when rounded with this step.
double bits_along(const Lanes& lanes, int first_lane, int num_segments, Vec3d axis, double step) {
  double bits = 0;
  const int stride = std::max(1, num_segments / 32);
  for (int segment = 0; segment < num_segments; segment += stride) {
    const auto x = lanes.coefficients(first_lane, segment), y = lanes.coefficients(first_lane + 1, segment),
               z = lanes.coefficients(first_lane + 2, segment);
    for (std::size_t k = 0; k < x.size(); ++k) {
      const double c = std::abs(axis.x * x[k] + axis.y * y[k] + axis.z * z[k]) / step;
      if (c > 0.5) bits += 1.0 + std::log2(c + 0.5);
    }
  }
  return bits;
}

class StepSearch {
 public:
  StepSearch(const Motion& motion, const CompressionOptions& options, ClipHeader& header, Lanes& lanes)
      : motion_(motion),
        options_(options),
        header_(header),
        lanes_(lanes),
        joint_weights_(static_cast<std::size_t>(header.num_joints), 1.0),
        counts_(static_cast<std::size_t>(lanes.num_lanes()), 4.0),
        global_(options.max_error_mm * 1e-3) {}

  void run() {
    set_steps();
    for (int round = 0; round < kRounds; ++round) {
      try_out();
      set_steps();
      if (round == 1) {
        choose_axes();
        set_steps();
      }
    }
    sort_tracks();
  }

 private:
  // Fewest bits for a given error: with the error's variance Σ s·step² and its weight per joint, the best step of a
  // lane with n rounded numbers is √(n / s).
  void set_steps() {
    const Sensitivity s = measure_sensitivity(motion_, header_, options_.shell_distance_m, joint_weights_);
    const auto step = [&](int lane, double sensitivity) {
      return global_ * std::sqrt(counts_[static_cast<std::size_t>(lane)] / std::max(sensitivity, 1e-12));
    };
    for (std::size_t t = 0; t < header_.rotations.size(); ++t) {
      RotationTrack& track = header_.rotations[t];
      const int lane = lanes_.first_rotation_lane(t);
      const Matrix3& m = s.rotations[t];
      for (int k = 0; k < 3; ++k) {
        const double sensitivity = track.num_lanes == 3 ? m.m[k][k] : (m.m[0][0] + m.m[1][1] + m.m[2][2]) / 3.0;
        track.step_codes[static_cast<std::size_t>(k)] = step_code(step(lane + k, sensitivity));
      }
      if (track.num_lanes == 4) track.step_codes.fill(track.step_codes[0]);
    }
    for (std::size_t t = 0; t < header_.scalars.size(); ++t) {
      const bool morph = header_.scalars[t].target == ScalarTarget::kMorph;
      header_.scalars[t].step_code =
          step_code(morph ? options_.max_morph_error : step(lanes_.scalar_lane(t), s.scalars[t]));
    }
    sensitivity_ = s;
  }

  // Encodes with the present steps. Measures the number of remaining coefficients, the errors per joint, and the
  // overall level.
  void try_out() {
    SegmentCoder coder(motion_, header_, lanes_, options_);
    const int segments = header_.num_segments();
    const int stride = std::max(1, segments / 64);
    std::fill(counts_.begin(), counts_.end(), 0.0);
    std::vector<double> squares(joint_weights_.size(), 0.0), worst;
    for (int segment = 0; segment < segments; segment += stride) {
      coder.select(segment);
      worst.push_back(std::max(coder.round_with(kUnitScale), 1e-6));
      for (std::size_t lane = 0; lane < counts_.size(); ++lane) {
        counts_[lane] += coder.num_coefficients(static_cast<int>(lane));
      }
      for (std::size_t i = 0; i < squares.size(); ++i) {
        // As a fraction of the segment's own limit, because its scale will stretch it to that limit.
        const double e = coder.joint_errors()[i] * 1000.0 / (options_.max_error_mm * worst.back());
        squares[i] += e * e;
      }
    }
    const auto tried = static_cast<double>(worst.size());
    for (double& count : counts_) count = std::max(1.0, count / tried);
    // Without joints only morph weights move, and the rest is not needed.
    const double largest = squares.empty() ? 0.0 : *std::max_element(squares.begin(), squares.end());
    if (largest > 0) {
      for (std::size_t i = 0; i < squares.size(); ++i) {
        joint_weights_[i] = std::max(1e-6, joint_weights_[i] * std::max(squares[i] / largest, 0.05));
      }
      const double top = *std::max_element(joint_weights_.begin(), joint_weights_.end());
      for (double& weight : joint_weights_) weight /= top;
    }
    std::nth_element(worst.begin(), worst.begin() + static_cast<std::ptrdiff_t>(worst.size() / 2), worst.end());
    const double median = worst[worst.size() / 2];
    if (std::isfinite(median)) global_ *= std::clamp(1.0 / median, 0.1, 10.0);
  }

  // Chooses the cheapest axes for each track: those of the motion, those of the skin, or the given ones.
  void choose_axes() {
    for (std::size_t t = 0; t < header_.rotations.size(); ++t) {
      RotationTrack& track = header_.rotations[t];
      if (track.num_lanes != 3) continue;
      const int lane = lanes_.first_rotation_lane(t);
      const Matrix3& s = sensitivity_.rotations[t];
      Matrix3 movement;
      for (int segment = 0; segment < header_.num_segments(); ++segment) {
        for (std::size_t k = 1; k < lanes_.coefficients(lane, segment).size(); ++k) {
          for (int a = 0; a < 3; ++a) {
            for (int b = 0; b < 3; ++b) {
              movement.m[a][b] += lanes_.coefficients(lane + a, segment)[k] * lanes_.coefficients(lane + b, segment)[k];
            }
          }
        }
      }
      std::array<Vec3d, 3> best{};
      std::array<double, 3> best_bits{};
      double least = std::numeric_limits<double>::infinity();
      for (const std::array<Vec3d, 3>& axes : {std::array<Vec3d, 3>{Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}},
                                               diagonalising_axes(movement), diagonalising_axes(s)}) {
        std::array<double, 3> bits{};
        for (std::size_t k = 0; k < 3; ++k) {
          const Vec3d u = axes[k];
          const double along = u.x * (s.m[0][0] * u.x + s.m[0][1] * u.y + s.m[0][2] * u.z) +
                               u.y * (s.m[1][0] * u.x + s.m[1][1] * u.y + s.m[1][2] * u.z) +
                               u.z * (s.m[2][0] * u.x + s.m[2][1] * u.y + s.m[2][2] * u.z);
          const double step = global_ * std::sqrt(counts_[static_cast<std::size_t>(lane)] / std::max(along, 1e-12));
          bits[k] = bits_along(lanes_, lane, header_.num_segments(), u, step);
        }
        if (const double sum = bits[0] + bits[1] + bits[2]; sum < least) least = sum, best = axes, best_bits = bits;
      }
      std::array<std::size_t, 3> order{0, 1, 2};
      std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return best_bits[a] > best_bits[b]; });
      Vec3d x = best[order[0]], y = best[order[1]], z = best[order[2]];
      if (dot(cross(x, y), z) < 0) z = -z;
      // The rotation whose rows are the axes.
      track.axes_code = vector_part_code<std::int8_t>(conjugate(rotation_of(Affined{x, y, z, {}})), 127.0);
      lanes_.turn_axes(t, track.axes());
    }
  }

  void sort_tracks() {
    std::vector<double> bits(header_.rotations.size(), 0.0);
    for (std::size_t t = 0; t < bits.size(); ++t) {
      const RotationTrack& track = header_.rotations[t];
      for (int k = 0; k < track.num_lanes; ++k) {
        const double step = step_of(track.step_codes[static_cast<std::size_t>(k)]);
        for (int segment = 0; segment < header_.num_segments(); ++segment) {
          for (const double c : lanes_.coefficients(lanes_.first_rotation_lane(t) + k, segment)) {
            bits[t] += std::log2(1.0 + std::abs(c) / step);
          }
        }
      }
    }
    std::vector<std::size_t> order(bits.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      const int lanes_a = header_.rotations[a].num_lanes, lanes_b = header_.rotations[b].num_lanes;
      return lanes_a != lanes_b ? lanes_a < lanes_b : bits[a] > bits[b];
    });
    std::vector<RotationTrack> sorted;
    for (const std::size_t t : order) sorted.push_back(header_.rotations[t]);
    header_.rotations = std::move(sorted);
    lanes_ = Lanes(motion_, header_);
    for (std::size_t t = 0; t < header_.rotations.size(); ++t) {
      if (header_.rotations[t].num_lanes == 3) lanes_.turn_axes(t, header_.rotations[t].axes());
    }
  }

  const Motion& motion_;
  const CompressionOptions& options_;
  ClipHeader& header_;
  Lanes& lanes_;
  std::vector<double> joint_weights_, counts_;
  double global_;
  Sensitivity sensitivity_;
};

}  // namespace

void search_steps(const Motion& motion, const CompressionOptions& options, ClipHeader& header, Lanes& lanes) {
  if (lanes.num_lanes() > 0) StepSearch(motion, options, header, lanes).run();
}

}  // namespace zoe
