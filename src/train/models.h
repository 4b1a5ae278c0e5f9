// SPDX-License-Identifier: MIT
// Part of Zoetrope. All models, by their source file.
#pragma once

#include <vector>

#include "train/model.h"
#include "train/turn_settings.h"

namespace zoe::train {

std::vector<ModelInfo> feedforward_models();  // mlp, autoencoder, vae, sequence_mlp
std::vector<ModelInfo> codebook_models();     // categorical, vq, cxm
std::vector<ModelInfo> sequence_models();     // conv, gru, lstm, attention, pae
std::vector<ModelInfo> expert_models();       // mann, pfnn
std::vector<ModelInfo> matching_models();     // lmm_decompressor, lmm_stepper, lmm_projector
std::vector<ModelInfo> generative_models();   // diffusion, flow
std::vector<ModelInfo> prior_models();        // vq_prior
std::vector<ModelInfo> adversarial_models();  // gan
std::vector<ModelInfo> token_models();        // tokens
std::vector<ModelInfo> anytop_models();       // anytop
std::vector<ModelInfo> style_models();        // style, classifier
std::vector<ModelInfo> paint_models();        // sprite
std::vector<ModelInfo> judge_models();        // sprite_judge
std::vector<ModelInfo> tracker_models();      // tracker
std::vector<ModelInfo> video_models();        // sprite_video
std::vector<ModelInfo> words_models();        // sprite_words

// Shared by the files of models.
inline at::Tensor mse(const at::Tensor& a, const at::Tensor& b) { return at::mse_loss(a, b); }
std::int64_t flat_size(const Field& field);
// A whole number of the model's settings.
inline std::int64_t integer(const ModelSetup& setup, const char* key) { return setup.config.get<std::int64_t>(key); }
// Of the setup's field number `field`.
Normaliser normaliser(Parameters& parameters, const ModelSetup& setup, std::size_t field);
// The field as one row of a graph.
int build_flat(GraphBuilder& builder, int value);

}  // namespace zoe::train
