// SPDX-License-Identifier: MIT
// Part of Zoetrope. A trained `anytop` network file as the beginning of another training.
#pragma once

#include <filesystem>

#include "train/generative/skeletal_net.h"

namespace zoe::train {

// Copies the weights of a model.safetensors, of any precision, and the numbers by which its data are normalised: `mean`
// and `spread` [token]. Refuses networks of other sizes.
Result<void> load_skeletal_network(const std::filesystem::path& path, const Parameters& parameters, std::int64_t heads,
                                   at::Tensor mean, at::Tensor spread);

}  // namespace zoe::train
