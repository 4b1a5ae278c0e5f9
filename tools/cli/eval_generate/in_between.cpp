// SPDX-License-Identifier: MIT
#include "eval_generate/in_between.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/anatomy/analysis.h"
#include "zoe/generate/inbetween_scores.h"
#include "zoe/motion/edit.h"

#include "body_model_option.h"
#include "edit/edit.h"
#include "metric_body.h"
#include "verb.h"

namespace zoe::cli {

using Json = nlohmann::ordered_json;

namespace {

// A network with its view of the clips' body.
struct Filler {
  std::string name;
  generate::BodyModel model;
  generate::BodyLayout layout;

  // The network's frames, fitted to both ends.
  Result<Motion> fill(const Motion& window, const generate::Gap& gap) const {
    generate::BodySampleOptions options;
    options.sampler = model.sampler();
    ZOE_TRY_ASSIGN(const Motion made, made_by_model(model, layout, options, window, {&gap, 1}, {}));
    return generate::fit_between(window, gap, made);
  }
};

Result<std::vector<Filler>> load_fillers(const std::vector<std::string>& models, const std::vector<Motion>& clips) {
  std::vector<Filler> fillers;
  if (models.empty() || clips.empty()) return fillers;
  const SkeletonAnalysis analysis = analyse(*clips[0].skeleton, clips);
  for (const std::string& name : models) {
    ZOE_TRY_ASSIGN(generate::BodyModel model, load_body_model(name == kShippedModel ? "" : name));
    ZOE_TRY_ASSIGN(generate::BodyLayout layout, model.layout_for(clips[0].skeleton, analysis));
    fillers.push_back({name, std::move(model), std::move(layout)});
  }
  return fillers;
}

}  // namespace

Result<Json> measure_gaps(const std::vector<std::string>& inputs, const std::string& gaps,
                          const std::vector<std::string>& models) {
  Warnings warnings;
  ZOE_TRY_ASSIGN(const std::vector<MetricBody> bodies, load_metric_bodies(inputs, warnings));
  print_warnings(warnings);
  std::vector<Motion> clips;
  for (const MetricBody& body : bodies)
    for (const Motion& clip : body.clips) clips.push_back(without_end_sites(clip));
  ZOE_TRY_ASSIGN(const std::vector<Filler> fillers, load_fillers(models, clips));
  Json rows = Json::array();
  for (const std::string& text : split_list(gaps)) {
    const int frames = std::atoi(text.c_str());
    if (frames < 1 || frames > 54)
      return Error{ErrorCode::kUsage, fmt::format("--in-between {}: give numbers of frames from 1 to 54", text)};
    std::vector<std::pair<std::string, generate::FillGap>> methods{
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
    for (const Filler& filler : fillers) {
      methods.emplace_back(filler.name,
                           [&](const Motion& window, const generate::Gap& gap) { return filler.fill(window, gap); });
    }
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
