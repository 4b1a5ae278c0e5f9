// SPDX-License-Identifier: MIT
// Part of Zoetrope. A network of the model `anytop`: motion for any skeleton from noise, without torch. What is known
// of the motion (frames, joints, the path of the root) is kept, the rest is generated. Any length, window by window:
// each continues from the last frames of the one before.
//
//   const BodyModel model = BodyModel::load("run").value();
//   const BodyLayout body = model.layout_for(skeleton, analysis).value();
//   const std::vector<float> frames = model.sample(body.tokens, {.num_frames = 120, .seed = 3}).value();
//   const Motion motion = model.motion_of(body, frames, {});
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "zoe/features/body_tokens.h"
#include "zoe/features/decode.h"
#include "zoe/generate/motion_calibration.h"
#include "zoe/nn/network.h"
#include "zoe/nn/sampler.h"

namespace zoe::generate {

// A skeleton as the model's tokens, and back.
struct BodyLayout {
  features::Layout layout;
  features::BodyTokens tokens;
  features::Decoder decoder;
};

// Numbers that the result keeps, relative to the rest pose (to_canonical()). Empty: none.
struct KnownNumbers {
  std::vector<float> values;  // [frames × tokens × kTokenWidth]
  std::vector<float> groups;  // [frames × tokens × kKnownGroups] 1: the numbers of the group are known, else 0.
};

struct BodySampleOptions {
  int num_frames = 60;
  std::uint64_t seed = 1;
  std::vector<float> words;  // features::action_bag(); empty: no action.
  KnownNumbers known;
  nn::SamplerOptions sampler{nn::Sampler::kDdim, 8};
  float smooth_frames = 1;                // Deviation of a Gaussian over time on what is generated; 0: none.
  float guidance = 1;                     // Of the words; 1: none, above it twice the time.
  float gain = 0;                         // Of motions beyond their mean pose; 1: none, 0: the model's.
  std::function<bool(int frames)> go_on;  // Called after each window with the finished frames; false: stop.
};

// What the network finds alike in motions: a code per joint and per frame.
struct MotionCodes {
  int width = 0;
  std::vector<float> joints;  // [tokens × width]
  std::vector<float> frames;  // [frames × width]
};

// Immutable.
class BodyModel {
 public:
  // A run's folder, or its model.safetensors. weights: the type that matrices are converted to; empty: the file's.
  static Result<BodyModel> load(const std::filesystem::path& path, std::optional<nn::WeightType> weights = {});
  static Result<BodyModel> create(const nn::Graph& graph);

  const features::Schema& schema() const { return schema_; }
  int window_frames() const { return window_frames_; }
  const nn::Network& network() const { return *network_; }
  // That the network was distilled for; else ddim with 8 steps.
  const nn::SamplerOptions& sampler() const { return sampler_; }

  // How much smaller its motions are than real ones, as measured on bodies of the training data; else a gain of 1.
  const MotionCalibration& calibration() const { return calibration_; }

  // skeleton in metres, Y up.
  Result<BodyLayout> layout_for(const SkeletonPtr& skeleton, const SkeletonAnalysis& analysis) const;

  // [num_frames × tokens × kTokenWidth] relative to the rest pose. A function of model, body and options.
  Result<std::vector<float>> sample(const features::BodyTokens& body, const BodySampleOptions& options) const;

  // Numbers of sample() as a motion: to_motion(), or fitted_motion() where the calibration says so.
  Motion motion_of(const BodyLayout& body, std::span<const float> frames, const PlanarRoot& before,
                   const std::string& name = "generated") const;

  // Of a motion's numbers [frames × tokens × kTokenWidth], with noise of a level from 0 to 1 added. Long motions are
  // read in windows; codes of joints are means over them.
  Result<MotionCodes> codes(const features::BodyTokens& body, std::span<const float> frames, double noise,
                            std::uint64_t seed = 1) const;

 private:
  BodyModel(nn::NoiseProcess process, features::Schema schema)
      : process_(std::move(process)), schema_(std::move(schema)) {}

  nn::NoiseProcess process_;
  features::Schema schema_;
  nn::NetworkPtr network_;
  std::vector<float> means_, spreads_;  // [kTokenWidth]
  int window_frames_ = 0, code_width_ = 0;
  nn::SamplerOptions sampler_{nn::Sampler::kDdim, 8};
  MotionCalibration calibration_;
};

// The layout of a schema for a skeleton, with its tokens.
Result<BodyLayout> make_body_layout(const features::Schema& schema, const SkeletonPtr& skeleton,
                                    const SkeletonAnalysis& analysis);

// A motion's numbers, [frames × tokens × kTokenWidth] relative to the rest pose, at the layout's rate; and the root
// before the first of them.
struct BodyFrames {
  std::vector<float> values;
  PlanarRoot before;
};
Result<BodyFrames> to_frames(const BodyLayout& body, const Motion& motion);

// Bones keep their rest lengths.
Motion to_motion(const BodyLayout& body, std::span<const float> frames, const PlanarRoot& before,
                 const std::string& name = "generated");

// The numbers have each joint's position beside its rotation, and a network's do not agree: rotations shrink more, and
// their errors add up along a limb. Here joints also turn their bones towards the positions. rotation_weight: that of
// the rotations beside a bone of one scale of the body; high values give to_motion(). Numbers of real motions agree, so
// they give the same motion. Bodies with unequal scales of their axes: to_motion().
Motion fitted_motion(const BodyLayout& body, std::span<const float> frames, const PlanarRoot& before,
                     float rotation_weight, const std::string& name = "generated");

}  // namespace zoe::generate
