// SPDX-License-Identifier: MIT
#include "train/generative/skeletal_net.h"

#include <cmath>
#include <numbers>

namespace zoe::train {
namespace {

// The activation is SiLU: the backward pass of GELU is wrong in Debian's libtorch.
constexpr int kLevelRates = 16;
constexpr double kSlowestLevel = 1, kFastestLevel = 100;  // Radians over the whole of time.
constexpr float kFramePeriod = 1000;
// Classes are filled up to a multiple of this: rows of matrix products that are no multiple of 16 bytes are slow.
constexpr std::int64_t kAlignedClasses = 8;

// cos, then sin, of t f_i: nn's sinusoidal. t: [n]
at::Tensor frame_waves(std::int64_t count, std::int64_t width, const at::TensorOptions& options) {
  const at::Tensor index = at::arange(width / 2, options);
  const at::Tensor rates = (index * (-std::log(double{kFramePeriod}) / static_cast<double>(width / 2))).exp();
  const at::Tensor angles = at::arange(count, options).unsqueeze(1) * rates;
  return at::cat({angles.cos(), angles.sin()}, 1);
}

// [.., rows, width] -> [.., heads, rows, width / heads]
at::Tensor by_heads(const at::Tensor& x, std::int64_t heads) {
  std::vector<std::int64_t> shape = x.sizes().vec();
  const std::int64_t width = shape.back();
  shape.back() = heads;
  shape.push_back(width / heads);
  return x.view(shape).transpose(-3, -2);
}
at::Tensor from_heads(const at::Tensor& x) { return x.transpose(-3, -2).flatten(-2); }

at::Tensor weighed(at::Tensor scores, const at::Tensor& hidden, const at::Tensor& values) {
  if (hidden.defined()) scores = scores.masked_fill(hidden, -1e9);
  return from_heads(at::matmul(at::softmax(scores, -1), values));
}

std::int64_t aligned(std::int64_t classes) {
  return (classes + kAlignedClasses - 1) / kAlignedClasses * kAlignedClasses;
}

struct Heads {
  at::Tensor query, key, value;
};
// One product for all three. The query is scaled, which the scores then need not be: they are far larger.
Heads project(const SkeletalAttention& attention, const at::Tensor& x, std::int64_t heads, double scale) {
  const at::Tensor all = at::linear(x, at::cat({attention.query.weight, attention.key.weight, attention.value.weight}),
                                    at::cat({attention.query.bias, attention.key.bias, attention.value.bias}));
  const std::int64_t width = all.size(-1) / 3;
  return {by_heads(all.narrow(-1, 0, width) * scale, heads), by_heads(all.narrow(-1, width, width), heads),
          by_heads(all.narrow(-1, 2 * width, width), heads)};
}

std::size_t size_of(std::int64_t value) { return static_cast<std::size_t>(value); }

}  // namespace

SkeletalInput SkeletalInput::first(std::int64_t count) const {
  SkeletalInput part = *this;
  for (at::Tensor* field : {&part.x, &part.known, &part.known_groups, &part.body, &part.names, &part.relations,
                            &part.time, &part.words, &part.joint_mask, &part.frame_mask}) {
    if (field->defined()) *field = field->narrow(0, 0, count);
  }
  return part;
}

SkeletalAttention::SkeletalAttention(Parameters& parameters, const std::string& name, std::int64_t width)
    : query(parameters, name + ".query", width, width),
      key(parameters, name + ".key", width, width),
      value(parameters, name + ".value", width, width),
      out(parameters, name + ".out", width, width) {}

SkeletalBlock::SkeletalBlock(Parameters& parameters, const std::string& name_, const SkeletalSizes& sizes)
    : name(name_),
      heads(sizes.heads),
      norm_joints(parameters, name + ".norm_joints", sizes.width),
      norm_frames(parameters, name + ".norm_frames", sizes.width),
      norm_mlp(parameters, name + ".norm_mlp", sizes.width),
      shift(parameters, name + ".shift", sizes.width, sizes.width),
      joints(parameters, name + ".joints", sizes.width),
      frames(parameters, name + ".frames", sizes.width),
      widen(parameters, name + ".widen", sizes.width, 4 * sizes.width),
      narrow(parameters, name + ".narrow", 4 * sizes.width, sizes.width),
      query_table(parameters.weight(name + ".query_table", {sizes.classes, sizes.width}, 0.1)),
      key_table(parameters.weight(name + ".key_table", {sizes.classes, sizes.width}, 0.1)) {}

at::Tensor SkeletalBlock::over_joints(const at::Tensor& h, const SkeletalInput& in, const RelationMarks& marks) const {
  const std::int64_t size = h.size(0), frame_count = h.size(1), count = h.size(2), classes = query_table.size(0);
  const double scale = 1 / std::sqrt(static_cast<double>(h.size(3) / heads));
  const auto [q, k, v] = project(joints, norm_joints(h), heads, scale);  // [batch, frames, heads, joints, head's width]
  // Scores of each class, then those of the pairs' classes: [batch, one, frames, heads, other]
  const auto of_pairs = [&](const at::Tensor& rows, const at::Tensor& table, const at::Tensor& mark) {
    const at::Tensor filled = at::constant_pad_nd(table, {0, 0, 0, mark.size(2) - classes});
    const at::Tensor columns = filled.view({mark.size(2), heads, -1}).permute({1, 2, 0});
    const at::Tensor by_class = at::matmul(rows, columns).permute({0, 3, 1, 2, 4});
    return at::matmul(by_class.reshape({size, count, frame_count * heads, mark.size(2)}), mark)
        .view({size, count, frame_count, heads, count});
  };
  const at::Tensor scores = at::matmul(q, k.transpose(-2, -1)) +
                            of_pairs(q, query_table, marks.of_query).permute({0, 2, 3, 1, 4}) +
                            of_pairs(k, key_table * scale, marks.of_key).permute({0, 2, 3, 4, 1});
  at::Tensor hidden;
  if (in.joint_mask.defined()) hidden = in.joint_mask.logical_not().view({h.size(0), 1, 1, 1, count});
  return joints.out(weighed(scores, hidden, v));
}

at::Tensor SkeletalBlock::operator()(at::Tensor h, const at::Tensor& condition, const SkeletalInput& in,
                                     const RelationMarks& marks) const {
  h = h + shift(condition).unsqueeze(1).unsqueeze(1);
  h = h + over_joints(h, in, marks);
  const at::Tensor x = norm_frames(h).transpose(1, 2);  // [batch, joints, frames, width]
  const auto [q, k, v] = project(frames, x, heads, 1 / std::sqrt(static_cast<double>(h.size(3) / heads)));
  const at::Tensor scores = at::matmul(q, k.transpose(-2, -1));
  at::Tensor hidden;
  if (in.frame_mask.defined()) hidden = in.frame_mask.logical_not().view({h.size(0), 1, 1, 1, h.size(1)});
  h = h + frames.out(weighed(scores, hidden, v)).transpose(1, 2);
  return h + narrow(at::silu(widen(norm_mlp(h))));
}

int SkeletalBlock::build(GraphBuilder& b, int h, int condition, int relations, const Rows& rows) const {
  h = b.add(h, shift.build(b, condition));
  const auto classes = static_cast<int>(query_table.size(0)), num_heads = static_cast<int>(heads);
  const int x = norm_joints.build(b, h), q = joints.query.build(b, x), k = joints.key.build(b, x);
  GraphBuilder::Attention across{.heads = num_heads, .over = rows.joints, .relation = relations};
  across.query_terms = b.relation_terms(q, name + ".query_table", num_heads, classes, floats_of(query_table));
  across.key_terms = b.relation_terms(k, name + ".key_table", num_heads, classes, floats_of(key_table));
  h = b.add(h, joints.out.build(b, b.attention(q, k, joints.value.build(b, x), across)));
  const int y = norm_frames.build(b, h);
  const GraphBuilder::Attention along{.heads = num_heads, .inner = rows.joints};
  h = b.add(h, frames.out.build(
                   b, b.attention(frames.query.build(b, y), frames.key.build(b, y), frames.value.build(b, y), along)));
  return b.add(h, narrow.build(b, widen.build(b, norm_mlp.build(b, h), Activation::kSilu)));
}

SkeletalNet::SkeletalNet(Parameters& parameters, const SkeletalSizes& sizes_)
    : sizes(sizes_),
      in(parameters, "in", 2 * sizes.token + sizes.groups, sizes.width),
      body_in(parameters, "body", sizes.body, sizes.width),
      name_in(parameters, "name", sizes.names, sizes.width),
      time_1(parameters, "time.0", 2 * kLevelRates, sizes.width),
      time_2(parameters, "time.1", sizes.width, sizes.width),
      words_in(parameters, "words", sizes.words, sizes.width),
      out(parameters, "out", sizes.width, sizes.token),
      norm(parameters, "norm", sizes.width) {
  for (std::int64_t i = 0; i < sizes.blocks; ++i) blocks.emplace_back(parameters, "block_" + std::to_string(i), sizes);
  std::vector<float> rate_list, phase_list;
  for (int i = 0; i < kLevelRates; ++i) {
    const double rate = kSlowestLevel * std::pow(kFastestLevel / kSlowestLevel, i / (kLevelRates - 1.0));
    rate_list.insert(rate_list.end(), 2, static_cast<float>(rate));
    phase_list.push_back(0);
    phase_list.push_back(static_cast<float>(std::numbers::pi / 2));
  }
  rates = at::tensor(rate_list).to(parameters.options());
  phases = at::tensor(phase_list).to(parameters.options());
}

SkeletalNet::Out SkeletalNet::operator()(const SkeletalInput& input) const {
  const at::Tensor& x = input.x;
  const at::Tensor condition =
      at::silu(time_2(at::silu(time_1(at::sin(input.time * rates + phases)))) + words_in(input.words));
  at::Tensor h = in(at::cat({x, input.known, input.known_groups}, 3)) +
                 (body_in(input.body) + name_in(input.names)).unsqueeze(1) +
                 frame_waves(x.size(1), sizes.width, x.options()).unsqueeze(1);
  const at::Tensor classes = at::arange(aligned(sizes.classes), input.relations.options());
  const at::Tensor marked =
      (input.relations.unsqueeze(4) == classes).to(x.scalar_type()).sum(3);  // [batch, query, key, classes]
  const RelationMarks marks{marked.transpose(2, 3).contiguous(), marked.permute({0, 2, 3, 1}).contiguous()};
  Out result;
  const auto mean = [](const at::Tensor& table, const at::Tensor& mask, std::int64_t axis) {
    if (!mask.defined()) return table.mean(axis);
    const at::Tensor weight = mask.to(table.scalar_type()).unsqueeze(axis == 1 ? 2 : 1).unsqueeze(3);
    return (table * weight).sum(axis) / weight.sum(axis).clamp_min(1);
  };
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    h = blocks[i](h, condition, input, marks);
    if (i + 1 == (blocks.size() + 1) / 2) result.joint_codes = mean(h, input.frame_mask, 1);
  }
  result.frame_codes = mean(h, input.joint_mask, 2);
  result.prediction = out(norm(h));
  return result;
}

void SkeletalNet::build(GraphBuilder& b) const {
  const SkeletalBlock::Rows rows{b.dim("frames"), b.dim("joints")};
  const nn::RowCount tokens = rows.frames * rows.joints;
  const auto width = [](std::int64_t value) { return static_cast<int>(value); };
  const int x = b.input("x", width(sizes.token), tokens), known = b.input("known", width(sizes.token), tokens),
            groups = b.input("known_groups", width(sizes.groups), tokens),
            body = b.input("body", width(sizes.body), rows.joints),
            names = b.input("names", width(sizes.names), rows.joints),
            relations = b.input("relation", 2, rows.joints * rows.joints), time = b.input("time", 1),
            words = b.input("words", width(sizes.words));
  const int waves =
      b.linear(time, "time.waves", {size_of(rates.size(0)), 1}, floats_of(rates), floats_of(phases), Activation::kSine);
  const int condition = b.activation(
      b.add(time_2.build(b, time_1.build(b, waves, Activation::kSilu)), words_in.build(b, words)), Activation::kSilu);
  const int of_body = b.add(body_in.build(b, body), name_in.build(b, names));
  const int of_frame = b.sinusoidal(b.positions(x, {{}, rows.joints}), width(sizes.width), kFramePeriod);
  int h = b.add(b.add(in.build(b, b.concat({x, known, groups})), b.repeat_rows(of_body, rows.frames, rows.joints)),
                of_frame);
  int joint_codes = -1;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    h = blocks[i].build(b, h, condition, relations, rows);
    if (i + 1 == (blocks.size() + 1) / 2) joint_codes = b.mean_rows(h, {{}, rows.joints});
  }
  b.output("prediction", out.build(b, norm.build(b, h)));
  b.output("joint_codes", joint_codes);
  b.output("frame_codes", b.mean_rows(h, {rows.joints, {}}));
}

}  // namespace zoe::train
