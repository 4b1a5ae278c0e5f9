// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include <fmt/format.h>
#include <unistd.h>

#include "doctor/finding.h"

namespace zoe::cli {
namespace {

// Full path of a program as the shell would find it; empty when absent.
std::string find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string candidate = folder + "/" + name;
    if (::access(candidate.c_str(), X_OK) == 0 && !std::filesystem::is_directory(candidate)) return candidate;
  }
  return "";
}

struct Program {
  const char* name;
  const char* wanted_for;
  const char* package;
};

constexpr Program kPrograms[] = {
    {"blender", "tests that open our files in Blender", "blender"},
    {"node", "tests that read our glTF with three.js", "nodejs"},
    {"npm", "installing those tests' packages", "npm"},
    {"ffmpeg", "writing MP4", "ffmpeg"},
};

}  // namespace

void probe_programs(Findings& findings) {
  for (const Program& program : kPrograms) {
    const std::string file = find_program(program.name);
    if (file.empty()) {
      findings.push_back({program.name, Health::kMissing, fmt::format("not on PATH; needed for {}", program.wanted_for),
                          fmt::format("apt-get install {}", program.package)});
    } else {
      findings.push_back({program.name, Health::kOk, file, ""});
    }
  }
}

}  // namespace zoe::cli
