// SPDX-License-Identifier: MIT
#include "train/model_fixture.h"

#include <map>
#include <numeric>

#include "zoe/nn/network.h"
#include "zoe/nn/onnx.h"

#include "nn/onnxruntime.h"

namespace zoe::train {
namespace {

// Sizes at which a finite-difference check takes a moment.
const std::map<std::string, std::vector<std::string>> kSmall = {
    {"mlp", {"model.hidden=12,10"}},
    {"autoencoder", {"model.hidden=12", "model.code=3"}},
    {"vae", {"model.hidden=12", "model.code=3"}},
    {"sequence_mlp", {"model.hidden=12"}},
    {"categorical", {"model.hidden=12", "model.channels=4", "model.classes=3"}},
    {"vq", {"model.hidden=12", "model.codes=8", "model.code_width=3", "model.groups=2"}},
    {"cxm", {"model.hidden=14", "model.channels=4", "model.classes=3", "model.time_hidden=5"}},
    {"conv", {"model.channels=8", "model.blocks=2"}},
    {"gru", {"model.hidden=9"}},
    {"lstm", {"model.hidden=9"}},
    {"attention", {"model.width=8", "model.heads=2", "model.blocks=2"}},
    {"pae", {"model.hidden=5", "model.phases=2"}},
    {"mann", {"model.hidden=10", "model.experts=3", "model.gate_hidden=5", "model.gate=0,2"}},
    {"pfnn", {"model.hidden=10"}},
    {"lmm_decompressor", {"model.hidden=12", "model.compressor_hidden=11", "model.code=3"}},
    {"lmm_stepper", {"model.hidden=12,10"}},
    {"lmm_projector", {"model.hidden=12,10"}},
    {"diffusion", {"model.hidden=24", "model.blocks=2", "model.heads=2", "model.condition=true"}},
    {"vq_prior", {"model.codes=8", "model.embedding=8", "model.hidden=16"}},
    {"flow", {"model.hidden=16", "model.blocks=2", "model.heads=2", "model.condition=true"}},
    {"tokens", {"model.width=16", "model.heads=2", "model.blocks=2", "model.graph_frames=5", "model.graph_joints=3"}},
    {"anytop",
     {"model.width=16", "model.heads=2", "model.blocks=2", "model.graph_free=false", "model.graph_frames=5",
      "model.graph_joints=3"}},
    {"style",
     {"model.code=2", "model.content=6", "model.embed=16", "model.hidden=16", "model.channels=6", "model.contacts=1",
      "model.loss=non_saturating", "loss.rows.weight=10"}},
    {"classifier", {"model.channels=8"}},
    {"sprite",
     {"model.channels=8", "model.heads=2", "model.blocks=1", "model.attention=1", "model.detail=12", "model.query=6"}},
    {"sprite_judge", {"model.channels=8", "model.heads=2", "model.attention=1"}},
    {"tracker", {"model.hidden=16,12", "model.world_hidden=16,12"}},
    {"sprite_video",
     {"model.width=16", "model.heads=2", "model.blocks=2", "model.text_width=8", "model.text_blocks=1",
      "model.graph_frames=3"}},
    {"sprite_words", {"model.channels=4", "model.hidden=12", "model.questions=action,color"}},
    {"gan", {"model.hidden=16,12", "model.critic_hidden=16,12", "model.code=3"}},
};

}  // namespace

Batch SmallModel::batch(std::size_t first, std::size_t count) const {
  std::vector<std::size_t> samples(count);
  std::iota(samples.begin(), samples.end(), first);
  Batch batch;
  std::vector<std::span<float>> outputs;
  Extent padded;
  for (const std::size_t sample : samples) {
    const Extent extent = source->extent(Split::kTraining, sample);
    padded = {std::max(padded.frames, extent.frames), std::max(padded.joints, extent.joints)};
  }
  const auto n = static_cast<std::int64_t>(count);
  for (const Field& field : source->fields()) {
    batch.push_back(field.rows == Rows::kTokens ? at::empty({n, padded.frames, padded.joints, field.width}, at::kFloat)
                                                : at::empty({n, field.num_rows(padded), field.width}, at::kFloat));
    outputs.emplace_back(batch.back().data_ptr<float>(), static_cast<std::size_t>(batch.back().numel()));
  }
  source->read_padded(Split::kTraining, samples, padded, outputs).value();
  Batch read;
  for (const std::size_t field : selected) read.push_back(batch[field].to(model->parameters().options()));
  return read;
}

SmallModel make_small(const ModelInfo& info, at::ScalarType type, std::uint64_t seed,
                      const std::vector<std::string>& settings, int width) {
  SmallModel small;
  small.source = make_toy_source(
      {.kind = info.toy, .num_training = 256, .width = width, .steps = info.toy == ToyKind::kStyled ? 8 : 7});
  ConfigSchema schema;
  info.add_keys(schema);
  small.config = std::make_unique<Config>(schema);
  for (const std::string& assignment : kSmall.at(info.name)) small.config->set(assignment).value();
  for (const std::string& assignment : settings) small.config->set(assignment).value();
  small.selected = select_fields(info, small.source->fields()).value();
  const std::vector<FieldStatistics> statistics = measure_statistics(*small.source).value();
  for (const std::size_t field : small.selected) {
    small.fields.push_back(small.source->fields()[field]);
    small.statistics.push_back(statistics[field]);
  }
  at::manual_seed(seed);
  small.model = info.create({*small.config, small.fields, small.statistics, at::TensorOptions().dtype(type)}).value();
  return small;
}

std::vector<at::Tensor> graph_inputs(const SmallModel& small, const nn::Graph& graph, std::int64_t batch) {
  const Batch data = small.batch(0, static_cast<std::size_t>(batch));
  std::vector<at::Tensor> inputs;
  for (const nn::Port& port : graph.inputs) {
    at::Tensor tensor = at::rand({batch, port.shape.steps, port.shape.width}, at::kFloat);
    for (std::size_t i = 0; i < small.fields.size(); ++i) {
      // A recurrent network's graph takes one step of the sequence.
      if (small.fields[i].name == port.name && data[i].dim() == 3)
        tensor = data[i].narrow(1, 0, port.shape.steps).contiguous();
    }
    inputs.push_back(tensor);
  }
  return inputs;
}

std::vector<at::Tensor> run_network(const nn::Graph& graph, const std::vector<at::Tensor>& inputs) {
  const nn::NetworkPtr network = nn::Network::compile(graph).value();
  const auto batch = static_cast<int>(inputs[0].size(0));
  nn::NetworkState state = nn::make_state(*network, batch);
  std::vector<at::Tensor> outputs;
  std::vector<std::span<const float>> in;
  std::vector<std::span<float>> out;
  for (const at::Tensor& tensor : inputs)
    in.emplace_back(tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.numel()));
  for (const nn::Port& port : network->outputs()) {
    outputs.push_back(at::empty({batch, port.shape.steps, port.shape.width}, at::kFloat));
    out.emplace_back(outputs.back().data_ptr<float>(), static_cast<std::size_t>(outputs.back().numel()));
  }
  ZOE_CHECK(
      (nn::NetworkJob{.network = network.get(), .state = &state, .batch = batch, .inputs = in, .outputs = out}.run()),
      "the job is wrong");
  return outputs;
}

std::vector<at::Tensor> run_onnx(const nn::Graph& graph, const std::vector<at::Tensor>& inputs) {
  const std::int64_t batch = inputs[0].size(0);
  const auto bound = [&](const nn::Port& port, const at::Tensor& tensor) {
    std::vector<std::int64_t> dims{batch, port.shape.steps, port.shape.width};
    if (port.shape.steps == 1) dims.erase(dims.begin() + 1);
    return bench::OnnxSession::Tensor{
        port.name, dims, {tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.numel())}};
  };
  std::vector<at::Tensor> outputs;
  std::vector<bench::OnnxSession::Tensor> in, out;
  for (std::size_t i = 0; i < inputs.size(); ++i) in.push_back(bound(graph.inputs[i], inputs[i]));
  for (const nn::Port& port : graph.outputs) {
    outputs.push_back(at::empty({batch, port.shape.steps, port.shape.width}, at::kFloat));
    out.push_back(bound(port, outputs.back()));
    for (const nn::Port& input : graph.inputs)
      if (input.name == port.name) out.back().name += "_1";  // See onnx.h.
  }
  const std::string model = nn::to_onnx(graph).value();
  const std::string why = bench::OnnxSession::open(model, in, out).value().run();
  ZOE_CHECK(why.empty(), why.c_str());
  return outputs;
}

}  // namespace zoe::train
