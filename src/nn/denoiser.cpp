// SPDX-License-Identifier: MIT
#include "zoe/nn/denoiser.h"

#include <algorithm>
#include <charconv>

#include "zoe/nn/graph_file.h"

namespace zoe::nn {
namespace {

Error bad(std::string message) { return {ErrorCode::kInvalid, std::move(message)}; }

// Means and spreads of the node that computes the output `data`.
Result<void> read_normalisation(const Graph& graph, int value, std::vector<float>& means, std::vector<float>& spreads) {
  int next = static_cast<int>(graph.inputs.size());
  for (const Node& node : graph.nodes) {
    const int results = node.op == Op::kLstmCell ? 2 : 1;
    if (value >= next && value < next + results) {
      if (node.op != Op::kDenormalize || node.inputs[0] != 0) break;
      means = graph.weights[static_cast<std::size_t>(node.weights[0])].to_floats();
      spreads = graph.weights[static_cast<std::size_t>(node.weights[1])].to_floats();
      return {};
    }
    next += results;
  }
  return bad("the output 'data' of a denoiser must be its input x, denormalised");
}

void draw(std::span<Random> random, std::span<float> out) noexcept {
  const std::size_t size = out.size() / random.size();
  for (std::size_t i = 0; i < random.size(); ++i) {
    for (float& value : out.subspan(i * size, size)) value = static_cast<float>(random[i].normal());
  }
}

}  // namespace

std::string to_text(const SamplerOptions& options) {
  return std::string("sampler=") + to_string(options.sampler) + " steps=" + std::to_string(options.steps);
}

Result<SamplerOptions> sampler_from_text(std::string_view text) {
  SamplerOptions options;
  const std::string_view first = text.substr(0, text.find(' '));
  const std::string_view second = text.substr(std::min(text.size(), first.size() + 1));
  if (!first.starts_with("sampler=") || !second.starts_with("steps="))
    return bad("a sampler is 'sampler=NAME steps=N', not '" + std::string(text) + "'");
  ZOE_TRY_ASSIGN(options.sampler, parse_sampler(first.substr(8)));
  const std::string_view number = second.substr(6);
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), options.steps);
  if (error != std::errc() || end != number.data() + number.size() || options.steps < 1)
    return bad("sampler: steps '" + std::string(number) + "' is not a number from 1");
  return options;
}

Result<Denoiser> Denoiser::load(const std::filesystem::path& path) {
  ZOE_TRY_ASSIGN(const Graph graph, read_graph(path));
  Result<Denoiser> denoiser = create(graph);
  if (!denoiser) {
    Error error = std::move(denoiser).error();
    error.where.file = path.string();
    return error;
  }
  return denoiser;
}

Result<Denoiser> Denoiser::create(const Graph& graph) {
  const auto text = graph.metadata.find(kProcessKey);
  if (text == graph.metadata.end())
    return bad("no denoiser: the network's metadata have no " + std::string(kProcessKey) +
               " (the models `diffusion` and `flow` write it)");
  ZOE_TRY_ASSIGN(NoiseProcess process, NoiseProcess::from_text(text->second));
  Denoiser denoiser(std::move(process));
  denoiser.sampler_ = {Sampler::kDdim, std::min(50, denoiser.process_.levels())};
  if (const auto sampler = graph.metadata.find(kSamplerKey); sampler != graph.metadata.end()) {
    ZOE_TRY_ASSIGN(denoiser.sampler_, sampler_from_text(sampler->second));
    ZOE_TRY(step_levels(denoiser.process_, denoiser.sampler_.steps));
  }
  ZOE_TRY_ASSIGN(denoiser.network_, Network::compile(graph));
  const auto& inputs = graph.inputs;
  const auto& outputs = graph.outputs;
  const bool conditional = inputs.size() == 4;
  const bool named = (inputs.size() == 2 || conditional) && inputs[0].name == "x" && inputs[1].name == "time" &&
                     (!conditional || (inputs[2].name == "condition" && inputs[3].name == "guided")) &&
                     outputs.size() == 2 && outputs[0].name == "prediction" && outputs[1].name == "data";
  if (!named) return bad("a denoiser has the inputs x, time[, condition, guided] and the outputs prediction, data");
  denoiser.shape_ = inputs[0].shape;
  if (denoiser.network_->outputs()[0].shape != denoiser.shape_ || inputs[1].shape.size() != 1 ||
      (conditional && inputs[3].shape.size() != 1))
    return bad("the ports of a denoiser have the shapes x and prediction alike, time [1], guided [1]");
  if (conditional) denoiser.condition_width_ = static_cast<int>(inputs[2].shape.size());
  ZOE_TRY(read_normalisation(graph, outputs[1].value, denoiser.means_, denoiser.spreads_));
  return denoiser;
}

DenoiserState make_state(const Denoiser& denoiser, int max_batch) {
  ZOE_CHECK(max_batch > 0, "a batch has items");
  DenoiserState state;
  state.max_batch = max_batch;
  state.network = make_state(denoiser.network(), max_batch);
  const auto batch = static_cast<std::size_t>(max_batch), size = batch * denoiser.shape().size();
  state.random.assign(batch, Random(0));
  for (std::vector<float>* array : {&state.x, &state.data, &state.without, &state.held, &state.noise})
    array->assign(size, 0);
  state.absent.assign(batch * static_cast<std::size_t>(denoiser.condition_width()), 0);
  state.time.assign(batch, 0);
  state.guided.assign(batch, 0);
  return state;
}

const char* SampleJob::validate() const noexcept {
  if (denoiser == nullptr || state == nullptr) return "a sampling job needs a denoiser and a state";
  if (batch < 1 || batch > state->max_batch) return "the batch must be from 1 to the state's largest";
  if (stages.empty()) return "a sampling job needs stages";
  for (const SamplerStage& stage : stages) {
    if (stage.level < 0 || stage.level > denoiser->process().levels()) return "a stage is of another process";
  }
  const auto items = static_cast<std::size_t>(batch);
  if (state->x.size() != static_cast<std::size_t>(state->max_batch) * denoiser->shape().size())
    return "the state is of another denoiser";
  if (out.size() != items * denoiser->shape().size()) return "the output must be [batch, steps, width]";
  if (!condition.empty() && condition.size() != items * static_cast<std::size_t>(denoiser->condition_width()))
    return "the condition must be [batch, condition width]";
  return nullptr;
}

bool SampleJob::run() const noexcept {
  if (validate() != nullptr) return false;
  const auto items = static_cast<std::size_t>(batch);
  const std::size_t size = out.size();
  const auto part = [&](std::vector<float>& array) { return std::span(array).first(size); };
  const std::span<float> x = part(state->x), data = part(state->data), noise = part(state->noise);
  const std::span<Random> random = std::span(state->random).first(items);
  for (std::size_t i = 0; i < items; ++i) random[i] = Random(seed).split(first_item + i);
  draw(random, x);
  const std::span<float> time = std::span(state->time).first(items), guided = std::span(state->guided).first(items);
  const bool has_condition = denoiser->condition_width() > 0, conditioned = has_condition && !condition.empty();
  const std::span<const float> absent =
      std::span<const float>(state->absent).first(items * static_cast<std::size_t>(denoiser->condition_width()));
  const auto predict = [&](bool with, std::span<float> prediction) {
    std::fill(guided.begin(), guided.end(), with ? 1.0F : 0.0F);
    const std::span<const float> inputs[] = {x, time, with ? condition : absent, guided};
    const std::span<float> outputs[] = {prediction, noise};  // The second is not used here.
    (void)NetworkJob{.network = &denoiser->network(),
                     .state = &state->network,
                     .batch = batch,
                     .inputs = std::span(inputs).first(has_condition ? 4 : 2),
                     .outputs = outputs}
        .run();
  };
  for (const SamplerStage& stage : stages) {
    std::fill(time.begin(), time.end(), stage.time);
    predict(conditioned, data);
    if (conditioned && guidance != 1) {
      predict(false, part(state->without));
      guide(guidance, part(state->without), data);
    }
    estimate_data(denoiser->process().to_data(stage.level), x, data, data);
    if (stage.noise != 0) draw(random, noise);
    advance(stage, data, noise, part(state->held), x);
  }
  const std::size_t width = denoiser->means().size();
  for (std::size_t i = 0; i < size; ++i) out[i] = x[i] * denoiser->spreads()[i % width] + denoiser->means()[i % width];
  return true;
}

}  // namespace zoe::nn
