// SPDX-License-Identifier: MIT
#include "zoe/generate/code_prior.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "zoe/core/index.h"
#include "zoe/core/random.h"

namespace zoe::generate {
namespace {

// The network's state, step by step.
class Chain {
 public:
  Chain(const nn::Network& network, int num_codes)
      : network_(network),
        state_(nn::make_state(network, 1)),
        logits_(network.outputs()[0].shape.size()),
        h_(network.inputs()[2].shape.size()),
        next_h_(h_.size()),
        code_(static_cast<float>(num_codes)) {}

  // Logits of number `group` of a window.
  std::span<float> logits(int group) {
    const auto position = static_cast<float>(group);
    const std::span<const float> in[] = {{&code_, 1}, {&position, 1}, h_};
    const std::span<float> out[] = {logits_, next_h_};
    const bool ran = nn::NetworkJob{.network = &network_, .state = &state_, .inputs = in, .outputs = out}.run();
    ZOE_CHECK(ran, "the prior's network was refused");
    h_.swap(next_h_);
    return logits_;
  }
  void follow(float code) { code_ = code; }

 private:
  const nn::Network& network_;
  nn::NetworkState state_;
  std::vector<float> logits_, h_, next_h_;
  float code_;  // The number before; the codebook's size at the start.
};

}  // namespace

Result<CodePrior> CodePrior::create(const nn::Graph& graph) {
  const auto named = [](const std::vector<nn::Port>& ports, std::initializer_list<const char*> names) {
    return ports.size() == names.size() &&
           std::equal(ports.begin(), ports.end(), names.begin(),
                      [](const nn::Port& port, const char* name) { return port.name == name; });
  };
  const Error refused{ErrorCode::kInvalid, "this is no network of the model vq_prior", {}};
  if (!named(graph.inputs, {"code", "group", "h"}) || !named(graph.outputs, {"logits", "h"})) return refused;
  CodePrior prior;
  ZOE_TRY_ASSIGN(prior.network_, nn::Network::compile(graph));
  const auto inputs = prior.network_->inputs(), outputs = prior.network_->outputs();
  const auto groups = graph.metadata.find("zoe.groups");
  if (groups == graph.metadata.end() || inputs[0].shape.size() != 1 || inputs[1].shape.size() != 1 ||
      outputs[1].shape != inputs[2].shape)
    return refused;
  const std::string& text = groups->second;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), prior.groups_);
  if (error != std::errc() || end != text.data() + text.size() || prior.groups_ < 1 || prior.groups_ > 1'000'000)
    return refused;
  prior.num_codes_ = static_cast<int>(outputs[0].shape.size());
  return prior;
}

std::vector<float> CodePrior::sample(const PriorOptions& options) const {
  ZOE_CHECK(options.num_windows >= 0 && options.temperature >= 0, "a number of windows, and a temperature from 0");
  Chain chain(*network_, num_codes_);
  Random random(options.seed);
  std::vector<float> codes;
  for (int window = 0; window < options.num_windows; ++window) {
    for (int group = 0; group < groups_; ++group) {
      const std::span<float> logits = chain.logits(group);
      const float best = *std::max_element(logits.begin(), logits.end());
      std::size_t chosen = static_cast<std::size_t>(std::max_element(logits.begin(), logits.end()) - logits.begin());
      const double drawn = random.uniform_double();  // Also at temperature 0: the same position in the stream.
      if (options.temperature > 0) {
        double total = 0;
        for (float& logit : logits) {
          logit = static_cast<float>(std::exp(static_cast<double>(logit - best) / options.temperature));
          total += static_cast<double>(logit);
        }
        double left = drawn * total;
        chosen = 0;
        while (chosen + 1 < logits.size() && left >= static_cast<double>(logits[chosen]))
          left -= static_cast<double>(logits[chosen++]);
      }
      codes.push_back(static_cast<float>(chosen));
      chain.follow(codes.back());
    }
  }
  return codes;
}

double CodePrior::surprise(std::span<const float> codes) const {
  Chain chain(*network_, num_codes_);
  double sum = 0;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const std::span<const float> logits = chain.logits(static_cast<int>(i % idx(groups_)));
    const float best = *std::max_element(logits.begin(), logits.end());
    double total = 0;
    for (const float logit : logits) total += std::exp(static_cast<double>(logit - best));
    const auto code = static_cast<std::size_t>(codes[i]);
    ZOE_CHECK(code < logits.size(), "a code number is below the codebook's size");
    sum += std::log(total) - static_cast<double>(logits[code] - best);
    chain.follow(codes[i]);
  }
  return codes.empty() ? 0 : sum / static_cast<double>(codes.size());
}

}  // namespace zoe::generate
