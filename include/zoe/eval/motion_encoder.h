// SPDX-License-Identifier: MIT
// Part of Zoetrope. The motion encoder: windows of motion of any body to codes, in whose space distances are measured.
// It runs without torch. models/motion_encoder ships; `zoe train encoder` makes one.
//
//   const MotionEncoder encoder = *MotionEncoder::load("models/motion_encoder/encoder.safetensors");
//   const std::vector<float> codes = encoder.encode(windows);  // [windows × encoder.width()]
#pragma once

#include <filesystem>

#include "zoe/eval/motion_windows.h"
#include "zoe/nn/network.h"

namespace zoe::eval {

class MotionEncoder {
 public:
  // Fails on a network that is not an encoder of these columns.
  static Result<MotionEncoder> load(const std::filesystem::path& file);
  static Result<MotionEncoder> create(nn::NetworkPtr network);

  int width() const;
  // [windows × width()]
  std::vector<float> encode(const MotionWindows& windows) const;
  const nn::Network& network() const { return *network_; }

 private:
  explicit MotionEncoder(nn::NetworkPtr network) : network_(std::move(network)) {}
  nn::NetworkPtr network_;
};

// Metadata of the network's file: the columns that it reads.
constexpr const char* kEncoderColumns = "zoe.motion_columns";
// Hash of description_columns(), for that entry.
std::string description_id();

}  // namespace zoe::eval
