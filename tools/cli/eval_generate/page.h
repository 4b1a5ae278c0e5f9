// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. Tables and sheets of `zoe eval generate`: Markdown, HTML, JSON.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "eval_generate/measure.h"

namespace zoe::cli {

// Means, and NAME_std where there are several seeds.
nlohmann::ordered_json to_json(const std::vector<EvalRow>& rows);

struct EvalSheet {
  std::string title;    // Skeleton and action.
  std::string picture;  // Relative to the page.
  std::string text;     // Method.
};
// One sheet of poses for each method of each subject, of the first seed: walks where there are any. In FOLDER, named by
// their numbers. Builds without the renderer draw none.
std::vector<EvalSheet> draw_sheets(const std::vector<EvalSubject>& subjects, const std::filesystem::path& folder);

struct EvalPage {
  std::string title;
  std::vector<std::string> notes;  // Lines above the tables.
  std::vector<std::pair<std::string, std::vector<EvalRow>>> tables;
  std::vector<EvalSheet> sheets;
};
std::string to_markdown(const EvalPage& page);
std::string to_html(const EvalPage& page);

}  // namespace zoe::cli
