// SPDX-License-Identifier: MIT
// The trainer of a job: continues what an earlier process began.
#pragma once

#include <functional>

#include "zoe/author/trainer.h"

namespace zoe::author {

class StageTrainer final : public Trainer {
 public:
  // trainer: null for types without training.
  StageTrainer(Trainer* trainer, bool resume, bool allow_changes, const std::function<bool()>& should_stop)
      : trainer_(trainer), resume_(resume), allow_changes_(allow_changes), should_stop_(should_stop) {}

  Result<Training> train(const TrainingRequest& request) override {
    if (trainer_ == nullptr) return Error{ErrorCode::kUsage, "there is no trainer for " + request.model, {}};
    if (should_stop_ && should_stop_())
      return Error{ErrorCode::kInvalid, "training was stopped", {.file = request.out.string()}};
    TrainingRequest continued = request;
    continued.resume = resume_;
    continued.allow_changes = allow_changes_;
    return trainer_->train(continued);
  }

 private:
  Trainer* trainer_;
  bool resume_, allow_changes_;
  std::function<bool()> should_stop_;
};

}  // namespace zoe::author
