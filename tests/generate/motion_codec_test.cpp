// SPDX-License-Identifier: MIT
// Codecs by hand: one that loses nothing, and a codebook whose words are windows of the clip itself.
#include "zoe/generate/motion_codec.h"

#include <gtest/gtest.h>

#include "zoe/generate/compare.h"
#include "zoe/nn/graph_builder.h"

#include "generate/decoder_part.h"
#include "generate/walker_window.h"

namespace zoe::generate {
namespace {

using features::BlockKind;

// An autoencoder whose code is its whole input.
nn::Graph lossless(const features::Layout& layout) {
  nn::GraphBuilder b;
  const int steps = layout.steps(BlockKind::kOutput), width = layout.width(BlockKind::kOutput);
  const int code = b.reshape(b.input("x", width, steps), 1, steps * width);
  b.output("code", code);
  b.output("y", b.reshape(b.activation(code, nn::Activation::kNone), steps, width));
  return std::move(b).build().value();
}

// A codebook of whole windows: [words × window numbers].
struct Codebook {
  nn::Graph model, encoder;
};
Codebook codebook(const features::Layout& layout, const std::vector<float>& words) {
  const int steps = layout.steps(BlockKind::kOutput), width = layout.width(BlockKind::kOutput);
  const auto size = static_cast<std::size_t>(steps * width), count = words.size() / size;
  Codebook made;
  nn::GraphBuilder decode;
  decode.output("x",
                decode.reshape(decode.embedding(decode.input("code", 1), "codes", {count, size}, words), steps, width));
  made.model = std::move(decode).build().value();
  // |x - word|^2 less |x|^2.
  std::vector<float> weights, biases(count);
  for (std::size_t i = 0; i < words.size(); ++i) {
    weights.push_back(-2 * words[i]);
    biases[i / size] += words[i] * words[i];
  }
  nn::GraphBuilder encode;
  const int flat = encode.reshape(encode.input("x", width, steps), 1, steps * width);
  encode.output("code", encode.argmin(encode.linear(flat, "distance", {count, size}, weights, biases)));
  made.encoder = std::move(encode).build().value();
  return made;
}

PlanarRoot root_of(const features::ClipRows& rows) {
  return {{rows.rows[0], rows.rows[1], rows.rows[2]}, rows.rows[3]};
}

TEST(MotionCodec, LosslessCodesGiveTheMotionBack) {
  const features::Layout layout = test::window_layout();
  const MotionCodec codec = MotionCodec::create({lossless(layout), nullptr}, layout, test::walker_skeleton()).value();
  EXPECT_EQ(codec.window_frames(), test::kWindow);
  EXPECT_EQ(codec.numbers(), test::kWindow * layout.width(BlockKind::kOutput));
  EXPECT_EQ(codec.num_codes(), 0);
  for (const int frames : {3, 8, 9, 41}) {
    const Motion motion = test::swinging(frames);
    const test::Windows windows = test::rows_of(layout, motion);
    for (const int hop : {3, 8}) {
      const std::vector<float> codes = codec.encode(windows.clip, hop).value();
      EXPECT_EQ(codes.size(), static_cast<std::size_t>(codec.num_windows(frames, hop) * codec.numbers()));
      const Motion back =
          codec.decode(codes, {.hop_frames = hop, .num_frames = frames, .first_root = root_of(windows.clip)}).value();
      ASSERT_EQ(back.num_frames, frames);
      EXPECT_LT(joint_errors(motion, back, false).worst_mm, 0.5) << frames << " " << hop;
    }
  }
}

TEST(MotionCodec, WordsOfACodebookAreFoundAndDecoded) {
  const features::Layout layout = test::window_layout();
  const Motion motion = test::swinging(24);
  const test::Windows windows = test::rows_of(layout, motion);
  const MotionCodec all = MotionCodec::create({lossless(layout), nullptr}, layout, test::walker_skeleton()).value();
  const std::vector<float> words = all.encode(windows.clip, 8).value();  // Three windows.
  const Codebook made = codebook(layout, words);
  const MotionCodec codec = MotionCodec::create({made.model, &made.encoder}, layout, test::walker_skeleton()).value();
  EXPECT_EQ(codec.num_codes(), 3);
  EXPECT_EQ(codec.numbers(), 1);
  EXPECT_EQ(codec.encode(windows.clip, 8).value(), (std::vector<float>{0, 1, 2}));
  const Motion back =
      codec.decode(std::vector<float>{0, 1, 2}, {.hop_frames = 8, .first_root = root_of(windows.clip)}).value();
  EXPECT_LT(joint_errors(motion, back, false).worst_mm, 0.5);
  // Words in another order: other poses, and a path that goes on from where it is.
  const Motion mixed = codec.decode(std::vector<float>{2, 0, 1, 2}, {.hop_frames = 8}).value();
  EXPECT_EQ(mixed.num_frames, 32);
  for (int f = 1; f < 32; ++f) {
    const Vec3 step =
        mixed.translations[static_cast<std::size_t>(6 * f)] - mixed.translations[static_cast<std::size_t>(6 * (f - 1))];
    EXPECT_LT(length(step), 0.06F) << f;  // A metre a second, 30 times a second, and the swing.
  }
}

// Shared frames are blended: no jump at the border of windows of different level.
TEST(MotionCodec, OverlapsAreBlended) {
  const features::Layout layout = test::window_layout();
  const auto size = layout.size(BlockKind::kOutput);
  std::vector<float> words(2 * size, 0);
  std::fill(words.begin() + static_cast<std::ptrdiff_t>(size), words.end(), 1.0F);
  const Codebook made = codebook(layout, words);
  const MotionCodec codec = MotionCodec::create({made.model, &made.encoder}, layout, test::walker_skeleton()).value();
  const std::vector<float> values = codec.decode_features(std::vector<float>{0, 1}, {.hop_frames = 5}).value();
  const auto width = static_cast<std::size_t>(layout.width(BlockKind::kOutput));
  ASSERT_EQ(values.size(), 13 * width);
  const float expected[] = {0, 0, 0, 0, 0, 0.25F, 0.5F, 0.75F, 1, 1, 1, 1, 1};
  for (std::size_t f = 0; f < 13; ++f) EXPECT_NEAR(values[f * width], expected[f], 1e-6) << f;
}

TEST(MotionCodec, RefusesWhatDoesNotFit) {
  const features::Layout layout = test::window_layout();
  const SkeletonPtr skeleton = test::walker_skeleton();
  const Codebook made = codebook(layout, std::vector<float>(2 * layout.size(BlockKind::kOutput)));
  EXPECT_FALSE(MotionCodec::create({made.model, nullptr}, layout, skeleton));
  EXPECT_FALSE(MotionCodec::create({made.encoder, nullptr}, layout, skeleton));
  nn::GraphBuilder b;
  const int code = b.reshape(b.input("x", 4, 2), 1, 8);
  b.output("code", code);
  b.output("y", b.reshape(code, 2, 4));
  const Result<MotionCodec> other = MotionCodec::create({std::move(b).build().value(), nullptr}, layout, skeleton);
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().message.find("anytop"), std::string::npos);
  const MotionCodec codec = MotionCodec::create({made.model, &made.encoder}, layout, skeleton).value();
  const SkeletonPtr stranger = Skeleton::create({{"Hips", kNoJoint, {}}, {"Tail", 0, {{0, 1, 0}}}}).value();
  const Result<MotionCodec> strange = MotionCodec::create({made.model, &made.encoder}, layout, stranger);
  ASSERT_FALSE(strange);
  EXPECT_NE(strange.error().message.find("other joints"), std::string::npos);
  EXPECT_FALSE(codec.decode_features({}, {.hop_frames = 8}));
  EXPECT_FALSE(codec.decode_features(std::vector<float>{0}, {.hop_frames = 9}));
  EXPECT_FALSE(codec.decode_features(std::vector<float>{0}, {.hop_frames = 0}));
}

TEST(DecoderPart, NeedsTheCodeOnly) {
  nn::GraphBuilder b;
  const int x = b.input("x", 3);
  const std::vector<float> one{1, 2, 3};
  const int code = b.linear(x, "in", {1, 3}, one, {});
  b.output("code", code);
  b.output("y", b.linear(code, "out", {3, 1}, one, {}));
  b.output("both", b.add(x, b.linear(code, "again", {3, 1}, one, {})));
  const nn::Graph graph = std::move(b).build().value();
  const nn::Graph part = part_after(graph, 0, 1).value();
  ASSERT_EQ(part.nodes.size(), 1U);
  const nn::NetworkPtr network = nn::Network::compile(part).value();
  nn::NetworkState state = nn::make_state(*network, 1);
  const float in = 2;
  float out[3];
  const std::span<const float> inputs[] = {{&in, 1}};
  const std::span<float> outputs[] = {out};
  ASSERT_TRUE((nn::NetworkJob{.network = network.get(), .state = &state, .inputs = inputs, .outputs = outputs}.run()));
  EXPECT_EQ(out[2], 6);
  EXPECT_FALSE(part_after(graph, 0, 2));
}

TEST(CompareCodecs, CurvesReachTheError) {
  const Motion motion = test::swinging(120);
  for (const double target_mm : {0.05, 1.0, 8.0}) {
    for (const bool relative : {false, true}) {
      const CompressionRow row = curves_at(motion, target_mm, relative).value();
      EXPECT_LE((relative ? row.pose_errors : row.errors).mean_mm, target_mm);
      EXPECT_GT(row.ratio, 1);
    }
  }
  EXPECT_GT(curves_at(motion, 8, false).value().ratio, curves_at(motion, 0.05, false).value().ratio);
  // Paths apart, poses alike.
  Motion moved = motion;
  for (std::size_t i = 0; i < moved.translations.size(); i += 6) moved.translations[i].x += 0.5F;
  EXPECT_NEAR(joint_errors(motion, moved, false).mean_mm, 500, 0.1);
  EXPECT_LT(joint_errors(motion, moved, true).worst_mm, 0.1);
}

}  // namespace
}  // namespace zoe::generate
