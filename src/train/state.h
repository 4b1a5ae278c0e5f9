// SPDX-License-Identifier: MIT
// Part of Zoetrope. Tensors to and from checkpoint files.
#pragma once

#include <vector>

#include "zoe/store/safetensors.h"

#include "train/model.h"
#include "train/optimiser.h"

namespace zoe::train {

// Tensors on the host, as file writers need them. Owns the data that `arrays` views.
struct HostTensors {
  explicit HostTensors(const std::vector<NamedTensor>& tensors);
  std::vector<at::Tensor> tensors;
  std::vector<NamedArray> arrays;
};

// "weights.…" and "buffers.…": the tensors of the model.
std::vector<NamedTensor> model_tensors(const Model& model);

// Copies by name into tensors of the same type and shape. Refuses a file that lacks one or has another shape.
Result<void> load_tensors(const Safetensors& file, const std::vector<NamedTensor>& into);

}  // namespace zoe::train
