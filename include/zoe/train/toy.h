// SPDX-License-Identifier: MIT
// Part of Zoetrope. Synthetic samples of known functions, to try a trainer without data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "zoe/train/batch_source.h"

namespace zoe::train {

enum class ToyKind : std::uint8_t {
  kVector,    // x [1, width] -> y [1, width]: smooth functions of x.
  kSequence,  // x [1, width] -> y [steps, width]: the same, changing with time.
  kPhase,     // kVector with the field `phase` [1, 1] in turns, on which y depends as well.
  kCurve,     // x [1, width] on a curved surface of three dimensions: for autoencoders.
  kWaves,     // x [steps, width]: one sine of random rate and phase in every column, two seconds long.
  kOrbit,     // x [steps, width]: circles whose radius determines their speed; a step determines the next.
  kFilter,    // x [steps, width] -> y [steps, width]: running mean of x, which a recurrent network
              // can follow.
  kMixture,   // x [1, width] of eight narrow Gaussians, condition [1, 8]: which one. For generative models.
  kCodes,     // x [steps, width] of whole numbers from 0 to 7, in a row: n is followed by n + 1 (mod 8) with the
              // probability 0.8, else by any. The first is any.
  kTokens,    // Ragged: waves along chains of 2 to `width` joints, over steps / 2 to `steps` frames; x
              // [frames, joints, 3] and its mask.
  kStyled,    // x [steps, width]: waves whose rate is that of their content and whose size and middle are those of
              // their style; label [steps, 2]: style and content, 0 or 1.
  kPainted,   // Stick figures in two poses (paint_source.h).
  kTracked,   // Two bones that follow targets on springs (tracker_source.h).
  kVideo,     // Clips of stick figures with captions (paint_source.h).
};

struct ToyOptions {
  ToyKind kind = ToyKind::kVector;
  std::size_t num_training = 4096, num_validation = 512;
  int width = 6;
  int steps = 16;  // For the types with steps.
  std::uint64_t seed = 1;
};

// The mixture: component c has the probability 0.15 (even c) or 0.1 (odd c), the mean cos(2 pi c / 8 - j pi / 2) in
// column j (a ring in each pair of columns), and the deviation 0.1 in every column.
constexpr int kMixtureComponents = 8;
constexpr float kMixtureDeviation = 0.1F;

// Samples are computed on reading, from (seed, split, number) alone.
std::unique_ptr<BatchSource> make_toy_source(const ToyOptions& options);

}  // namespace zoe::train
