// SPDX-License-Identifier: MIT
#include "zoe/report/scatter.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "zoe/report/page.h"

namespace zoe {
namespace {

constexpr double kSide = 900, kMargin = 24, kLine = 15;  // Pixels.

// Points without outliers that would squeeze the others: from the 0.2 % to the 99.8 % of each axis, then clamped.
struct Frame {
  double low_x = 0, low_y = 0, scale = 1;

  explicit Frame(const Scatter& scatter) {
    std::vector<float> x, y;
    for (const ScatterPoint& point : scatter.points) {
      if (!std::isfinite(point.x) || !std::isfinite(point.y)) continue;
      x.push_back(point.x);
      y.push_back(point.y);
    }
    if (x.empty()) return;
    std::sort(x.begin(), x.end());
    std::sort(y.begin(), y.end());
    const std::size_t cut = x.size() / 500, last = x.size() - 1 - cut;
    low_x = static_cast<double>(x[cut]);
    low_y = static_cast<double>(y[cut]);
    const double wide = static_cast<double>(x[last] - x[cut]), high = static_cast<double>(y[last] - y[cut]);
    const double extent = std::max({wide, high, 1e-9});
    scale = (kSide - 2 * kMargin) / extent;
    low_x -= (extent - wide) / 2;  // The shorter side is centred.
    low_y -= (extent - high) / 2;
  }
  static double clamped(double value) { return std::clamp(std::isfinite(value) ? value : 0.0, 4.0, kSide - 4); }
  double x(float value) const { return clamped(kMargin + scale * (static_cast<double>(value) - low_x)); }
  double y(float value) const { return clamped(kSide - kMargin - scale * (static_cast<double>(value) - low_y)); }
};

double channel(double hue, double lightness, double saturation, double offset) {
  const double k = std::fmod(offset + hue * 12, 12.0);
  return lightness - saturation * std::min(lightness, 1 - lightness) * std::clamp(std::min(k - 3, 9 - k), -1.0, 1.0);
}

// Lines of a name, and where they are: inside the drawing, and over no other name.
struct PlacedName {
  std::vector<std::string> lines;
  double x = 0, top = 0, width = 0;  // x: of the middle.
  double height() const { return kLine * static_cast<double>(lines.size()); }
  bool overlaps(const PlacedName& other) const {
    return std::abs(x - other.x) < 0.5 * (width + other.width) && top < other.top + other.height() &&
           other.top < top + height();
  }
};

// Above its place, or below. A name without room is left to the table beside the drawing.
std::vector<PlacedName> place_names(const Scatter& scatter, const Frame& frame) {
  constexpr double kLetter = 8.2, kBeside = 12;  // Mean width of a bold letter of 13 pixels; distance to the place.
  std::vector<PlacedName> placed;
  for (const ScatterName& name : scatter.names) {
    PlacedName one;
    for (std::size_t begin = 0; begin < name.text.size();) {
      const std::size_t plus = name.text.find(" + ", begin), end = std::min(plus, name.text.size());
      one.lines.push_back((begin > 0 ? "+ " : "") + name.text.substr(begin, end - begin));
      one.width = std::max(one.width, kLetter * static_cast<double>(one.lines.back().size()));
      begin = plus == std::string::npos ? end : plus + 3;
    }
    const double half = std::min(0.5 * one.width, 0.5 * kSide - 4);
    one.x = std::clamp(frame.x(name.x), half + 4, kSide - half - 4);
    for (int shift = 0; shift < 10; ++shift) {  // Above, below, further above, …
      const double away = kBeside + kLine * (shift / 2), y = frame.y(name.y);
      one.top = std::clamp(shift % 2 == 0 ? y - one.height() - away : y + away, 2.0, kSide - one.height() - 4);
      const bool taken =
          std::any_of(placed.begin(), placed.end(), [&](const PlacedName& other) { return one.overlaps(other); });
      if (taken) continue;
      placed.push_back(one);
      break;
    }
  }
  return placed;
}

std::string drawing(const Scatter& scatter, bool whole_file) {
  const Frame frame(scatter);
  std::string out = fmt::format(
      "<svg class=\"scatter\" viewBox=\"0 0 {0} {0}\"{1}>\n", kSide,
      whole_file ? fmt::format(" xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{0}\"", kSide) : "");
  out += fmt::format("<rect width=\"{0}\" height=\"{0}\" fill=\"#ffffff\"/>\n", kSide);
  for (const ScatterPoint& point : scatter.points) {
    const auto group = static_cast<std::size_t>(std::max(point.group, 0));
    out += fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\" data-g=\"{}\"><title>{}</title></circle>\n",
        frame.x(point.x), frame.y(point.y), group_color(group, scatter.groups.size()), group, escape_html(point.text));
  }
  for (const PlacedName& name : place_names(scatter, frame)) {
    for (std::size_t i = 0; i < name.lines.size(); ++i) {
      out += fmt::format(
          "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" font-family=\"sans-serif\" font-size=\"13\" "
          "font-weight=\"bold\" fill=\"#222\" stroke=\"#fff\" stroke-width=\"3\" paint-order=\"stroke\" "
          "pointer-events=\"none\">{}</text>\n",
          name.x, name.top + kLine * (static_cast<double>(i) + 0.8), escape_html(name.lines[i]));
    }
  }
  return out + "</svg>\n";
}

constexpr const char* kStyle =
    "<style>.scatter{width:min(100%,900px);display:block;border:1px solid #ccc}.scatter circle{opacity:.75}"
    ".scatter circle.dim{opacity:.06}.scatter circle.on{stroke:#000;stroke-width:2;opacity:1}"
    ".legend{display:flex;flex-wrap:wrap;gap:4px 14px;margin:8px 0;max-width:900px}.legend span{cursor:pointer}"
    ".legend span.off{opacity:.35}.legend i{display:inline-block;width:11px;height:11px;border-radius:6px;"
    "margin-right:5px}#under{position:fixed;pointer-events:none;background:#222;color:#fff;padding:3px 7px;"
    "border-radius:4px;font:12px sans-serif;display:none;white-space:pre;z-index:9}</style>\n";

// The texts are those of the titles, which are removed so that they are not displayed twice.
constexpr const char* kScript = R"(<script>
(function(){
var box=document.getElementById('under'),points=document.querySelectorAll('.scatter circle'),last=null,chosen=null;
points.forEach(function(p){var t=p.querySelector('title');p.text=t.textContent;p.removeChild(t);});
document.querySelector('.scatter').addEventListener('pointermove',function(e){
 var p=e.target.text!==undefined?e.target:null;
 if(last&&last!==p)last.classList.remove('on');
 last=p;
 if(!p){box.style.display='none';return;}
 p.classList.add('on');box.textContent=p.text;box.style.display='block';
 box.style.left=Math.min(e.clientX+14,innerWidth-box.offsetWidth-8)+'px';box.style.top=(e.clientY+14)+'px';
});
document.querySelectorAll('.legend span').forEach(function(s){s.addEventListener('click',function(){
 chosen=chosen===s.dataset.g?null:s.dataset.g;
 points.forEach(function(p){p.classList.toggle('dim',chosen!==null&&p.dataset.g!==chosen);});
 document.querySelectorAll('.legend span').forEach(function(o){
  o.classList.toggle('off',chosen!==null&&o.dataset.g!==chosen);});
});});
})();
</script>
)";

}  // namespace

std::string group_color(std::size_t group, std::size_t num_groups) {
  const double hue = num_groups > 0 ? static_cast<double>(group % num_groups) / static_cast<double>(num_groups) : 0.0;
  const double lightness = group % 2 == 0 ? 0.42 : 0.58;  // Neighbours on the wheel differ in lightness too.
  const auto byte = [&](double offset) {
    return static_cast<int>(std::lround(255 * channel(hue, lightness, 0.72, offset)));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(0), byte(8), byte(4));
}

std::string html_scatter(const Scatter& scatter) {
  std::vector<std::size_t> counts(scatter.groups.size(), 0);
  for (const ScatterPoint& point : scatter.points) {
    if (point.group >= 0 && static_cast<std::size_t>(point.group) < counts.size())
      ++counts[static_cast<std::size_t>(point.group)];
  }
  std::string out = kStyle + std::string("<div class=\"legend\">\n");
  for (std::size_t g = 0; g < scatter.groups.size(); ++g) {
    out += fmt::format("<span data-g=\"{}\"><i style=\"background:{}\"></i>{} ({})</span>\n", g,
                       group_color(g, scatter.groups.size()), escape_html(scatter.groups[g]), counts[g]);
  }
  return out + "</div>\n" + drawing(scatter, false) + "<div id=\"under\"></div>\n" + kScript;
}

std::string svg_scatter(const Scatter& scatter) { return drawing(scatter, true); }

}  // namespace zoe
