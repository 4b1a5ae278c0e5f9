// SPDX-License-Identifier: MIT
#include "export_description.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/control/body.h"
#include "zoe/core/file.h"
#include "zoe/core/lines.h"
#include "zoe/features/layout.h"
#include "zoe/nn/network.h"
#include "zoe/nn/quantize.h"
#include "zoe/store/config_value.h"

#include "export_sizes.h"

namespace zoe::cli {
namespace {

using Json = nlohmann::ordered_json;

// Of a column by its name (zoe/features/layout.h); null: unknown.
Json unit_of(const std::string& column) {
  const auto has = [&](const char* word) { return column.find(word) != std::string::npos; };
  if (has("root.delta")) return nullptr;  // The layout scales them.
  if (has("angular") || has("turn_speed") || (has("velocity") && has("turn"))) return "rad/s";
  if (has("rotation_log")) return "rad";
  if (has("velocity") || has("speed")) return "m/s";
  if (has("position") || has("height") || has("terrain") || has("guidance")) return "m";
  if (has("phase.global") || has("phase.delta")) return "turns";
  for (const char* word : {"axis", "direction", "contact", "phase", "style", "action"}) {
    if (has(word)) return "1";
  }
  return nullptr;
}

// Names of a port's columns: those that training stored, else those of the layout and the body beside the network.
std::vector<std::string> columns_of(const nn::Graph& graph, const nn::Port& port,
                                    const std::filesystem::path& network) {
  if (const auto stored = graph.metadata.find("columns." + port.name); stored != graph.metadata.end())
    return lines_of(stored->second);
  const auto text = graph.metadata.find("layout");
  const std::filesystem::path body_file = network.parent_path() / "body.safetensors";
  if (text == graph.metadata.end() || !std::filesystem::exists(body_file)) return {};
  const Result<control::Body> body = control::load_body(body_file);
  if (!body) return {};
  const Result<features::Layout> layout = features::Layout::from_toml(text->second, *body->skeleton);
  if (!layout) return {};
  return column_names(*layout, port.name == "x"   ? features::BlockKind::kInput
                               : port.name == "y" ? features::BlockKind::kOutput
                                                  : features::BlockKind::kCondition);
}

struct Scaling {
  std::vector<float> mean, spread;
};

// Mean and spread of a port: of the normalisation that reads an input, or of the one that makes an output. Empty: none.
Scaling scaling_of(const nn::Graph& graph, const nn::Port& port, bool input) {
  int value = static_cast<int>(graph.inputs.size());
  for (const nn::Node& node : graph.nodes) {
    const bool found = input ? node.op == nn::Op::kNormalize && node.inputs[0] == port.value
                             : node.op == nn::Op::kDenormalize && value == port.value;
    if (found)
      return {graph.weights[static_cast<std::size_t>(node.weights[0])].to_floats(),
              graph.weights[static_cast<std::size_t>(node.weights[1])].to_floats()};
    value += node.op == nn::Op::kLstmCell ? 2 : 1;
  }
  return {};
}

Json number(float value) { return shortest_double(value); }

// [items of the port as rows] without the batch where it always has one row.
Json table(std::span<const float> values, nn::Shape shape, bool single) {
  Json rows = Json::array();
  for (int step = 0; step < shape.steps; ++step) {
    Json row = Json::array();
    for (int k = 0; k < shape.width; ++k)
      row.push_back(number(values[static_cast<std::size_t>(step * shape.width + k)]));
    rows.push_back(std::move(row));
  }
  return single ? rows[0] : rows;
}

Json describe(const nn::Graph& graph, const nn::Port& port, bool input, const std::filesystem::path& network) {
  Json out{{"name", port.name}, {"type", "float32"}};
  const nn::RowCount rows = port.shape.rows();
  if (rows.is(1)) {
    out["shape"] = {"batch", port.shape.width};
  } else {
    out["shape"] = {"batch", rows.fixed() ? Json(*rows.fixed()) : Json(rows.text(graph.dims)), port.shape.width};
  }
  if (!input) {
    for (const nn::Port& other : graph.inputs) {
      if (other.name == port.name) out["name_in_onnx"] = port.name + "_1";  // Names are unique there.
    }
  }
  std::vector<std::string> names = columns_of(graph, port, network);
  const auto width = static_cast<std::size_t>(port.shape.width);
  if (names.size() != width) names.clear();
  const Scaling scaling = scaling_of(graph, port, input);
  Json columns = Json::array();
  for (std::size_t k = 0; k < width; ++k) {
    Json column{{"name", names.empty() ? fmt::format("{} {}", port.name, k) : names[k]},
                {"unit", names.empty() ? Json(nullptr) : unit_of(names[k])}};
    if (scaling.mean.size() == width && scaling.spread.size() == width) {
      column["mean"] = number(scaling.mean[k]);
      column["spread"] = number(scaling.spread[k]);
    }
    columns.push_back(std::move(column));
  }
  out["columns"] = std::move(columns);
  return out;
}

}  // namespace

std::filesystem::path description_path(const std::filesystem::path& output) { return output.string() + ".json"; }

Result<void> write_description(const std::filesystem::path& output, const nn::Graph& graph,
                               const std::filesystem::path& network) {
  Json json{{"format", "zoe network description"}, {"version", 1}, {"file", output.filename().string()}};
  for (const char* key : {"model", "licence", "step"}) {
    if (const auto found = graph.metadata.find(key); found != graph.metadata.end()) json[key] = found->second;
  }
  json["note"] =
      "Values are in the units of the columns. Normalisation by mean and spread is part of the network: do not apply "
      "it "
      "again.";
  json["inputs"] = json["outputs"] = Json::array();
  for (const nn::Port& port : graph.inputs) json["inputs"].push_back(describe(graph, port, true, network));
  for (const nn::Port& port : graph.outputs) json["outputs"].push_back(describe(graph, port, false, network));

  ZOE_TRY_ASSIGN(const SizedGraph sized, with_example_sizes(graph));
  const std::vector<std::vector<float>> items = nn::made_up_inputs(sized.graph, 1, /*seed=*/1);
  ZOE_TRY_ASSIGN(const nn::NetworkPtr compiled, nn::Network::compile(sized.graph));
  nn::NetworkState state = nn::make_state(*compiled, 1);
  std::vector<std::vector<float>> results;
  for (const nn::Port& port : sized.graph.outputs) results.emplace_back(port.shape.size());
  const std::vector<std::span<const float>> in(items.begin(), items.end());
  const std::vector<std::span<float>> out(results.begin(), results.end());
  nn::NetworkJob job{.network = compiled.get(), .state = &state, .batch = 1, .inputs = in, .outputs = out};
  if (!job.run()) return Error{ErrorCode::kInvalid, "the network does not run", {.file = network.string()}};
  Json example{{"batch", 1}, {"tolerance", 1e-5}};
  for (const nn::DimSize& size : sized.sizes) example["sizes"][std::string(size.name)] = size.size;
  example["inputs"] = example["outputs"] = Json::object();
  for (std::size_t i = 0; i < items.size(); ++i)
    example["inputs"][graph.inputs[i].name] =
        table(items[i], sized.graph.inputs[i].shape, graph.inputs[i].shape.rows().is(1));
  for (std::size_t i = 0; i < results.size(); ++i)
    example["outputs"][graph.outputs[i].name] =
        table(results[i], sized.graph.outputs[i].shape, graph.outputs[i].shape.rows().is(1));
  json["example"] = std::move(example);
  return write_file_atomic(description_path(output), json.dump(1) + "\n");
}

}  // namespace zoe::cli
