// SPDX-License-Identifier: MIT
// Part of Zoetrope. Distillation of a trained network into a student of a few steps. Progressive (Salimans and Ho,
// 2022): the student learns to go in one step where the teacher goes in several deterministic ones. Consistency (Song
// et al., 2023): the student learns to estimate the same data at both ends of each of the teacher's steps.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "train/generative/denoiser_net.h"
#include "train/generative/distillation_steps.h"
#include "train/generative/process.h"

namespace zoe::train {

struct Distillation {
  bool consistency = false;                // Else progressive.
  std::int64_t student = 4, teacher = 32;  // Steps from noise to data. The second is a multiple of the first.
};

class Teacher {
 public:
  // From the folder of a run. Refuses a network of another process, other sizes or other normalisation than the
  // student's.
  static Result<std::unique_ptr<Teacher>> load(const std::filesystem::path& folder, const DenoiserSizes& sizes,
                                               const nn::NoiseProcess& process, const at::Tensor& mean,
                                               const at::Tensor& spread, Distillation how, at::TensorOptions options);

  // The student begins as the teacher.
  void copy_weights(Parameters& student) const;

  using Steps = DistillationSteps;
  Steps steps(std::int64_t batch, bool training) const { return distillation_steps(levels_, batch, training); }
  // The data that the student has to estimate at x [batch, …] of levels `from`. student: its present estimate of the
  // data, which consistency uses at the lower level.
  using Estimate = std::function<at::Tensor(const at::Tensor& x, const at::Tensor& levels)>;
  at::Tensor data(const Process& process, const at::Tensor& x, const Steps& steps, const at::Tensor& condition,
                  const at::Tensor& guided, const Estimate& student) const;

 private:
  Teacher(const DenoiserSizes& sizes, Distillation how, at::TensorOptions options)
      : parameters_(options), net_(parameters_, sizes), how_(how) {}

  Parameters parameters_;
  DenoiserNet net_;
  Distillation how_;
  at::Tensor levels_;  // [steps + 1], from noise to data: of the student, for consistency of the teacher.
};

}  // namespace zoe::train
