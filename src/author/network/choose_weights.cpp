// SPDX-License-Identifier: MIT
#include "author/network/choose_weights.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "zoe/author/labels.h"
#include "zoe/author/response_times.h"
#include "zoe/core/file.h"
#include "zoe/eval/evaluate.h"
#include "zoe/eval/terrain.h"
#include "zoe/nn/graph_file.h"
#include "zoe/nn/network.h"

#include "author/fits.h"

namespace zoe::author {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kFirstSeed = 7001;  // Evaluations begin at 1, those of terrain at 1001.
// Of the costs: half of the data's sliding is as good as all of it, and no gain is worth a path that is left.
constexpr double kEnoughSkate = 0.7, kEnoughJerk = 1, kPath_cm = 2, kResponse_s = 0.3, kSurface_cm = 1;

struct Reference {
  double foot_skate_cm_s = 0, jerk_m_s3 = 0;
};

double mean_of(const eval::Evaluation& found, const std::string& name) {
  for (const auto& [key, summary] : found.metrics)
    if (key == name) return summary.mean;
  return 0;
}
double reference_of(const eval::Evaluation& found, const std::string& name) {
  for (const auto& [key, summary] : found.metrics)
    if (key == name) return summary.reference.value_or(0);
  return 0;
}

Result<control::ControllerPtr> controller_of(const FitContext& context, const nn::Graph& graph,
                                             const control::FeatureRange& range,
                                             const control::NeuralOptions& options) {
  ZOE_TRY_ASSIGN(nn::NetworkPtr network, nn::Network::compile(graph));
  control::NeuralParts parts{context.type.name(), context.body, std::move(network), options, range};
  return std::string(context.type.model) == "cxm" ? control::make_cxm_controller(std::move(parts))
                                                  : control::make_neural_controller(std::move(parts));
}

Result<ClosedLoop> try_out(const FitContext& context, const control::Controller& controller, Reference& reference) {
  // The data is measured with the first network alone.
  const bool knows = reference.jerk_m_s3 > 0;
  ZOE_TRY_ASSIGN(const eval::Evaluation found,
                 eval::evaluate(controller, context.body, knows ? nullptr : &context.data,
                                {.courses = {"straight", "circle", "slalom", "square", "stop_and_go", "sticks"},
                                 .num_seeds = 1,
                                 .first_seed = kFirstSeed,
                                 .seconds = 10,
                                 .stand_s = 2}));
  if (!knows) reference = {std::max(reference_of(found, "foot_skate_cm_s"), 1.0), reference_of(found, "jerk_m_s3")};
  ClosedLoop out{.foot_skate = mean_of(found, "foot_skate_cm_s") / reference.foot_skate_cm_s,
                 .jerk = reference.jerk_m_s3 > 0 ? mean_of(found, "jerk_m_s3") / reference.jerk_m_s3 : 1,
                 .path_error_cm = mean_of(found, "path_error_cm"),
                 .response_s = mean_of(found, "response_s")};
  if (!controller.sees_ground()) return out;
  const auto surfaces = eval::evaluate_terrain(
      controller, context.body, {.num_seeds = 1, .first_seed = kFirstSeed, .seconds = 8, .place_feet = false});
  for (const auto& [shape, one] : surfaces)
    out.surface_cm += (one.penetration_cm + one.gap_cm) / static_cast<double>(surfaces.size());
  return out;
}

std::vector<fs::path> candidates_beside(const fs::path& exported) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(exported.parent_path() / "candidates", error))
    if (entry.path().extension() == ".safetensors") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

double ClosedLoop::cost() const {
  return std::log(std::max(foot_skate, kEnoughSkate)) + std::log(std::max(jerk, kEnoughJerk)) +
         0.5 * std::log1p(path_error_cm / kPath_cm) + 0.5 * std::log1p(response_s / kResponse_s) +
         std::log1p(surface_cm / kSurface_cm);
}

bool walks_by_network(const Type& type) {
  return type.model != nullptr && type.fit != fit_learned_matching && type.labels != LabelUse::kDeeds;
}

control::NeuralOptions run_time_options(const FitContext& context) {
  control::NeuralOptions options = context.config.neural;
  const auto decoder = features::Decoder::create(context.group.layout, context.group.skeleton);
  if (decoder) {
    if (const auto times = measure_response_times(context.group.layout, *decoder, context.group.rows))
      options.trajectory = half_lives_of(*times, options.trajectory);
    if (walks_by_network(context.type)) {
      if (const auto reach = measure_reach(context.group.layout, *decoder, context.group.rows))
        options.trajectory = limits_of(*reach, options.trajectory);
    }
  }
  options.usual_style = usual_label(context.data, context.group.layout.schema().styles);
  options.usual_action = usual_label(context.data, context.group.layout.schema().actions);
  return options;
}

Trial walking_trial(const FitContext& context) {
  Trial trial;
  trial.about = "Short courses whose seeds no evaluation has. The least cost is used.";
  trial.columns = {"foot skate / data", "jerk / data", "path error, cm", "response, s", "ground, cm"};
  trial.run = [&context,
               reference = Reference{}](const control::Controller& controller) mutable -> Result<Trial::Found> {
    ZOE_TRY_ASSIGN(const ClosedLoop found, try_out(context, controller, reference));
    const auto cell = [](double value) { return fmt::format("{:.2f}", value); };
    return Trial::Found{{cell(found.foot_skate), cell(found.jerk), cell(found.path_error_cm), cell(found.response_s),
                         cell(found.surface_cm)},
                        found.cost()};
  };
  return trial;
}

Result<nn::Graph> choose_weights(const FitContext& context, const fs::path& exported,
                                 const control::FeatureRange& range, const Trial& trial,
                                 const std::map<std::string, std::string>& metadata) {
  const auto read = [&](const fs::path& file) -> Result<nn::Graph> {
    ZOE_TRY_ASSIGN(nn::Graph graph, nn::read_graph(file));
    for (const auto& [key, text] : metadata) graph.metadata[key] = text;
    return graph;
  };
  std::vector<fs::path> files = candidates_beside(exported);
  if (files.empty()) return read(exported);
  files.insert(files.begin(), exported);
  const control::NeuralOptions options = run_time_options(context);
  std::string table = fmt::format("# Weights by closed loop\n\n{}\n\n| step | {} | cost |\n|---|", trial.about,
                                  fmt::join(trial.columns, " | "));
  for (std::size_t i = 0; i <= trial.columns.size(); ++i) table += "---|";
  table += "\n";
  std::optional<nn::Graph> best;
  std::string best_step;
  double least = 0;
  for (const fs::path& file : files) {
    ZOE_TRY_ASSIGN(nn::Graph graph, read(file));
    ZOE_TRY_ASSIGN(const control::ControllerPtr controller, controller_of(context, graph, range, options));
    ZOE_TRY_ASSIGN(const Trial::Found found, trial.run(*controller));
    const auto step = graph.metadata.find("step");
    const std::string name = (step != graph.metadata.end() ? step->second : std::string("?")) +
                             (file == exported ? " (by validation, or the last)" : "");
    table += fmt::format("| {} | {} | {:.3f} |\n", name, fmt::join(found.cells, " | "), found.cost);
    if (!std::isfinite(found.cost) || (best && found.cost >= least)) continue;
    best = std::move(graph), best_step = name, least = found.cost;
  }
  if (!best) return Error{ErrorCode::kInvalid, "no weights of this training can be run", {.file = exported.string()}};
  table += fmt::format("\nUsed: step {}.\n", best_step);
  ZOE_TRY(write_file_atomic(context.run / "weights.md", table));
  context.listener.say(fmt::format("weights by closed loop: of {} networks that of step {}", files.size(), best_step));
  return std::move(*best);
}

}  // namespace zoe::author
