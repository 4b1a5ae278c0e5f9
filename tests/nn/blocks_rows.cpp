// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Blocks of operations along rows, and networks with dimensions.
#include <cmath>

#include "zoe/nn/graph_builder.h"

#include "nn/blocks.h"

namespace zoe::test {
namespace {

using nn::Activation;
using nn::Axis;
using nn::GraphBuilder;
using nn::RowCount;

class Maker {
 public:
  std::vector<Block> blocks;

  template <typename Function>
  void add(std::string name, Function make) {
    GraphBuilder b;
    const int value = make(b);
    b.output("y", value);
    blocks.push_back({std::move(name), std::move(b).build().value()});
  }
  std::vector<float> w(std::size_t n, std::size_t in) {
    return random_values(random_, n, 1.7F / std::sqrt(static_cast<float>(in)));
  }
  std::vector<float> v(std::size_t n) { return random_values(random_, n); }

 private:
  Random random_{17};
};

void add_attention(Maker& m) {
  // A table of 5 frames x 3 joints.
  const auto self = [&](const char* name, const GraphBuilder::Attention& how, int kv_width = 12) {
    m.add(name, [&](GraphBuilder& b) {
      const int q = b.input("q", 12, 15), k = b.input("k", kv_width, 15), v = b.input("v", kv_width, 15);
      return b.attention(q, k, v, how);
    });
  };
  self("attention_over_joints", {.heads = 3, .over = 3});
  self("attention_over_frames", {.heads = 3, .inner = 3});
  self("attention_in_the_middle", {.heads = 2, .over = 5, .inner = 3});
  self("attention_window", {.heads = 2, .inner = 3, .before = 1, .after = 2, .first = 1});
  self("attention_causal_frames", {.heads = 2, .inner = 3, .causal = true});
  self("attention_multi_query", {.heads = 4, .kv_heads = 1, .over = 3}, 3);
  self("attention_grouped_query", {.heads = 4, .kv_heads = 2}, 6);
  m.add("attention_masked", [&](GraphBuilder& b) {
    const int q = b.input("q", 12, 15), k = b.input("k", 12, 15), v = b.input("v", 12, 15),
              mask = b.input("mask", 1, 15);
    return b.attention(q, k, v, {.heads = 2, .over = 3, .mask = mask});
  });
  m.add("attention_masked_frames", [&](GraphBuilder& b) {
    const int q = b.input("q", 12, 15), k = b.input("k", 12, 15), v = b.input("v", 12, 15),
              mask = b.input("mask", 1, 15);
    return b.attention(q, k, v, {.heads = 2, .inner = 3, .before = 2, .mask = mask});
  });
  m.add("attention_bias", [&](GraphBuilder& b) {
    const int q = b.input("q", 12, 15), k = b.input("k", 12, 15), v = b.input("v", 12, 15),
              index = b.input("index", 1, 9);
    const int bias = b.embedding(index, "bias", {4, 3}, m.v(12));
    return b.attention(q, k, v, {.heads = 3, .over = 3, .bias = bias});
  });
  m.add("attention_constant_bias", [&](GraphBuilder& b) {
    const int q = b.input("q", 12, 5), k = b.input("k", 12, 7), v = b.input("v", 18, 7);
    return b.attention(q, k, v, {.heads = 3, .bias = b.constant("bias", 35, 1, m.v(35))});
  });
  m.add("attention_cross", [&](GraphBuilder& b) {
    const int q = b.input("q", 12, 15), k = b.input("k", 12, 7), v = b.input("v", 18, 7), mask = b.input("mask", 1, 7);
    return b.attention(q, k, v, {.heads = 3, .over = 5, .inner = 3, .shared_keys = true, .mask = mask});
  });
  m.add("attention_cross_groups", [&](GraphBuilder& b) {
    const int q = b.input("q", 12, 15), k = b.input("k", 12, 21), v = b.input("v", 18, 21);
    return b.attention(q, k, v, {.heads = 3, .inner = 3});
  });
  const auto related = [&](const char* name, RowCount over, RowCount inner, int rows, bool values) {
    m.add(name, [&](GraphBuilder& b) {
      const int x = b.input("x", 12, 15), relation = b.input("relation", 2, rows * rows);
      const int q = b.linear(x, "q", {12, 12}, m.w(144, 60), {}), k = b.linear(x, "k", {12, 12}, m.w(144, 60), {});
      GraphBuilder::Attention how{.heads = 3, .over = over, .inner = inner, .relation = relation};
      how.query_terms = b.relation_terms(q, "eq", 3, 5, m.v(60));
      how.key_terms = b.relation_terms(k, "ek", 3, 5, m.v(60));
      if (values) how.relation_values = b.constant("ev", 5, 12, m.v(60));
      return b.attention(q, k, x, how);
    });
  };
  related("attention_relations", 3, {}, 3, false);
  related("attention_relations_frames", {}, 3, 5, true);
  related("attention_relation_values", {}, {}, 15, true);
}

void add_norms(Maker& m) {
  m.add("rms_norm", [&](GraphBuilder& b) { return b.rms_norm(b.input("x", 37, 3), "n", m.v(37)); });
  m.add("rms_norm_plain", [&](GraphBuilder& b) { return b.rms_norm(b.input("x", 16), "n", {}, 1e-3F); });
  m.add("group_norm", [&](GraphBuilder& b) { return b.group_norm(b.input("x", 21, 9), 3, "n", m.v(21), m.v(21)); });
  m.add("group_norm_one_row", [&](GraphBuilder& b) { return b.group_norm(b.input("x", 40), 2, "n", {}, {}); });
  m.add("glu", [&](GraphBuilder& b) { return b.glu(b.input("x", 34, 3)); });
  m.add("glu_silu", [&](GraphBuilder& b) { return b.glu(b.input("x", 30), Activation::kSilu); });
  m.add("glu_gelu", [&](GraphBuilder& b) { return b.glu(b.input("x", 30, 2), Activation::kGelu); });
  m.add("softmax_rows", [&](GraphBuilder& b) { return b.softmax_rows(b.input("x", 19, 15), {.over = 5, .inner = 3}); });
  m.add("softmax_all_rows", [&](GraphBuilder& b) { return b.softmax_rows(b.input("x", 33, 6)); });
}

void add_positions(Maker& m) {
  m.add("positions", [&](GraphBuilder& b) { return b.positions(b.input("x", 3, 15), {.over = 5, .inner = 3}); });
  m.add("sinusoidal", [&](GraphBuilder& b) { return b.sinusoidal(b.input("t", 1, 3), 22); });
  m.add("sinusoidal_of_positions",
        [&](GraphBuilder& b) { return b.sinusoidal(b.positions(b.input("x", 2, 12), {.inner = 3}), 10, 100); });
  m.add("rotary", [&](GraphBuilder& b) {
    const int x = b.input("x", 36, 15);
    return b.rotary(x, b.positions(x, {.inner = 3}), 3);
  });
  m.add("rotary_interleaved", [&](GraphBuilder& b) {
    const int x = b.input("x", 36, 5), t = b.input("t", 1);
    return b.rotary(x, t, 2, 500, true);
  });
  m.add("rotary_one_row", [&](GraphBuilder& b) {
    const int x = b.input("x", 10), t = b.input("t", 1);
    return b.rotary(x, t, 1);
  });
}

void add_moves(Maker& m) {
  m.add("gather", [&](GraphBuilder& b) {
    const int x = b.input("x", 19, 7), index = b.input("index", 1, 5);
    return b.gather(x, index);
  });
  m.add("gather_one", [&](GraphBuilder& b) {
    const int x = b.input("x", 19, 7), index = b.input("index", 1);
    return b.gather(x, index);
  });
  m.add("mean_rows", [&](GraphBuilder& b) { return b.mean_rows(b.input("x", 19, 15), {.over = 5, .inner = 3}); });
  m.add("mean_of_all_rows", [&](GraphBuilder& b) { return b.mean_rows(b.input("x", 35, 6)); });
  m.add("mean_masked_rows", [&](GraphBuilder& b) {
    const int x = b.input("x", 19, 15), mask = b.input("mask", 1, 15);
    return b.mean_rows(x, {.over = 5}, mask);
  });
  m.add("max_rows", [&](GraphBuilder& b) { return b.max_rows(b.input("x", 19, 15), {.inner = 5}); });
  m.add("max_masked_rows", [&](GraphBuilder& b) {
    const int x = b.input("x", 19, 12), mask = b.input("mask", 1, 12);
    return b.max_rows(x, {.over = 2}, mask);
  });
  m.add("concat_rows", [&](GraphBuilder& b) {
    const int x = b.input("a", 11, 3), y = b.input("b", 11);
    return b.concat_rows({x, b.constant("c", 2, 11, m.v(22)), y, x});
  });
  m.add("slice_rows", [&](GraphBuilder& b) { return b.slice_rows(b.input("x", 9, 15), 1, 0, {.inner = 3}); });
  m.add("slice_rows_inside", [&](GraphBuilder& b) { return b.slice_rows(b.input("x", 9, 15), 1, -1, {.over = 5}); });
  m.add("slice_one_row", [&](GraphBuilder& b) { return b.slice_rows(b.input("x", 9, 4), 2, 3); });
  m.add("repeat_rows", [&](GraphBuilder& b) { return b.repeat_rows(b.input("x", 9, 6), 4, 3); });
  m.add("repeat_all_rows", [&](GraphBuilder& b) { return b.repeat_rows(b.input("x", 9), 5); });
}

void add_pictures(Maker& m) {
  // 7 lines of 5 pixels, 6 channels.
  const auto conv = [&](const char* name, std::vector<std::size_t> dims, GraphBuilder::Conv2d how, Activation a) {
    m.add(name, [&](GraphBuilder& b) {
      const std::size_t in = dims[1] * dims[2] * dims[3];
      return b.conv2d(b.input("x", 6, 35), 5, "c", dims, m.w(dims[0] * in, in), m.v(dims[0]), how, a);
    });
  };
  conv("conv2d", {11, 6, 3, 3}, {}, Activation::kNone);
  conv("conv2d_padded", {9, 6, 3, 2}, {.padding = 1}, Activation::kSilu);
  conv("conv2d_strided", {11, 6, 3, 3}, {.stride = 2, .padding = 2, .dilation = 2}, Activation::kRelu);
  conv("conv2d_depthwise", {6, 1, 3, 3}, {.padding = 1, .groups = 6}, Activation::kElu);
  conv("conv2d_grouped", {8, 3, 3, 3}, {.stride = 2, .padding = 1, .groups = 2}, Activation::kNone);
  conv("conv2d_multiplied", {12, 1, 1, 3}, {.groups = 6}, Activation::kNone);
  m.add("upsample", [&](GraphBuilder& b) { return b.upsample(b.input("x", 7, 12), 4, 2); });
  m.add("upsample_bilinear", [&](GraphBuilder& b) { return b.upsample(b.input("x", 7, 12), 4, 3, true); });
}

}  // namespace

std::vector<Block> row_blocks() {
  Maker maker;
  add_attention(maker);
  add_norms(maker);
  add_positions(maker);
  add_moves(maker);
  add_pictures(maker);
  return std::move(maker.blocks);
}

std::vector<DimBlock> dim_blocks() {
  Random random(5);
  const auto v = [&](std::size_t n) { return random_values(random, n, 0.4F); };
  std::vector<DimBlock> blocks;
  const auto finish = [&](const char* name, GraphBuilder& b, int value, std::vector<std::vector<nn::DimSize>> sizes) {
    b.output("y", value);
    blocks.push_back({name, std::move(b).build().value(), std::move(sizes)});
  };
  {
    // A rest pose before the frames, as any-skeleton diffusion has: attention over joints, then over frames.
    GraphBuilder b;
    const RowCount frames = b.dim("frames"), joints = b.dim("joints");
    const int x = b.input("x", 6, frames * joints), rest = b.input("rest", 6, joints),
              relation = b.input("relation", 2, joints * joints), t = b.input("t", 1);
    const int time = b.linear(b.sinusoidal(t, 8), "t", {12, 8}, v(96), {}, Activation::kSilu);
    int h = b.concat_rows({b.linear(rest, "rest", {12, 6}, v(72), v(12)), b.linear(x, "in", {12, 6}, v(72), v(12))});
    h = b.add(h, b.sinusoidal(b.positions(h, {.inner = joints}), 12));
    h = b.add(h, time);
    const int names = b.linear(rest, "name", {12, 6}, v(72), {});
    h = b.add(h, b.repeat_rows(names, frames + 1));
    const auto project = [&](const char* name) { return b.linear(h, name, {12, 12}, v(144), {}); };
    const int q = project("q"), k = project("k");
    h = b.layer_norm(b.add(h, b.attention(q, k, project("v"),
                                          {.heads = 2,
                                           .over = joints,
                                           .query_terms = b.relation_terms(q, "eq", 2, 4, v(48)),
                                           .key_terms = b.relation_terms(k, "ek", 2, 4, v(48)),
                                           .relation = relation,
                                           .relation_values = b.constant("ev", 4, 12, v(48))})),
                     "n1", v(12), v(12));
    const int p = project("q2");
    h = b.rms_norm(b.add(h, b.attention(p, project("k2"), project("v2"),
                                        {.heads = 2, .inner = joints, .before = 2, .after = 1, .first = 1})),
                   "n2", v(12));
    h = b.linear(b.glu(b.linear(h, "m1", {20, 12}, v(240), v(20)), Activation::kGelu), "m2", {12, 10}, v(120), {});
    h = b.slice_rows(h, 1, 0, {.inner = joints});
    finish("any_skeleton", b, h,
           {{{"frames", 4}, {"joints", 3}}, {{"joints", 5}, {"frames", 2}}, {{"frames", 1}, {"joints", 1}}});
  }
  {
    GraphBuilder b;
    const RowCount frames = b.dim("frames"), tokens = b.dim("tokens");
    const int x = b.input("x", 8, frames), words = b.input("words", 6, tokens), mask = b.input("mask", 1, tokens),
              index = b.input("index", 1, frames);
    int h = b.conv1d(x, "c", {12, 8, 3}, v(288), v(12), {.padding = 1}, Activation::kElu);
    h = b.rotary(h, b.positions(h), 2);
    h = b.attention(h, b.linear(words, "k", {6, 6}, v(36), {}), b.linear(words, "v", {6, 6}, v(36), {}),
                    {.heads = 2, .kv_heads = 1, .shared_keys = true, .mask = mask});
    h = b.concat({h, b.gather(x, index), b.repeat_rows(b.mean_rows(words, {}, mask), frames)});
    h = b.group_norm(h, 2, "g", {}, {});
    h = b.softmax_rows(b.reshape(b.softmax(h, 13), frames * 2, 13), {.inner = 2});
    finish("cross", b, b.add(h, b.repeat_rows(b.max_rows(h), 2 * frames)),
           {{{"frames", 6}, {"tokens", 3}}, {{"frames", 1}, {"tokens", 9}}});
  }
  {
    GraphBuilder b;
    const RowCount lines = b.dim("lines"), line = b.dim("line");
    const int x = b.input("x", 4, 4 * lines * line), one = b.input("one", 6, lines);
    int h = b.conv2d(x, 2 * line, "c", {6, 4, 3, 3}, v(216), v(6), {.stride = 2, .padding = 1}, Activation::kSilu);
    h = b.conv2d(h, line, "d", {6, 1, 3, 3}, v(54), v(6), {.padding = 1, .groups = 6});
    h = b.add(b.upsample(h, line, 2, true), b.mean_rows(one));
    finish("picture", b, h, {{{"lines", 3}, {"line", 4}}, {{"lines", 1}, {"line", 2}}});
  }
  return blocks;
}

}  // namespace zoe::test
