// SPDX-License-Identifier: MIT
// Part of Zoetrope. From folders of clips to a motion encoder (zoe/eval/motion_encoder.h), as one job.
//
//   ProcessTrainer trainer(trainer_beside_us());
//   TrainEncoder job{.data = {"clips"}, .folder = "run", .trainer = &trainer};
//   const Result<TrainedEncoder> made = job.run({.on_message = print_line});
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "zoe/author/listener.h"
#include "zoe/author/trainer.h"

namespace zoe::author {

struct TrainedEncoder {
  std::filesystem::path file;  // encoder.safetensors of the folder.
  int num_clips = 0, num_held_out = 0, width = 0;
  std::size_t num_windows = 0;     // Damaged ones included.
  std::vector<std::string> words;  // Labels that it learned to tell apart.
};

// The network reads the description of a window and tells what the motion is (the words of its label, its family), what
// is wrong with it (type and size of a damage that was added), and how the neighbouring windows are described. Its
// narrowest layer is the code.
struct TrainEncoder {
  std::vector<std::filesystem::path> data;  // Folders of motion files. Words of file and folder names are labels.
  // Gets encoder.safetensors, plain.safetensors (the columns of a window without a network, to compare with),
  // config.toml, held_out.txt, tracks, training.
  std::filesystem::path folder;
  Trainer* trainer = nullptr;
  std::string device = "auto";        // auto, cpu, cuda.
  std::vector<std::string> settings;  // "key=value" for the trainer.
  std::string licence;                // Of the motions; stored in the file.
  int code = 32;                      // Width of the code.
  double held_out = 0.2;              // Fraction of the files that are not used, by the hash of their names.

  Result<TrainedEncoder> run(const Listener& listener = {}) const;
};

// True for a file that an encoder with this fraction does not see. source: "FOLDER/below/walk.bvh".
bool is_held_out(const std::string& source, double fraction);

}  // namespace zoe::author
