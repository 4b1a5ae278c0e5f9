// SPDX-License-Identifier: MIT
#include "zoe/report/page.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "zoe/core/markup_text.h"

namespace zoe {
namespace {

// Round steps of an axis: about `count` of them up to `top`.
double nice_step(double top, int count) {
  const double rough = std::max(top, 1e-9) / count, power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 2.5, 5.0})
    if (factor * power >= rough) return factor * power;
  return 10 * power;
}

struct Range {
  double low = 1e300, high = -1e300;
  void add(double value) { low = std::min(low, value), high = std::max(high, value); }
  double place(double value) const { return high > low ? (value - low) / (high - low) : 0.5; }
};

// Thins to at most `most` points by averaging neighbours, so that the page of a long run stays small.
std::vector<std::pair<double, double>> thinned(const std::vector<std::pair<double, double>>& points, std::size_t most) {
  if (points.size() <= most) return points;
  std::vector<std::pair<double, double>> out;
  for (std::size_t i = 0; i < most; ++i) {
    const std::size_t begin = i * points.size() / most, end = (i + 1) * points.size() / most;
    std::pair<double, double> sum{0, 0};
    for (std::size_t j = begin; j < end; ++j) sum.first += points[j].first, sum.second += points[j].second;
    out.emplace_back(sum.first / static_cast<double>(end - begin), sum.second / static_cast<double>(end - begin));
  }
  return out;
}

// Distinguishable by lightness, without colour vision.
constexpr const char* kColours[] = {"#3b6fb5", "#d1722a", "#4f9d69", "#8e5ea2",
                                    "#b5474f", "#6b7a8f", "#c9a227", "#2a9d9d"};
const char* colour(std::size_t i) { return kColours[i % std::size(kColours)]; }

constexpr double kWidth = 420, kHeight = 200, kLeft = 52, kBottom = 38, kTop = 26, kRight = 10;

}  // namespace

std::string escape_html(std::string_view text) { return escape_markup(text); }

std::string html_table(std::span<const std::string> head, const std::vector<std::vector<std::string>>& rows,
                       std::string_view numeric) {
  const auto line = [&](const char* tag, std::span<const std::string> cells) {
    std::string out = "<tr>";
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const bool right = i < numeric.size() && numeric[i] == 'n';
      out += fmt::format("<{0}{1}>{2}</{0}>", tag, right ? " class=n" : "", escape_html(cells[i]));
    }
    return out + "</tr>\n";
  };
  std::string out = "<table>\n" + line("th", head);
  for (const auto& row : rows) out += line("td", row);
  return out + "</table>\n";
}

std::string svg_histogram(const Histogram& histogram) {
  const std::size_t n = histogram.values.size();
  const double top = n == 0 ? 1 : std::max(1e-9, *std::max_element(histogram.values.begin(), histogram.values.end()));
  const double plot_w = kWidth - kLeft - kRight, plot_h = kHeight - kTop - kBottom;
  const double bar = plot_w / static_cast<double>(std::max<std::size_t>(n, 1));
  const auto y_of = [&](double value) { return kTop + plot_h * (1 - value / top); };
  std::string out =
      fmt::format("<svg viewBox=\"0 0 {} {}\" role=img aria-label=\"{}\">\n<text class=t x={} y=14>{}</text>\n", kWidth,
                  kHeight, escape_html(histogram.title), kLeft, escape_html(histogram.title));
  for (double value = 0; value <= top * 1.0001; value += nice_step(top, 4)) {
    out += fmt::format(
        "<line class=g x1={0} x2={1} y1={2:.1f} y2={2:.1f} /><text class=a text-anchor=end x={3} "
        "y={4:.1f}>{5:g}</text>\n",
        kLeft, kWidth - kRight, y_of(value), kLeft - 5, y_of(value) + 3.5, value);
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (!(histogram.values[i] > 0)) continue;
    const double from = histogram.first + static_cast<double>(i) * histogram.bin;
    const std::string range = histogram.last_is_open && i + 1 == n
                                  ? fmt::format("{:g} and more", from)
                                  : fmt::format("{:g} to {:g}", from, from + histogram.bin);
    out += fmt::format(
        "<rect class=b x={:.2f} y={:.2f} width={:.2f} height={:.2f}><title>{} {}: "
        "{:.3g}</title></rect>\n",
        kLeft + bar * static_cast<double>(i) + 0.5, y_of(histogram.values[i]), std::max(0.5, bar - 1),
        plot_h * histogram.values[i] / top, range, escape_html(histogram.unit), histogram.values[i]);
  }
  const double span = histogram.bin * static_cast<double>(n), step = nice_step(span, 8);
  for (double x = 0; x <= span * 1.0001; x += step)
    out += fmt::format("<text class=a text-anchor=middle x={:.1f} y={}>{:g}</text>\n", kLeft + plot_w * x / span,
                       kHeight - kBottom + 14, histogram.first + x);
  out += fmt::format("<text class=a text-anchor=middle x={:.1f} y={}>{}</text>\n", kLeft + plot_w / 2, kHeight - 8,
                     escape_html(histogram.unit));
  out += fmt::format(
      "<text class=a transform=\"translate(11 {:.1f}) rotate(-90)\" "
      "text-anchor=middle>{}</text>\n</svg>\n",
      kTop + plot_h / 2, escape_html(histogram.y_title));
  return out;
}

std::string svg_note(const std::string& title, const std::string& text) {
  return fmt::format(
      "<svg viewBox=\"0 0 {} {}\" role=img aria-label=\"{}\">\n<text class=t x={} y=14>{}</text>\n"
      "<text class=a text-anchor=middle x={} y={}>{}</text>\n</svg>\n",
      kWidth, kHeight, escape_html(title), kLeft, escape_html(title), kWidth / 2, kHeight / 2, escape_html(text));
}

std::string svg_bars(const std::string& title, const std::string& unit, std::span<const Bar> bars) {
  constexpr double kLine = 17, kNames = 150, kValues = 50;
  double top = 1e-9;
  for (const Bar& bar : bars) top = std::max(top, bar.value);
  std::string out =
      fmt::format("<svg viewBox=\"0 0 {} {}\" role=img aria-label=\"{}\">\n<text class=t x=0 y=14>{}</text>\n", kWidth,
                  26 + kLine * static_cast<double>(bars.size()), escape_html(title), escape_html(title));
  double y = 24;
  for (const Bar& bar : bars) {
    std::string name = bar.name;
    if (name.size() > 24) name = name.substr(0, 11) + ".." + name.substr(name.size() - 11);
    const double width = (kWidth - kNames - kValues) * bar.value / top;
    out += fmt::format(
        "<text class=a text-anchor=end x={} y={:.1f}>{}</text><rect class=b x={} y={:.1f} "
        "width={:.2f} height={}><title>{}</title></rect>"
        "<text class=a x={:.1f} y={:.1f}>{:.3g} {}</text>\n",
        kNames - 6, y + 11, escape_html(name), kNames, y, std::max(0.5, width), kLine - 4, escape_html(bar.name),
        kNames + width + 5, y + 11, bar.value, escape_html(unit));
    y += kLine;
  }
  return out + "</svg>\n";
}

std::string page_head(std::string_view title) {
  return fmt::format(
      "<!doctype html>\n<html lang=en><head><meta charset=utf-8><title>{}</title>\n<style>\n"
      "body{{font:15px/1.5 system-ui,sans-serif;max-width:1120px;margin:2em auto;padding:0 1em;"
      "color:#1c2733;background:#fff}}\nh1{{font-size:1.5em}}h2{{font-size:1.2em;margin-top:2em;"
      "border-bottom:1px solid #d5dce3}}\ntable{{border-collapse:collapse;margin:.8em 0}}"
      "th{{text-align:left;color:#5b6b7b;font-weight:600}}th,td{{padding:2px 14px 2px 0;"
      "vertical-align:top}}tr + tr td{{border-top:1px solid #eef1f4}}.n{{text-align:right}}\n"
      ".plots{{display:grid;grid-template-columns:repeat(auto-fit,minmax(24rem,1fr));gap:1.2rem}}"
      "svg,img,video{{max-width:100%}}.plots svg{{width:100%}}\n"
      ".t{{font-size:12px;font-weight:600;fill:#1c2733}}.a{{font-size:10px;fill:#5b6b7b}}"
      ".b{{fill:#3b7dc4}}.g{{stroke:#e3e8ed}}\npre{{background:#f6f6f6;padding:1em;overflow:auto}}"
      ".note{{color:#5b6b7b}}\n</style></head><body>\n",
      escape_html(title));
}

std::string svg_curves(const std::string& title, std::span<const Curve> curves) {
  Range xs, values;
  bool positive = true;
  for (const Curve& curve : curves) {
    for (const auto& [x, value] : curve.points) xs.add(x), values.add(value), positive = positive && value > 0;
  }
  if (xs.high < xs.low) return svg_note(title, "nothing yet");
  const bool logarithmic = positive && values.high > 20 * values.low;
  const auto scaled = [&](double value) { return logarithmic ? std::log10(value) : value; };
  Range y;
  y.add(scaled(values.low)), y.add(scaled(values.high));
  const auto px = [&](double x) { return kLeft + xs.place(x) * (kWidth - kLeft - kRight); };
  const auto py = [&](double value) { return kHeight - kBottom - y.place(value) * (kHeight - kBottom - kTop); };
  std::string out = fmt::format(
      "<svg viewBox=\"0 0 {0} {1}\" role=img aria-label=\"{2}\">\n<text class=t x={3} "
      "y=14>{2}{4}</text>\n",
      kWidth, kHeight, escape_html(title), kLeft, logarithmic ? " (log)" : "");
  for (int i = 0; i <= 4; ++i) {
    const double at = y.low + (y.high - y.low) * i / 4, x = xs.low + (xs.high - xs.low) * i / 4;
    out += fmt::format(
        "<line class=g x1={0} x2={1} y1={2:.1f} y2={2:.1f} /><text class=a text-anchor=end x={3} "
        "y={4:.1f}>{5:.3g}</text><text class=a text-anchor=middle x={6:.1f} y={7}>{8:.0f}</text>\n",
        kLeft, kWidth - kRight, py(at), kLeft - 5, py(at) + 3.5, logarithmic ? std::pow(10.0, at) : at, px(x),
        kHeight - kBottom + 14, x);
  }
  double key = kLeft;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const auto points = thinned(curves[i].points, 600);
    std::string line;
    for (const auto& [x, value] : points) line += fmt::format("{:.1f},{:.1f} ", px(x), py(scaled(value)));
    out += fmt::format("<polyline fill=none stroke-width=1.6 stroke=\"{}\" points=\"{}\"/>\n", colour(i), line);
    for (std::size_t j = 0; i == 1 && j < points.size(); ++j)
      out += fmt::format("<circle r=2.2 fill=\"{}\" cx={:.1f} cy={:.1f} />", colour(i), px(points[j].first),
                         py(scaled(points[j].second)));
    out += fmt::format("<text class=a style=\"fill:{}\" x={:.1f} y={}>&#9632; {}</text>\n", colour(i), key, kHeight - 8,
                       escape_html(curves[i].name));
    key += 24 + 6.0 * static_cast<double>(curves[i].name.size());
  }
  return out + "</svg>\n";
}

std::string svg_measures(std::span<const MeasureChart> charts, const std::string& reference) {
  constexpr double kPanel = 250, kHigh = 190, kPlot = 120, kFrom = 34, kKey = 26;
  constexpr std::size_t kAcross = 4;
  std::vector<std::string> names;  // Names in the key, in the order of their first occurrence.
  for (const MeasureChart& chart : charts) {
    for (const MeasuredBar& bar : chart.bars) {
      if (std::find(names.begin(), names.end(), bar.name) == names.end()) names.push_back(bar.name);
    }
  }
  const std::size_t lines = (charts.size() + kAcross - 1) / kAcross;
  const double width = kPanel * kAcross, height = kKey + kHigh * static_cast<double>(lines);
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"system-ui,sans-serif\" font-size=\"10\" fill=\"#44505c\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n",
      width, height);
  double x = 10;
  for (std::size_t i = 0; i < names.size(); ++i) {
    out += fmt::format(
        "<rect x=\"{:.1f}\" y=\"8\" width=\"10\" height=\"10\" fill=\"{}\"/>"
        "<text x=\"{:.1f}\" y=\"17\">{}</text>\n",
        x, colour(i), x + 14, escape_html(names[i]));
    x += 34 + 6.2 * static_cast<double>(names[i].size());
  }
  out += fmt::format(
      "<line x1=\"{0:.1f}\" x2=\"{1:.1f}\" y1=\"13\" y2=\"13\" stroke=\"#222\" stroke-dasharray=\"4 3\"/>"
      "<text x=\"{2:.1f}\" y=\"17\">{3}</text>\n",
      x, x + 16, x + 20, escape_html(reference));
  for (std::size_t c = 0; c < charts.size(); ++c) {
    const MeasureChart& chart = charts[c];
    const double left = 40 + kPanel * static_cast<double>(c % kAcross),
                 top = kKey + kHigh * static_cast<double>(c / kAcross) + kFrom;
    double high = 0;
    for (const MeasuredBar& bar : chart.bars)
      high = std::max({high, bar.value + bar.deviation, bar.reference.value_or(0)});
    if (!(high > 0)) high = 1;
    const auto y_of = [&](double value) { return top + kPlot * (1 - std::clamp(value / high, 0.0, 1.0)); };
    out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"12\" font-weight=\"600\">{}</text>\n", left,
                       top - 12, escape_html(chart.title));
    const double step = nice_step(high, 4);
    for (int i = 0; step * i <= high * 1.0001; ++i) {
      out += fmt::format(
          "<line x1=\"{0:.1f}\" x2=\"{1:.1f}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\" stroke=\"#e3e8ed\"/>"
          "<text text-anchor=\"end\" x=\"{3:.1f}\" y=\"{4:.1f}\">{5:.3g}</text>\n",
          left, left + kPanel - 55, y_of(step * i), left - 4, y_of(step * i) + 3.5, step * i);
    }
    const double each = (kPanel - 55) / static_cast<double>(std::max<std::size_t>(1, chart.bars.size()));
    for (std::size_t i = 0; i < chart.bars.size(); ++i) {
      const MeasuredBar& bar = chart.bars[i];
      const auto name = static_cast<std::size_t>(std::find(names.begin(), names.end(), bar.name) - names.begin());
      const double from = left + each * (static_cast<double>(i) + 0.15), wide = 0.7 * each, middle = from + wide / 2;
      out += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\">"
          "<title>{}: {:.3g} ± {:.2g}</title></rect>\n",
          from, y_of(bar.value), wide, top + kPlot - y_of(bar.value), colour(name), escape_html(bar.name), bar.value,
          bar.deviation);
      if (bar.deviation > 0) {
        out += fmt::format(
            "<path d=\"M{0:.1f} {1:.1f}V{2:.1f}M{3:.1f} {1:.1f}H{4:.1f}M{3:.1f} {2:.1f}H{4:.1f}\" stroke=\"#222\"/>\n",
            middle, y_of(bar.value + bar.deviation), y_of(bar.value - bar.deviation), middle - 3, middle + 3);
      }
      if (bar.reference) {
        out += fmt::format(
            "<line x1=\"{0:.1f}\" x2=\"{1:.1f}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\" stroke=\"#222\" stroke-dasharray=\"4 "
            "3\"/>\n",
            from - 0.15 * each, from + wide + 0.15 * each, y_of(*bar.reference));
      }
      out += fmt::format("<text text-anchor=\"middle\" x=\"{:.1f}\" y=\"{:.1f}\">{:.3g}</text>\n", middle,
                         top + kPlot + 13, bar.value);
    }
  }
  return out + "</svg>\n";
}

}  // namespace zoe
