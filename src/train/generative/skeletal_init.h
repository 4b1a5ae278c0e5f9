// SPDX-License-Identifier: MIT
// Part of Zoetrope. A trained `anytop` network file as the beginning of another training.
#pragma once

#include <filesystem>

#include "train/generative/skeletal_net.h"

namespace zoe::train {

// Copies the weights of a model.safetensors, of any precision. Data are normalised by `mean` and `spread` [token] from
// now on, whatever they were in the file: the first and the last layer take the difference. Refuses networks of other
// sizes.
Result<void> load_skeletal_network(const std::filesystem::path& path, const Parameters& parameters, std::int64_t heads,
                                   const at::Tensor& mean, const at::Tensor& spread);

}  // namespace zoe::train
