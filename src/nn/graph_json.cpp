// SPDX-License-Identifier: MIT
#include "nn/graph_json.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "zoe/core/json_text.h"
#include "zoe/core/suggest.h"
#include "zoe/store/json.h"

#include "nn/op_table.h"

namespace zoe::nn {
namespace {

constexpr std::size_t kMaxText = std::size_t{8} << 20;
constexpr std::size_t kMaxDepth = 6;
constexpr std::size_t kMaxName = 256;

Error bad(std::string message) { return {ErrorCode::kInvalid, std::move(message)}; }

Result<int> int_of(JsonValue json, const char* what) {
  const std::optional<std::int64_t> value = json.integer();
  if (!value) return bad(fmt::format("'{}' must be a whole number", what));
  if (*value < INT32_MIN || *value > INT32_MAX) return bad(fmt::format("'{}' is out of range", what));
  return static_cast<int>(*value);
}
Result<int> int_at(JsonValue object, const char* key) {
  const std::optional<JsonValue> found = object.member(key);
  if (!found) return bad(fmt::format("'{}' is missing", key));
  return int_of(*found, key);
}
Result<std::string> name_of(JsonValue json, const char* what) {
  std::string storage;
  const std::optional<std::string_view> text = json.string(storage);
  if (!text || text->empty() || text->size() > kMaxName)
    return bad(fmt::format("'{}' must be a text of 1 to {} bytes", what, kMaxName));
  return std::string(*text);
}
Result<std::string> name_at(JsonValue object, const char* key) {
  const std::optional<JsonValue> found = object.member(key);
  if (!found) return bad(fmt::format("'{}' is missing", key));
  return name_of(*found, key);
}
Result<JsonValue> array_at(JsonValue object, const char* key) {
  const std::optional<JsonValue> found = object.member(key);
  if (!found || !found->is_array()) return bad(fmt::format("'{}' must be a list", key));
  return *found;
}

// Members by name: the order of weights, and so the graph, must not depend on the order in the text.
using Members = std::vector<std::pair<std::string, JsonValue>>;
Result<Members> sorted_members(JsonValue object) {
  Members members;
  std::string storage;
  object.each_member(storage, [&](std::string_view name, JsonValue value) {
    members.emplace_back(name, value);
    return true;
  });
  const auto by_name = [](const auto& a, const auto& b) { return a.first < b.first; };
  std::sort(members.begin(), members.end(), by_name);
  const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
  const auto twice = std::adjacent_find(members.begin(), members.end(), same);
  if (twice != members.end()) return bad(fmt::format("'{}' appears twice", twice->first));
  return members;
}

// Visits elements until one fails: visit(element) gives Result<void>.
template <typename Visit>
Result<void> each_element(JsonValue list, const Visit& visit) {
  Result<void> result;
  list.each_element([&](JsonValue element) {
    result = visit(element);
    return static_cast<bool>(result);
  });
  return result;
}

// Attributes by name: their bit in the table, and how they are read and written.
struct Field {
  const char* name;
  std::uint16_t bit;
  Result<void> (*read)(JsonValue, const Graph&, Attributes&);
  // Appends the value as JSON. Appends nothing for the default, which is omitted.
  void (*write)(const Attributes&, const Graph&, std::string& json);
};

template <int Attributes::*member>
Result<void> read_int(JsonValue json, const Graph&, Attributes& a) {
  ZOE_TRY_ASSIGN(a.*member, int_of(json, "attribute"));
  return {};
}
template <int Attributes::*member>
void write_int(const Attributes& a, const Graph&, std::string& json) {
  if (a.*member != Attributes{}.*member) json += fmt::format("{}", a.*member);
}
template <float Attributes::*member>
Result<void> read_float(JsonValue json, const Graph&, Attributes& a) {
  const std::optional<double> value = json.number();
  if (!value || !std::isfinite(*value)) return bad("an attribute must be a number");
  a.*member = static_cast<float>(*value);
  return {};
}
template <float Attributes::*member>
void write_float(const Attributes& a, const Graph&, std::string& json) {
  if (a.*member != Attributes{}.*member) append_json_number(json, static_cast<double>(a.*member));
}
// A number, or a text with names of dimensions.
Result<RowCount> rows_of(JsonValue json, const Graph& graph, const char* what) {
  if (json.integer()) {
    ZOE_TRY_ASSIGN(const int number, int_of(json, what));
    return RowCount(number);
  }
  std::string storage;
  const std::optional<std::string_view> text = json.string(storage);
  if (!text) return bad(fmt::format("'{}' must be a whole number", what));
  const std::optional<RowCount> rows = RowCount::parse(*text, graph.dims);
  if (!rows) return bad(fmt::format("'{}' is not a number of rows in the network's dimensions: '{}'", what, *text));
  return *rows;
}
void append_rows(const RowCount& rows, const Graph& graph, std::string& json) {
  if (rows.fixed()) {
    json += fmt::format("{}", *rows.fixed());
  } else {
    append_json_string(json, rows.text(graph.dims));
  }
}
template <RowCount Attributes::*member>
Result<void> read_rows(JsonValue json, const Graph& graph, Attributes& a) {
  ZOE_TRY_ASSIGN(a.*member, rows_of(json, graph, "attribute"));
  return {};
}
template <RowCount Attributes::*member>
void write_rows(const Attributes& a, const Graph& graph, std::string& json) {
  if (!(a.*member).empty()) append_rows(a.*member, graph, json);
}
// Steps of a reshape: a number, or rows by dimensions.
Result<void> read_steps(JsonValue json, const Graph& graph, Attributes& a) {
  ZOE_TRY_ASSIGN(const RowCount rows, rows_of(json, graph, "attribute"));
  if (rows.fixed()) {
    a.steps = *rows.fixed();
  } else {
    a.rows = rows;
  }
  return {};
}
void write_steps(const Attributes& a, const Graph& graph, std::string& json) {
  if (!a.rows.empty()) return append_rows(a.rows, graph, json);
  if (a.steps != Attributes{}.steps) json += fmt::format("{}", a.steps);
}
Result<void> read_activation(JsonValue json, const Graph&, Attributes& a) {
  ZOE_TRY_ASSIGN(const std::string name, name_of(json, "activation"));
  const auto found = find_activation(name);
  if (!found) return bad(fmt::format("unknown activation '{}'", name));
  a.activation = *found;
  return {};
}
void write_activation(const Attributes& a, const Graph&, std::string& json) {
  if (a.activation != Activation::kNone) append_json_string(json, to_string(a.activation));
}
template <bool Attributes::*member>
Result<void> read_flag(JsonValue json, const Graph&, Attributes& a) {
  const std::optional<bool> value = json.boolean();
  if (!value) return bad("an attribute must be true or false");
  a.*member = *value;
  return {};
}
template <bool Attributes::*member>
void write_flag(const Attributes& a, const Graph&, std::string& json) {
  if (a.*member) json += "true";
}

const Field kFields[] = {
    {"activation", kHasActivation, read_activation, write_activation},
    {"alpha", kHasActivation, read_float<&Attributes::alpha>, write_float<&Attributes::alpha>},
    {"epsilon", kHasEpsilon, read_float<&Attributes::epsilon>, write_float<&Attributes::epsilon>},
    {"begin", kHasRange, read_int<&Attributes::begin>, write_int<&Attributes::begin>},
    {"end", kHasRange, read_int<&Attributes::end>, write_int<&Attributes::end>},
    {"group", kHasGroup, read_int<&Attributes::group>, write_int<&Attributes::group>},
    {"heads", kHasHeads, read_int<&Attributes::heads>, write_int<&Attributes::heads>},
    {"causal", kHasHeads, read_flag<&Attributes::causal>, write_flag<&Attributes::causal>},
    {"stride", kHasConv, read_int<&Attributes::stride>, write_int<&Attributes::stride>},
    {"padding", kHasConv, read_int<&Attributes::padding>, write_int<&Attributes::padding>},
    {"dilation", kHasConv, read_int<&Attributes::dilation>, write_int<&Attributes::dilation>},
    {"steps", kHasShape, read_steps, write_steps},
    {"width", kHasShape, read_int<&Attributes::width>, write_int<&Attributes::width>},
    {"over", kHasAxis, read_rows<&Attributes::over>, write_rows<&Attributes::over>},
    {"inner", kHasAxis, read_rows<&Attributes::inner>, write_rows<&Attributes::inner>},
    {"kv_heads", kHasExtras, read_int<&Attributes::kv_heads>, write_int<&Attributes::kv_heads>},
    {"before", kHasExtras, read_int<&Attributes::before>, write_int<&Attributes::before>},
    {"after", kHasExtras, read_int<&Attributes::after>, write_int<&Attributes::after>},
    {"first", kHasExtras, read_int<&Attributes::first>, write_int<&Attributes::first>},
    {"shared_keys", kHasExtras, read_flag<&Attributes::shared_keys>, write_flag<&Attributes::shared_keys>},
    {"bias", kHasExtras, read_flag<&Attributes::bias>, write_flag<&Attributes::bias>},
    {"mask", kHasExtras, read_flag<&Attributes::mask>, write_flag<&Attributes::mask>},
    {"relations", kHasExtras, read_flag<&Attributes::relations>, write_flag<&Attributes::relations>},
    {"relation_values", kHasExtras, read_flag<&Attributes::relation_values>, write_flag<&Attributes::relation_values>},
    {"period", kHasPeriod, read_float<&Attributes::period>, write_float<&Attributes::period>},
    {"interleaved", kHasInterleaved, read_flag<&Attributes::interleaved>, write_flag<&Attributes::interleaved>},
    {"groups", kHasGroups, read_int<&Attributes::groups>, write_int<&Attributes::groups>},
    {"maximum", kHasMaximum, read_flag<&Attributes::maximum>, write_flag<&Attributes::maximum>},
    {"stride", kHasUpsample, read_int<&Attributes::stride>, write_int<&Attributes::stride>},
    {"bilinear", kHasUpsample, read_flag<&Attributes::bilinear>, write_flag<&Attributes::bilinear>},
};

using WeightIds = std::map<std::string, int, std::less<>>;

Result<void> read_weights(JsonValue json, const OpInfo& info, WeightIds& ids, Graph& graph, Node& node) {
  if (!json.is_object()) return bad("'weights' must be an object of roles");
  ZOE_TRY_ASSIGN(const Members members, sorted_members(json));
  for (const auto& [role, value] : members) {
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

Result<Node> read_node(JsonValue json, WeightIds& ids, Graph& graph) {
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
  ZOE_TRY_ASSIGN(const Members members, sorted_members(json));
  for (const auto& [key, value] : members) {
    if (key == "op") continue;
    if (key == "in") {
      const Error not_a_list = bad(fmt::format("{}: 'in' must be a list of values", name));
      if (!value.is_array()) return not_a_list;
      ZOE_TRY(each_element(value, [&](JsonValue id) -> Result<void> {
        if (node.inputs.size() == std::size_t{kMaxInputs}) return not_a_list;
        ZOE_TRY_ASSIGN(const int number, int_of(id, "in"));
        node.inputs.push_back(number);
        return {};
      }));
    } else if (key == "weights") {
      ZOE_TRY(read_weights(value, *info, ids, graph, node));
    } else {
      const Field* field = nullptr;
      for (const Field& f : kFields) {
        if (key == f.name && (info->attributes & f.bit) != 0) field = &f;
      }
      if (field == nullptr) return bad(fmt::format("{} has no attribute '{}'", name, key));
      ZOE_TRY(field->read(value, graph, node.attributes));
    }
  }
  return node;
}

Result<void> read_input(JsonValue json, Graph& graph) {
  if (!json.is_object()) return bad("an input must be an object");
  Port input;
  ZOE_TRY_ASSIGN(input.name, name_at(json, "name"));
  const std::optional<JsonValue> steps = json.member("steps");
  if (!steps) return bad("'steps' is missing");
  ZOE_TRY_ASSIGN(const RowCount rows, rows_of(*steps, graph, "steps"));
  ZOE_TRY_ASSIGN(const int width, int_at(json, "width"));
  input.shape = Shape::of(rows, width);
  input.value = static_cast<int>(graph.inputs.size());
  graph.inputs.push_back(std::move(input));
  return {};
}

Result<void> read_output(JsonValue json, Graph& graph) {
  if (!json.is_object()) return bad("an output must be an object");
  Port output;
  ZOE_TRY_ASSIGN(output.name, name_at(json, "name"));
  ZOE_TRY_ASSIGN(output.value, int_at(json, "value"));
  graph.outputs.push_back(std::move(output));
  return {};
}

Result<Graph> read_all(JsonValue json) {
  if (!json.is_object()) return bad("the network is not a JSON object");
  ZOE_TRY_ASSIGN(const int version, int_at(json, "version"));
  if (version != kGraphVersion) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("network version {}; this program reads {}: export the model again, or "
                             "use a newer zoe",
                             version, kGraphVersion)};
  }
  Graph graph;
  ZOE_TRY_ASSIGN(const JsonValue inputs, array_at(json, "inputs"));
  ZOE_TRY_ASSIGN(const JsonValue nodes, array_at(json, "nodes"));
  ZOE_TRY_ASSIGN(const JsonValue outputs, array_at(json, "outputs"));
  if (const std::optional<JsonValue> dims = json.member("dims")) {
    if (!dims->is_array()) return bad("'dims' must be a list");
    ZOE_TRY(each_element(*dims, [&](JsonValue name) -> Result<void> {
      if (graph.dims.size() == std::size_t{RowCount::kMaxDims}) return bad("'dims' has too many names");
      ZOE_TRY_ASSIGN(std::string dim, name_of(name, "dims"));
      if (!is_dim_name(dim)) return bad(fmt::format("'{}' is no name of a dimension: use a-z, 0-9 and _", dim));
      graph.dims.push_back(std::move(dim));
      return {};
    }));
  }
  ZOE_TRY(each_element(inputs, [&](JsonValue port) { return read_input(port, graph); }));
  WeightIds ids;
  ZOE_TRY(each_element(nodes, [&](JsonValue element) -> Result<void> {
    Result<Node> node = read_node(element, ids, graph);
    if (!node) {
      Error error = std::move(node).error();
      error.message = fmt::format("node {}: {}", graph.nodes.size(), error.message);
      return error;
    }
    graph.nodes.push_back(std::move(*node));
    return {};
  }));
  ZOE_TRY(each_element(outputs, [&](JsonValue port) { return read_output(port, graph); }));
  return graph;
}

std::string json_string(std::string_view text) {
  std::string json;
  append_json_string(json, text);
  return json;
}

std::string write_node(const Node& node, const Graph& graph) {
  const OpInfo& info = op_info(node.op);
  std::string json = fmt::format("{{\"op\":{},\"in\":[{}]", json_string(info.name), fmt::join(node.inputs, ","));
  std::string weights;
  for (std::size_t i = 0; i < node.weights.size(); ++i) {
    if (node.weights[i] < 0) continue;
    const std::string& name = graph.weights[static_cast<std::size_t>(node.weights[i])].name;
    weights += fmt::format("{}{}:{}", weights.empty() ? "" : ",", json_string(info.weights[i]), json_string(name));
  }
  if (!weights.empty()) json += fmt::format(",\"weights\":{{{}}}", weights);
  for (const Field& field : kFields) {
    if ((info.attributes & field.bit) == 0) continue;
    std::string value;
    field.write(node.attributes, graph, value);
    if (!value.empty()) json += fmt::format(",{}:{}", json_string(field.name), value);
  }
  return json + "}";
}

}  // namespace

std::string graph_to_json(const Graph& graph) {
  std::string inputs, nodes, outputs;
  for (const Port& port : graph.inputs) {
    std::string steps;
    append_rows(port.shape.rows(), graph, steps);
    inputs += fmt::format("{}{{\"name\":{},\"steps\":{},\"width\":{}}}", inputs.empty() ? "" : ",",
                          json_string(port.name), steps, port.shape.width);
  }
  for (const Node& node : graph.nodes) nodes += (nodes.empty() ? "" : ",") + write_node(node, graph);
  for (const Port& port : graph.outputs) {
    outputs +=
        fmt::format("{}{{\"name\":{},\"value\":{}}}", outputs.empty() ? "" : ",", json_string(port.name), port.value);
  }
  std::string dims;
  for (const std::string& dim : graph.dims) dims += (dims.empty() ? "" : ",") + json_string(dim);
  if (!dims.empty()) dims = fmt::format("\"dims\":[{}],", dims);
  return fmt::format("{{\"version\":{},{}\"inputs\":[{}],\"nodes\":[{}],\"outputs\":[{}]}}", kGraphVersion, dims,
                     inputs, nodes, outputs);
}

Result<Graph> graph_from_json(std::string_view text) {
  if (text.size() > kMaxText) return Error{ErrorCode::kLimit, "the network's description exceeds 8 MB"};
  const Result<JsonTape> tape = JsonTape::parse(text, kMaxDepth);
  if (!tape && tape.error().code == ErrorCode::kLimit)
    return Error{ErrorCode::kLimit, "the network's description is nested too deeply"};
  if (!tape) return Error{ErrorCode::kSyntax, "the network's description is not valid JSON"};
  return read_all(tape->root());
}

}  // namespace zoe::nn
