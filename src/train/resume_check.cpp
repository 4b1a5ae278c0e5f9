// SPDX-License-Identifier: MIT
#include "train/resume_check.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace zoe::train {
namespace {

constexpr std::string_view kFree[] = {"train.steps",
                                      "train.epochs",
                                      "train.seconds",
                                      "train.log_every",
                                      "train.validate_every",
                                      "train.validation_batches",
                                      "train.keep",
                                      "train.patience",
                                      "train.checkpoint_every",
                                      "train.max_skipped",
                                      "train.threads",
                                      "train.collective",
                                      "train.rank_timeout_s",
                                      "train.cuda_graph",
                                      "train.sample_command",
                                      "train.sample_timeout_s",
                                      "data.resident"};

std::string text_of(const ConfigValue& value) {
  return std::visit([](const auto& one) { return fmt::format("{}", one); }, value);
}

}  // namespace

Result<void> check_unchanged(const Metadata& checkpoint, const Config& config, const std::string& data_identity,
                             const std::filesystem::path& folder) {
  std::string changes;
  const auto add = [&](const std::string& name, const std::string& was, const std::string& is) {
    changes += fmt::format("{}{} was {}, is {}", changes.empty() ? "" : "; ", name, was, is);
  };
  const auto data = checkpoint.find("data");
  if (data != checkpoint.end() && !data->second.empty() && !data_identity.empty() && data->second != data_identity)
    add("data", data->second, data_identity);
  if (const auto text = checkpoint.find("config"); text != checkpoint.end()) {
    Config before = config;
    ZOE_TRY(before.load_text(text->second, "settings of the checkpoint"));
    for (std::size_t i = 0; i < before.entries().size(); ++i) {
      const ConfigEntry &was = before.entries()[i], &is = config.entries()[i];
      if (was.value == is.value || std::find(std::begin(kFree), std::end(kFree), was.key) != std::end(kFree)) continue;
      add(was.key, text_of(was.value), text_of(is.value));
    }
  }
  if (changes.empty()) return {};
  return Error{
      ErrorCode::kUsage,
      fmt::format("the run here is of other data or settings: {}; --allow-changes resumes nevertheless, another "
                  "-o starts a new run",
                  changes),
      {.file = folder.string()}};
}

}  // namespace zoe::train
