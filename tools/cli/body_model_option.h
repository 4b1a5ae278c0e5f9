// SPDX-License-Identifier: MIT
// Part of Zoetrope. Where commands find the network that generates motion of any skeleton.
#pragma once

#include <string>

#include "zoe/generate/body_model.h"

namespace zoe::cli {

// A run of `zoe train anytop` or its model.safetensors; empty: the model that ships (models/anytop).
Result<generate::BodyModel> load_body_model(const std::string& path, std::optional<nn::WeightType> weights = {});

}  // namespace zoe::cli
