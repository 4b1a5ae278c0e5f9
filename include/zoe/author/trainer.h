// SPDX-License-Identifier: MIT
// Part of Zoetrope. Trainers of networks: libtorch in this process where it is linked (in_process_trainer.h), else the
// program zoe-train in the folder of the running program.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "zoe/core/result.h"

namespace zoe::author {

struct TrainingRequest {
  std::string model;                  // A name from `zoe train --list`.
  std::filesystem::path data;         // Folder of a dataset, or of tracks.
  std::filesystem::path out;          // Run folder of this training.
  std::string device = "auto";        // auto, cpu, cuda.
  std::vector<std::string> settings;  // "key=value". Later settings override earlier ones.
  bool quiet = false;
  bool resume = false;         // Continues the run in `out` where there is one.
  bool allow_changes = false;  // Also where its data or settings differ.
  bool keep_stopped = false;   // A training that a signal stopped counts: its network so far is the result.
};

struct Training {
  std::filesystem::path model_file;  // out / "model.safetensors".
  std::string summary;               // One line. Empty where the trainer has printed it.
  Warnings warnings;
};

class Trainer {
 public:
  virtual ~Trainer() = default;
  // Fails where training is impossible, before the data is processed.
  virtual Result<void> check() const { return {}; }
  virtual Result<Training> train(const TrainingRequest& request) = 0;
};

// Starts a program with the arguments of `zoe train` and waits for it. SIGINT, SIGTERM and SIGUSR1 are forwarded, so
// that the program saves and exits. The training then fails, unless keep_stopped is set. The program gets SIGTERM when
// this process dies.
class ProcessTrainer final : public Trainer {
 public:
  explicit ProcessTrainer(std::filesystem::path program) : program_(std::move(program)) {}
  // Fails where the program does not exist. The error says how to install it.
  Result<void> check() const override;
  Result<Training> train(const TrainingRequest& request) override;

 private:
  std::filesystem::path program_;
};

// Path of zoe-train in the folder of the running program. The file need not exist.
std::filesystem::path trainer_beside_us();

}  // namespace zoe::author
