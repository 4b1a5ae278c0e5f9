// SPDX-License-Identifier: MIT
// Part of Zoetrope. Number of threads of libtorch and BLAS. More is not always faster.
#pragma once

#include <functional>
#include <string>

namespace zoe::train {

// Sets both, where possible.
void set_threads(int count);

// Measures `work` with one thread and with all processors of this process, keeps the faster, and returns the number. On
// a busy machine two threads that wait for each other are slower than one.
int tune_threads(const std::function<void()>& work);

}  // namespace zoe::train
