// SPDX-License-Identifier: MIT
// Part of Zoetrope. Batches as tensors on the device: from device memory when all samples fit, else read one step
// ahead.
#pragma once

#include <future>
#include <memory>

#include "train/epoch_order.h"
#include "train/model.h"
#include "train/settings.h"

namespace zoe::train {

class Loader {
 public:
  // fields: the requested fields of the source, in order.
  static Result<Loader> create(const BatchSource& source, std::vector<std::size_t> fields, const Settings& settings,
                               const Ranks& ranks, at::Device device);

  std::int64_t steps_per_epoch() const { return order_.steps_per_epoch(); }

  // This rank's part of a step.
  Result<Batch> training(std::int64_t step);
  // Samples [first, first + count) of the validation split, cut at its end.
  Result<Batch> validation(std::size_t first, std::size_t count);
  std::size_t num_validation() const { return source_->num_samples(Split::kValidation); }

 private:
  Loader(const BatchSource& source, std::vector<std::size_t> fields, EpochOrder order, Ranks ranks, at::Device device)
      : source_(&source), fields_(std::move(fields)), order_(std::move(order)), ranks_(ranks), device_(device) {}
  Result<Batch> read(Split split, std::vector<std::size_t> samples) const;

  const BatchSource* source_;
  std::vector<std::size_t> fields_;
  EpochOrder order_;
  Ranks ranks_;
  at::Device device_;
  Batch resident_;  // All training samples. Empty: read when needed.
  std::future<Result<Batch>> ahead_;
  std::int64_t ahead_step_ = -1;
};

}  // namespace zoe::train
