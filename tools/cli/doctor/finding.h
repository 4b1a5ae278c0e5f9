// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. One line of `zoe doctor`, and the probes that produce them.
#pragma once

#include <string>
#include <vector>

namespace zoe::cli {

enum class Health {
  kOk,
  kMissing,  // Not available, and only some verbs or tests need it.
  kPoor,     // Present, but slow or wrong until fixed.
};

struct Finding {
  std::string name;  // Stable: the key in --json.
  Health health = Health::kOk;
  std::string value;   // The result, for people.
  std::string remedy;  // Empty when all is well.
};
using Findings = std::vector<Finding>;

void probe_cpu(Findings& findings);        // Instruction sets, cores, memory, copy bandwidth.
void probe_libraries(Findings& findings);  // OpenBLAS' kernel, libtorch.
void probe_graphics(Findings& findings);   // OpenGL through EGL without a display, CUDA.
void probe_programs(Findings& findings);   // blender, ffmpeg, node, npm.

}  // namespace zoe::cli
