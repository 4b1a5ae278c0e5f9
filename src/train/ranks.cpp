// SPDX-License-Identifier: MIT
#include "zoe/train/ranks.h"

#include <charconv>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>

namespace zoe::train {
namespace {

const char* variable(const char* name) {
  const char* text = std::getenv(name);
  return text != nullptr && *text != '\0' ? text : nullptr;
}

Result<std::optional<int>> number(const char* name) {
  const char* text = variable(name);
  if (text == nullptr) return std::optional<int>();
  int value = 0;
  const std::string_view view(text);
  if (std::from_chars(view.begin(), view.end(), value).ptr != view.end()) {
    return Error{ErrorCode::kUsage, fmt::format("the environment variable {} = '{}' is no number", name, view)};
  }
  return std::optional(value);
}

struct Names {
  const char *rank, *size, *local_rank;
};
constexpr Names kLaunchers[] = {
    {"RANK", "WORLD_SIZE", "LOCAL_RANK"},
    {"SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID"},
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"},
};

}  // namespace

std::string first_slurm_host(const std::string& list) {
  const std::size_t bracket = list.find('['), comma = list.find(',');
  if (bracket == std::string::npos || comma < bracket) return list.substr(0, comma);
  const std::size_t end = list.find_first_of(",-]", bracket);
  return list.substr(0, bracket) + list.substr(bracket + 1, end == std::string::npos ? end : end - bracket - 1);
}

Result<Ranks> ranks_from_environment() {
  Ranks ranks;
  for (const Names& names : kLaunchers) {
    ZOE_TRY_ASSIGN(const std::optional<int> rank, number(names.rank));
    ZOE_TRY_ASSIGN(const std::optional<int> size, number(names.size));
    ZOE_TRY_ASSIGN(const std::optional<int> local_rank, number(names.local_rank));
    if (!rank || !size) continue;
    if (*size < 1 || *rank < 0 || *rank >= *size) {
      return Error{ErrorCode::kUsage, fmt::format("{} = {} and {} = {}: ranks count from 0 to the size less one",
                                                  names.rank, *rank, names.size, *size)};
    }
    // A batch script itself runs with SLURM_PROCID = 0, before srun starts anything.
    if (names.rank == std::string_view("SLURM_PROCID") && variable("SLURM_STEP_ID") == nullptr) continue;
    ranks.rank = *rank;
    ranks.size = *size;
    ranks.local_rank = local_rank.value_or(0);
    break;
  }
  if (const char* host = variable("MASTER_ADDR")) {
    ranks.host = host;
  } else if (const char* list = variable("SLURM_JOB_NODELIST"); list != nullptr && ranks.size > 1) {
    ranks.host = first_slurm_host(list);
  }
  ZOE_TRY_ASSIGN(const std::optional<int> port, number("MASTER_PORT"));
  ranks.port = port.value_or(ranks.port);
  return ranks;
}

}  // namespace zoe::train
