// SPDX-License-Identifier: MIT
#include "train/report.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "zoe/core/file.h"
#include "zoe/report/page.h"

#include "train/metrics.h"
#include "train/sample_hook.h"

namespace zoe::train {
Result<void> write_report(const std::filesystem::path& folder, const ReportFacts& facts) {
  ZOE_TRY_ASSIGN(const std::vector<MetricRow> rows, read_metrics(folder / "metrics.jsonl"));
  std::vector<std::string> names;
  std::map<std::string, std::vector<Curve>> plots;
  for (const MetricRow& row : rows) {
    for (const auto& [name, value] : row.values) {
      if (!std::isfinite(value)) continue;
      std::vector<Curve>& curves = plots[name];
      if (curves.empty()) names.push_back(name);
      auto curve = std::ranges::find(curves, row.split, &Curve::name);
      if (curve == curves.end()) curve = curves.insert(curves.end(), {row.split, {}});
      curve->points.emplace_back(static_cast<double>(row.step), value);
    }
  }
  std::string html = page_head(facts.title) + fmt::format("<h1>{}</h1>\n<table>", escape_html(facts.title));
  for (const auto& [name, value] : facts.facts)
    html += fmt::format("<tr><td>{}</td><td>{}</td></tr>", escape_html(name), escape_html(value));
  html += "</table>\n<div class=plots>\n";
  for (const std::string& name : names) html += svg_curves(name, plots[name]);
  html += "</div>";
  constexpr std::size_t kMostPictures = 12;
  const std::vector<SampleFolder::Picture> pictures = SampleFolder(folder / "samples").pictures(kMostPictures);
  if (!pictures.empty()) html += "<h2>Samples</h2>\n";
  for (const SampleFolder::Picture& picture : pictures) {
    const Result<std::string> url = picture_as_url(picture.path);
    html += url ? fmt::format(
                      "<figure><img src=\"{}\" alt=\"samples\" style=\"max-width:100%\">"
                      "<figcaption>step {}</figcaption></figure>\n",
                      *url, picture.step)
                : fmt::format("<p>step {}: {}</p>\n", picture.step, escape_html(url.error().message));
  }
  html += fmt::format("<h2>Config</h2><pre>{}</pre></body></html>\n", escape_html(facts.config_toml));
  return write_file_atomic(folder / "report.html", html);
}

}  // namespace zoe::train
