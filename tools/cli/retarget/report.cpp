// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. The page of `zoe retarget --report`.
#include <algorithm>

#include <fmt/format.h>

#include "zoe/core/file.h"
#include "zoe/report/page.h"

#include "info_analysis.h"
#include "retarget/work.h"

namespace zoe::cli {
namespace fs = std::filesystem;
namespace {

// The bars of docs/retarget.md.
constexpr double kSlide = 1.2, kFeet = 0.05, kHands = 0.05;

struct Verdict {
  double stretch = 0, slide = 0;  // Of what is allowed, and of the source's.
  std::string misses;
};

Verdict judge(const RetargetedClip& clip, double allowed_stretch) {
  const RetargetMetrics& m = clip.metrics;
  Verdict verdict{clip.stretch.p995 / allowed_stretch, m.source_slide > 0 ? m.slide / m.source_slide : 0, {}};
  const auto miss = [&](bool is_missed, const char* what) {
    if (is_missed) verdict.misses += (verdict.misses.empty() ? "" : ", ") + std::string(what);
  };
  miss(verdict.stretch > 1, "skin");
  miss(verdict.slide > kSlide, "slide");
  miss(m.mean_foot_error > kFeet, "feet");
  miss(m.mean_hand_error > kHands, "hands");
  miss(m.num_flips > 0, "flips");
  return verdict;
}

}  // namespace

Result<void> write_report(const fs::path& folder, const RetargetCharacter& character,
                          const std::vector<const RetargetedFile*>& files, const DrawSheet& draw) {
  const std::vector<std::string> head{"clip",   "frames",  "skin",  "worst between", "slide",
                                      "feet %", "hands %", "flips", "misses"};
  std::vector<std::vector<std::string>> rows;
  std::vector<Bar> stretches, slides, feet;
  std::string pictures;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const RetargetedFile& file = *files[i];
    for (const RetargetedClip& clip : file.clips) {
      const Verdict verdict = judge(clip, character.allowed_stretch);
      kept += verdict.misses.empty() ? 1 : 0;
      rows.push_back({clip.name, std::to_string(clip.num_frames), fmt::format("{:.2f}", verdict.stretch),
                      clip.stretch_joint.empty() ? "" : clip.stretch_joint + ", " + clip.stretch_other,
                      fmt::format("{:.2f}", verdict.slide), fmt::format("{:.1f}", 100 * clip.metrics.mean_foot_error),
                      fmt::format("{:.1f}", 100 * clip.metrics.mean_hand_error), std::to_string(clip.metrics.num_flips),
                      verdict.misses.empty() ? "none" : verdict.misses});
      stretches.push_back({clip.name, verdict.stretch});
      slides.push_back({clip.name, verdict.slide});
      feet.push_back({clip.name, 100 * clip.metrics.mean_foot_error});
    }
    if (file.written.empty() || file.clips.empty()) continue;
    const std::string picture = fmt::format("sheet_{}.png", i);
    draw(file, folder / picture);
    std::error_code ignored;
    if (!fs::exists(folder / picture, ignored)) continue;
    pictures +=
        fmt::format("<h2>{}</h2>\n<p><img src=\"{}\" alt=\"poses of the source, above, and of the result\"></p>\n",
                    escape_html(file.input.filename().string()), picture);
  }
  std::string page = page_head("Retargeting onto " + fs::path(character.file).filename().string());
  page += fmt::format(
      "<p>{}, reference pose: {}. {} of {} clips are within all bars: skin stretched by at most {:.2f} "
      "(1 in the table), slide at most {} times the source's, feet and hands within {:.0f} % of their "
      "limbs, no flips.</p>\n",
      to_string(character.body.family), escape_html(reference_word(character.body)), kept, rows.size(),
      character.allowed_stretch, kSlide, 100 * kFeet);
  page += html_table(head, rows, " nn nnnn ");
  page += svg_bars("Skin, of what is allowed", "times", stretches) +
          svg_bars("Slide, of the source's", "times", slides) + svg_bars("Feet off", "% of the leg", feet) + pictures +
          "</body></html>\n";
  return write_file_atomic(folder / "index.html", page);
}

}  // namespace zoe::cli
