// SPDX-License-Identifier: MIT
// Part of Zoetrope. The parts of a neural controller from its files.
#pragma once

#include "zoe/control/config.h"
#include "zoe/control/parts.h"

namespace zoe::control {

// Of a type with one network: body, network, options and trust region. Errors name the file.
Result<NeuralParts> load_neural_parts(const ControllerParts& parts, const ControllerConfig& config);

}  // namespace zoe::control
