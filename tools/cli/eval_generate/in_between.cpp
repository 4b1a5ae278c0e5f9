// SPDX-License-Identifier: MIT
#include "eval_generate/in_between.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/generate/inbetween_scores.h"
#include "zoe/motion/edit.h"

#include "metric_body.h"
#include "verb.h"

namespace zoe::cli {

using Json = nlohmann::ordered_json;

Result<Json> measure_gaps(const std::vector<std::string>& inputs, const std::string& gaps) {
  Warnings warnings;
  ZOE_TRY_ASSIGN(const std::vector<MetricBody> bodies, load_metric_bodies(inputs, warnings));
  print_warnings(warnings);
  std::vector<Motion> clips;
  for (const MetricBody& body : bodies)
    for (const Motion& clip : body.clips) clips.push_back(without_end_sites(clip));
  Json rows = Json::array();
  for (const std::string& text : split_list(gaps)) {
    const int frames = std::atoi(text.c_str());
    if (frames < 1 || frames > 54)
      return Error{ErrorCode::kUsage, fmt::format("--in-between {}: give numbers of frames from 1 to 54", text)};
    const std::pair<const char*, generate::FillGap> methods[] = {
        {"hold the last pose",
         [](const Motion& window, const generate::Gap& gap) -> Result<Motion> {
           Motion held = window;
           const auto joints = static_cast<std::size_t>(window.num_joints());
           for (int f = gap.first; f <= gap.last; ++f) {
             const std::size_t from = static_cast<std::size_t>(gap.first - 1) * joints;
             std::copy_n(&window.translations[from], joints, &held.translations[static_cast<std::size_t>(f) * joints]);
             std::copy_n(&window.rotations[from], joints, &held.rotations[static_cast<std::size_t>(f) * joints]);
           }
           return held;
         }},
        {"linear",
         [](const Motion& window, const generate::Gap& gap) {
           return generate::interpolate(window, gap, generate::Fill::kLinear);
         }},
        {"spline", [](const Motion& window, const generate::Gap& gap) {
           return generate::interpolate(window, gap, generate::Fill::kSpline);
         }}};
    for (const auto& [name, fill] : methods) {
      ZOE_TRY_ASSIGN(const generate::InbetweenRow row, generate::score_inbetween(clips, frames, name, fill));
      rows.push_back({{"method", name},
                      {"frames", frames},
                      {"l2p", row.l2p},
                      {"l2q", row.l2q},
                      {"npss", row.npss},
                      {"windows", row.windows}});
    }
  }
  return rows;
}

}  // namespace zoe::cli
