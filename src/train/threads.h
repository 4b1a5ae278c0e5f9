// SPDX-License-Identifier: MIT
// Part of Zoetrope. How many threads libtorch and BLAS use; more is not always faster.
#pragma once

#include <functional>
#include <string>

namespace zoe::train {

// Sets both, when they can be set.
void set_threads(int count);

// Times `work` with one thread and with all of this process's processors and keeps the faster;
// returns the number. On a busy machine two threads that wait for each other are slower than one.
int tune_threads(const std::function<void()>& work);

}  // namespace zoe::train
