// SPDX-License-Identifier: MIT
// Part of Zoetrope. Batches as tensors on the device: from device memory when all samples fit, else read one step
// ahead. Ragged samples are padded to the size of their bucket (buckets.h).
#pragma once

#include <future>
#include <memory>

#include "train/buckets.h"
#include "train/model.h"
#include "train/sample_order.h"
#include "train/settings.h"

namespace zoe::train {

struct LoadedBatch {
  Batch fields;
  int bucket = 0;
  std::int64_t num_samples = 0;
  std::int64_t tokens = 0, padded_tokens = 0;  // Of ragged data: without and with padding.
};

class Loader {
 public:
  // fields: the requested fields of the source, in order.
  static Result<Loader> create(const BatchSource& source, std::vector<std::size_t> fields, const Settings& settings,
                               const Ranks& ranks, at::Device device);

  std::int64_t steps_per_epoch() const { return order_->steps_per_epoch(); }
  // Sizes of the batches of ragged data; else empty.
  const std::vector<Bucket>& buckets() const { return buckets_; }

  // This rank's part of a step.
  Result<LoadedBatch> training(std::int64_t step);
  // The validation split in batches, the last of a bucket smaller.
  Result<LoadedBatch> validation(std::size_t batch);
  std::size_t num_validation_batches() const { return validation_.size(); }

 private:
  struct Request {
    Split split = Split::kTraining;
    int bucket = 0;
    Extent padded;
    std::vector<std::size_t> samples;
  };

  Loader(const BatchSource& source, std::vector<std::size_t> fields, Ranks ranks, at::Device device)
      : source_(&source), fields_(std::move(fields)), ranks_(ranks), device_(device) {}
  Result<void> choose_order(const Settings& settings);
  Result<void> plan_validation(const Settings& settings);
  Result<void> load_resident();
  Request request(std::int64_t step);
  Result<LoadedBatch> read(const Request& request) const;

  const BatchSource* source_;
  std::vector<std::size_t> fields_;
  std::unique_ptr<SampleOrder> order_;
  std::vector<Bucket> buckets_;
  std::vector<Request> validation_;
  Ranks ranks_;
  at::Device device_;
  Batch resident_;  // All training samples. Empty: read when needed.
  std::future<Result<LoadedBatch>> ahead_;
  std::int64_t ahead_step_ = -1;
};

}  // namespace zoe::train
