// SPDX-License-Identifier: MIT
// Part of Zoetrope. Low-pass filters for captured signals: one for live input, one for whole tracks.
#pragma once

#include <span>

namespace zoe {

// Live smoothing that follows fast motion and damps slow motion (Casiez et al., "1 Euro filter", 2012).
class OneEuroFilter {
 public:
  struct Options {
    float min_cutoff_hz = 1.0F;  // Lower: smoother at rest.
    // Higher: less lag in motion. The cutoff grows by this many Hz per unit and second.
    float speed_coefficient = 0.0F;
    float derivative_cutoff_hz = 1.0F;  // Of the speed estimate.
  };

  OneEuroFilter() = default;
  explicit OneEuroFilter(const Options& options) : options_(options) {}

  // The filtered value. dt_s > 0 since the previous sample; the first sample passes unchanged.
  float filter(float value, float dt_s);
  void reset() { started_ = false; }

 private:
  Options options_;
  float value_ = 0, speed_ = 0;
  bool started_ = false;
};

// Second-order Butterworth low-pass, run forwards and backwards over a whole track: no lag, fourth order in effect,
// gain one half at cutoff_hz. Ends are mirrored through their end values, so that a constant or a straight line does
// not change there. Does nothing at cutoff_hz >= sample_hz / 2 or cutoff_hz <= 0. Values are `stride` apart in memory.
void low_pass_zero_phase(std::span<float> values, double cutoff_hz, double sample_hz, std::size_t stride = 1);

// Kernel over K = weights.size() samples, largest in the middle, sum one: exp(-(i-p)²/(p/2)²) with p = (K-1)/2, raised
// to `power` >= 0. Power 0 is the plain mean; higher powers are sharper.
void gaussian_weights(double power, std::span<double> weights);

}  // namespace zoe
