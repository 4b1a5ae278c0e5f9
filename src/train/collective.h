// SPDX-License-Identifier: MIT
// Part of Zoetrope. What ranks do together: average gradients, agree, wait. One rank alone: nothing
// at all.
#pragma once

#include <memory>

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
};

// A Collective that does nothing for one rank; Gloo between several.
Result<std::unique_ptr<Collective>> connect(const Ranks& ranks, double timeout_s);

}  // namespace zoe::train
