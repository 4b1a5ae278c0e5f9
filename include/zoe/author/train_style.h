// SPDX-License-Identifier: MIT
// Part of Zoetrope. From folders of labelled clips to a model of styles (zoe/style/style_model.h), and to its judges.
#pragma once

#include "zoe/author/style_clips.h"
#include "zoe/author/trainer.h"

namespace zoe::author {

struct TrainStyle {
  std::vector<std::filesystem::path> data;
  // Gets step, encoder and styles.safetensors, config.toml, held_out.txt, tracks, training.
  std::filesystem::path folder;
  StyleClipOptions clips;
  Trainer* trainer = nullptr;
  std::string device = "auto";
  std::vector<std::string> settings;  // "key=value" for the trainer.
  std::string licence;
  int steps = 12000;  // Of generator and critic together.
  std::uint64_t seed = 1;
  bool resume = false;
  bool mirror = true;  // Mirror images of all clips, with contents of their own.
  // Procedural styles (zoe/style/procedural.h) of each clip of the style "normal" or "neutral": pairs to learn from.
  int procedural = 0;
  int random_styles = 0;  // Procedural styles drawn at random, besides the named ones. They get no name in the model.

  struct Trained {
    int num_clips = 0, num_held_out = 0;
    std::vector<std::string> styles, contents;
  };
  Result<Trained> run(const Listener& listener = {}) const;
};

// Judges: classifiers of content, style, and style by dynamics alone, of several seeds each, on real clips. They are
// trained once, before any model, and are never part of a model's loss.
struct TrainJudges {
  std::vector<std::filesystem::path> data;
  std::filesystem::path folder;  // Gets judges.json and a network each.
  StyleClipOptions clips;
  Trainer* trainer = nullptr;
  std::string device = "auto";
  std::vector<std::string> settings;
  int steps = 250;
  int num_seeds = 3;

  struct Trained {
    int num_clips = 0, num_networks = 0;
    std::string hash;
  };
  Result<Trained> run(const Listener& listener = {}) const;
};

// First seed of the judges. Models have seeds from 1.
constexpr std::uint64_t kFirstJudgeSeed = 1001;

}  // namespace zoe::author
