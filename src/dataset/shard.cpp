// SPDX-License-Identifier: MIT
// The part of the work of this shard.
#include <charconv>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>

#include "zoe/dataset/build.h"

namespace zoe::dataset {
namespace {

std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<int> environment_number(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? std::nullopt : number(text);
}

}  // namespace

Result<Shard> parse_shard(const std::string& text) {
  std::optional<int> index, count;
  if (text == "auto") {
    for (const auto& [rank, size] : {std::pair{"SLURM_PROCID", "SLURM_NTASKS"},
                                     {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                     {"PMI_RANK", "PMI_SIZE"}}) {
      index = environment_number(rank);
      count = environment_number(size);
      if (index && count) break;
    }
    if (!index || !count) return Shard{};
  } else {
    const std::size_t slash = text.find('/');
    index = number(std::string_view(text).substr(0, slash));
    if (slash != std::string::npos) count = number(std::string_view(text).substr(slash + 1));
  }
  if (!index || !count || *count < 1 || *index < 0 || *index >= *count)
    return Error{ErrorCode::kUsage, fmt::format("shard '{}': parts of the work are 0/N to N-1/N, or auto", text), {}};
  return Shard{*index, *count};
}

}  // namespace zoe::dataset
