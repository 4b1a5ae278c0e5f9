// SPDX-License-Identifier: MIT
#include "train/dense_encoder.h"

namespace zoe::train {
namespace {

const std::vector<std::int64_t>& ends_of(const ModelSetup& setup) {
  return setup.config.get<std::vector<std::int64_t>>("model.encoders");
}

}  // namespace

void DenseEncoders::add_keys(ConfigSchema& schema) {
  schema
      .add("model.encoders", std::vector<std::int64_t>{},
           "last columns of x that become codes: the first of each part, and one past the last; empty: none")
      .add("model.encoder_hidden", 128, "width of their hidden layers")
      .add("model.encoder_code", 32, "numbers of each code");
}

Result<std::int64_t> DenseEncoders::check(const ModelSetup& setup, std::int64_t width) {
  const auto& ends = ends_of(setup);
  if (ends.empty()) return width;
  bool rises = ends.size() > 1 && ends.front() >= 0 && ends.back() == width;
  for (std::size_t i = 0; rises && i + 1 < ends.size(); ++i) rises = ends[i] < ends[i + 1];
  if (!rises || integer(setup, "model.encoder_hidden") < 1 || integer(setup, "model.encoder_code") < 1) {
    return Error{ErrorCode::kUsage,
                 "model.encoders must be rising columns of x up to its end (" + std::to_string(width) + ")"};
  }
  return ends.front();
}

DenseEncoders::DenseEncoders(Parameters& parameters, const ModelSetup& setup) {
  const auto& ends = ends_of(setup);
  if (ends.empty()) return;
  code_width_ = integer(setup, "model.encoder_code");
  const std::int64_t hidden = integer(setup, "model.encoder_hidden");
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    parts_.push_back({ends[i], ends[i + 1],
                      Mlp(parameters, "encoder." + std::to_string(i), {ends[i + 1] - ends[i], hidden, code_width_},
                          Activation::kElu)});
  }
}

at::Tensor DenseEncoders::operator()(const at::Tensor& x, bool training) const {
  std::vector<at::Tensor> codes;
  for (const Part& part : parts_) codes.push_back(at::elu(part.net(x.slice(1, part.begin, part.end), training)));
  return at::cat(codes, 1);
}

int DenseEncoders::build(GraphBuilder& b, int x) const {
  std::vector<int> codes;
  for (const Part& part : parts_) {
    const int seen = b.slice(x, static_cast<int>(part.begin), static_cast<int>(part.end));
    codes.push_back(b.activation(part.net.build(b, seen), Activation::kElu));
  }
  return codes.size() > 1 ? b.concat(codes) : codes[0];
}

}  // namespace zoe::train
