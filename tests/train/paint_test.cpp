// SPDX-License-Identifier: MIT
// What painters read: tensors against the loops of zoe::paint.
#include <numeric>

#include <gtest/gtest.h>

#include "zoe/core/random.h"
#include "zoe/core/thread_pool.h"
#include "zoe/nn/graph_file.h"
#include "zoe/paint/features.h"
#include "zoe/paint/video_painter.h"
#include "zoe/train/paint_source.h"

#include "support/data.h"
#include "train/generative/process.h"
#include "train/model_fixture.h"
#include "train/paint/carry.h"
#include "train/paint/patch_reader.h"
#include "train/paint/video_net.h"

namespace zoe::train {
namespace {

constexpr int kCarrySize = 24;

paint::Pose random_pose(Random& random, bool without_legs) {
  paint::Pose pose;
  for (paint::PosePoint& p : pose.points)
    p = {random.uniform(-0.1F, 1.1F), random.uniform(-0.1F, 1.1F), random.uniform(-0.5F, 0.5F), 1};
  if (without_legs) {
    pose.points[paint::kHips] = {};
    for (std::size_t j = paint::kRightHip; j < paint::kNumJoints; ++j) pose.points[j] = {};
  }
  pose.facing_cos = random.uniform(-1, 1);
  pose.facing_sin = random.uniform(-1, 1);
  return pose;
}

TEST(Carrier, ComputesWhatThePainterReads) {
  Random random(3);
  const Carrier carrier(kCarrySize, at::TensorOptions().dtype(at::kFloat));
  constexpr std::size_t kPixels = kCarrySize * kCarrySize;
  for (int round = 0; round < 12; ++round) {
    const paint::Pose target = random_pose(random, round % 4 == 1), from = random_pose(random, round % 4 == 1);
    std::vector<paint::Color> palette(1 + random.below(paint::kMaxColors));
    for (paint::Color& color : palette)
      for (std::uint8_t& byte : color) byte = static_cast<std::uint8_t>(random.below(256));
    paint::IndexedPicture picture{kCarrySize, std::vector<std::uint8_t>(kPixels)};
    for (std::uint8_t& index : picture.pixels) index = static_cast<std::uint8_t>(random.below(palette.size() + 1));
    const paint::Reference reference(picture, palette, from);
    std::vector<float> features(kPixels * paint::kNumFeatures);
    std::vector<std::uint8_t> carried(kPixels * paint::kNumLayers);
    paint::SoftPicture guess{std::vector<std::uint8_t>(kPixels), std::vector<std::uint8_t>(kPixels)};
    for (std::size_t i = 0; i < kPixels; ++i) {
      guess.pixels[i] = static_cast<std::uint8_t>(random.below(palette.size() + 1));
      guess.coverage[i] = static_cast<std::uint8_t>(guess.pixels[i] == 0 ? 0 : 1 + random.below(paint::kFullCoverage));
    }
    reference.describe(target, guess, features, carried);

    CarryInputs in;
    in.reference = at::empty({1, kPixels}, at::kLong);
    for (std::size_t i = 0; i < kPixels; ++i)
      in.reference[0][static_cast<std::int64_t>(i)] = static_cast<std::int64_t>(picture.pixels[i]);
    in.guess = at::empty({1, kPixels, 2}, at::kLong);
    for (std::size_t i = 0; i < kPixels; ++i) {
      in.guess[0][static_cast<std::int64_t>(i)][0] = static_cast<std::int64_t>(guess.pixels[i]);
      in.guess[0][static_cast<std::int64_t>(i)][1] = static_cast<std::int64_t>(guess.coverage[i]);
    }
    in.palette = at::zeros({1, paint::kMaxColors, 3}, at::kFloat);
    for (std::size_t c = 0; c < palette.size(); ++c)
      for (std::size_t k = 0; k < 3; ++k)
        in.palette[0][static_cast<std::int64_t>(c)][static_cast<std::int64_t>(k)] = static_cast<float>(palette[c][k]);
    in.num_colors = at::full({1}, static_cast<double>(palette.size()), at::kFloat);
    for (const auto& [pose, tensor] : {std::pair{&target, &in.target_pose}, {&from, &in.reference_pose}}) {
      *tensor = at::empty({1, paint::kPoseSize}, at::kFloat);
      paint::write_pose(*pose, std::span<float, paint::kPoseSize>(tensor->data_ptr<float>(), paint::kPoseSize));
    }
    const Carried out = carrier(in);
    const at::Tensor ours =
        at::from_blob(features.data(), {1, kPixels, paint::kNumFeatures}, at::TensorOptions().dtype(at::kFloat));
    // Samples on the border between two pixels may fall to either side.
    const at::Tensor differs = (ours - out.features).abs().amax(2).gt(1e-4);
    EXPECT_LE(differs.to(at::kFloat).mean().item<float>(), 0.01F) << round;
    std::int64_t others = 0;
    const at::Tensor indices = out.indices.transpose(1, 2).contiguous();
    for (std::size_t i = 0; i < carried.size(); ++i)
      others += indices.data_ptr<std::int64_t>()[i] != carried[i] ? 1 : 0;
    EXPECT_LE(others, 10) << round;
    const at::Tensor colors =
        at::tensor(std::vector<float>(reference.color_features().begin(), reference.color_features().end()))
            .view_as(out.colors);
    EXPECT_LE((colors - out.colors).abs().max().item<float>(), 1e-4F) << round;
    for (std::size_t g = 0; g < paint::kNumGuesses; ++g) {
      for (int i = 0; i < static_cast<int>(kPixels); ++i) {
        const int x = i % kCarrySize + paint::kGuessSteps[g].x, y = i / kCarrySize + paint::kGuessSteps[g].y;
        const bool inside = x >= 0 && y >= 0 && x < kCarrySize && y < kCarrySize;
        const auto neighbour = static_cast<std::size_t>(inside ? y * kCarrySize + x : 0);
        ASSERT_EQ(out.guess_indices[0][static_cast<std::int64_t>(g)][i].item<std::int64_t>(),
                  inside ? guess.pixels[neighbour] : 0);
      }
      if (round > 1) break;
    }
    for (std::size_t l = 0; l < paint::kNumLayers; ++l)
      EXPECT_EQ(out.layers[0][static_cast<std::int64_t>(l)].item<bool>(), paint::shared_layers(target, from)[l]);
  }
}

at::Tensor tensor_of(const paint::Pose& pose) {
  at::Tensor numbers = at::empty({1, paint::kPoseSize}, at::kFloat);
  paint::write_pose(pose, std::span<float, paint::kPoseSize>(numbers.data_ptr<float>(), paint::kPoseSize));
  return numbers;
}

TEST(PatchReader, ComputesWhatThePainterOfClipsReads) {
  Random random(4);
  constexpr int kSide = 20;
  const PatchReader reader(kSide, at::TensorOptions().dtype(at::kFloat));
  for (int round = 0; round < 8; ++round) {
    const paint::Pose pose = random_pose(random, round % 4 == 1);
    std::vector<float> bones(paint::num_patches(kSide) * paint::kPatchFeatures);
    paint::describe_patches(pose, kSide, bones);
    const at::Tensor described = reader.describe(tensor_of(pose)).contiguous();
    ASSERT_EQ(described.numel(), static_cast<std::int64_t>(bones.size()));
    for (std::size_t i = 0; i < bones.size(); ++i) ASSERT_NEAR(described.data_ptr<float>()[i], bones[i], 1e-4) << i;
    std::vector<paint::Color> palette(1 + random.below(5));
    for (paint::Color& color : palette)
      for (std::uint8_t& byte : color) byte = static_cast<std::uint8_t>(random.below(256));
    constexpr std::size_t kArea = kSide * kSide;
    paint::SoftPicture picture{std::vector<std::uint8_t>(kArea), std::vector<std::uint8_t>(kArea)};
    at::Tensor pairs = at::zeros({1, kArea, 2}, at::kLong), colors = at::zeros({1, paint::kMaxColors, 3}, at::kFloat);
    for (std::size_t i = 0; i < kArea; ++i) {
      picture.pixels[i] = static_cast<std::uint8_t>(random.below(palette.size() + 1));
      picture.coverage[i] = static_cast<std::uint8_t>(picture.pixels[i] == 0 ? 0 : 1 + random.below(63));
      pairs[0][static_cast<std::int64_t>(i)][0] = static_cast<std::int64_t>(picture.pixels[i]);
      pairs[0][static_cast<std::int64_t>(i)][1] = static_cast<std::int64_t>(picture.coverage[i]);
    }
    for (std::size_t c = 0; c < palette.size(); ++c)
      for (std::size_t k = 0; k < 3; ++k)
        colors[0][static_cast<std::int64_t>(c)][static_cast<std::int64_t>(k)] = static_cast<float>(palette[c][k]);
    std::vector<float> patches(paint::num_patches(kSide) * paint::kPatchNumbers);
    paint::to_patches(picture, palette, kSide, patches);
    const at::Tensor read = reader.patches(pairs, colors).contiguous();
    for (std::size_t i = 0; i < patches.size(); ++i) ASSERT_NEAR(read.data_ptr<float>()[i], patches[i], 1e-5) << i;
  }
}

// The exported network with the sampler of the run time against the model and torch's sampler, from the same noise:
// with a reference, guesses and words, and with words alone.
TEST(VideoModel, SamplesWithoutTorchWhatTheTrainerSamples) {
  SmallModel small = make_small(*find_model("sprite_video").value(), at::kFloat, 3, {"model.graph_frames=0"});
  small.model->training = false;
  const c10::NoGradGuard no_gradients;
  for (const NamedTensor& weight : small.model->parameters().weights())
    if (weight.name.starts_with("out.")) weight.tensor.uniform_(-0.3, 0.3);  // As if trained.
  nn::Graph graph = small.model->graph().value();
  graph.metadata.merge(small.source->metadata());
  const paint::VideoPainter painter = paint::VideoPainter::create(nn::Network::compile(graph).value()).value();
  const int size = painter.size();
  const auto patches = static_cast<std::int64_t>(paint::num_patches(size));
  const PatchReader reader(size, at::TensorOptions().dtype(at::kFloat));
  Random random(8);
  for (const bool with_reference : {true, false}) {
    constexpr std::size_t kFrames = 5;  // Another number than in training.
    std::vector<paint::Pose> poses;
    std::vector<paint::SoftPicture> guesses;
    const std::size_t area = static_cast<std::size_t>(size) * static_cast<std::size_t>(size);
    const std::vector<paint::Color> palette{{250, 20, 30}, {0, 90, 200}};
    for (std::size_t f = 0; f < kFrames + 1; ++f) {
      poses.push_back(random_pose(random, false));
      paint::SoftPicture& guess =
          guesses.emplace_back(paint::SoftPicture{std::vector<std::uint8_t>(area), std::vector<std::uint8_t>(area)});
      for (std::size_t i = 0; i < area; ++i) {
        guess.pixels[i] = static_cast<std::uint8_t>(random.below(3));
        guess.coverage[i] = guess.pixels[i] == 0 ? std::uint8_t{0} : std::uint8_t{50};
      }
    }
    const std::vector<int> words = painter.vocabulary().encode("the pink one");
    ASSERT_EQ(words, std::vector<int>{6});
    const auto stages = nn::make_stages(painter.process(), {nn::Sampler::kDdim, 3}).value();
    paint::VideoState state = painter.make_state(kFrames).value();
    std::vector<float> out(kFrames * static_cast<std::size_t>(patches) * paint::kPatchNumbers);
    paint::VideoJob job{.painter = &painter,
                        .state = &state,
                        .poses = std::span(poses).first(kFrames),
                        .words = words,
                        .stages = stages,
                        .guidance = 1.5F,
                        .seed = 9,
                        .out = out};
    if (with_reference) {
      job.reference = {&guesses[kFrames], palette, poses[kFrames]};
      job.guesses = std::span(guesses).first(kFrames);
    }
    ThreadPool pool(2);
    ASSERT_TRUE(job.run(pool)) << job.validate();

    const auto of_picture = [&](const paint::SoftPicture& picture) {
      std::vector<float> numbers(static_cast<std::size_t>(patches) * paint::kPatchNumbers);
      paint::to_patches(picture, palette, size, numbers);
      return at::tensor(numbers).view({1, patches, -1});
    };
    std::vector<at::Tensor> bones, warped;
    for (std::size_t f = 0; f < kFrames; ++f) {
      bones.push_back(reader.describe(tensor_of(poses[f])));
      warped.push_back(of_picture(guesses[f]));
    }
    at::Tensor guess = at::cat(warped, 1),
               mask = at::zeros({1, patches + static_cast<std::int64_t>(paint::kWordRows), 1});
    at::Tensor none = mask.clone(), caption = at::zeros({1, static_cast<std::int64_t>(paint::kWordRows), 1});
    none[0][-1][0] = mask[0][-1][0] = mask[0][patches][0] = 1;
    caption[0][0][0] = 6;
    at::Tensor keys = at::zeros({1, patches, static_cast<std::int64_t>(paint::kPatchNumbers + paint::kPatchFeatures)});
    if (with_reference) {
      mask.narrow(1, 0, patches).fill_(1);
      keys = at::cat({of_picture(guesses[kFrames]), reader.describe(tensor_of(poses[kFrames]))}, 2);
    } else {
      guess.zero_();
    }
    const Process process(painter.process(), nn::LossWeight::kUniform, at::TensorOptions().dtype(at::kFloat));
    const Predict predict = [&](const at::Tensor& x, const at::Tensor& time) {
      const at::Tensor t = paint::kVideoTime * time.unsqueeze(1);
      const at::Tensor with = small.model->predict({x, at::cat(bones, 1), guess, keys, mask, caption, t})[0];
      const at::Tensor without =
          small.model->predict({x, at::cat(bones, 1), at::zeros_like(guess), keys, none, caption, t})[0];
      return guided(1.5, without, with);
    };
    Random noise = Random(9).split(21);
    std::vector<float> first(out.size());
    for (float& number : first) number = static_cast<float>(noise.normal());
    const at::Tensor x = at::tensor(first).view({1, static_cast<std::int64_t>(kFrames) * patches, -1});
    const at::Tensor made =
        sample(process, stages, predict, x, [](const at::Tensor& like) { return like; }).contiguous();
    ASSERT_EQ(made.numel(), static_cast<std::int64_t>(out.size()));
    for (std::size_t i = 0; i < out.size(); ++i) ASSERT_NEAR(made.data_ptr<float>()[i], out[i], 2e-4) << i;
  }
}

// Before training a guess is the result, to the bit; a clip without one is not empty.
TEST(VideoModel, KeepsAGuessBeforeTraining) {
  SmallModel small = make_small(*find_model("sprite_video").value(), at::kFloat, 3, {"model.graph_frames=0"});
  nn::Graph graph = small.model->graph().value();
  graph.metadata.merge(small.source->metadata());
  const paint::VideoPainter painter = paint::VideoPainter::create(nn::Network::compile(graph).value()).value();
  Random random(8);
  const std::size_t area = static_cast<std::size_t>(painter.size()) * static_cast<std::size_t>(painter.size());
  const std::vector<paint::Color> palette{{250, 20, 30}, {0, 90, 200}};
  const std::vector<paint::Pose> poses{random_pose(random, false), random_pose(random, false)};
  std::vector<paint::SoftPicture> guesses(2, {std::vector<std::uint8_t>(area), std::vector<std::uint8_t>(area)});
  std::vector<float> expected;
  for (paint::SoftPicture& guess : guesses) {
    for (std::size_t i = 0; i < area / 2; ++i) {  // The other half is transparent.
      guess.pixels[i] = static_cast<std::uint8_t>(1 + random.below(2));
      guess.coverage[i] = static_cast<std::uint8_t>(1 + random.below(paint::kFullCoverage));
    }
    expected.resize(expected.size() + paint::num_patches(painter.size()) * paint::kPatchNumbers);
    paint::to_patches(guess, palette, painter.size(),
                      std::span(expected).last(paint::num_patches(painter.size()) * paint::kPatchNumbers));
  }
  const auto stages = nn::make_stages(painter.process(), {nn::Sampler::kDdim, 1}).value();
  paint::VideoState state = painter.make_state(2).value();
  std::vector<float> out(expected.size());
  paint::VideoJob job{.painter = &painter, .state = &state, .poses = poses, .stages = stages, .out = out};
  job.reference = {&guesses[0], palette, poses[0]};
  job.guesses = guesses;
  ThreadPool pool(1);
  ASSERT_TRUE(job.run(pool)) << job.validate();
  EXPECT_EQ(out, expected);
  job.guesses = {};
  ASSERT_TRUE(job.run(pool));
  EXPECT_GT(*std::max_element(out.begin(), out.end()), 0.01F);
}

// model.init: the exported network is the beginning of another training; other sizes are refused.
TEST(VideoModel, BeginsWithATrainedNetwork) {
  const ModelInfo& info = *find_model("sprite_video").value();
  const SmallModel one = make_small(info, at::kFloat, 3);
  const std::filesystem::path folder = test::temporary_dir("video_init"), file = folder / "model.safetensors";
  ASSERT_TRUE(nn::write_graph(file, one.model->graph().value()));
  const SmallModel other = make_small(info, at::kFloat, 4);
  const SmallModel begun = make_small(info, at::kFloat, 4, {"model.init=" + file.string()});
  bool differs = false;
  for (std::size_t i = 0; i < one.model->parameters().weights().size(); ++i) {
    const at::Tensor& weight = one.model->parameters().weights()[i].tensor;
    EXPECT_TRUE(at::allclose(weight, begun.model->parameters().weights()[i].tensor, 1e-6, 1e-6))
        << one.model->parameters().weights()[i].name;
    differs = differs || !at::allclose(weight, other.model->parameters().weights()[i].tensor);
  }
  EXPECT_TRUE(differs);
  const SmallModel wide = make_small(info, at::kFloat, 4, {"model.width=32", "model.heads=2"});
  EXPECT_FALSE(load_video_network(file, wide.model->parameters()));
}

TEST(PaintSource, PacksFourIndicesIntoANumber) {
  std::vector<std::uint8_t> indices(64);
  std::iota(indices.begin(), indices.end(), std::uint8_t{0});
  std::vector<float> packed(16);
  pack_indices(indices, packed);
  for (std::size_t i = 0; i < indices.size(); ++i)
    EXPECT_EQ(static_cast<std::uint32_t>(packed[i / 4]) >> (6 * (i % 4)) & 63, indices[i]);
}

}  // namespace
}  // namespace zoe::train
