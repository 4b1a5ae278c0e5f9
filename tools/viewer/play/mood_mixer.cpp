// SPDX-License-Identifier: MIT
#include "play/mood_mixer.h"

#include <algorithm>
#include <charconv>

#include "controller/mood.h"

namespace zoe::viewer {

std::vector<float> mood_weights(const style::StyleModel& model, const std::string& mood) {
  std::vector<float> weights(model.styles().size(), 0.0F);
  float sum = 0;
  for (std::size_t begin = 0; begin < mood.size();) {
    const std::size_t end = std::min(mood.find('+', begin), mood.size());
    std::string term = mood.substr(begin, end - begin);
    std::erase(term, ' ');
    float weight = 1;
    if (const std::size_t star = term.find('*'); star != std::string::npos) {
      std::from_chars(term.data(), term.data() + star, weight);
      term.erase(0, star + 1);
    }
    for (std::size_t i = 0; i < weights.size(); ++i)
      if (model.styles()[i].name == term) weights[i] += weight;
    sum += weight;
    begin = end + 1;
  }
  for (float& weight : weights) weight = sum != 0 ? weight / sum : 0;
  return weights;
}

Result<std::unique_ptr<MoodMixer>> MoodMixer::open(const control::Controller& controller,
                                                   const std::string& model_folder, const std::string& mood,
                                                   double rate_hz) {
  ZOE_TRY_ASSIGN(cli::Mood made, cli::make_mood(controller, model_folder, mood, rate_hz));
  auto mixer = std::make_unique<MoodMixer>();
  mixer->model_ = std::move(made.model);
  mixer->layer_ = std::move(made.layer);
  mixer->weights_ = mood_weights(*mixer->model_, mood);
  return mixer;
}

void MoodMixer::set_weight(std::size_t i, float weight) {
  weights_[i] = std::clamp(weight, 0.0F, kMostStyle);
  layer_->set_style(code());
}

style::StyleCode MoodMixer::code() const {
  const style::StyleCode neutral = model_->neutral();
  style::StyleCode out = neutral;
  float sum = 0;
  for (const float weight : weights_) sum += weight;
  const float scale = sum > kMostStyle ? kMostStyle / sum : 1;
  for (std::size_t i = 0; i < weights_.size(); ++i)
    for (std::size_t k = 0; k < out.size(); ++k)
      out[k] += scale * weights_[i] * (model_->styles()[i].mean[k] - neutral[k]);
  return out;
}

}  // namespace zoe::viewer
