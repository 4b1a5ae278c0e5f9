// SPDX-License-Identifier: MIT
// Part of Zoetrope. Training with libtorch in this process. Programs that use it link zoe::author_train. zoe::author
// itself needs no libtorch.
#pragma once

#include "zoe/author/trainer.h"

namespace zoe::author {

class InProcessTrainer final : public Trainer {
 public:
  // Fails when train::request_stop() ended the training early.
  Result<Training> train(const TrainingRequest& request) override;
};

}  // namespace zoe::author
