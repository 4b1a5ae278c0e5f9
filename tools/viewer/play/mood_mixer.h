// SPDX-License-Identifier: MIT
// Part of Zoetrope's viewer. The styles over the character of `zoe play --mood`, each with a weight of its own.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "zoe/control/controller.h"
#include "zoe/style/style_layer.h"

namespace zoe::viewer {

class MoodMixer {
 public:
  static constexpr float kMostStyle = 1.5F;  // Sum of the weights: more of a style is no motion of a person.
  // mood: words as in `zoe stylize --style`. model_folder: empty for the included model.
  static Result<std::unique_ptr<MoodMixer>> open(const control::Controller& controller, const std::string& model_folder,
                                                 const std::string& mood, double rate_hz);

  control::PoseHook& hook() { return *layer_; }
  std::size_t size() const { return weights_.size(); }
  const std::string& name(std::size_t i) const { return model_->styles()[i].name; }
  float weight(std::size_t i) const { return weights_[i]; }
  // 0: nothing of the style, 1: all of it. The pose follows within tenths of a second.
  void set_weight(std::size_t i, float weight);
  // Between the neutral style and the weighted ones.
  style::StyleCode code() const;

 private:
  style::StyleModelPtr model_;
  std::unique_ptr<style::StyleLayer> layer_;
  std::vector<float> weights_;  // By style of the model.
};

// Weights of the terms of "0.6*proud+0.4*tired", by name; the words are those that StyleModel::parse() takes. Their sum
// is 1.
std::vector<float> mood_weights(const style::StyleModel& model, const std::string& mood);

}  // namespace zoe::viewer
