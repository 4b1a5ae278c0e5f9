// SPDX-License-Identifier: MIT
// Part of Zoetrope. Windows of motion as a few numbers and back, by a trained `vq`, `autoencoder` or `vae` network. A
// window is one sample of a layout with an output of several frames and a whole pose in each, such as `anytop`. With a
// codebook the numbers are code numbers: words of a motion vocabulary.
//
//   const MotionCodec codec = MotionCodec::create(networks, layout, skeleton).value();
//   const std::vector<float> codes = codec.encode(rows, codec.window_frames()).value();     // [windows × numbers]
//   const Motion motion = codec.decode(codes, {.hop_frames = codec.window_frames()}).value();
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "zoe/features/clip_rows.h"
#include "zoe/features/decode.h"
#include "zoe/nn/network.h"

namespace zoe::generate {

// The networks of a run: model.safetensors, and encoder.safetensors of a `vq` run.
struct CodecGraphs {
  nn::Graph model;
  const nn::Graph* encoder = nullptr;
};

// Windows and their numbers, and where the first window begins.
struct DecodeOptions {
  int hop_frames = 0;     // From window to window. Frames that two windows share are blended.
  int num_frames = 0;     // Of the result; 0: all.
  PlanarRoot first_root;  // Of the first frame.
  std::string name = "decoded";
};

// Immutable.
class MotionCodec {
 public:
  // Refuses networks whose window is not the layout's output.
  static Result<MotionCodec> create(const CodecGraphs& graphs, features::Layout layout, SkeletonPtr skeleton);

  int window_frames() const { return steps_; }
  int width() const { return width_; }          // Features per frame.
  int numbers() const { return numbers_; }      // Per window.
  int num_codes() const { return num_codes_; }  // Size of the codebook; 0: numbers are not code numbers.
  double fps() const { return layout_.fps(); }
  const features::Layout& layout() const { return layout_; }
  const SkeletonPtr& skeleton() const { return decoder_.skeleton(); }
  std::uint64_t fingerprint() const { return decode_->fingerprint(); }
  std::size_t network_bytes() const;  // Weights that decoding needs.

  // Windows that cover `frames` frames: the last one may begin earlier than a whole hop after the one before.
  int num_windows(int frames, int hop_frames) const;
  // [num_windows × numbers] of a clip's rows. Frames beyond its end repeat the last one.
  Result<std::vector<float>> encode(const features::ClipRows& rows, int hop_frames) const;

  // [frames × width()] in the data's units.
  Result<std::vector<float>> decode_features(std::span<const float> codes, const DecodeOptions& options) const;
  Result<Motion> decode(std::span<const float> codes, const DecodeOptions& options) const;

 private:
  MotionCodec(features::Layout layout, features::Decoder decoder)
      : layout_(std::move(layout)), decoder_(std::move(decoder)) {}

  features::Layout layout_;
  features::Decoder decoder_;
  nn::NetworkPtr encode_, decode_;
  std::size_t code_output_ = 0;  // Of encode_.
  int steps_ = 0, width_ = 0, numbers_ = 0, num_codes_ = 0;
};

}  // namespace zoe::generate
