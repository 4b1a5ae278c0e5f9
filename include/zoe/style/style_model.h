// SPDX-License-Identifier: MIT
// Part of Zoetrope. A trained model of styles, without torch: a folder with
//
//   step.safetensors      one frame: row, style, state -> row in this style, state
//   encoder.safetensors   a window of rows -> the style it has
//   styles.safetensors    names and codes of the styles it was trained on, and T-poses of known skeletons
//
//   const StyleModelPtr model = StyleModel::load("models/style").value();
//   const StyleCode code = model->parse("0.6*proud+0.4*tired").value();
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "zoe/nn/network.h"
#include "zoe/style/features.h"

namespace zoe::style {

using StyleCode = std::vector<float>;

struct NamedStyle {
  std::string name;
  StyleCode mean, deviation;  // Of the codes of its windows.
};
// T-pose of a skeleton that the model was trained with: the same skeleton has the same rows later.
struct KnownPose {
  std::uint64_t topology = 0;   // Skeleton::topology_hash().
  std::vector<Quat> rotations;  // [joints] of the reference pose.
  Vec3 forward{0, 0, 1};        // Of its analysis.
};

class StyleModel;
using StyleModelPtr = std::shared_ptr<const StyleModel>;

class StyleModel {
 public:
  static Result<StyleModelPtr> load(const std::filesystem::path& folder);
  // Writes styles.safetensors into the folder of the two networks.
  static Result<void> write_styles(const std::filesystem::path& folder, std::span<const NamedStyle> styles,
                                   std::span<const KnownPose> poses, const std::string& licence);

  const nn::Network& step() const { return *step_; }
  const nn::Network& encoder() const { return *encoder_; }
  int code_width() const { return code_width_; }
  int window() const { return window_; }  // Rows of the encoder.
  std::span<const NamedStyle> styles() const { return styles_; }
  const std::string& licence() const { return licence_; }
  // The style without character: "normal" or "neutral", else the mean of all.
  StyleCode neutral() const;

  // "proud", or a sum of weighted names: "0.6*proud+0.4*tired". Unknown names are refused with a suggestion.
  Result<StyleCode> parse(const std::string& text) const;
  bool has_style(const std::string& name) const;

  // Mean of the codes of all windows of the rows [n × kNumColumns], 30 a second. Short clips are extended by their last
  // row.
  StyleCode encode(std::span<const float> rows) const;
  // Codes of all windows, half a window apart, one after the other.
  std::vector<float> encode_windows(std::span<const float> rows) const;

  // True if clips of this skeleton were trained on.
  bool knows(const Skeleton& skeleton) const;
  // The body with the reference pose that the model knows for its skeleton, else with the given one.
  Result<RoleBody> body_of(const SkeletonPtr& skeleton, SkeletonAnalysis analysis, Pose reference) const;

 private:
  nn::NetworkPtr step_, encoder_;
  std::vector<NamedStyle> styles_;
  std::vector<KnownPose> poses_;
  std::string licence_;
  int code_width_ = 0, window_ = 0;
};

// from + strength (to - from).
StyleCode between(const StyleCode& from, const StyleCode& to, float strength);
// A sample of the style around its mean: performers differ. seed 0: the mean.
StyleCode varied(const NamedStyle& style, std::uint64_t seed);

// Every `stride`-th row, beginning with `first`.
std::vector<float> every(const StyleClip& clip, int first = 0);

}  // namespace zoe::style
