// SPDX-License-Identifier: MIT
#include "zoe/control/neural_parts.h"

namespace zoe::control {

Result<NeuralParts> load_neural_parts(const ControllerParts& parts, const ControllerConfig& config) {
  ZOE_TRY_ASSIGN(const Safetensors body_file, parts.tensors(config.body));
  ZOE_TRY_ASSIGN(Body body, load_body(body_file));
  ZOE_TRY_ASSIGN(const Safetensors network_file, parts.tensors(config.network));
  ZOE_TRY_ASSIGN(nn::NetworkPtr network, nn::load_fixed_network(network_file));
  auto range = read_feature_range(network_file);
  if (!range) return Error{range.error().code, range.error().message, {.file = network_file.file_name()}};
  return NeuralParts{config.type, std::move(body), std::move(network), config.neural, std::move(*range)};
}

}  // namespace zoe::control
