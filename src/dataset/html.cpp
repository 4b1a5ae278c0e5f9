// SPDX-License-Identifier: MIT
#include "dataset/html.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace zoe::dataset {
namespace {

// Round steps of an axis: about `count` of them up to `top`.
double nice_step(double top, int count) {
  const double rough = std::max(top, 1e-9) / count,
               power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 2.5, 5.0})
    if (factor * power >= rough) return factor * power;
  return 10 * power;
}

constexpr double kWidth = 420, kHeight = 200, kLeft = 52, kBottom = 38, kTop = 26, kRight = 10;

}  // namespace

std::string escape_html(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string html_table(std::span<const std::string> head,
                       const std::vector<std::vector<std::string>>& rows,
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
  const double top =
      n == 0 ? 1
             : std::max(1e-9, *std::max_element(histogram.values.begin(), histogram.values.end()));
  const double plot_w = kWidth - kLeft - kRight, plot_h = kHeight - kTop - kBottom;
  const double bar = plot_w / static_cast<double>(std::max<std::size_t>(n, 1));
  const auto y_of = [&](double value) { return kTop + plot_h * (1 - value / top); };
  std::string out = fmt::format(
      "<svg viewBox=\"0 0 {} {}\" role=img aria-label=\"{}\">\n<text class=t x={} y=14>{}</text>\n",
      kWidth, kHeight, escape_html(histogram.title), kLeft, escape_html(histogram.title));
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
        kLeft + bar * static_cast<double>(i) + 0.5, y_of(histogram.values[i]),
        std::max(0.5, bar - 1), plot_h * histogram.values[i] / top, range,
        escape_html(histogram.unit), histogram.values[i]);
  }
  const double span = histogram.bin * static_cast<double>(n), step = nice_step(span, 8);
  for (double x = 0; x <= span * 1.0001; x += step)
    out += fmt::format("<text class=a text-anchor=middle x={:.1f} y={}>{:g}</text>\n",
                       kLeft + plot_w * x / span, kHeight - kBottom + 14, histogram.first + x);
  out += fmt::format("<text class=a text-anchor=middle x={:.1f} y={}>{}</text>\n",
                     kLeft + plot_w / 2, kHeight - 8, escape_html(histogram.unit));
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
      kWidth, kHeight, escape_html(title), kLeft, escape_html(title), kWidth / 2, kHeight / 2,
      escape_html(text));
}

std::string svg_bars(const std::string& title, const std::string& unit, std::span<const Bar> bars) {
  constexpr double kLine = 17, kNames = 150, kValues = 50;
  double top = 1e-9;
  for (const Bar& bar : bars) top = std::max(top, bar.value);
  std::string out = fmt::format(
      "<svg viewBox=\"0 0 {} {}\" role=img aria-label=\"{}\">\n<text class=t x=0 y=14>{}</text>\n",
      kWidth, 26 + kLine * static_cast<double>(bars.size()), escape_html(title),
      escape_html(title));
  double y = 24;
  for (const Bar& bar : bars) {
    std::string name = bar.name;
    if (name.size() > 24) name = name.substr(0, 11) + ".." + name.substr(name.size() - 11);
    const double width = (kWidth - kNames - kValues) * bar.value / top;
    out += fmt::format(
        "<text class=a text-anchor=end x={} y={:.1f}>{}</text><rect class=b x={} y={:.1f} "
        "width={:.2f} height={}><title>{}</title></rect>"
        "<text class=a x={:.1f} y={:.1f}>{:.3g} {}</text>\n",
        kNames - 6, y + 11, escape_html(name), kNames, y, std::max(0.5, width), kLine - 4,
        escape_html(bar.name), kNames + width + 5, y + 11, bar.value, escape_html(unit));
    y += kLine;
  }
  return out + "</svg>\n";
}

}  // namespace zoe::dataset
