// SPDX-License-Identifier: MIT
// The first half of TrainController: files are read once, put onto one body, labelled, and become rows of a dataset.
#pragma once

#include "zoe/author/train_controller.h"

namespace zoe::author {

// For types that train nothing.
class NoTrainer final : public Trainer {
 public:
  Result<Training> train(const TrainingRequest& request) override {
    return Error{ErrorCode::kUsage, "no trainer is there for " + request.model, {}};
  }
};

// settings: the user's; those that were for a preparation are taken out.
Result<void> clips_to_dataset(const TrainController& job, const std::filesystem::path& folder,
                              std::vector<std::string>& settings, const Listener& listener);

}  // namespace zoe::author
