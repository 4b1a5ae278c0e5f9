// SPDX-License-Identifier: MIT
// Part of Zoetrope. Progressive distillation (Salimans and Ho, 2022): a student learns to go in one step where a
// trained network goes in several deterministic ones.
#pragma once

#include <filesystem>
#include <memory>

#include "train/generative/denoiser_net.h"
#include "train/generative/process.h"

namespace zoe::train {

struct DistillationSteps {
  std::int64_t student = 4, teacher = 32;  // Steps from noise to data. The second is a multiple of the first.
};

class Teacher {
 public:
  // From the folder of a run. Refuses a network of another process, other sizes or other normalisation than the
  // student's.
  static Result<std::unique_ptr<Teacher>> load(const std::filesystem::path& folder, const DenoiserSizes& sizes,
                                               const nn::NoiseProcess& process, const at::Tensor& mean,
                                               const at::Tensor& spread, DistillationSteps steps,
                                               at::TensorOptions options);

  // The student begins as the teacher.
  void copy_weights(Parameters& student) const;

  // Levels at which a batch of the student's steps begins, and where they end.
  struct Steps {
    at::Tensor from, to;
  };
  Steps steps(std::int64_t batch, bool training) const;
  // The data that the student has to estimate at x [batch, …] of levels `from`, to arrive where the teacher arrives.
  at::Tensor data(const Process& process, const at::Tensor& x, const Steps& steps, const at::Tensor& condition,
                  const at::Tensor& guided) const;

 private:
  Teacher(const DenoiserSizes& sizes, DistillationSteps steps, at::TensorOptions options)
      : parameters_(options), net_(parameters_, sizes), steps_(steps) {}

  Parameters parameters_;
  DenoiserNet net_;
  DistillationSteps steps_;
  at::Tensor levels_;  // [student steps + 1], from noise to data.
};

}  // namespace zoe::train
