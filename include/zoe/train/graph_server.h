// SPDX-License-Identifier: MIT
// Part of Zoetrope. libtorch as a peer of zoe::nn, in a process of its own: `zoe bench` links no
// torch and starts zoe-train for it.
//
// Asked by lines, answers by lines:
//   open BATCH FILE    then the inputs, raw float32     -> "ok VERSION", then the outputs, raw; or
//                                                          "error WORDS"
//   time CALLS                                          -> CPU time of that many calls, ns
// One thread. Ends when the input does.
#pragma once

namespace zoe::train {

int serve_graphs();

}  // namespace zoe::train
