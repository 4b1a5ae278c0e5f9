// SPDX-License-Identifier: MIT
// Part of Zoetrope. Collective operations of ranks: averaging gradients, agreeing, waiting. No effect for a single
// rank.
#pragma once

#include <memory>
#include <string>

#include "zoe/core/result.h"
#include "zoe/train/ranks.h"

#include "train/torch.h"

namespace zoe::train {

// Thrown when another rank does not answer.
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
  // "auto": NCCL between separate GPUs, else Gloo, and none for one rank. "gloo" and "nccl" are used also for one.
  std::string backend = "auto";
  double timeout_s = 20;  // A rank that does not answer within this time has failed.
  at::Device device = at::kCPU;
};

// `warnings` say why NCCL was not used where it would be expected.
Result<std::unique_ptr<Collective>> connect(const Ranks& ranks, const ConnectOptions& options, Warnings& warnings);

}  // namespace zoe::train
