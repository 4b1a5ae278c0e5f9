// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "doctor/finding.h"
#include "doctor/shared_library.h"

namespace zoe::cli {
namespace {

bool cpu_has(const std::string& flag) {
  std::ifstream stream("/proc/cpuinfo");
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("flags")) return (line + " ").find(" " + flag + " ") != std::string::npos;
  }
  return false;
}

// OpenBLAS selects its kernels when it loads. Version 0.3.21 does not know recent CPUs and falls back to one for the
// Pentium 4 ("Prescott"), five to eight times slower than the right one.
Finding probe_blas() {
  const SharedLibrary library("libopenblas.so.0");
  if (!library) {
    return {"blas", Health::kMissing, "OpenBLAS is not installed (only training needs it)",
            "apt-get install libopenblas0"};
  }
  const auto core_name = library.function<const char*()>("openblas_get_corename");
  const auto config = library.function<const char*()>("openblas_get_config");
  const std::string kernel = core_name != nullptr ? core_name() : "unknown";
  const std::string value = fmt::format("{} kernels ({})", kernel, config != nullptr ? config() : "OpenBLAS");
  const char* better = cpu_has("avx512f") ? "SkylakeX" : cpu_has("avx2") ? "Haswell" : nullptr;
  const bool slow = kernel == "Prescott" || kernel == "Core2" || kernel == "Nehalem" || kernel == "Generic";
  if (slow && better != nullptr) {
    return {"blas", Health::kPoor, value,
            fmt::format("export OPENBLAS_CORETYPE={} before starting (./zoe does)", better)};
  }
  return {"blas", Health::kOk, value, ""};
}

// Searched by file name: loading libtorch only to detect it would take seconds.
Finding probe_torch() {
  for (const char* folder : {"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib", "/usr/local/lib"}) {
    const auto file = std::filesystem::path(folder) / "libtorch_cpu.so";
    if (std::filesystem::exists(file)) return {"libtorch", Health::kOk, file.string(), ""};
  }
  return {"libtorch", Health::kMissing, "not found (only training needs it)", "apt-get install libtorch-dev"};
}

}  // namespace

void probe_libraries(Findings& findings) {
  findings.push_back(probe_blas());
  findings.push_back(probe_torch());
}

}  // namespace zoe::cli
