// SPDX-License-Identifier: MIT
#include "info_network.h"

#include <map>

#include <fmt/format.h>

#include "zoe/nn/graph_file.h"
#include "zoe/nn/network.h"

namespace zoe::cli {

using Json = nlohmann::ordered_json;

Result<Json> network_to_json(const std::string& file) {
  ZOE_TRY_ASSIGN(const nn::Graph graph, nn::read_graph(file));
  ZOE_TRY_ASSIGN(const nn::NetworkPtr network, nn::Network::compile(graph));
  const auto ports = [&](const std::vector<nn::Port>& list) {
    Json out = Json::array();
    for (const nn::Port& port : list) {
      const nn::RowCount rows = port.shape.rows();
      const Json steps = rows.fixed() ? Json(port.shape.steps) : Json(rows.text(graph.dims));
      out.push_back({{"name", port.name}, {"steps", steps}, {"width", port.shape.width}});
    }
    return out;
  };
  std::map<std::string, int> operations, types;
  std::size_t parameters = 0;
  for (const nn::Node& node : graph.nodes) ++operations[to_string(node.op)];
  for (const nn::Weight& weight : graph.weights) {
    parameters += weight.num_items();
    ++types[to_string(weight.type)];
  }
  return Json{{"file", file},
              {"format", "network"},
              {"dims", graph.dims},
              {"inputs", ports(graph.inputs)},
              {"outputs", ports(graph.outputs)},
              {"operations", operations},
              {"parameters", parameters},
              {"weights", types},
              {"weight_bytes", network->weight_bytes()},
              {"multiply_adds", network->multiply_adds()},
              {"metadata", graph.metadata}};
}

void print_network(const Json& network) {
  const auto ports = [&](const char* which) {
    std::string text;
    for (const Json& port : network[which]) {
      const std::string shape = port["steps"] == 1
                                    ? fmt::format("{}", port["width"].get<int>())
                                    : fmt::format("{} x {}",
                                                  port["steps"].is_string() ? port["steps"].get<std::string>()
                                                                            : std::to_string(port["steps"].get<int>()),
                                                  port["width"].get<int>());
      text += fmt::format("{}{} [{}]", text.empty() ? "" : ", ", port["name"].get<std::string>(), shape);
    }
    return text;
  };
  const auto counts = [&](const char* which) {
    std::string text;
    for (const auto& [name, count] : network[which].items())
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count.get<int>(), name);
    return text;
  };
  fmt::print("{}: a network\n", network["file"].get<std::string>());
  fmt::print("  takes       {}\n  gives       {}\n", ports("inputs"), ports("outputs"));
  fmt::print("  operations  {}\n", counts("operations"));
  fmt::print("  weights     {} ({:.2f} M numbers; {:.2f} MB of matrices)\n", counts("weights"),
             1e-6 * network["parameters"].get<double>(), 1e-6 * network["weight_bytes"].get<double>());
  if (network["dims"].empty()) {
    fmt::print("  work        {:.2f} M multiply-adds per item\n", 1e-6 * network["multiply_adds"].get<double>());
  } else {
    fmt::print("  dimensions  {}\n", fmt::join(network["dims"].get<std::vector<std::string>>(), ", "));
  }
  for (const auto& [key, text] : network["metadata"].items()) {
    const std::string value = text.get<std::string>();
    fmt::print("  {:<11} {}\n", key, value.size() > 80 ? fmt::format("{} bytes", value.size()) : value);
  }
}

}  // namespace zoe::cli
