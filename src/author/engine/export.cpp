// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

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

namespace zoe::author {
namespace {

namespace fs = std::filesystem;
using control::Intent;
using features::BlockKind;

constexpr int kSteps = 60;

Error unsupported(std::string message, const fs::path& run) {
  return {ErrorCode::kUnsupported, std::move(message), {.file = run.string()}};
}

// Walks, turns by a velocity and by a facing, several moments ahead, labels: everything an intent has, and never a
// stand, which is no step of the model.
std::vector<Intent> test_intents(const control::MotionRange& range, const features::Schema& schema) {
  std::vector<Intent> intents;
  for (int i = 0; i < kSteps; ++i) {
    const float pace = range.pace_mps, angle = 0.03F * static_cast<float>(i - 15);
    Intent intent = Intent::move({0, 0, pace});
    if (i >= 15) intent = Intent::move({pace * std::sin(angle), 0, pace * std::cos(angle)});
    if (i >= 35) {
      intent.num_wanted = 2;
      intent.wanted[1] = {0.4F, {0.7F * pace, 0, 0.4F * pace}, 1.2F};
    }
    if (i >= 48) intent = Intent::move({0.9F * pace, 0, -0.2F * pace}, 1.5F);
    if (i >= 10 && i < 40 && !schema.styles.empty()) intent.styles[0] = 1;
    if (i >= 25 && i < 32 && !schema.actions.empty()) intent.actions[schema.actions.size() - 1] = 0.5F;
    intents.push_back(intent);
  }
  return intents;
}

Json describe_intent(const Intent& intent, const features::Schema& schema) {
  Json wanted = Json::array();
  for (int i = 0; i < intent.num_wanted; ++i) {
    const control::WantedMotion& moment = intent.wanted[idx(i)];
    wanted.push_back({{"time_s", number(moment.time_s)},
                      {"velocity_mps", {number(moment.velocity_mps.x), number(moment.velocity_mps.z)}},
                      {"facing_rad", moment.facing_rad ? Json(number(*moment.facing_rad)) : Json()}});
  }
  return {{"wanted", wanted},
          {"styles", numbers(std::span(intent.styles).first(schema.styles.size()))},
          {"actions", numbers(std::span(intent.actions).first(schema.actions.size()))}};
}

Json describe_pose(const Pose& pose) {
  Json translations = Json::array(), rotations = Json::array();
  for (const Vec3& translation : pose.translations) translations.push_back(vector(translation));
  for (const Quat& rotation : pose.rotations) rotations.push_back(quaternion(rotation));
  return {{"translations", translations}, {"rotations", rotations}};
}

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

// What decoding needs, in the form that the text describes.
Result<void> check_outputs(const features::Layout& layout) {
  int poses = 0, roots = 0, contacts = 0;
  for (const features::Channel& channel : layout.schema().block(BlockKind::kOutput).channels) {
    const auto has = [&](features::Part part) {
      return std::find(channel.parts.begin(), channel.parts.end(), part) != channel.parts.end();
    };
    if (channel.group == features::Group::kJoint) {
      using features::Part;
      poses += has(Part::kPosition) && has(Part::kYAxis) && has(Part::kZAxis) ? 1 : 2;
    }
    roots += channel.group == features::Group::kRootDelta ? 1 : 0;
    contacts += channel.group == features::Group::kContact ? 1 : 0;
  }
  if (poses == 1 && roots == 1 && contacts == 1) return {};
  return Error{ErrorCode::kUnsupported,
               "its outputs are not one pose (position, y_axis, z_axis), one root.delta and one contact channel",
               {}};
}

Result<void> check_scales(const control::Body& body) {
  for (int j = 0; j < body.skeleton->num_joints(); ++j) {
    if (distance(body.start.scales.empty() ? Vec3{1, 1, 1} : body.start.scales[idx(j)], Vec3{1, 1, 1}) > 1e-5F) {
      return Error{ErrorCode::kUnsupported,
                   "a joint of the body is scaled, which the export does not describe",
                   {.joint = body.skeleton->name(j)}};
    }
  }
  return {};
}

}  // namespace

Result<EngineExport> export_for_engine(const fs::path& run, const fs::path& folder) {
  ZOE_TRY_ASSIGN(const control::ControllerParts files, control::ControllerParts::open(run));
  ZOE_TRY_ASSIGN(const control::ControllerConfig config, control::load_controller_config(run));
  if (config.type == "mm") {
    return unsupported("type 'mm' plays its clips and has no network; export it with zoe export RUN OUT.zoe", run);
  }
  if (config.type == "lmm") {
    return unsupported(
        "type 'lmm' searches with three networks, and the exported step has one; export it with zoe export RUN OUT.zoe",
        run);
  }
  ZOE_TRY(control::load_controller(run));  // A controller that does not load is not exported.
  ZOE_TRY_ASSIGN(const Safetensors network_file, files.tensors(config.network));
  ZOE_TRY_ASSIGN(control::NeuralParts parts, control::load_neural_parts(files, config));
  // ONNX is float32. The test vector is of the same numbers, so that small weights make no difference.
  ZOE_TRY_ASSIGN(const nn::Graph stored, nn::read_graph(network_file));
  const nn::Graph graph = nn::with_weight_type(stored, nn::WeightType::kF32);
  ZOE_TRY_ASSIGN(parts.network, nn::Network::compile(graph));
  const auto named = [&](const Error& error) {
    return unsupported(fmt::format("type '{}': {}", config.type, error.message), run);
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
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return Error{ErrorCode::kIo, "cannot create the folder: " + error.message(), {.file = folder.string()}};
  ZOE_TRY(nn::write_onnx(folder / "network.onnx", graph));
  const std::pair<const char*, std::string> texts[] = {
      {"columns.json", columns.dump(1) + "\n"},
      {"body.json", describe_body(parts.body, shape).dump(1) + "\n"},
      {"constants.json", describe_constants(parts, shape, layout.fps(), config.licence).dump(1) + "\n"},
      {"steps.json", describe_steps(intents, steps, layout.schema())},
      {"README.md", step_text(parts)}};
  EngineExport out{
      config.type, layout.width(BlockKind::kInput), layout.width(BlockKind::kOutput), kSteps, {"network.onnx"}};
  for (const auto& [name, text] : texts) {
    ZOE_TRY(write_file_atomic(folder / name, text));
    out.files.emplace_back(name);
  }
  return out;
}

}  // namespace zoe::author
