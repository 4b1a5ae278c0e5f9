// SPDX-License-Identifier: MIT
// Part of Zoetrope. Training by libtorch in this process. Only for programs that link zoe::author_train: it is not part
// of zoe::author, which needs no libtorch.
#pragma once

#include "zoe/author/trainer.h"

namespace zoe::author {

class InProcessTrainer final : public Trainer {
 public:
  // A training that train::request_stop() ended early fails.
  Result<Training> train(const TrainingRequest& request) override;
};

}  // namespace zoe::author
