// SPDX-License-Identifier: MIT
#include "zoe/author/run_report.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/core/file.h"
#include "zoe/eval/courses.h"
#include "zoe/eval/record.h"
#include "zoe/report/page.h"

namespace zoe::author {
namespace {

namespace fs = std::filesystem;

// One source, then another from a given time on.
class Then final : public control::IntentSource {
 public:
  Then(std::unique_ptr<control::IntentSource> first, double seconds, std::unique_ptr<control::IntentSource> second)
      : first_(std::move(first)), second_(std::move(second)), left_s_(seconds) {}
  control::Intent next(const PlanarRoot& root, double dt_s) override {
    left_s_ -= dt_s;
    return (left_s_ > 0 ? first_ : second_)->next(root, dt_s);
  }

 private:
  std::unique_ptr<control::IntentSource> first_, second_;
  double left_s_;
};

// Losses of one training, from the log of zoe-train.
std::vector<Curve> read_losses(const fs::path& file) {
  std::vector<Curve> curves{{"training", {}}, {"validation", {}}};
  const auto text = MappedFile::open(file);
  if (!text) return curves;
  std::string_view left = text->text();
  while (!left.empty()) {
    const std::size_t end = std::min(left.find('\n'), left.size());
    const auto row = nlohmann::json::parse(left.substr(0, end), nullptr, false);
    left.remove_prefix(std::min(left.size(), end + 1));
    if (!row.is_object() || !row.contains("loss") || !row["loss"].is_number()) continue;
    Curve& curve = curves[row.value("split", "") == "validation" ? 1 : 0];
    const double loss = row["loss"].get<double>();
    if (std::isfinite(loss)) curve.points.emplace_back(row.value("step", 0.0), loss);
  }
  return curves;
}

// Plots of every training below the run. Types of several networks have several.
std::string loss_plots(const fs::path& run) {
  std::vector<fs::path> folders;
  std::error_code error;
  for (fs::directory_iterator at(run, error), end; !error && at != end; at.increment(error)) {
    if (fs::exists(at->path() / "metrics.jsonl", error)) folders.push_back(at->path());
  }
  if (folders.empty()) return {};
  std::sort(folders.begin(), folders.end());
  std::string html = "<h2>Training</h2>\n<div class=plots>\n";
  for (const fs::path& folder : folders) {
    const std::string name = folder.filename().string();
    html += fmt::format("<div>{}<p class=note><a href=\"{}/report.html\">All curves and settings</a></p></div>\n",
                        svg_curves("Loss of " + name, read_losses(folder / "metrics.jsonl")), escape_html(name));
  }
  return html + "</div>\n";
}

// Which weights of the training are used, and why.
std::string chosen_weights(const fs::path& run) {
  const auto text = MappedFile::open(run / "weights.md");
  if (!text) return {};
  return fmt::format("<h2>Weights</h2>\n<pre>{}</pre>\n", escape_html(std::string(text->text())));
}

// `run`: the folder of the report. A dataset there is named without it, because the folder may get another name.
std::string facts(const RunReport& report, const fs::path& run) {
  int clips = 0;
  for (const dataset::ClipRecord& clip : report.data.clips()) clips += clip.mirrored ? 0 : 1;
  const int mirrored = static_cast<int>(report.data.clips().size()) - clips;
  std::string settings;
  for (const std::string& setting : report.settings) settings += (settings.empty() ? "" : ", ") + setting;
  std::vector<std::vector<std::string>> rows{
      {"type", fmt::format("{}: {}", report.type.name(), report.type.run_time.summary)},
      {"made of", fmt::format("{} clips and {} mirrored, {:.1f} minutes together, in {}", clips, mirrored,
                              60 * report.data.totals().hours,
                              report.data.folder().parent_path() == run ? report.data.folder().filename().string()
                                                                        : report.data.folder().string())},
      {"licence of the motions", report.config.licence},
      {"body", fmt::format("{} joints, {} legs, median speed {:.2g} m/s", report.body.skeleton->num_joints(),
                           report.body.legs.size(), static_cast<double>(report.body.motion_range.pace_mps))},
      {"model", fmt::format("{:.2f} MB, {:g} steps per second",
                            static_cast<double>(report.controller.model_bytes()) / 1e6, report.controller.rate_hz())},
      {"settings", settings.empty() ? "the type's own" : settings}};
  return html_table(std::vector<std::string>{"", ""}, rows);
}

}  // namespace

Motion record_tour(const control::Controller& controller, float pace_mps) {
  constexpr double kCircle_s = 5.5, kSticks_s = 4.5;
  Then both(eval::make_course("circle", pace_mps).value(), kCircle_s, eval::make_course("sticks", pace_mps).value());
  return eval::record(controller, both, {.seconds = kCircle_s + kSticks_s, .fps = std::max(30.0, controller.rate_hz())})
      .motion;
}

Result<void> write_run_report(const RunReport& report, const fs::path& run) {
  const std::string title = fmt::format("{}, a {} controller", report.evaluation.subject, report.type.name());
  std::string html = page_head(title) + fmt::format("<h1>{}</h1>\n", escape_html(title)) + facts(report, run);
  std::error_code ignored;
  if (fs::exists(run / "film.mp4", ignored)) {
    html +=
        "<h2>Motion</h2>\n<p>A circle, then random sticks.</p>\n<video src=\"film.mp4\" controls loop muted "
        "width=640></video>\n";
  }
  if (fs::exists(run / "sheet.png", ignored)) html += "<p><img src=\"sheet.png\" alt=\"a sheet of poses\"></p>\n";
  html +=
      "<h2>Closed loop</h2>\n<p>Means and deviations over the fixed courses, beside the values of the source "
      "mocap.</p>\n" +
      eval::to_html({&report.evaluation, 1}) + loss_plots(run) + chosen_weights(run) + "</body></html>\n";
  return write_file_atomic(run / "report.html", html);
}

}  // namespace zoe::author
