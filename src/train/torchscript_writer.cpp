// SPDX-License-Identifier: MIT
#include "train/torchscript_writer.h"

#include <algorithm>
#include <cstdio>

namespace zoe::train {

using nn::Op;
using nn::RowCount;

std::string TorchScriptWriter::number(double value) {
  char text[40];
  std::snprintf(text, sizeof(text), "%.9g", value);
  const std::string plain = text;
  return plain.find_first_of(".en") == std::string::npos ? plain + ".0" : plain;
}

std::string TorchScriptWriter::activated(const std::string& x, const nn::Attributes& a) {
  switch (a.activation) {
    case nn::Activation::kNone:
      return x;
    case nn::Activation::kRelu:
      return "torch.relu(" + x + ")";
    case nn::Activation::kLeakyRelu:
      return "torch.where(" + x + " < 0, " + x + " * " + number(static_cast<double>(a.alpha)) + ", " + x + ")";
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

void TorchScriptWriter::line(const std::string& name, const std::string& expression) {
  text_ += "  " + name + " = " + expression + "\n";
}

void TorchScriptWriter::result(const std::string& expression, const nn::Attributes& a) {
  if (a.activation == nn::Activation::kNone) return result(expression);
  line("t", expression);
  result(activated("t", a));
}

std::string TorchScriptWriter::count(const RowCount& rows) const {
  if (rows.fixed()) return std::to_string(*rows.fixed());
  std::string sum;
  for (const RowCount::Term& term : rows.terms()) {
    std::string product = std::to_string(term.factor);
    for (int dim = 0; dim < static_cast<int>(graph_.dims.size()); ++dim) {
      for (int i = 0; i < term.power(dim); ++i) product += " * d" + std::to_string(dim);
    }
    sum += (sum.empty() ? "(" : " + ") + product;
  }
  return sum + ")";
}

std::string TorchScriptWriter::sizes(const nn::Shape& shape) const {
  return "[-1, " + count(shape.rows()) + ", " + std::to_string(shape.width) + "]";
}

std::string TorchScriptWriter::batched(std::size_t i) const {
  return values_[static_cast<std::size_t>(node_->inputs[i])].constant ? in(i) + ".expand([v0.size(0), -1, -1])" : in(i);
}

std::string TorchScriptWriter::index_of(const std::string& x, const std::string& count) const {
  return "torch.clamp(torch.round(" + x + "), 0, " + count + " - 1).long()";
}

// Each dimension from the rows of an input: rows = a * dim + b, where a and b depend on dimensions that are known.
Result<void> TorchScriptWriter::solve_dims() {
  std::vector<bool> known(graph_.dims.size());
  for (bool found = true; found;) {
    found = false;
    for (std::size_t i = 0; i < graph_.inputs.size(); ++i) {
      const std::span<const RowCount::Term> terms = graph_.inputs[i].shape.by_dims.terms();
      int unknown = -1, unknowns = 0, highest = 0;
      for (int dim = 0; dim < static_cast<int>(known.size()); ++dim) {
        int power = 0;
        for (const RowCount::Term& term : terms) power = std::max(power, term.power(dim));
        if (power > 0 && !known[static_cast<std::size_t>(dim)]) unknown = dim, ++unknowns, highest = power;
      }
      if (unknowns != 1 || highest != 1) continue;
      RowCount factor = 0, rest = 0;
      for (const RowCount::Term& term : terms) {
        RowCount part = term.factor;
        for (int dim = 0; dim < static_cast<int>(known.size()); ++dim) {
          for (int k = 0; k < term.power(dim) && dim != unknown; ++k) part = part * RowCount::dim(dim);
        }
        RowCount& sum = term.power(unknown) > 0 ? factor : rest;
        sum = sum + part;
      }
      line("d" + std::to_string(unknown),
           "(x" + std::to_string(i) + ".size(1) - " + count(rest) + ") // " + count(factor));
      known[static_cast<std::size_t>(unknown)] = found = true;
    }
  }
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (!known[i])
      return Error{ErrorCode::kInvalid, "no input tells the dimension '" + graph_.dims[i] +
                                            "': give it a size, --size " + graph_.dims[i] + "=N"};
  }
  return {};
}

Result<std::string> TorchScriptWriter::source() {
  text_ = "def forward(self";
  for (std::size_t i = 0; i < graph_.inputs.size(); ++i) text_ += ", x" + std::to_string(i) + ": Tensor";
  text_ += "):\n";
  ZOE_TRY(solve_dims());
  for (const nn::Port& port : graph_.inputs) {
    line(value(next_), "x" + std::to_string(next_) + ".reshape(" + sizes(port.shape) + ")");
    ++next_;
  }
  for (const nn::Node& node : graph_.nodes) add(node);
  std::string outputs;
  for (const nn::Port& port : graph_.outputs) {
    const nn::ValueInfo& info = values_[static_cast<std::size_t>(port.value)];
    std::string one = value(static_cast<std::size_t>(port.value));
    if (info.constant) one += ".expand([v0.size(0), -1, -1])";
    if (port.shape.rows().is(1)) one += ".squeeze(1)";
    outputs += (outputs.empty() ? "" : ", ") + one;
  }
  text_ += "  return " + (graph_.outputs.size() > 1 ? "(" + outputs + ")" : outputs) + "\n";
  return text_;
}

// No default: a new operation must be added here.
void TorchScriptWriter::add(const nn::Node& node) {
  node_ = &node;
  const nn::Attributes& a = node.attributes;
  switch (node.op) {
    case Op::kLinear:
      return result("torch.matmul(" + in(0) + ", " + weight(0) + ".t())" + plus_bias(1), a);
    case Op::kExpertLinear:  // Outputs of all experts [batch, rows, experts, out], blended.
      return result("torch.sum((torch.einsum('bsi,eoi->bseo', [" + in(0) + ", " + weight(0) + "])" + plus_bias(1) +
                        ") * " + in(1) + ".unsqueeze(3), dim=[2])",
                    a);
    case Op::kConv1d:
      return result("torch.conv1d(" + in(0) + ".transpose(1, 2), " + weight(0) + ", " + weight_or_none(1) + ", [" +
                        std::to_string(a.stride) + "], [" + std::to_string(a.padding) + "], [" +
                        std::to_string(a.dilation) + "]).transpose(1, 2)",
                    a);
    case Op::kGruCell:
      line("gx", "torch.chunk(torch.matmul(" + in(0) + ", " + weight(0) + ".t())" + plus_bias(2) + ", 3, 2)");
      line("gh", "torch.chunk(torch.matmul(" + in(1) + ", " + weight(1) + ".t())" + plus_bias(3) + ", 3, 2)");
      line("update", "torch.sigmoid(gx[1] + gh[1])");
      line("fresh", "torch.tanh(gx[2] + torch.sigmoid(gx[0] + gh[0]) * gh[2])");
      return result("(1.0 - update) * fresh + update * " + in(1));
    case Op::kLstmCell:
      line("g", "torch.chunk(torch.matmul(" + in(0) + ", " + weight(0) + ".t())" + plus_bias(2) + " + torch.matmul(" +
                    in(1) + ", " + weight(1) + ".t())" + plus_bias(3) + ", 4, 2)");
      line("c", "torch.sigmoid(g[1]) * " + in(2) + " + torch.sigmoid(g[0]) * torch.tanh(g[2])");
      result("torch.sigmoid(g[3]) * torch.tanh(c)");
      return result("c");
    case Op::kEmbedding:
      line("index", index_of(in(0) + ".squeeze(2)", weight(0) + ".size(0)"));
      return result("torch.embedding(" + weight(0) + ", index)");
    case Op::kActivation:
      return result(activated(in(0), a));
    case Op::kSoftmax: {
      const int group = a.group > 0 ? a.group : out().width;
      return result("torch.softmax(" + in(0) + ".reshape([-1, " + count(out().rows()) + ", " +
                    std::to_string(out().width / group) + ", " + std::to_string(group) + "]), 3).reshape(" +
                    sizes(out()) + ")");
    }
    case Op::kArgmin:
      return result("torch.argmin(" + in(0) + ", 2, True).to(" + in(0) + ".dtype)");
    case Op::kLayerNorm:
      return result("torch.layer_norm(" + in(0) + ", [" + std::to_string(out().width) + "], " + weight_or_none(0) +
                    ", " + weight_or_none(1) + ", " + number(static_cast<double>(a.epsilon)) + ")");
    case Op::kAttention:
      return add_attention();
    case Op::kAdd:
      return result(in(0) + " + " + in(1));
    case Op::kSubtract:
      return result(in(0) + " - " + in(1));
    case Op::kMultiply:
      return result(in(0) + " * " + in(1));
    case Op::kDivide:
      return result(in(0) + " / " + in(1));
    case Op::kAtan2:
      return result("torch.atan2(" + in(0) + " + 0.0, " + in(1) + " + 0.0)");
    case Op::kFilm:
      return result(in(0) + " * " + in(1) + " + " + in(2), a);
    case Op::kConcat: {
      std::string parts;
      for (std::size_t i = 0; i < node.inputs.size(); ++i)
        parts += (i > 0 ? ", " : "") + in(i) + ".expand([v0.size(0), " + count(out().rows()) + ", -1])";
      return result("torch.cat([" + parts + "], 2)");
    }
    case Op::kSlice:
      return result(in(0) + "[:, :, " + std::to_string(a.begin) + ":" + std::to_string(a.end) + "]");
    case Op::kReshape:
      return result(in(0) + ".reshape(" + sizes(out()) + ")");
    case Op::kTranspose:
      return result(in(0) + ".transpose(1, 2)");
    case Op::kNormalize:
      return result("(" + in(0) + " - " + weight(0) + ") / " + weight(1));
    case Op::kDenormalize:
      return result(in(0) + " * " + weight(1) + " + " + weight(0));
    case Op::kPhaseWeights:
      line("at", "4.0 * (" + in(0) + " - torch.floor(" + in(0) + "))");
      line("m", "at - torch.floor(at)");
      line("k", "torch.floor(at).long() % 4");
      line("w",
           "torch.cat([-0.5 * m + m * m - 0.5 * m * m * m, 1.0 - 2.5 * m * m + 1.5 * m * m * m, 0.5 * m + 2.0 * m * m "
           "- 1.5 * m * m * m, -0.5 * m * m + 0.5 * m * m * m], 2)");
      // Weight of point i is that number (i - k + 1) mod 4 around the phase.
      line("i", "(torch.arange(4, device=m.device).reshape([1, 1, 4]) - k + 1) % 4");
      return result("torch.gather(w, 2, i)");
    case Op::kConstant:
      return result(weight(0) + ".reshape([1, " + std::to_string(out().steps) + ", " + std::to_string(out().width) +
                    "])");
    case Op::kRmsNorm:
    case Op::kGroupNorm:
    case Op::kGlu:
    case Op::kSoftmaxRows:
    case Op::kPositions:
    case Op::kSinusoidal:
    case Op::kRotary:
    case Op::kPoolRows:
    case Op::kConv2d:
    case Op::kUpsample:
      return add_along_rows();
    case Op::kGather:
    case Op::kConcatRows:
    case Op::kSliceRows:
    case Op::kRepeatRows:
      return add_moved();
  }
}

}  // namespace zoe::train
