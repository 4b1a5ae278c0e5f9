// SPDX-License-Identifier: MIT
#include "train/torchscript.h"

#include <cstdio>

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>

#include "zoe/nn/graph_file.h"
#include "zoe/nn/network.h"
#include "zoe/nn/quantize.h"

namespace zoe::train {
namespace {

using nn::Op;

constexpr double kMaxTorchScriptError = 1e-5;

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof(text), "%.9g", value);
  const std::string plain = text;
  return plain.find_first_of(".en") == std::string::npos ? plain + ".0" : plain;
}

std::string activated(const std::string& x, const nn::Attributes& a) {
  switch (a.activation) {
    case nn::Activation::kNone:
      return x;
    case nn::Activation::kRelu:
      return "torch.relu(" + x + ")";
    case nn::Activation::kLeakyRelu:
      return "torch.where(" + x + " < 0, " + x + " * " + number(a.alpha) + ", " + x + ")";
    case nn::Activation::kElu:
      return "torch.where(" + x + " < 0, torch.expm1(torch.clamp(" + x + ", max=0.0)), " + x + ")";
    case nn::Activation::kSilu:
      return "(" + x + ") * torch.sigmoid(" + x + ")";
    case nn::Activation::kTanh:
      return "torch.tanh(" + x + ")";
    case nn::Activation::kSigmoid:
      return "torch.sigmoid(" + x + ")";
    case nn::Activation::kGelu:
      return "0.5 * (" + x + ") * (1.0 + torch.erf((" + x + ") * 0.7071067811865476))";
    case nn::Activation::kSine:
      return "torch.sin(" + x + ")";
    case nn::Activation::kSquareRoot:
      return "torch.sqrt(" + x + ")";
  }
  return x;
}

// Every value is [batch, steps, width]; constants have a batch of 1.
class Writer {
 public:
  explicit Writer(const nn::Graph& graph, std::vector<nn::ValueInfo> values)
      : graph_(graph), values_(std::move(values)) {}

  Result<std::string> source() {
    text_ = "def forward(self";
    for (std::size_t i = 0; i < graph_.inputs.size(); ++i) text_ += ", x" + std::to_string(i) + ": Tensor";
    text_ += "):\n";
    for (const nn::Port& port : graph_.inputs) {
      line(value(next_), "x" + std::to_string(next_) + ".reshape([-1, " + std::to_string(port.shape.steps) + ", " +
                             std::to_string(port.shape.width) + "])");
      ++next_;
    }
    for (const nn::Node& node : graph_.nodes) ZOE_TRY(add(node));
    std::string outputs;
    for (const nn::Port& port : graph_.outputs) {
      const nn::ValueInfo& info = values_[static_cast<std::size_t>(port.value)];
      std::string one = value(static_cast<std::size_t>(port.value));
      if (info.constant) one += ".expand([v0.size(0), -1, -1])";
      if (port.shape.steps == 1) one += ".squeeze(1)";
      outputs += (outputs.empty() ? "" : ", ") + one;
    }
    text_ += "  return " + (graph_.outputs.size() > 1 ? "(" + outputs + ")" : outputs) + "\n";
    return text_;
  }

 private:
  static std::string value(std::size_t i) { return "v" + std::to_string(i); }
  void line(const std::string& name, const std::string& expression) {
    text_ += "  " + name + " = " + expression + "\n";
  }
  void result(const std::string& expression) { line(value(next_++), expression); }
  // An expression used more than once gets a name.
  void result(const std::string& expression, const nn::Attributes& a) {
    if (a.activation == nn::Activation::kNone) return result(expression);
    line("t", expression);
    result(activated("t", a));
  }

  Result<void> add(const nn::Node& node) {
    const nn::Attributes& a = node.attributes;
    const auto in = [&](std::size_t i) { return value(static_cast<std::size_t>(node.inputs[i])); };
    const auto shape = [&](std::size_t i) { return values_[static_cast<std::size_t>(node.inputs[i])].shape; };
    const auto has = [&](std::size_t i) { return node.weights[i] >= 0; };
    const auto weight = [&](std::size_t i) { return "self.w" + std::to_string(node.weights[i]); };
    const auto bias = [&](std::size_t i) { return has(i) ? " + " + weight(i) : std::string(); };
    const nn::Shape out = values_[next_].shape;
    const auto sizes = [&](int steps, int width) {
      return "[-1, " + std::to_string(steps) + ", " + std::to_string(width) + "]";
    };
    switch (node.op) {
      case Op::kLinear:
        result("torch.matmul(" + in(0) + ", " + weight(0) + ".t())" + bias(1), a);
        break;
      case Op::kExpertLinear:  // Outputs of all experts [batch, steps, experts, out], blended.
        result("torch.sum((torch.einsum('bsi,eoi->bseo', [" + in(0) + ", " + weight(0) + "])" + bias(1) + ") * " +
                   in(1) + ".unsqueeze(3), dim=[2])",
               a);
        break;
      case Op::kConv1d:
        result("torch.conv1d(" + in(0) + ".transpose(1, 2), " + weight(0) + ", " + (has(1) ? weight(1) : "None") +
                   ", [" + std::to_string(a.stride) + "], [" + std::to_string(a.padding) + "], [" +
                   std::to_string(a.dilation) + "]).transpose(1, 2)",
               a);
        break;
      case Op::kGruCell: {
        line("gx", "torch.chunk(torch.matmul(" + in(0) + ", " + weight(0) + ".t())" + bias(2) + ", 3, 2)");
        line("gh", "torch.chunk(torch.matmul(" + in(1) + ", " + weight(1) + ".t())" + bias(3) + ", 3, 2)");
        line("update", "torch.sigmoid(gx[1] + gh[1])");
        line("fresh", "torch.tanh(gx[2] + torch.sigmoid(gx[0] + gh[0]) * gh[2])");
        result("(1.0 - update) * fresh + update * " + in(1));
        break;
      }
      case Op::kLstmCell: {
        line("g", "torch.chunk(torch.matmul(" + in(0) + ", " + weight(0) + ".t())" + bias(2) + " + torch.matmul(" +
                      in(1) + ", " + weight(1) + ".t())" + bias(3) + ", 4, 2)");
        line("c", "torch.sigmoid(g[1]) * " + in(2) + " + torch.sigmoid(g[0]) * torch.tanh(g[2])");
        result("torch.sigmoid(g[3]) * torch.tanh(c)");
        result("c");
        break;
      }
      case Op::kEmbedding:
        line("index", "torch.clamp(torch.round(" + in(0) + ".squeeze(2)), 0, " + weight(0) + ".size(0) - 1).long()");
        result("torch.embedding(" + weight(0) + ", index)");
        break;
      case Op::kActivation:
        result(activated(in(0), a));
        break;
      case Op::kSoftmax: {
        const int group = a.group > 0 ? a.group : out.width;
        result("torch.softmax(" + in(0) + ".reshape([-1, " + std::to_string(out.steps) + ", " +
               std::to_string(out.width / group) + ", " + std::to_string(group) + "]), 3).reshape(" +
               sizes(out.steps, out.width) + ")");
        break;
      }
      case Op::kArgmin:
        result("torch.argmin(" + in(0) + ", 2, True).to(" + in(0) + ".dtype)");
        break;
      case Op::kLayerNorm:
        result("torch.layer_norm(" + in(0) + ", [" + std::to_string(out.width) + "], " + (has(0) ? weight(0) : "None") +
               ", " + (has(1) ? weight(1) : "None") + ", " + number(a.epsilon) + ")");
        break;
      case Op::kAttention: {
        const auto split = [&](std::size_t i) {
          return in(i) + ".reshape([-1, " + std::to_string(shape(i).steps) + ", " + std::to_string(a.heads) + ", " +
                 std::to_string(shape(i).width / a.heads) + "]).transpose(1, 2)";
        };
        line("s", "torch.matmul(" + split(0) + " * " +
                      number(1 / std::sqrt(static_cast<double>(shape(0).width / a.heads))) + ", (" + split(1) +
                      ").transpose(2, 3))");
        if (a.causal) line("s", "s.masked_fill(torch.triu(torch.ones_like(s[0, 0]), 1) > 0.5, float('-inf'))");
        result("torch.matmul(torch.softmax(s, 3), " + split(2) + ").transpose(1, 2).reshape(" +
               sizes(out.steps, out.width) + ")");
        break;
      }
      case Op::kAdd:
        result(in(0) + " + " + in(1));
        break;
      case Op::kSubtract:
        result(in(0) + " - " + in(1));
        break;
      case Op::kMultiply:
        result(in(0) + " * " + in(1));
        break;
      case Op::kDivide:
        result(in(0) + " / " + in(1));
        break;
      case Op::kAtan2:
        result("torch.atan2(" + in(0) + " + 0.0, " + in(1) + " + 0.0)");
        break;
      case Op::kFilm:
        result(in(0) + " * " + in(1) + " + " + in(2), a);
        break;
      case Op::kConcat: {
        std::string parts;
        bool batched = false;
        for (const int input : node.inputs) batched = batched || !values_[static_cast<std::size_t>(input)].constant;
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
          parts += (i > 0 ? ", " : "") + in(i);
          if (batched || shape(i).steps != out.steps)
            parts += ".expand([" + std::string(batched ? "v0.size(0)" : "1") + ", " + std::to_string(out.steps) + ", " +
                     std::to_string(shape(i).width) + "])";
        }
        result("torch.cat([" + parts + "], 2)");
        break;
      }
      case Op::kSlice:
        result(in(0) + "[:, :, " + std::to_string(a.begin) + ":" + std::to_string(a.end) + "]");
        break;
      case Op::kReshape:
        result(in(0) + ".reshape(" + sizes(out.steps, out.width) + ")");
        break;
      case Op::kTranspose:
        result(in(0) + ".transpose(1, 2)");
        break;
      case Op::kNormalize:
        result("(" + in(0) + " - " + weight(0) + ") / " + weight(1));
        break;
      case Op::kDenormalize:
        result(in(0) + " * " + weight(1) + " + " + weight(0));
        break;
      case Op::kPhaseWeights:
        line("at", "4.0 * (" + in(0) + " - torch.floor(" + in(0) + "))");
        line("m", "at - torch.floor(at)");
        line("k", "torch.floor(at).long() % 4");
        line("w",
             "torch.cat([-0.5 * m + m * m - 0.5 * m * m * m, 1.0 - 2.5 * m * m + 1.5 * m * m * m, 0.5 * m + 2.0 * m * "
             "m - "
             "1.5 * m * m * m, -0.5 * m * m + 0.5 * m * m * m], 2)");
        // Weight of point i is that number (i - k + 1) mod 4 around the phase.
        line("i", "(torch.arange(4, device=m.device).reshape([1, 1, 4]) - k + 1) % 4");
        result("torch.gather(w, 2, i)");
        break;
      case Op::kConstant:
        result(weight(0) + ".reshape([1, " + std::to_string(out.steps) + ", " + std::to_string(out.width) + "])");
        break;
      default:
        return Error{ErrorCode::kUnsupported,
                     std::string("TorchScript files have no operation '") + to_string(node.op) + "' yet: export ONNX"};
    }
    return {};
  }

  const nn::Graph& graph_;
  std::vector<nn::ValueInfo> values_;
  std::string text_;
  std::size_t next_ = 0;
};

std::vector<std::int64_t> port_sizes(const nn::Port& port, std::int64_t batch) {
  if (port.shape.steps == 1) return {batch, port.shape.width};
  return {batch, port.shape.steps, port.shape.width};
}

// Against zoe::nn, on a few synthetic items.
Result<double> compare(const nn::Graph& graph, const std::filesystem::path& path) {
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
  for (std::size_t i = 0; i < items.size(); ++i)
    tensors.push_back(at::tensor(items[i]).reshape(port_sizes(graph.inputs[i], kItems)));
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

}  // namespace

Result<std::string> torchscript_source(const nn::Graph& graph) {
  ZOE_TRY_ASSIGN(std::vector<nn::ValueInfo> values, nn::validate(graph));
  return Writer(graph, std::move(values)).source();
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
    return Error{
        ErrorCode::kInvalid, "the file would differ from the network by " + number(*worst), {.file = path.string()}};
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
