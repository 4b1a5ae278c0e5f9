// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "zoe/author/engine_export.h"
#include "zoe/control/load.h"
#include "zoe/control/neural_parts.h"
#include "zoe/core/file.h"
#include "zoe/core/index.h"
#include "zoe/nn/graph_file.h"
#include "zoe/nn/onnx.h"
#include "zoe/nn/quantize.h"

#include "author/engine/columns.h"
#include "author/engine/describe.h"
#include "author/engine/steps.h"

namespace zoe::author {
namespace {

namespace fs = std::filesystem;
using control::Intent;
using features::BlockKind;

// A line a step, so that people can look at one.
std::string describe_steps(std::span<const Intent> intents, std::span<const control::TracedStep> steps,
                           const features::Schema& schema) {
  std::string out = "{\"steps\": [\n";
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const control::TracedStep& step = steps[i];
    const PlanarRoot& root = step.root;
    const Json line{{"intent", describe_intent(intents[i], schema)},
                    {"x", numbers(step.x)},
                    {"phase", number(step.phase_turns)},
                    {"y", numbers(step.y)},
                    {"root", {number(root.position.x), number(root.position.z), number(root.facing_rad)}},
                    {"contacts", numbers(step.contacts)},
                    {"pose", describe_pose(step.pose)},
                    {"smoothed", describe_pose(step.smoothed)},
                    {"displayed", describe_pose(step.displayed)}};
    out += line.dump() + (i + 1 < steps.size() ? ",\n" : "\n");
  }
  return out + "]}\n";
}

ColumnNumbers numbers_of(const Safetensors& file, const char* port, const control::ColumnRange& range) {
  ColumnNumbers out{{}, {}, range};
  for (const NamedArray& array : file.tensors()) {
    const auto values = array.view.as<float>().value_or(std::span<const float>{});
    if (array.name == fmt::format("normalisation.{}.mean", port)) out.means = {values.begin(), values.end()};
    if (array.name == fmt::format("normalisation.{}.std", port)) out.deviations = {values.begin(), values.end()};
  }
  return out;
}

}  // namespace

Result<EngineExport> export_for_engine(const fs::path& run, const fs::path& folder) {
  ZOE_TRY_ASSIGN(const control::ControllerParts files, control::ControllerParts::open(run));
  ZOE_TRY_ASSIGN(const control::ControllerConfig config, control::load_controller_config(run));
  if (config.type == "mm") {
    return cannot_export("type 'mm' plays its clips and has no network; export it with zoe export RUN OUT.zoe", run);
  }
  // A controller that does not load is not exported.
  ZOE_TRY_ASSIGN(const control::ControllerPtr controller, control::load_controller(run));
  if (controller->sees_ground()) {
    return cannot_export(
        "the network sees the ground, which exported steps do not; export it with zoe export RUN OUT.zoe", run);
  }
  if (controller->make_state()->deed()) {
    return cannot_export("the network senses props, which exported steps do not; export it with zoe export RUN OUT.zoe",
                         run);
  }
  if (config.type == "lmm") return export_matching(files, config, run, folder);
  ZOE_TRY_ASSIGN(const Safetensors network_file, files.tensors(config.network));
  ZOE_TRY_ASSIGN(control::NeuralParts parts, control::load_neural_parts(files, config));
  // ONNX is float32. The test vector is of the same numbers, so that small weights make no difference.
  ZOE_TRY_ASSIGN(const nn::Graph stored, nn::read_graph(network_file));
  const nn::Graph graph = nn::with_weight_type(stored, nn::WeightType::kF32);
  ZOE_TRY_ASSIGN(parts.network, nn::Network::compile(graph));
  const auto named = [&](const Error& error) {
    return cannot_export(fmt::format("type '{}': {}", config.type, error.message), run);
  };
  ZOE_TRY_ASSIGN(const features::Layout layout,
                 features::Layout::from_toml(graph.metadata.at("layout"), *parts.body.skeleton));
  if (const auto fits = check_outputs(layout); !fits) return named(fits.error());
  if (const auto fits = check_scales(parts.body); !fits) return named(fits.error());
  auto input = describe_block(layout, BlockKind::kInput, "x", numbers_of(network_file, "x", parts.range.input));
  if (!input) return named(input.error());
  auto output = describe_block(layout, BlockKind::kOutput, "y", numbers_of(network_file, "y", parts.range.output));
  if (!output) return named(output.error());
  ZOE_TRY_ASSIGN(const control::StepShape shape, control::step_shape(parts));
  const std::vector<Intent> intents = test_intents(parts.body.motion_range, layout.schema());
  ZOE_TRY_ASSIGN(const std::vector<control::TracedStep> steps, control::trace_steps(parts, intents));

  Json columns;
  columns["inputs"].push_back(std::move(*input));
  columns["outputs"].push_back(std::move(*output));
  if (shape.has_phase_input) {
    Json phase{{"name", "phase"}, {"frames", 1}, {"width", 1}};
    phase["columns"].push_back({{"name", "phase"}, {"unit", "turns"}});
    columns["inputs"].push_back(std::move(phase));
  }
  ZOE_TRY(create_folder(folder));
  ZOE_TRY(nn::write_onnx(folder / "network.onnx", graph));
  const std::pair<const char*, std::string> texts[] = {
      {"columns.json", columns.dump(1) + "\n"},
      {"body.json", describe_body(parts.body, shape).dump(1) + "\n"},
      {"constants.json", describe_constants(parts, shape, layout.fps(), config.licence).dump(1) + "\n"},
      {"steps.json", describe_steps(intents, steps, layout.schema())},
      {"README.md", step_text(parts)}};
  EngineExport out{
      config.type, layout.width(BlockKind::kInput), layout.width(BlockKind::kOutput), kEngineSteps, {"network.onnx"}};
  ZOE_TRY(write_texts(folder, texts, out));
  return out;
}

}  // namespace zoe::author
