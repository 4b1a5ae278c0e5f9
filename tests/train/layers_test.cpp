// SPDX-License-Identifier: MIT
// Layers by what must hold for each: known answers, invariants, and plain loops.
#include <cmath>

#include <gtest/gtest.h>

#include "train/codebook.h"
#include "train/experts.h"
#include "train/model_fixture.h"
#include "train/sequence_blocks.h"

namespace zoe::train {
namespace {

Parameters fresh() {
  at::manual_seed(7);
  return Parameters(at::TensorOptions().dtype(at::kDouble));
}
double largest(const at::Tensor& x) { return x.abs().max().item<double>(); }
at::Tensor random(at::IntArrayRef shape) { return at::randn(shape, at::kDouble); }

TEST(Layers, ActivationsHaveNamesAndUnknownOnesAreRefused) {
  for (const char* name : {"relu", "elu", "silu", "tanh", "sigmoid"}) {
    const Activation activation = parse_activation(name).value();
    EXPECT_STREQ(nn::to_string(activation), name);
    EXPECT_TRUE(at::isfinite(activate(random({5}), activation)).all().item<bool>());
  }
  EXPECT_FALSE(parse_activation("relux"));
}

TEST(Layers, NormalisersUndoThemselves) {
  Parameters parameters = fresh();
  const std::vector<float> mean{1, -2, 3}, spread{2, 0.5F, 4};
  const Normaliser normaliser(parameters, "n", mean, spread);
  const at::Tensor x = random({6, 3});
  EXPECT_LT(largest(normaliser.undo(normaliser.apply(x)) - x), 1e-12);
  EXPECT_NEAR(normaliser.apply(at::full({3}, 3.0, at::kDouble))[0].item<double>(), 1, 1e-12);
}

TEST(Layers, ExpertsBlendAndOneHotGatesPick) {
  Parameters parameters = fresh();
  const ExpertLinear layer(parameters, "e", 3, 4, 2);
  const at::Tensor x = random({5, 4});
  for (int expert = 0; expert < 3; ++expert) {
    at::Tensor gate = at::zeros({5, 3}, at::kDouble);
    gate.select(1, expert).fill_(1);
    EXPECT_LT(largest(layer(x, gate) - at::linear(x, layer.weight[expert], layer.bias[expert])), 1e-12);
  }
  const at::Tensor a = random({5, 3}), b = random({5, 3});
  EXPECT_LT(largest(layer(x, a + b) - layer(x, a) - layer(x, b)), 1e-12);  // Linear in the gate.
}

TEST(Layers, PhaseWeightsAreAPartitionOfOne) {
  const at::Tensor phase = at::linspace(-1, 2, 301, at::kDouble).unsqueeze(1);
  const at::Tensor w = phase_weights(phase);
  EXPECT_LT(largest(w.sum(1) - 1), 1e-9);
  for (int point = 0; point < 4; ++point) {
    const at::Tensor at_point = phase_weights(at::full({1, 1}, point / 4.0, at::kDouble));
    for (int k = 0; k < 4; ++k) EXPECT_NEAR(at_point[0][k].item<double>(), k == point ? 1 : 0, 1e-9);
  }
  EXPECT_LT(largest(phase_weights(phase) - phase_weights(phase + 1)), 1e-9);
}

TEST(Layers, ConvolutionsKeepTheirLengthAndCopyByADelta) {
  Parameters parameters = fresh();
  for (const std::int64_t dilation : {1, 2}) {
    const Conv conv(parameters, "c", 3, 3, 5, dilation);
    const c10::NoGradGuard no_gradients;
    const at::Tensor x = random({2, 11, 3});
    EXPECT_EQ(conv(x).sizes(), x.sizes());
    conv.weight.zero_();
    conv.bias.zero_();
    for (int i = 0; i < 3; ++i) conv.weight[i][i][2] = 1;
    EXPECT_LT(largest(conv(x) - x), 1e-12);
  }
}

TEST(Layers, RecurrentOnesGoOnFromTheirStates) {
  for (const bool lstm : {false, true}) {
    Parameters parameters = fresh();
    const Recurrent cell(parameters, "r", 4, 6, lstm);
    const c10::NoGradGuard no_gradients;
    const at::Tensor x = random({3, 10, 4});
    std::vector<at::Tensor> whole_states, states;
    const at::Tensor whole = cell(x, whole_states, false);
    EXPECT_EQ(whole_states.size(), lstm ? 2U : 1U);
    std::vector<at::Tensor> parts;
    for (const auto& [first, count] : {std::pair{0, 3}, {3, 1}, {4, 6}})
      parts.push_back(cell(x.narrow(1, first, count), states, false));
    EXPECT_LT(largest(at::cat(parts, 1) - whole), 1e-12);
    for (std::size_t i = 0; i < states.size(); ++i) EXPECT_LT(largest(states[i] - whole_states[i]), 1e-12);
    EXPECT_LE(largest(whole), 1);
  }
}

TEST(Layers, AttentionIsAMeanOfValues) {
  const at::Tensor q = random({2, 5, 8}), k = random({2, 7, 8}), v = random({2, 7, 8});
  for (const std::int64_t heads : {1, 2, 4}) {
    const at::Tensor y = attention(q, k, v, heads, false);
    EXPECT_EQ(y.sizes(), q.sizes());
    EXPECT_LT(largest(attention(q, k, at::ones_like(v) * 3, heads, false) - 3), 1e-12);  // Weights sum to one.
    EXPECT_LE((y - v.amax(1, true)).max().item<double>(), 1e-12);
    const at::Tensor turned = attention(q, at::roll(k, 2, 1), at::roll(v, 2, 1), heads, false);
    EXPECT_LT(largest(turned - y), 1e-12);  // The order of keys does not matter.
  }
  // The first row of a causal one sees the first value alone.
  const at::Tensor same = random({2, 7, 8});
  EXPECT_LT(largest(attention(same, same, v, 2, true).select(1, 0) - v.select(1, 0)), 1e-12);
}

TEST(Layers, MaskedKeysDoNotCount) {
  const at::Tensor q = random({3, 4, 8}), k = random({3, 6, 8}), v = random({3, 6, 8});
  at::Tensor mask = at::ones({3, 6}, at::kBool);
  mask[0].narrow(0, 4, 2).fill_(false);
  mask[2].fill_(false);  // None counts: all do.
  const at::Tensor y = attention(q, k, v, 2, false, mask);
  const auto part = [](const at::Tensor& x, std::int64_t rows) { return x.narrow(1, 0, rows); };
  const at::Tensor cut = attention(q.narrow(0, 0, 1), part(k.narrow(0, 0, 1), 4), part(v.narrow(0, 0, 1), 4), 2, false);
  EXPECT_LT(largest(y[0] - cut[0]), 1e-12);
  const at::Tensor plain = attention(q, k, v, 2, false);
  EXPECT_LT(largest(y.narrow(0, 1, 2) - plain.narrow(0, 1, 2)), 1e-12);
}

// The one kernel and the plain products, where this libtorch has both.
TEST(Layers, FusedAttentionIsThePlainOne) {
  const at::Tensor q = random({3, 5, 8}), k = random({3, 5, 8}), v = random({3, 5, 8});
  at::Tensor mask = at::ones({3, 5}, at::kBool);
  mask[1].narrow(0, 2, 3).fill_(false);
  for (const bool causal : {false, true}) {
    for (const at::Tensor& given : {at::Tensor(), mask}) {
      const at::Tensor plain = attention(q, k, v, 2, causal, given, AttentionKernel::kPlain);
      EXPECT_TRUE(at::equal(plain, attention(q, k, v, 2, causal, given)));  // On the CPU.
      if (!has_fused_attention()) continue;
      EXPECT_LT(largest(plain - attention(q, k, v, 2, causal, given, AttentionKernel::kFused)), 1e-5);
    }
  }
}

// Along one axis of a table: the same as each of its rows alone.
TEST(Layers, TransformersAlongAnAxisAreThoseOfEachRow) {
  Parameters parameters = fresh();
  const TransformerBlock block(parameters, "t", 8, 2, false);
  const c10::NoGradGuard no_gradients;
  const at::Tensor table = random({2, 3, 4, 8});  // [batch, frames, joints, width]
  at::Tensor present = at::ones({2, 3, 4}, at::kBool);
  present[1].select(1, 3).fill_(false);  // The second sample has three joints.
  const at::Tensor joints = block(table, TokenAxis::kJoints, present),
                   frames = block(table, TokenAxis::kFrames, present), all = block(table, TokenAxis::kTokens, present);
  for (std::int64_t frame = 0; frame < 3; ++frame) {
    const at::Tensor row = table[1][frame].narrow(0, 0, 3).unsqueeze(0);
    EXPECT_LT(largest(joints[1][frame].narrow(0, 0, 3) - block(row)[0]), 1e-12);
  }
  for (std::int64_t joint = 0; joint < 4; ++joint)
    EXPECT_LT(largest(frames[0].select(1, joint) - block(table[0].select(1, joint).unsqueeze(0))[0]), 1e-12);
  EXPECT_LT(largest(all[0].flatten(0, 1) - block(table[0].flatten(0, 1).unsqueeze(0))[0]), 1e-12);
  for (const TokenAxis axis : {TokenAxis::kFrames, TokenAxis::kJoints, TokenAxis::kTokens})
    EXPECT_TRUE(at::equal(from_groups(to_groups(table, axis), axis, table), table));
}

TEST(Layers, CategoriesAreProbabilities) {
  const at::Tensor logits = random({6, 12});
  const at::Tensor p = categorical(logits, 4);
  EXPECT_LT(largest(p.view({6, 3, 4}).sum(2) - 1), 1e-12);
  EXPECT_LT(largest(p - categorical(logits + 5, 4)), 1e-9);
  at::manual_seed(1);
  EXPECT_LT(largest(sample_categorical(logits, 4, 0) - p), 1e-9);  // No noise.
  EXPECT_NEAR(perplexity(at::full({5, 8}, 0.25, at::kDouble), 4).item<double>(), 4, 1e-6);
  at::Tensor one_hot = at::zeros({5, 8}, at::kDouble);
  one_hot.select(1, 2).fill_(1);
  one_hot.select(1, 4).fill_(1);
  EXPECT_NEAR(perplexity(one_hot, 4).item<double>(), 1, 1e-6);
}

TEST(Layers, TheNearestCodeIsTheNearest) {
  Parameters parameters = fresh();
  VectorQuantiser quantiser(parameters, "vq", 9, 3, 0.9);
  const at::Tensor z = random({40, 3}).set_requires_grad(true);
  const VectorQuantiser::Out out = quantiser(z, false);
  for (int row = 0; row < 40; ++row) {
    const at::Tensor distances = (quantiser.codes() - z[row].detach()).pow(2).sum(1);
    EXPECT_EQ(out.index[row].item<std::int64_t>(), distances.argmin().item<std::int64_t>());
    EXPECT_LT(largest(out.quantised[row].detach() - quantiser.codes()[out.index[row].item<std::int64_t>()]), 1e-9);
  }
  EXPECT_TRUE(at::equal(out.index, quantiser.nearest(z.detach())));
  // Gradients pass straight through.
  (out.quantised * 2).sum().backward();
  EXPECT_LT(largest(z.grad() - 2), 1e-9);
  EXPECT_NEAR(quantiser.usage(at::zeros({10}, at::kLong)).item<double>(), 1.0 / 9, 1e-6);
  EXPECT_NEAR(quantiser.perplexity(at::arange(9, at::kLong)).item<double>(), 9, 1e-4);
}

TEST(Layers, TransformersSeeOnlyThePastWhereTheyAreCausal) {
  for (const bool causal : {true, false}) {
    Parameters parameters = fresh();
    const TransformerBlock block(parameters, "t", 8, 2, causal);
    const c10::NoGradGuard no_gradients;
    const at::Tensor x = random({1, 6, 8});
    at::Tensor changed = x.clone();
    changed.select(1, 5).add_(random({1, 8}));  // A constant would be lost in the normalisation.
    const at::Tensor difference = (block(x) - block(changed)).abs().amax(2).squeeze(0);
    EXPECT_GT(difference[5].item<double>(), 1e-6);
    EXPECT_EQ(difference[2].item<double>() < 1e-12, causal);
  }
}

}  // namespace
}  // namespace zoe::train
