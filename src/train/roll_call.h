// SPDX-License-Identifier: MIT
// Part of Zoetrope. Finds the failed ranks after a lost connection.
#pragma once

#include <chrono>
#include <string>

#include <torch/csrc/distributed/c10d/Store.hpp>

#include "zoe/train/ranks.h"

namespace zoe::train {

// Ranks that do not report within `patience`, as "1, 3". Empty when all do. Every live rank must call this. A slow rank
// gets `patience` to detect the failure itself.
std::string missing_ranks(const c10::intrusive_ptr<c10d::Store>& store, const Ranks& ranks,
                          std::chrono::milliseconds patience);

}  // namespace zoe::train
