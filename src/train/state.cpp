// SPDX-License-Identifier: MIT
#include "train/state.h"

#include <cstring>

namespace zoe::train {
namespace {

DType dtype_of_tensor(const at::Tensor& tensor) {
  switch (tensor.scalar_type()) {
    case at::kFloat:
      return DType::kF32;
    case at::kDouble:
      return DType::kF64;
    case at::kLong:
      return DType::kI64;
    default:
      break;
  }
  ZOE_CHECK(false, "a checkpoint holds float, double and int64 tensors");
  return DType::kF32;
}

}  // namespace

HostTensors::HostTensors(const std::vector<NamedTensor>& named) {
  for (const NamedTensor& item : named) {
    const at::Tensor host = item.tensor.detach().to(at::kCPU).contiguous();
    tensors.push_back(host);
    ArrayView view;
    view.dtype = dtype_of_tensor(host);
    view.item_bytes = dtype_bytes(view.dtype);
    view.shape = dims_of(host);
    view.bytes = {static_cast<const std::byte*>(host.data_ptr()), host.nbytes()};
    arrays.push_back({item.name, view});
  }
}

std::vector<NamedTensor> model_tensors(const Model& model) {
  std::vector<NamedTensor> all;
  for (const NamedTensor& weight : model.parameters().weights())
    all.push_back({"weights." + weight.name, weight.tensor});
  for (const NamedTensor& buffer : model.parameters().buffers())
    all.push_back({"buffers." + buffer.name, buffer.tensor});
  return all;
}

Result<void> load_tensors(const Safetensors& file, const std::vector<NamedTensor>& into) {
  const c10::NoGradGuard no_gradients;
  for (const NamedTensor& item : into) {
    ZOE_TRY_ASSIGN(const ArrayView view, file.find(item.name));
    if (view.shape != dims_of(item.tensor) || view.dtype != dtype_of_tensor(item.tensor)) {
      return Error{ErrorCode::kInvalid, "'" + item.name +
                                            "' has another shape than in the checkpoint: resume with the data and the "
                                            "model settings of the run (in run.json and config.toml)"};
    }
    at::Tensor host = at::empty(item.tensor.sizes(), item.tensor.options().device(at::kCPU).requires_grad(false));
    std::memcpy(host.data_ptr(), view.bytes.data(), view.bytes.size());
    at::Tensor target = item.tensor.detach();
    target.copy_(host);
  }
  return {};
}

}  // namespace zoe::train
