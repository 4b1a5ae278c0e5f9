// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. Output of `zoe info` about a network.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "zoe/core/result.h"

namespace zoe::cli {

// Ports, operations, weights, work and metadata of a network file.
Result<nlohmann::ordered_json> network_to_json(const std::string& file);
void print_network(const nlohmann::ordered_json& network);

}  // namespace zoe::cli
