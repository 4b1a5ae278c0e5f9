// SPDX-License-Identifier: MIT
// zoe-train-time: the time of training steps on toy data, and nothing else. It links the trainer alone, so that a
// rented machine builds it in a fraction of the time of zoe-train. tools/gpu/transformer.py starts it.
//
//   zoe-train-time MODEL STEPS cuda|cpu [KEY=VALUE…]     prints {"samples_per_s": …, "weights": …, "torch": …}
#include <cstdio>
#include <cstdlib>

#include <unistd.h>

#include "zoe/train/library_environment.h"
#include "zoe/train/run.h"

int main(int argc, char** argv) {
  // BLAS and oneDNN read these when they are loaded, before main.
  if (zoe::train::set_library_environment()) ::execv("/proc/self/exe", argv);
  if (argc < 4) {
    std::fputs("usage: zoe-train-time MODEL STEPS cuda|cpu [KEY=VALUE…]\n", stderr);
    return 2;
  }
  zoe::train::RunRequest request;
  request.model = argv[1];
  request.time_steps = std::strtol(argv[2], nullptr, 10);
  request.device = argv[3];
  request.quiet = true;
  request.overrides.assign(argv + 4, argv + argc);
  if (request.time_steps < 1) {
    std::fputs("zoe-train-time: STEPS must be 1 or more\n", stderr);
    return 2;
  }
  const zoe::Result<zoe::train::RunSummary> summary = zoe::train::run(request);
  if (!summary) {
    std::fprintf(stderr, "zoe-train-time: %s\n", summary.error().format().c_str());
    return 1;
  }
  for (const zoe::Warning& warning : summary->warnings) std::fprintf(stderr, "warning: %s\n", warning.message.c_str());
  std::printf("{\"samples_per_s\": %.6g, \"weights\": %lld, \"torch\": \"%s\"}\n", summary->samples_per_s,
              static_cast<long long>(summary->num_weights), zoe::train::torch_version().c_str());
  return 0;
}
