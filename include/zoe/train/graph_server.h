// SPDX-License-Identifier: MIT
// Part of Zoetrope. libtorch as a peer of zoe::nn, in a separate process: `zoe bench` links no torch and starts
// zoe-train for it.
//
// Requests and answers are lines:
//   open BATCH BYTES FILE    then BYTES of inputs, raw float32 -> "ok VERSION", then the outputs, raw; or
//                                                                 "error WORDS"
//   time CALLS                                                 -> CPU time of CALLS calls, ns
// One thread. Ends when the input ends.
#pragma once

namespace zoe::train {

int serve_graphs();

}  // namespace zoe::train
