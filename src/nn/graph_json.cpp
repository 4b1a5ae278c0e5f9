// SPDX-License-Identifier: MIT
#include "nn/graph_json.h"

#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/core/suggest.h"
#include "zoe/nn/graph_file.h"

#include "nn/op_table.h"

namespace zoe::nn {
namespace {

using Json = nlohmann::json;
using Ordered = nlohmann::ordered_json;

constexpr std::size_t kMaxText = std::size_t{8} << 20;
constexpr int kMaxDepth = 6;
constexpr std::size_t kMaxName = 256;

Error bad(std::string message) { return {ErrorCode::kInvalid, std::move(message)}; }

Result<int> int_of(const Json& json, const char* what) {
  if (!json.is_number_integer()) return bad(fmt::format("'{}' must be a whole number", what));
  if (json.is_number_unsigned() ? json.get<std::uint64_t>() > INT32_MAX
                                : (json.get<std::int64_t>() < INT32_MIN || json.get<std::int64_t>() > INT32_MAX)) {
    return bad(fmt::format("'{}' is out of range", what));
  }
  return json.get<int>();
}
Result<int> int_at(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) return bad(fmt::format("'{}' is missing", key));
  return int_of(*found, key);
}
Result<std::string> name_of(const Json& json, const char* what) {
  if (!json.is_string() || json.get_ref<const std::string&>().empty() ||
      json.get_ref<const std::string&>().size() > kMaxName) {
    return bad(fmt::format("'{}' must be a text of 1 to {} bytes", what, kMaxName));
  }
  return json.get<std::string>();
}
Result<std::string> name_at(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) return bad(fmt::format("'{}' is missing", key));
  return name_of(*found, key);
}
Result<const Json*> array_at(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_array()) return bad(fmt::format("'{}' must be a list", key));
  return &*found;
}

// Attributes by name: which bit of the table allows them, and how they are read and written.
struct Field {
  const char* name;
  std::uint16_t bit;
  Result<void> (*read)(const Json&, Attributes&);
  Ordered (*write)(const Attributes&);  // Null: the default, left out.
};

template <int Attributes::*member>
Result<void> read_int(const Json& json, Attributes& a) {
  ZOE_TRY_ASSIGN(a.*member, int_of(json, "attribute"));
  return {};
}
template <int Attributes::*member>
Ordered write_int(const Attributes& a) {
  return a.*member == Attributes{}.*member ? Ordered(nullptr) : Ordered(a.*member);
}
template <float Attributes::*member>
Result<void> read_float(const Json& json, Attributes& a) {
  if (!json.is_number()) return bad("an attribute must be a number");
  a.*member = json.get<float>();
  return {};
}
template <float Attributes::*member>
Ordered write_float(const Attributes& a) {
  return a.*member == Attributes{}.*member ? Ordered(nullptr) : Ordered(a.*member);
}
Result<void> read_activation(const Json& json, Attributes& a) {
  ZOE_TRY_ASSIGN(const std::string name, name_of(json, "activation"));
  const auto found = find_activation(name);
  if (!found) return bad(fmt::format("unknown activation '{}'", name));
  a.activation = *found;
  return {};
}
Ordered write_activation(const Attributes& a) {
  return a.activation == Activation::kNone ? Ordered(nullptr) : Ordered(to_string(a.activation));
}
Result<void> read_causal(const Json& json, Attributes& a) {
  if (!json.is_boolean()) return bad("'causal' must be true or false");
  a.causal = json.get<bool>();
  return {};
}
Ordered write_causal(const Attributes& a) { return a.causal ? Ordered(true) : Ordered(nullptr); }

const Field kFields[] = {
    {"activation", kHasActivation, read_activation, write_activation},
    {"alpha", kHasActivation, read_float<&Attributes::alpha>, write_float<&Attributes::alpha>},
    {"epsilon", kHasEpsilon, read_float<&Attributes::epsilon>, write_float<&Attributes::epsilon>},
    {"begin", kHasRange, read_int<&Attributes::begin>, write_int<&Attributes::begin>},
    {"end", kHasRange, read_int<&Attributes::end>, write_int<&Attributes::end>},
    {"group", kHasGroup, read_int<&Attributes::group>, write_int<&Attributes::group>},
    {"heads", kHasHeads, read_int<&Attributes::heads>, write_int<&Attributes::heads>},
    {"causal", kHasHeads, read_causal, write_causal},
    {"stride", kHasConv, read_int<&Attributes::stride>, write_int<&Attributes::stride>},
    {"padding", kHasConv, read_int<&Attributes::padding>, write_int<&Attributes::padding>},
    {"dilation", kHasConv, read_int<&Attributes::dilation>, write_int<&Attributes::dilation>},
    {"steps", kHasShape, read_int<&Attributes::steps>, write_int<&Attributes::steps>},
    {"width", kHasShape, read_int<&Attributes::width>, write_int<&Attributes::width>},
};

using WeightIds = std::map<std::string, int, std::less<>>;

Result<void> read_weights(const Json& json, const OpInfo& info, WeightIds& ids, Graph& graph, Node& node) {
  if (!json.is_object()) return bad("'weights' must be an object of roles");
  for (const auto& [role, value] : json.items()) {
    int slot = -1;
    for (int i = 0; i < num_roles(info); ++i) {
      if (role == info.weights[static_cast<std::size_t>(i)]) slot = i;
    }
    if (slot < 0) return bad(fmt::format("{} has no weight called '{}'", info.name, role));
    ZOE_TRY_ASSIGN(std::string name, name_of(value, "weight"));
    const auto [found, fresh] = ids.emplace(std::move(name), static_cast<int>(graph.weights.size()));
    if (fresh) {
      graph.weights.emplace_back();
      graph.weights.back().name = found->first;
    }
    node.weights[static_cast<std::size_t>(slot)] = found->second;
  }
  return {};
}

Result<Node> read_node(const Json& json, WeightIds& ids, Graph& graph) {
  if (!json.is_object()) return bad("a node must be an object");
  ZOE_TRY_ASSIGN(const std::string name, name_at(json, "op"));
  const OpInfo* info = find_op(name);
  if (info == nullptr) {
    std::vector<std::string> known;
    for (const OpInfo& op : op_table()) known.emplace_back(op.name);
    return Error{ErrorCode::kUnsupported, fmt::format("unknown operation '{}'{}", name, did_you_mean(name, known))};
  }
  Node node;
  node.op = info->op;
  node.weights.assign(static_cast<std::size_t>(num_roles(*info)), -1);
  for (const auto& [key, value] : json.items()) {
    if (key == "op") continue;
    if (key == "in") {
      if (!value.is_array() || value.size() > kMaxInputs)
        return bad(fmt::format("{}: 'in' must be a list of values", name));
      for (const Json& id : value) {
        ZOE_TRY_ASSIGN(const int number, int_of(id, "in"));
        node.inputs.push_back(number);
      }
    } else if (key == "weights") {
      ZOE_TRY(read_weights(value, *info, ids, graph, node));
    } else {
      const Field* field = nullptr;
      for (const Field& f : kFields) {
        if (key == f.name && (info->attributes & f.bit) != 0) field = &f;
      }
      if (field == nullptr) return bad(fmt::format("{} has no attribute '{}'", name, key));
      ZOE_TRY(field->read(value, node.attributes));
    }
  }
  return node;
}

Result<Graph> read_all(const Json& json) {
  if (!json.is_object()) return bad("the network is not a JSON object");
  ZOE_TRY_ASSIGN(const int version, int_at(json, "version"));
  if (version != kGraphVersion) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("network version {}; this program reads {}: export the model again, or "
                             "use a newer zoe",
                             version, kGraphVersion)};
  }
  Graph graph;
  ZOE_TRY_ASSIGN(const Json* inputs, array_at(json, "inputs"));
  ZOE_TRY_ASSIGN(const Json* nodes, array_at(json, "nodes"));
  ZOE_TRY_ASSIGN(const Json* outputs, array_at(json, "outputs"));
  for (const Json& port : *inputs) {
    if (!port.is_object()) return bad("an input must be an object");
    Port input;
    ZOE_TRY_ASSIGN(input.name, name_at(port, "name"));
    ZOE_TRY_ASSIGN(input.shape.steps, int_at(port, "steps"));
    ZOE_TRY_ASSIGN(input.shape.width, int_at(port, "width"));
    input.value = static_cast<int>(graph.inputs.size());
    graph.inputs.push_back(std::move(input));
  }
  WeightIds ids;
  for (std::size_t i = 0; i < nodes->size(); ++i) {
    Result<Node> node = read_node((*nodes)[i], ids, graph);
    if (!node) {
      Error error = std::move(node).error();
      error.message = fmt::format("node {}: {}", i, error.message);
      return error;
    }
    graph.nodes.push_back(std::move(*node));
  }
  for (const Json& port : *outputs) {
    if (!port.is_object()) return bad("an output must be an object");
    Port output;
    ZOE_TRY_ASSIGN(output.name, name_at(port, "name"));
    ZOE_TRY_ASSIGN(output.value, int_at(port, "value"));
    graph.outputs.push_back(std::move(output));
  }
  return graph;
}

}  // namespace

std::string graph_to_json(const Graph& graph) {
  Ordered json;
  json["version"] = kGraphVersion;
  json["inputs"] = Ordered::array();
  for (const Port& port : graph.inputs) {
    json["inputs"].push_back({{"name", port.name}, {"steps", port.shape.steps}, {"width", port.shape.width}});
  }
  json["nodes"] = Ordered::array();
  for (const Node& node : graph.nodes) {
    const OpInfo& info = op_info(node.op);
    Ordered entry{{"op", info.name}};
    entry["in"] = node.inputs;
    for (std::size_t i = 0; i < node.weights.size(); ++i) {
      if (node.weights[i] < 0) continue;
      entry["weights"][info.weights[i]] = graph.weights[static_cast<std::size_t>(node.weights[i])].name;
    }
    for (const Field& field : kFields) {
      if ((info.attributes & field.bit) == 0) continue;
      Ordered value = field.write(node.attributes);
      if (!value.is_null()) entry[field.name] = std::move(value);
    }
    json["nodes"].push_back(std::move(entry));
  }
  json["outputs"] = Ordered::array();
  for (const Port& port : graph.outputs) json["outputs"].push_back({{"name", port.name}, {"value", port.value}});
  return json.dump(-1, ' ', false, Ordered::error_handler_t::replace);
}

Result<Graph> graph_from_json(std::string_view text) {
  if (text.size() > kMaxText) return Error{ErrorCode::kLimit, "the network's description exceeds 8 MB"};
  bool too_deep = false;
  const auto callback = [&](int depth, Json::parse_event_t, Json&) {
    too_deep = too_deep || depth > kMaxDepth;
    return !too_deep;  // Discards what lies deeper.
  };
  const Json json = Json::parse(text.begin(), text.end(), callback, false);
  if (too_deep) return Error{ErrorCode::kLimit, "the network's description is nested too deeply"};
  if (json.is_discarded()) return Error{ErrorCode::kSyntax, "the network's description is not valid JSON"};
  return read_all(json);
}

}  // namespace zoe::nn
