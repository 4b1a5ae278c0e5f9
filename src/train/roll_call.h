// SPDX-License-Identifier: MIT
// Part of Zoetrope. Who failed, when ranks have lost each other.
#pragma once

#include <chrono>
#include <string>

#include <torch/csrc/distributed/c10d/Store.hpp>

#include "zoe/train/ranks.h"

namespace zoe::train {

// Ranks that do not report within `patience`, as "1, 3"; empty when all do. Every rank that still
// lives must call this. A rank that is slow gets `patience` to find out for itself.
std::string missing_ranks(const c10::intrusive_ptr<c10d::Store>& store, const Ranks& ranks,
                          std::chrono::milliseconds patience);

}  // namespace zoe::train
