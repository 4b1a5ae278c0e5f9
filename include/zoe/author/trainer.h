// SPDX-License-Identifier: MIT
// Part of Zoetrope. Who trains networks: libtorch in this process where it is linked (in_process_trainer.h), else the
// program zoe-train, started from beside this one.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "zoe/core/result.h"

namespace zoe::author {

struct TrainingRequest {
  std::string model;                  // As `zoe train --list` names it.
  std::filesystem::path data;         // A dataset, or tracks.
  std::filesystem::path out;          // Run folder of this training.
  std::string device = "auto";        // auto, cpu, cuda.
  std::vector<std::string> settings;  // "key=value"; later ones win.
  bool quiet = false;
};

struct Training {
  std::filesystem::path model_file;  // out / "model.safetensors".
  std::string summary;               // One line; empty where the trainer has printed it.
  Warnings warnings;
};

class Trainer {
 public:
  virtual ~Trainer() = default;
  // Why nothing can be trained, before work is spent on data.
  virtual Result<void> check() const { return {}; }
  virtual Result<Training> train(const TrainingRequest& request) = 0;
};

// Starts a program with the words of `zoe train` and waits for it. SIGINT and SIGTERM are handed on to it, so that it
// saves and ends; then training fails.
class ProcessTrainer final : public Trainer {
 public:
  explicit ProcessTrainer(std::filesystem::path program) : program_(std::move(program)) {}
  // Fails where the program is not there; says how to get it.
  Result<void> check() const override;
  Result<Training> train(const TrainingRequest& request) override;

 private:
  std::filesystem::path program_;
};

// zoe-train beside the running program, whether it is there or not.
std::filesystem::path trainer_beside_us();

}  // namespace zoe::author
