// SPDX-License-Identifier: MIT
// Part of Zoetrope. Rollouts of simulated bodies (tracks with `body`, `target` and `offset`; rows of
// zoe/motion/bone_rows.h) as samples of the model `tracker`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "zoe/train/batch_source.h"

namespace zoe::train {

constexpr const char* kTrackerModel = "tracker";

// Fields: body [world + 1 rows], offset [world rows], target [all rows of a window], and the first row's view and
// change of velocities. All samples are for training. Windows begin at every frame, or farther apart where there are
// more than 60,000.
Result<std::unique_ptr<BatchSource>> open_tracker_source(const std::filesystem::path& folder);

// Two bones on springs; offsets turn the second one. Samples are a function of (seed, split, number) alone.
std::unique_ptr<BatchSource> make_tracker_toy(std::size_t num_training, std::size_t num_validation, int steps,
                                              std::uint64_t seed);

// Rows of a window that the world model predicts one after the other.
constexpr int kWorldSteps = 8;
// Time between rows, seconds: ticks of simulated bodies.
constexpr double kTrackerFrameS = 1.0 / 60;

}  // namespace zoe::train
