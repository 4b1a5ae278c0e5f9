// SPDX-License-Identifier: MIT
#include "controller/run_report.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/core/file.h"
#include "zoe/eval/record.h"
#include "zoe/report/page.h"

#include "film.h"
#include "verb.h"

namespace zoe::cli {
namespace {

namespace fs = std::filesystem;

// One source, and from some moment on another.
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

// Losses of one training, from what zoe-train logged.
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

// Every training below the run: kinds of several networks have several.
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

std::string facts(const RunReport& report) {
  int clips = 0;
  for (const dataset::ClipRecord& clip : report.data.clips()) clips += clip.mirrored ? 0 : 1;
  const int mirrored = static_cast<int>(report.data.clips().size()) - clips;
  std::string settings;
  for (const std::string& setting : report.settings) settings += (settings.empty() ? "" : ", ") + setting;
  std::vector<std::vector<std::string>> rows{
      {"kind", fmt::format("{}: {}", report.kind.name, report.kind.summary)},
      {"made of", fmt::format("{} clips and {} mirrored, {:.1f} minutes together, in {}", clips, mirrored,
                              60 * report.data.totals().hours, report.data.folder().string())},
      {"licence of the motions", report.config.licence},
      {"body", fmt::format("{} joints, {} legs, mostly at {:.2g} m/s", report.body.skeleton->num_joints(),
                           report.body.legs.size(), static_cast<double>(report.body.motion_range.pace_mps))},
      {"model", fmt::format("{:.2f} MB, {:g} steps a second",
                            static_cast<double>(report.controller.model_bytes()) / 1e6, report.controller.rate_hz())},
      {"settings", settings.empty() ? "the kind's own" : settings}};
  return html_table(std::vector<std::string>{"", ""}, rows);
}

}  // namespace

bool draw_run(const control::Controller& controller, float pace_mps, const fs::path& run) {
  constexpr double kCircle_s = 5.5, kSticks_s = 4.5;
  auto circle = control::make_course("circle", pace_mps), sticks = control::make_course("sticks", pace_mps);
  if (!circle || !sticks) return false;
  Then both(std::move(*circle), kCircle_s, std::move(*sticks));
  const eval::Recording walk =
      eval::record(controller, both, {.seconds = kCircle_s + kSticks_s, .fps = std::max(30.0, controller.rate_hz())});
  const MotionFilm sheet{
      .output = (run / "sheet.png").string(), .style = "sheet", .start_s = 4, .seconds = 1.4, .labels = false};
  const MotionFilm film{
      .output = (run / "film.mp4").string(), .width = 640, .height = 360, .fps = 25, .low_quality = true};
  return write_film(walk.motion, sheet, true) == kDone && write_film(walk.motion, film, true) == kDone;
}

Result<void> write_run_report(const RunReport& report, const fs::path& run) {
  const std::string title = fmt::format("{}, a {} controller", report.evaluation.subject, report.kind.name);
  std::string html = page_head(title) + fmt::format("<h1>{}</h1>\n", escape_html(title)) + facts(report);
  std::error_code ignored;
  if (fs::exists(run / "film.mp4", ignored)) {
    html +=
        "<h2>As it moves</h2>\n<p>A circle, then sticks that jump.</p>\n"
        "<video src=\"film.mp4\" controls loop muted width=640></video>\n";
  }
  if (fs::exists(run / "sheet.png", ignored)) html += "<p><img src=\"sheet.png\" alt=\"a sheet of poses\"></p>\n";
  html +=
      "<h2>Closed loop</h2>\n<p>Means and deviations over the fixed courses; the source mocap's own values "
      "beside.</p>\n" +
      eval::to_html({&report.evaluation, 1}) + loss_plots(run) + "</body></html>\n";
  return write_file_atomic(run / "report.html", html);
}

}  // namespace zoe::cli
