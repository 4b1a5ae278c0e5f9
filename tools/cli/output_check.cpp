// SPDX-License-Identifier: MIT
#include "output_check.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "zoe/core/output_file.h"
#include "zoe/core/suggest.h"

namespace zoe::cli {
namespace {

namespace fs = std::filesystem;

Error refuse(const fs::path& path, std::string message) {
  return {ErrorCode::kUsage, std::move(message), {.file = path.string()}};
}

Result<void> check_one(const std::string& output, const CommandPaths& paths, bool no_overwrite) {
  std::error_code error;
  for (const std::string& input : paths.inputs) {
    // A folder may get new files beside its own. Verbs compare those with their sources.
    if (fs::is_directory(input, error) || !same_file(output, input)) continue;
    return refuse(output, output == input ? "is also the input, which is never overwritten; name another output"
                                          : fmt::format("is the same file as the input {}, which is never overwritten; "
                                                        "name another output",
                                                        input));
  }
  if (!no_overwrite || !fs::exists(output, error)) return {};
  if (!fs::is_directory(output, error)) return refuse(output, "exists, and --no-overwrite was given");
  if (!fs::is_empty(output, error)) return refuse(output, "is not empty, and --no-overwrite was given");
  return {};
}

}  // namespace

Result<void> check_outputs(const CommandPaths& paths, bool no_overwrite) {
  std::vector<std::string> all = paths.outputs;
  all.insert(all.end(), paths.output_folders.begin(), paths.output_folders.end());
  for (std::size_t i = 0; i < all.size(); ++i) {
    ZOE_TRY(check_one(all[i], paths, no_overwrite));
    for (std::size_t j = 0; j < i; ++j) {
      if (fs::path(all[i]).lexically_normal() == fs::path(all[j]).lexically_normal())
        return refuse(all[i], "is named as output twice; name two files");
    }
  }
  std::error_code error;
  for (const std::string& folder : paths.output_folders) {
    if (fs::exists(folder, error) && !fs::is_directory(folder, error))
      return refuse(folder, "is a file; the output is a folder: name one, which may be new");
  }
  return {};
}

Result<void> check_output_file(const fs::path& output, std::span<const char* const> extensions) {
  std::error_code error;
  const std::vector<std::string> known(extensions.begin(), extensions.end());
  const std::string list = fmt::format("{}", fmt::join(known, " "));
  if (fs::is_directory(output, error) || output.filename().empty()) {
    return refuse(output, fmt::format("is a folder; name a file in it, such as {} ({})",
                                      (output / ("out" + known.front())).string(), list));
  }
  const std::string extension = output.extension().string();
  if (std::find(known.begin(), known.end(), extension) != known.end()) return {};
  if (extension.empty()) {
    return refuse(output, fmt::format("has no extension, which selects the format: name it {}{} ({})", output.string(),
                                      known.front(), list));
  }
  return refuse(output, fmt::format("the name must end in {}, not in '{}'{}", fmt::join(known, " or "), extension,
                                    did_you_mean(extension, known)));
}

Result<void> check_folder_output(const fs::path& output, std::span<const char* const> extensions) {
  std::error_code error;
  if (fs::is_directory(output, error)) return {};
  const bool looks_like_file = std::find(extensions.begin(), extensions.end(), output.extension()) != extensions.end();
  if (!looks_like_file && !fs::exists(output, error)) return {};
  return refuse(output, "the input is a folder, so the output is one too: name a folder; --format selects the format");
}

}  // namespace zoe::cli
