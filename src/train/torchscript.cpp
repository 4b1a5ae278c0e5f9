// SPDX-License-Identifier: MIT
#include "train/torchscript.h"

#include <cstdio>

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>

#include "zoe/nn/graph_file.h"
#include "zoe/nn/network.h"
#include "zoe/nn/quantize.h"

#include "train/torchscript_writer.h"

namespace zoe::train {
namespace {

constexpr double kMaxTorchScriptError = 1e-5;

// Against zoe::nn, on a few synthetic items. graph: with sizes for the dimensions of `whole`, which the file has.
Result<double> compare_bound(const nn::Graph& whole, const nn::Graph& graph, const std::filesystem::path& path) {
  constexpr int kItems = 4;
  const std::vector<std::vector<float>> items = nn::made_up_inputs(graph, kItems, /*seed=*/1);
  ZOE_TRY_ASSIGN(const nn::NetworkPtr network, nn::Network::compile(graph));
  nn::NetworkState state = nn::make_state(*network, kItems);
  std::vector<std::vector<float>> outputs;
  for (const nn::Port& port : graph.outputs) outputs.emplace_back(port.shape.size() * kItems);
  const std::vector<std::span<const float>> in(items.begin(), items.end());
  const std::vector<std::span<float>> out(outputs.begin(), outputs.end());
  nn::NetworkJob job{.network = network.get(), .state = &state, .batch = kItems, .inputs = in, .outputs = out};
  if (!job.run()) return Error{ErrorCode::kInvalid, "the network does not run"};
  std::vector<at::Tensor> tensors;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::int64_t rows = graph.inputs[i].shape.steps, width = graph.inputs[i].shape.width;
    const at::Tensor x = at::tensor(items[i]).reshape({kItems, rows, width});
    tensors.push_back(whole.inputs[i].shape.rows().is(1) ? x.squeeze(1) : x);
  }
  ZOE_TRY_ASSIGN(const std::vector<at::Tensor> theirs, run_torchscript(path, tensors));
  double worst = 0;
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    const at::Tensor ours = at::tensor(outputs[i]), other = theirs[i].contiguous().flatten();
    if (other.numel() != ours.numel())
      return Error{ErrorCode::kInvalid, "output '" + graph.outputs[i].name + "' has another size in TorchScript"};
    const at::Tensor error = (ours - other).abs() / ours.abs().clamp_min(1);
    const double largest = error.max().item<double>();
    worst = largest > worst || std::isnan(largest) ? largest : worst;
  }
  return worst;
}

// With dimensions: at two sets of sizes, those of them that the network can have.
Result<double> compare(const nn::Graph& graph, const std::filesystem::path& path) {
  if (graph.dims.empty()) return compare_bound(graph, graph, path);
  constexpr int kSizes[2][nn::RowCount::kMaxDims] = {{3, 5, 2, 4}, {16, 12, 24, 20}};
  Result<double> worst = Error{ErrorCode::kInvalid, "the network has no rows at any size that was tried"};
  for (const auto& sizes : kSizes) {
    std::vector<nn::DimSize> dims;
    for (std::size_t i = 0; i < graph.dims.size(); ++i) dims.push_back({graph.dims[i], sizes[i]});
    const Result<nn::Graph> bound = nn::bind_dims(graph, dims);
    if (!bound) continue;
    ZOE_TRY_ASSIGN(const double one, compare_bound(graph, *bound, path));
    worst = worst && !(one > *worst) ? *worst : one;
  }
  return worst;
}

}  // namespace

Result<std::string> torchscript_source(const nn::Graph& graph) {
  ZOE_TRY_ASSIGN(std::vector<nn::ValueInfo> values, nn::validate(graph));
  return TorchScriptWriter(graph, std::move(values)).source();
}

Result<std::vector<at::Tensor>> run_torchscript(const std::filesystem::path& path,
                                                const std::vector<at::Tensor>& inputs) {
  try {
    const c10::NoGradGuard no_gradients;
    torch::jit::Module module = torch::jit::load(path.string());
    const c10::IValue result = module.forward({inputs.begin(), inputs.end()});
    if (result.isTensor()) return std::vector<at::Tensor>{result.toTensor()};
    std::vector<at::Tensor> all;
    for (const c10::IValue& one : result.toTupleRef().elements()) all.push_back(one.toTensor());
    return all;
  } catch (const std::exception& error) {
    const std::string text = error.what();
    return Error{ErrorCode::kInvalid, "libtorch: " + text.substr(0, text.find('\n')), {.file = path.string()}};
  }
}

Result<double> export_torchscript(const nn::Graph& graph, const std::filesystem::path& path) {
  ZOE_TRY_ASSIGN(const std::string source, torchscript_source(graph));
  const std::filesystem::path temporary = path.string() + ".part";
  try {
    torch::jit::Module module("ZoeNetwork");
    for (std::size_t i = 0; i < graph.weights.size(); ++i) {
      const nn::Weight& weight = graph.weights[i];
      const std::vector<std::int64_t> shape(weight.shape.begin(), weight.shape.end());
      module.register_buffer("w" + std::to_string(i), at::tensor(weight.to_floats()).view(shape).clone());
    }
    module.define(source);
    module.eval();
    torch::jit::ExtraFilesMap extra;
    for (const auto& [key, text] : graph.metadata) extra[key + ".txt"] = text;
    module.save(temporary.string(), extra);
  } catch (const std::exception& error) {
    const std::string text = error.what();
    return Error{ErrorCode::kIo, "libtorch: " + text.substr(0, text.find('\n')), {.file = path.string()}};
  }
  std::error_code failed;
  const Result<double> worst = compare(graph, temporary);
  if (!worst || !(*worst <= kMaxTorchScriptError)) {
    std::filesystem::remove(temporary, failed);
    if (!worst) return worst;
    return Error{ErrorCode::kInvalid,
                 "the file would differ from the network by " + TorchScriptWriter::number(*worst),
                 {.file = path.string()}};
  }
  std::filesystem::rename(temporary, path, failed);
  if (failed) return Error{ErrorCode::kIo, "cannot write: " + failed.message(), {.file = path.string()}};
  return worst;
}

int serve_torchscript_export(const std::filesystem::path& network, const std::filesystem::path& output) {
  Result<nn::Graph> graph = nn::read_graph(network);
  const Result<double> worst = graph ? export_torchscript(*graph, output) : Result<double>(std::move(graph).error());
  if (!worst) {
    std::fprintf(stderr, "zoe: %s\n", worst.error().format().c_str());
    return 1;
  }
  std::printf("{\"largest_difference\": %.3g}\n", *worst);
  return 0;
}

}  // namespace zoe::train
