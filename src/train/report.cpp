// SPDX-License-Identifier: MIT
#include "train/report.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "zoe/core/file.h"

#include "train/metrics.h"

namespace zoe::train {
namespace {

constexpr double kWidth = 520, kHeight = 240, kLeft = 62, kBottom = 26, kTop = 10, kRight = 10;

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else
      out += c;
  }
  return out;
}

struct Curve {
  std::string split;
  std::vector<std::pair<double, double>> points;  // step, value
};

struct Range {
  double low = 1e300, high = -1e300;
  void add(double value) { low = std::min(low, value), high = std::max(high, value); }
  double place(double value) const { return high > low ? (value - low) / (high - low) : 0.5; }
};

// Thins to at most `most` points by averaging neighbours, so that long runs stay a small page.
std::vector<std::pair<double, double>> thinned(const std::vector<std::pair<double, double>>& points,
                                               std::size_t most) {
  if (points.size() <= most) return points;
  std::vector<std::pair<double, double>> out;
  for (std::size_t i = 0; i < most; ++i) {
    const std::size_t begin = i * points.size() / most, end = (i + 1) * points.size() / most;
    std::pair<double, double> sum{0, 0};
    for (std::size_t j = begin; j < end; ++j)
      sum.first += points[j].first, sum.second += points[j].second;
    out.emplace_back(sum.first / static_cast<double>(end - begin),
                     sum.second / static_cast<double>(end - begin));
  }
  return out;
}

std::string plot(const std::string& name, const std::vector<Curve>& curves) {
  Range steps, values;
  bool positive = true;
  for (const Curve& curve : curves) {
    for (const auto& [step, value] : curve.points)
      steps.add(step), values.add(value), positive = positive && value > 0;
  }
  const bool logarithmic = positive && values.high > 20 * values.low;
  const auto scaled = [&](double value) { return logarithmic ? std::log10(value) : value; };
  Range y;
  y.add(scaled(values.low)), y.add(scaled(values.high));
  const auto px = [&](double step) {
    return kLeft + steps.place(step) * (kWidth - kLeft - kRight);
  };
  const auto py = [&](double value) {
    return kHeight - kBottom - y.place(value) * (kHeight - kBottom - kTop);
  };
  std::string svg = fmt::format("<figure><figcaption>{}{}</figcaption><svg viewBox='0 0 {} {}'>",
                                escaped(name), logarithmic ? " (log)" : "", kWidth, kHeight);
  for (int i = 0; i <= 4; ++i) {
    const double at = y.low + (y.high - y.low) * i / 4;
    svg += fmt::format(
        "<line class='grid' x1='{}' x2='{}' y1='{:.1f}' y2='{:.1f}'/><text x='{}' y='{:.1f}' "
        "text-anchor='end'>{:.3g}</text>",
        kLeft, kWidth - kRight, py(at), py(at), kLeft - 6, py(at) + 4,
        logarithmic ? std::pow(10.0, at) : at);
  }
  for (int i = 0; i <= 4; ++i) {
    const double at = steps.low + (steps.high - steps.low) * i / 4;
    svg += fmt::format("<text x='{:.1f}' y='{}' text-anchor='middle'>{:.0f}</text>", px(at),
                       kHeight - 8, at);
  }
  for (const Curve& curve : curves) {
    const auto points = thinned(curve.points, 600);
    std::string path;
    for (const auto& [step, value] : points)
      path += fmt::format("{:.1f},{:.1f} ", px(step), py(scaled(value)));
    svg += fmt::format("<polyline class='{}' points='{}'/>", curve.split, path);
    if (curve.split == "validation") {
      for (const auto& [step, value] : points)
        svg +=
            fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='2.5'/>", px(step), py(scaled(value)));
    }
  }
  return svg + "</svg></figure>\n";
}

constexpr const char* kStyle =
    "body{font:15px/1.5 system-ui,sans-serif;max-width:1120px;margin:2em auto;padding:0 "
    "1em;color:#222;background:#fff}"
    "h1{font-size:1.4em}main{display:flex;flex-wrap:wrap;gap:16px}figure{margin:0;width:530px}"
    "figcaption{font-weight:600}"
    "svg{width:100%;border:1px solid "
    "#ddd}text{font-size:11px;fill:#555}.grid{stroke:#eee}polyline{fill:none;stroke-width:1.6}"
    ".training{stroke:#3b6fb5}.validation{stroke:#d1722a}circle{fill:#d1722a}table{border-collapse:"
    "collapse}"
    "td{padding:2px 14px 2px 0}pre{background:#f6f6f6;padding:1em;overflow:auto}.key "
    "span{padding-right:1.5em}";

}  // namespace

Result<void> write_report(const std::filesystem::path& folder, const ReportFacts& facts) {
  ZOE_TRY_ASSIGN(const std::vector<MetricRow> rows, read_metrics(folder / "metrics.jsonl"));
  std::vector<std::string> names;
  std::map<std::string, std::vector<Curve>> plots;
  for (const MetricRow& row : rows) {
    for (const auto& [name, value] : row.values) {
      if (!std::isfinite(value)) continue;
      std::vector<Curve>& curves = plots[name];
      if (curves.empty()) names.push_back(name);
      auto curve = std::ranges::find(curves, row.split, &Curve::split);
      if (curve == curves.end()) curve = curves.insert(curves.end(), {row.split, {}});
      curve->points.emplace_back(static_cast<double>(row.step), value);
    }
  }
  std::string html = fmt::format(
      "<!doctype html><html lang='en'><meta "
      "charset='utf-8'><title>{0}</title><style>{1}</style><h1>{0}</h1>\n<table>",
      escaped(facts.title), kStyle);
  for (const auto& [name, value] : facts.facts)
    html += fmt::format("<tr><td>{}</td><td>{}</td></tr>", escaped(name), escaped(value));
  html +=
      "</table>\n<p class='key'><span style='color:#3b6fb5'>&#9632; training</span><span "
      "style='color:#d1722a'>&#9632; validation</span></p><main>\n";
  for (const std::string& name : names) html += plot(name, plots[name]);
  html += fmt::format("</main><h2>Config</h2><pre>{}</pre></html>\n", escaped(facts.config_toml));
  return write_file_atomic(folder / "report.html", html);
}

}  // namespace zoe::train
