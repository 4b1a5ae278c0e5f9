// SPDX-License-Identifier: MIT
// Part of Zoetrope. The export of learned matching: three networks, the columns of a state, and a test vector.
#include <fmt/format.h>

#include "zoe/control/body.h"
#include "zoe/control/lmm_trace.h"
#include "zoe/control/step_constants.h"
#include "zoe/nn/graph_file.h"
#include "zoe/nn/onnx.h"
#include "zoe/nn/quantize.h"

#include "author/engine/columns.h"
#include "author/engine/describe.h"
#include "author/engine/steps.h"

namespace zoe::author {
namespace {

namespace fs = std::filesystem;
using namespace control;
using features::BlockKind;

Json describe_times(const features::SampleTimes& times) {
  Json out = Json::array();
  for (int i = 0; i < times.count; ++i) out.push_back(times.at(i));
  return out;
}

Json matching_constants(const LearnedMatchingParts& parts, const LearnedTrace& trace, const std::string& licence) {
  const MatchOptions& options = parts.options;
  return {
      {"type", "lmm"},
      {"licence", licence},
      {"rate_hz", parts.layout.fps()},
      {"trajectory",
       {{"times_s", describe_times(trace.times_ahead)},
        {"velocity_half_life_s", number(options.trajectory.velocity_half_life_s)},
        {"facing_half_life_s", number(options.trajectory.facing_half_life_s)},
        {"max_turn_speed_rad_s", number(options.trajectory.max_turn_speed_rad_s)},
        {"piece_s", kPredictPiece_s},
        {"least_speed_with_facing_mps", number(kLeastSpeedWithFacing_mps)}}},
      {"correction",
       {{"position_half_life_s", number(options.correction.position_half_life_s)},
        {"facing_half_life_s", number(options.correction.facing_half_life_s)},
        {"share", number(options.correction.share)}}},
      {"lead",
       {{"max_distance_m", number(options.lead.max_distance_m)}, {"max_turn_rad", number(options.lead.max_turn_rad)}}},
      {"search",
       {{"interval_s", number(options.search_interval_s)},
        {"sudden_velocity_mps", number(options.sudden_velocity_mps)},
        {"sudden_facing_rad", number(options.sudden_facing_rad)},
        {"transition_cost", number(options.transition_cost)}}},
      {"switch",
       {{"blend_s", number(options.blend_s)},
        {"blend_half_life_s", number(kDeadBlendHalfLife_s)},
        {"root_half_life_s", number(options.root_half_life_s)}}},
      {"warp",
       {{"position_column", trace.way_position},
        {"direction_column", trace.way_direction},
        {"time_s", number(trace.way_s)},
        {"stretch", number(options.stretch)},
        {"bend_rad_s", number(options.bend_rad_s)},
        {"least_m", number(kLeastWarped_m)},
        {"full_mps", number(kFullyWarped_mps)}}},
      {"creep",
       {{"none_mps", number(kCreepNone_mps)},
        {"all_mps", number(kCreepAll_mps)},
        {"none_rad_s", number(kCreepNone_rad_s)},
        {"all_rad_s", number(kCreepAll_rad_s)}}},
      {"start_state", numbers(trace.start)},
      {"foot_lock", describe_locks(options.lock_feet, options.locks)}};
}

std::string matching_steps(std::span<const Intent> intents, const LearnedTrace& trace, const features::Schema& schema) {
  std::string out = "{\"steps\": [\n";
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const LearnedStep& step = trace.steps[i];
    const PlanarRoot& root = step.root;
    const Json line{{"intent", describe_intent(intents[i], schema)},
                    {"state", numbers(step.state)},
                    {"query", numbers(step.query)},
                    {"switched", step.switched},
                    {"y", numbers(step.output)},
                    {"root", {number(root.position.x), number(root.position.z), number(root.facing_rad)}},
                    {"contacts", numbers(step.contacts)},
                    {"pose", describe_pose(step.pose)},
                    {"displayed", describe_pose(step.displayed)}};
    out += line.dump() + (i + 1 < trace.steps.size() ? ",\n" : "\n");
  }
  return out + "]}\n";
}

}  // namespace

Result<EngineExport> export_matching(const ControllerParts& files, const ControllerConfig& config, const fs::path& run,
                                     const fs::path& folder) {
  ZOE_TRY_ASSIGN(LearnedMatchingParts parts, load_learned_matching(files, config));
  if (parts.style_points.dims > 0)
    return Error{
        ErrorCode::kUnsupported, "learned motion matching with styles or actions has no form for engines yet", {}};
  const auto named = [&](const Error& error) { return cannot_export("type 'lmm': " + error.message, run); };
  if (const auto fits = check_outputs(parts.layout); !fits) return named(fits.error());
  if (const auto fits = check_scales(parts.body); !fits) return named(fits.error());
  auto features = describe_block(parts.layout, BlockKind::kInput, "features",
                                 {parts.normalisation.means, parts.normalisation.spreads, {}});
  if (!features) return named(features.error());
  auto output = describe_block(parts.layout, BlockKind::kOutput, "y", {});
  if (!output) return named(output.error());
  // ONNX is float32, and so are the networks of the test vector.
  std::vector<std::pair<std::string, nn::Graph>> graphs;
  for (const auto& [file, network] :
       {std::pair(kStepperFile, &parts.stepper), std::pair(kDecompressorFile, &parts.decompressor),
        std::pair(kProjectorFile, &parts.projector)}) {
    ZOE_TRY_ASSIGN(const Safetensors part, files.tensors(file));
    ZOE_TRY_ASSIGN(const nn::Graph stored, nn::read_graph(part));
    graphs.emplace_back(fs::path(file).stem().string() + ".onnx", nn::with_weight_type(stored, nn::WeightType::kF32));
    ZOE_TRY_ASSIGN(*network, nn::Network::compile(graphs.back().second));
  }
  const features::Schema& schema = parts.layout.schema();
  const std::vector<Intent> intents = test_intents(parts.body.motion_range, schema);
  ZOE_TRY_ASSIGN(const LearnedTrace trace, trace_learned_steps(parts, intents));

  EngineExport out{
      config.type, static_cast<int>(trace.start.size()), parts.layout.width(BlockKind::kOutput), kEngineSteps, {}};
  ZOE_TRY(create_folder(folder));
  for (const auto& [name, graph] : graphs) {
    ZOE_TRY(nn::write_onnx(folder / name, graph));
    out.files.push_back(name);
  }
  Json columns;
  columns["inputs"].push_back(std::move(*features));
  columns["outputs"].push_back(std::move(*output));
  StepShape shape;
  shape.decoded = trace.decoded;
  const std::pair<const char*, std::string> texts[] = {
      {"columns.json", columns.dump(1) + "\n"},
      {"body.json", describe_body(parts.body, shape).dump(1) + "\n"},
      {"constants.json", matching_constants(parts, trace, config.licence).dump(1) + "\n"},
      {"steps.json", matching_steps(intents, trace, schema)},
      {"README.md", matching_text()}};
  ZOE_TRY(write_texts(folder, texts, out));
  return out;
}

}  // namespace zoe::author
