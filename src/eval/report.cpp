// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/core/file.h"
#include "zoe/eval/evaluate.h"
#include "zoe/report/page.h"

namespace zoe::eval {
namespace {

using Json = nlohmann::ordered_json;
using Metrics = std::vector<std::pair<std::string, Summary>>;

// One table of any format: a row per measure, a column per run.
struct Grid {
  std::string title;
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
};

std::string name_of(const Evaluation& evaluation) {
  return fmt::format("{} ({})", evaluation.subject, evaluation.type);
}

const Summary* find(const Metrics& metrics, const std::string& name) {
  const auto found = std::find_if(metrics.begin(), metrics.end(), [&](const auto& m) { return m.first == name; });
  return found == metrics.end() ? nullptr : &found->second;
}

// Once where all agree, else one per run; empty where none is known.
std::string joined(const std::vector<std::string>& references) {
  const auto same = [&](const std::string& text) { return text == references.front(); };
  if (std::all_of(references.begin(), references.end(), same))
    return references.front() == "-" ? "" : references.front();
  std::string out;
  for (const std::string& text : references) out += (out.empty() ? "" : " / ") + text;
  return out;
}

using Part = std::function<const Metrics&(const Evaluation&)>;
const Metrics& closed_loop(const Evaluation& evaluation) { return evaluation.metrics; }
const Metrics& held_out(const Evaluation& evaluation) { return evaluation.held_out.metrics; }

std::vector<std::string> names_of(std::span<const Evaluation> evaluations, const Part& part) {
  std::vector<std::string> names;
  for (const Evaluation& evaluation : evaluations) {
    for (const auto& [name, summary] : part(evaluation)) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

Grid measured(std::span<const Evaluation> evaluations, std::string title, const Part& part, const char* last) {
  Grid grid{std::move(title), {""}, {}};
  for (const Evaluation& evaluation : evaluations) grid.head.push_back(name_of(evaluation));
  grid.head.emplace_back(last);
  for (const std::string& name : names_of(evaluations, part)) {
    std::vector<std::string> row{name};
    std::vector<std::string> references;
    for (const Evaluation& evaluation : evaluations) {
      const Summary* summary = find(part(evaluation), name);
      row.push_back(summary != nullptr ? fmt::format("{:.3g} ± {:.2g}", summary->mean, summary->deviation) : "");
      const bool known = summary != nullptr && summary->reference;
      references.push_back(known ? fmt::format("{:.3g}", *summary->reference) : "-");
    }
    row.push_back(joined(references));
    grid.rows.push_back(std::move(row));
  }
  return grid;
}

struct EnduranceRow {
  const char* name;
  double (*value)(const Endurance&);
};
constexpr EnduranceRow kEndurance[] = {
    {"minutes", [](const Endurance& e) { return e.minutes; }},
    {"finite", [](const Endurance& e) { return e.finite ? 1.0 : 0.0; }},
    {"restarts", [](const Endurance& e) { return static_cast<double>(e.restarts); }},
    {"stuck_s", [](const Endurance& e) { return e.stuck_s; }},
    {"longest_freeze_s", [](const Endurance& e) { return e.longest_freeze_s; }},
    {"worst_root_m_s", [](const Endurance& e) { return e.worst_root_mps; }},
    {"worst_joint_m_s", [](const Endurance& e) { return e.worst_joint_mps; }},
    {"lowest_top_share", [](const Endurance& e) { return e.lowest_top_share; }},
    {"height_drift_cm", [](const Endurance& e) { return e.height_drift_cm; }},
    {"speed_error_drift_cm_s", [](const Endurance& e) { return e.speed_error_drift_cm_s; }},
};

std::vector<Grid> grids_of(std::span<const Evaluation> evaluations) {
  std::vector<Grid> grids{measured(evaluations, "", closed_loop, "source mocap")};
  const auto with_clips = std::find_if(evaluations.begin(), evaluations.end(),
                                       [](const Evaluation& e) { return e.held_out.num_clips > 0; });
  if (with_clips != evaluations.end()) {
    grids.push_back(measured(evaluations,
                             fmt::format("Held-out mocap, {} clips ({}), {:.0f} s", with_clips->held_out.num_clips,
                                         with_clips->held_out.split, with_clips->held_out.seconds),
                             held_out, "the clips themselves"));
  }
  if (std::any_of(evaluations.begin(), evaluations.end(),
                  [](const Evaluation& e) { return e.endurance.has_value(); })) {
    Grid grid{"Random sticks", {""}, {}};
    for (const Evaluation& evaluation : evaluations) grid.head.push_back(name_of(evaluation));
    for (const EnduranceRow& row : kEndurance) {
      std::vector<std::string> cells{row.name};
      for (const Evaluation& e : evaluations) {
        cells.push_back(e.endurance ? fmt::format("{:.3g}", row.value(*e.endurance)) : "");
      }
      grid.rows.push_back(std::move(cells));
    }
    grids.push_back(std::move(grid));
  }
  return grids;
}

Json to_json(const Metrics& metrics) {
  Json out = Json::object();
  for (const auto& [name, summary] : metrics) {
    out[name] = {{"mean", summary.mean}, {"std", summary.deviation}, {"max", summary.largest}};
    out[name]["reference"] = summary.reference ? Json(*summary.reference) : Json(nullptr);
  }
  return out;
}

}  // namespace

std::string to_json(std::span<const Evaluation> evaluations) {
  Json all = Json::array();
  for (const Evaluation& evaluation : evaluations) {
    Json json{{"subject", evaluation.subject},
              {"kind", evaluation.type},
              {"split", evaluation.split},
              {"seeds", evaluation.num_seeds},
              {"metrics", to_json(evaluation.metrics)},
              {"courses", evaluation.courses}};
    if (const HeldOut& held = evaluation.held_out; held.num_clips > 0) {
      json["held_out"] = {{"split", held.split},
                          {"clips", held.num_clips},
                          {"seconds", held.seconds},
                          {"metrics", to_json(held.metrics)},
                          {"by_clip", held.by_clip}};
    }
    for (const EnduranceRow& row : kEndurance) {
      if (evaluation.endurance) json["endurance"][row.name] = row.value(*evaluation.endurance);
    }
    all.push_back(std::move(json));
  }
  // One object for one run, as in every `zoe eval`; a list for several.
  return (all.size() == 1 ? all[0] : all).dump(2) + "\n";
}

std::string to_markdown(std::span<const Evaluation> evaluations) {
  std::string text;
  for (const Grid& grid : grids_of(evaluations)) {
    if (!grid.title.empty()) text += fmt::format("\n{}:\n\n", grid.title);
    const auto line = [&](const std::vector<std::string>& cells) {
      text += "|";
      for (const std::string& cell : cells) text += cell.empty() ? " |" : " " + cell + " |";
      text += "\n";
    };
    line(grid.head);
    text += "|";
    for (std::size_t i = 0; i < grid.head.size(); ++i) text += "---|";
    text += "\n";
    for (const auto& row : grid.rows) line(row);
  }
  return text;
}

std::string to_svg(std::span<const Evaluation> evaluations) {
  std::vector<MeasureChart> charts;
  for (const Part& part : {Part(closed_loop), Part(held_out)}) {
    for (const std::string& name : names_of(evaluations, part)) {
      MeasureChart chart{charts.size() >= names_of(evaluations, closed_loop).size() ? "held-out " + name : name, {}};
      for (const Evaluation& evaluation : evaluations) {
        const Summary* summary = find(part(evaluation), name);
        if (summary == nullptr) continue;
        chart.bars.push_back({name_of(evaluation), summary->mean, summary->deviation, summary->reference});
      }
      charts.push_back(std::move(chart));
    }
  }
  return svg_measures(charts, "source mocap");
}

std::string to_html(std::span<const Evaluation> evaluations) {
  std::string html;
  for (const Grid& grid : grids_of(evaluations)) {
    if (!grid.title.empty()) html += fmt::format("<h2>{}</h2>\n", escape_html(grid.title));
    html += html_table(grid.head, grid.rows, " " + std::string(grid.head.size() - 1, 'n'));
  }
  return html + to_svg(evaluations);
}

Result<void> write_evaluations(const std::filesystem::path& file, std::span<const Evaluation> evaluations) {
  const std::string extension = file.extension().string();
  if (extension == ".json") return write_file_atomic(file, to_json(evaluations));
  if (extension == ".svg") return write_file_atomic(file, to_svg(evaluations));
  if (extension != ".html") return write_file_atomic(file, to_markdown(evaluations));
  return write_file_atomic(file, page_head("Controllers") + "<h1>Controllers on fixed courses</h1>\n" +
                                     to_html(evaluations) + "</body></html>\n");
}

}  // namespace zoe::eval
