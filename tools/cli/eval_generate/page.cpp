// SPDX-License-Identifier: MIT
#include "eval_generate/page.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/features/action_words.h"
#include "zoe/report/page.h"

#include "film.h"
#include "verb.h"

namespace zoe::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Figures of all rows, in the order of their first appearance.
std::vector<std::string> figure_names(const std::vector<EvalRow>& rows) {
  std::vector<std::string> names;
  for (const EvalRow& row : rows)
    for (const SeedFigures& figure : row.figures)
      if (std::find(names.begin(), names.end(), figure.name) == names.end()) names.push_back(figure.name);
  return names;
}

std::string cell(const EvalRow& row, const std::string& name) {
  for (const SeedFigures& figure : row.figures) {
    if (figure.name != name || figure.values.empty()) continue;
    if (figure.values.size() == 1) return fmt::format("{:.4g}", figure.mean());
    return fmt::format("{:.3g} ± {:.1g}", figure.mean(), figure.deviation());
  }
  return "";
}

std::vector<std::string> head_of(const std::vector<std::string>& figures) {
  std::vector<std::string> head{"split", "skeleton", "row", "clips", "against clips"};
  head.insert(head.end(), figures.begin(), figures.end());
  return head;
}

std::vector<std::string> cells_of(const EvalRow& row, const std::vector<std::string>& figures) {
  std::vector<std::string> cells{row.split, row.skeleton, row.method, std::to_string(row.clips),
                                 std::to_string(row.against)};
  for (const std::string& name : figures) cells.push_back(cell(row, name));
  return cells;
}

std::string action_words(const std::vector<int>& actions) {
  std::string text;
  for (const int action : actions) {
    text += text.empty() ? "" : " ";
    text += features::action_vocabulary()[static_cast<std::size_t>(action)];
  }
  return text.empty() ? "no action" : text;
}

// The clip of a method that a sheet displays: of the given actions, else the first one.
const EvalClip* clip_to_draw(const MadeClips& made, const std::vector<int>& actions) {
  if (made.by_seed.empty() || made.by_seed.front().empty()) return nullptr;
  for (const EvalClip& clip : made.by_seed.front())
    if (std::is_permutation(clip.actions.begin(), clip.actions.end(), actions.begin(), actions.end())) return &clip;
  return &made.by_seed.front().front();
}

}  // namespace

Json to_json(const std::vector<EvalRow>& rows) {
  Json out = Json::array();
  for (const EvalRow& row : rows) {
    Json one{{"skeleton", row.skeleton},
             {"row", row.method},
             {"split", row.split},
             {"clips", row.clips},
             {"against_clips", row.against}};
    std::size_t seeds = 0;
    for (const SeedFigures& figure : row.figures) seeds = std::max(seeds, figure.values.size());
    one["seeds"] = seeds;
    for (const SeedFigures& figure : row.figures) {
      one[figure.name] = figure.mean();
      if (figure.values.size() > 1) one[figure.name + "_std"] = figure.deviation();
    }
    out.push_back(std::move(one));
  }
  return out;
}

std::vector<EvalSheet> draw_sheets(const std::vector<EvalSubject>& subjects, const fs::path& folder) {
  std::vector<EvalSheet> sheets;
  std::error_code ignored;
  fs::create_directories(folder, ignored);
  const std::vector<int> walk = features::read_action_words("walk").actions;
  for (std::size_t s = 0; s < subjects.size(); ++s) {
    const EvalBody& body = *subjects[s].real;
    std::vector<int> actions = walk;
    if (!subjects[s].made.empty())
      if (const EvalClip* first = clip_to_draw(subjects[s].made.front(), walk)) actions = first->actions;
    for (std::size_t m = 0; m < subjects[s].made.size(); ++m) {
      const MadeClips& made = subjects[s].made[m];
      const EvalClip* clip = clip_to_draw(made, actions);
      if (clip == nullptr) continue;
      const std::string name = fmt::format("{:02}_{}.png", s + 1, m + 1);
      const bool own = clip->motion.skeleton == body.body.skeleton;
      MotionFilm film{.output = (folder / name).string(), .style = "sheet", .width = 1200, .height = 260};
      film.fps = clip->motion.fps;
      film.seconds = std::min(4.0, clip->motion.duration_s());
      film.low_quality = true;
      film.labels = false;
      if (own) film.body = &body.body.displayed;
      if (write_film(own ? in_file_unit(clip->motion, body.body) : clip->motion, film, true) != kDone) continue;
      sheets.push_back({body.name, (folder.filename() / name).string(),
                        fmt::format("{}, {}", made.method, action_words(clip->actions))});
    }
  }
  return sheets;
}

std::string to_markdown(const EvalPage& page) {
  std::string text;
  for (const std::string& note : page.notes) text += note + "\n";
  for (const auto& [title, rows] : page.tables) {
    if (rows.empty()) continue;
    text += fmt::format("{}{}:\n\n|", text.empty() ? "" : "\n", title);
    std::string line = "|";
    const std::vector<std::string> figures = figure_names(rows);
    for (const std::string& name : head_of(figures)) text += " " + name + " |", line += "---|";
    text += "\n" + line + "\n";
    for (const EvalRow& row : rows) {
      text += "|";
      for (const std::string& value : cells_of(row, figures)) text += " " + value + " |";
      text += "\n";
    }
  }
  for (const EvalSheet& sheet : page.sheets)
    text += fmt::format("\n{}: {}\n\n![{}]({})\n", sheet.title, sheet.text, sheet.text, sheet.picture);
  return text;
}

std::string to_html(const EvalPage& page) {
  std::string text = page_head(page.title);
  for (const std::string& note : page.notes) text += "<p>" + escape_html(note) + "</p>\n";
  for (const auto& [title, rows] : page.tables) {
    if (rows.empty()) continue;
    const std::vector<std::string> figures = figure_names(rows);
    std::vector<std::vector<std::string>> cells;
    for (const EvalRow& row : rows) cells.push_back(cells_of(row, figures));
    text += "<h2>" + escape_html(title) + "</h2>\n" +
            html_table(head_of(figures), cells, "   nn" + std::string(figures.size(), 'n'));
  }
  std::string before;
  for (const EvalSheet& sheet : page.sheets) {
    if (sheet.title != before) text += "<h2>" + escape_html(sheet.title) + "</h2>\n";
    before = sheet.title;
    text += fmt::format("<p>{}<br><img src=\"{}\" style=\"max-width:100%\" alt=\"poses\"></p>\n",
                        escape_html(sheet.text), escape_html(sheet.picture));
  }
  return text + "</body></html>\n";
}

}  // namespace zoe::cli
