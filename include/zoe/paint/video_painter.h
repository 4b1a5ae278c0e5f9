// SPDX-License-Identifier: MIT
// Part of Zoetrope. Paints a whole clip at once: a transformer over patches of all frames, by flow matching. It reads
// the poses of the frames, and any of: a reference picture (keys of its cross attention), a puppet's guess of every
// frame, a caption in words of its vocabulary.
//
//   const VideoPainter painter = VideoPainter::load("models/sprite_video/model.safetensors").value();
//   VideoState state = painter.make_state(16).value();
//   VideoJob{.painter = &painter, .state = &state, .poses = poses, .words = painter.vocabulary().encode(text),
//            .stages = stages, .out = patches}.run(executor);
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "zoe/core/executor.h"
#include "zoe/core/result.h"
#include "zoe/nn/network.h"
#include "zoe/nn/sampler.h"
#include "zoe/paint/caption.h"
#include "zoe/paint/patches.h"

namespace zoe::paint {

// Frames of a clip that are painted together, at most.
constexpr int kMaxVideoFrames = 64;
// The network reads levels of noise in these units.
constexpr float kVideoTime = 1000;

// Memory of one caller, for a number of frames.
struct VideoState {
  int num_frames = 0;
  nn::NetworkState network, without;  // With and without reference, guesses and caption.
  std::vector<float> noised, bones, warped, keys, mask, words, data;
  std::vector<float> no_warped, no_mask, without_data;
};

// Immutable.
class VideoPainter {
 public:
  static Result<VideoPainter> load(const std::filesystem::path& path);
  // Refuses a network with other inputs and outputs, or without process and vocabulary.
  static Result<VideoPainter> create(nn::NetworkPtr network);

  int size() const { return size_; }  // Of pictures.
  const Vocabulary& vocabulary() const { return vocabulary_; }
  const nn::NoiseProcess& process() const { return process_; }
  const nn::SamplerOptions& sampler() const { return sampler_; }  // The one in the file, or one step.
  const nn::Network& network() const { return *network_; }
  // It was trained with guesses that a painter of frames (painter.h) made of the puppet's.
  bool begins_painted() const { return begins_painted_; }
  // 1 to kMaxVideoFrames; a network with a fixed number of frames refuses others.
  Result<VideoState> make_state(int num_frames) const;

 private:
  explicit VideoPainter(nn::NoiseProcess process) : process_(std::move(process)) {}

  nn::NetworkPtr network_;
  nn::NoiseProcess process_;
  nn::SamplerOptions sampler_;
  Vocabulary vocabulary_;
  int size_ = 0;
  bool begins_painted_ = false;
};

// The character that a clip displays.
struct VideoReference {
  const SoftPicture* picture = nullptr;  // Null: none.
  std::span<const Color> palette;
  Pose pose;
};

struct VideoJob {
  const VideoPainter* painter = nullptr;
  VideoState* state = nullptr;
  std::span<const Pose> poses;  // One a frame.
  VideoReference reference = {};
  std::span<const SoftPicture> guesses = {};  // In the reference's palette; one a frame, or none.
  std::span<const int> words = {};            // Numbers of the vocabulary, at most kMaxWords.
  std::span<const nn::SamplerStage> stages;   // nn::make_stages(painter->process(), …)
  float guidance = 1;  // Classifier-free guidance by all that is given but the poses. 1: none, and half the time.
  std::uint64_t seed = 1;
  std::span<float> out;  // [frames, patches, kPatchNumbers]

  // Null, or the reason of a refusal.
  const char* validate() const noexcept;
  // Returns false, with nothing written, when validate() fails. Two threads at most have work.
  bool run(Executor& executor) const;
};

}  // namespace zoe::paint
