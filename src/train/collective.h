// SPDX-License-Identifier: MIT
// Part of Zoetrope. What ranks do together: average gradients, agree, wait. One rank alone: nothing
// at all.
#pragma once

#include <memory>
#include <string>

#include "zoe/core/result.h"
#include "zoe/train/ranks.h"

#include "train/torch.h"

namespace zoe::train {

// Throws RankFailure when another rank does not answer.
struct RankFailure {
  Error error;
};

class Collective {
 public:
  virtual ~Collective() = default;
  virtual void average(at::Tensor& tensor) { (void)tensor; }
  virtual void broadcast(at::Tensor& tensor) { (void)tensor; }  // From rank 0.
  virtual const char* name() const { return "none"; }
};

struct ConnectOptions {
  // "auto": NCCL between GPUs of their own, else Gloo, and nothing for one rank. "gloo" and "nccl"
  // are taken also for one.
  std::string backend = "auto";
  double timeout_s = 20;  // A rank that does not answer for so long is given up.
  at::Device device = at::kCPU;
};

// `warnings` say why NCCL was not used where it would be expected.
Result<std::unique_ptr<Collective>> connect(const Ranks& ranks, const ConnectOptions& options, Warnings& warnings);

}  // namespace zoe::train
