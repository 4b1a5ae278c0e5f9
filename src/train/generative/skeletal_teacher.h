// SPDX-License-Identifier: MIT
// Part of Zoetrope. Distillation of a trained `anytop` into a student of a few steps (Salimans and Ho, 2022): the
// student learns to go in one step where the teacher goes in several deterministic ones.
#pragma once

#include <filesystem>
#include <memory>

#include "train/generative/distillation_steps.h"
#include "train/generative/process.h"
#include "train/generative/skeletal_net.h"

namespace zoe::train {

class SkeletalTeacher {
 public:
  struct Counts {
    std::int64_t student = 4, teacher = 16;  // Steps from noise to data. The second is a multiple of the first.
    double guidance = 1;                     // Of the actions, which the student then has without a second evaluation.
  };
  // From the best weights of a run's checkpoints. Refuses another process or other sizes than the student's.
  static Result<std::unique_ptr<SkeletalTeacher>> load(const std::filesystem::path& folder, const SkeletalSizes& sizes,
                                                       const nn::NoiseProcess& process, const Counts& counts,
                                                       at::TensorOptions options);

  // The student begins as the teacher, with its normalisation.
  Result<void> copy_to(Parameters& student) const;

  using Steps = DistillationSteps;
  Steps steps(std::int64_t batch, bool training) const { return distillation_steps(levels_, batch, training); }
  // The data that the student has to estimate at in.x of levels `from`. known: 1 where numbers of x are kept.
  at::Tensor data(const Process& process, const SkeletalInput& in, const Steps& steps, const at::Tensor& known) const;

  // Where the student's own steps arrive from noise at the levels `from`: what it sees in sampling, and training on
  // noised data does not display.
  at::Tensor student_path(const Process& process, const SkeletalNet& student, const SkeletalInput& in,
                          const Steps& steps, const at::Tensor& noise, const at::Tensor& known) const;

  int student_steps() const { return static_cast<int>(counts_.student); }

 private:
  SkeletalTeacher(std::filesystem::path path, const SkeletalSizes& sizes, const Counts& counts,
                  at::TensorOptions options)
      : path_(std::move(path)), parameters_(options), net_(parameters_, sizes), counts_(counts) {}

  std::filesystem::path path_;
  Parameters parameters_;
  SkeletalNet net_;
  Counts counts_;
  at::Tensor levels_;  // [student's steps + 1], from noise to data.
};

}  // namespace zoe::train
