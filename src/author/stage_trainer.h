// SPDX-License-Identifier: MIT
// The trainer of a job: continues what an earlier process began.
#pragma once

#include "zoe/author/train_controller.h"

namespace zoe::author {

class StageTrainer final : public Trainer {
 public:
  explicit StageTrainer(const TrainController& job) : job_(job) {}

  Result<Training> train(const TrainingRequest& request) override {
    if (job_.trainer == nullptr) return Error{ErrorCode::kUsage, "there is no trainer for " + request.model, {}};
    if (job_.should_stop && job_.should_stop())
      return Error{ErrorCode::kInvalid, "training was stopped", {.file = request.out.string()}};
    TrainingRequest continued = request;
    continued.resume = job_.resume;
    continued.allow_changes = job_.allow_changes;
    return job_.trainer->train(continued);
  }

 private:
  const TrainController& job_;
};

}  // namespace zoe::author
