// SPDX-License-Identifier: MIT
#include <fstream>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

#include "zoe/math/simd_dispatch.h"

#include "doctor/finding.h"
#include "support/bench.h"

namespace zoe::cli {
namespace {

// Value of the first "key : value" line of a /proc file; empty when absent.
std::string proc_field(const char* file, const std::string& key) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with(key)) continue;
    const std::size_t start = line.find_first_not_of(" \t", line.find(':') + 1);
    return start == std::string::npos ? "" : line.substr(start);
  }
  return "";
}

bool has_flag(const std::string& flags, const std::string& flag) {
  return (" " + flags + " ").find(" " + flag + " ") != std::string::npos;
}

}  // namespace

void probe_cpu(Findings& findings) {
  const std::string model = proc_field("/proc/cpuinfo", "model name");
  findings.push_back(
      {"cpu", Health::kOk,
       fmt::format("{} ({} threads)", model.empty() ? "unknown" : model, std::thread::hardware_concurrency())});
  const std::string flags = proc_field("/proc/cpuinfo", "flags");
  std::string sets;
  for (const char* flag : {"sse4_2", "avx", "avx2", "fma", "avx512f", "avx512_bf16", "amx_tile", "amx_bf16"}) {
    if (has_flag(flags, flag)) sets += (sets.empty() ? "" : " ") + std::string(flag);
  }
  const bool fast = has_flag(flags, "avx2") && has_flag(flags, "fma");
  findings.push_back(
      {"instruction_sets", fast ? Health::kOk : Health::kPoor, sets.empty() ? "baseline" : sets,
       fast ? ""
            : "kernels run 4 to 8 times slower without AVX2: use a newer CPU, or enable AVX2 in the virtual machine"});
  const simd::RequestedTarget requested = simd::requested_target();
  findings.push_back({"kernels", requested.problem.empty() ? Health::kOk : Health::kPoor,
                      fmt::format("Highway {}{}", simd::target_in_use(),
                                  requested.word.empty() ? "" : fmt::format(", ZOE_TARGET={}", requested.word)),
                      requested.problem});

  const double total_gib =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE)) / (1 << 30);
  const bool enough = total_gib >= 3;
  findings.push_back({"memory", enough ? Health::kOk : Health::kPoor, fmt::format("{:.1f} GiB", total_gib),
                      enough ? "" : "building needs about 2 GiB per job: use fewer jobs, e.g. ZOE_JOBS=1 ./zoe demo"});
  findings.push_back(
      {"copy_bandwidth", Health::kOk,
       fmt::format("{:.1f} GB/s, one core, read and write counted", bench::copy_bandwidth_bytes_per_s() * 1e-9)});
}

}  // namespace zoe::cli
