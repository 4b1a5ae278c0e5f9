// SPDX-License-Identifier: MIT
// Exported models, computed by a plain interpreter of the ONNX operations that we use: they give the reference's
// numbers. onnx_test.cpp does the same with ONNX Runtime where that is installed.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

#include <gtest/gtest.h>

#include "zoe/nn/graph_builder.h"
#include "zoe/nn/onnx.h"
#include "zoe/nn/quantize.h"
#include "zoe/nn/reference.h"

#include "nn/blocks.h"
#include "nn/onnx_reader.h"
#include "nn/random_graph.h"

namespace zoe::nn {
namespace {

using Dims = std::vector<std::int64_t>;

struct Tensor {
  Dims dims;
  std::vector<double> values;

  std::int64_t dim(int axis) const {
    return dims.at(axis < 0 ? dims.size() - static_cast<std::size_t>(-axis) : static_cast<std::size_t>(axis));
  }
};
std::int64_t items_of(const Dims& dims) {
  std::int64_t count = 1;
  for (const std::int64_t dim : dims) count *= dim;
  return count;
}

// The shape that both are repeated to, as numpy does it.
Dims broadcast(const Dims& a, const Dims& b) {
  Dims out(std::max(a.size(), b.size()), 1);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto at = [&](const Dims& d) { return i + d.size() < out.size() ? 1 : d[i + d.size() - out.size()]; };
    if (at(a) != at(b) && at(a) != 1 && at(b) != 1) throw std::runtime_error("shapes do not fit");
    out[i] = std::max(at(a), at(b));
  }
  return out;
}
// Item of x that belongs to item `index` of a tensor of `dims`.
double item(const Tensor& x, const Dims& dims, std::int64_t index) {
  std::int64_t at = 0, stride = 1;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const std::int64_t here = index % dims[dims.size() - 1 - i];
    index /= dims[dims.size() - 1 - i];
    if (i >= x.dims.size()) continue;
    const std::int64_t own = x.dims[x.dims.size() - 1 - i];
    at += (own == 1 ? 0 : here) * stride;
    stride *= own;
  }
  return x.values.at(static_cast<std::size_t>(at));
}
Tensor combined(std::span<const Tensor> in, const std::function<double(std::span<const double>)>& function) {
  Dims dims;
  for (const Tensor& x : in) dims = broadcast(dims, x.dims);
  Tensor out{dims, {}};
  std::vector<double> arguments(in.size());
  for (std::int64_t i = 0; i < items_of(dims); ++i) {
    for (std::size_t k = 0; k < in.size(); ++k) arguments[k] = item(in[k], dims, i);
    out.values.push_back(function(arguments));
  }
  return out;
}

Tensor transposed(const Tensor& x, const Dims& perm) {
  Tensor out;
  for (const std::int64_t axis : perm) out.dims.push_back(x.dim(static_cast<int>(axis)));
  out.values.resize(x.values.size());
  const std::size_t rank = perm.size();
  std::vector<std::int64_t> strides(rank, 1);
  for (std::size_t i = rank - 1; i-- > 0;) strides[i] = strides[i + 1] * x.dims[i + 1];
  for (std::int64_t i = 0; i < items_of(out.dims); ++i) {
    std::int64_t rest = i, at = 0;
    for (std::size_t k = rank; k-- > 0;) {
      at += rest % out.dims[k] * strides[static_cast<std::size_t>(perm[k])];
      rest /= out.dims[k];
    }
    out.values[static_cast<std::size_t>(i)] = x.values.at(static_cast<std::size_t>(at));
  }
  return out;
}

// [..., m, k] times [..., k, n]; leading axes are repeated.
Tensor product(const Tensor& a, const Tensor& b) {
  const std::int64_t m = a.dim(-2), k = a.dim(-1), n = b.dim(-1);
  if (b.dim(-2) != k) throw std::runtime_error("matrices do not fit");
  const Dims lead_a(a.dims.begin(), a.dims.end() - 2), lead_b(b.dims.begin(), b.dims.end() - 2);
  const Dims lead = broadcast(lead_a, lead_b);
  Tensor which_a{lead_a, {}}, which_b{lead_b, {}}, out{lead, {}};
  for (std::int64_t i = 0; i < items_of(lead_a); ++i) which_a.values.push_back(static_cast<double>(i));
  for (std::int64_t i = 0; i < items_of(lead_b); ++i) which_b.values.push_back(static_cast<double>(i));
  out.dims.insert(out.dims.end(), {m, n});
  for (std::int64_t i = 0; i < items_of(lead); ++i) {
    const auto p = static_cast<std::int64_t>(item(which_a, lead, i)),
               q = static_cast<std::int64_t>(item(which_b, lead, i));
    for (std::int64_t r = 0; r < m; ++r) {
      for (std::int64_t c = 0; c < n; ++c) {
        double sum = 0;
        for (std::int64_t j = 0; j < k; ++j)
          sum += a.values.at(static_cast<std::size_t>((p * m + r) * k + j)) *
                 b.values.at(static_cast<std::size_t>((q * k + j) * n + c));
        out.values.push_back(sum);
      }
    }
  }
  return out;
}

class Interpreter {
 public:
  explicit Interpreter(const std::string& bytes) : model_(test::parse(bytes)) {
    for (const auto& [name, fields] : model_.tensors) {
      Tensor tensor{test::numbers(fields, 1), {}};
      const std::string raw = test::texts(fields, 9).at(0);
      const bool is_float = test::numbers(fields, 2).at(0) == 1;
      for (std::size_t at = 0; at < raw.size(); at += is_float ? 4 : 8) {
        float real = 0;
        std::int64_t whole = 0;
        is_float ? std::memcpy(&real, raw.data() + at, 4) : std::memcpy(&whole, raw.data() + at, 8);
        tensor.values.push_back(is_float ? static_cast<double>(real) : static_cast<double>(whole));
      }
      known_[name] = std::move(tensor);
    }
  }
  void set(const std::string& name, Tensor tensor) { known_[name] = std::move(tensor); }
  const Tensor& run(const std::string& output) {
    for (; next_ < model_.nodes.size(); ++next_) {
      const test::OnnxNode& node = model_.nodes[next_];
      std::vector<Tensor> in;
      for (const std::string& name : node.inputs) in.push_back(name.empty() ? Tensor{} : known_.at(name));
      known_[node.outputs.at(0)] = compute(node, in);
    }
    return known_.at(output);
  }

 private:
  static Dims integers(const test::OnnxNode& node, const char* name) {
    return test::numbers(node.attributes.at(name), 8);
  }
  static std::int64_t integer(const test::OnnxNode& node, const char* name) {
    return test::numbers(node.attributes.at(name), 3).at(0);
  }
  static float real(const test::OnnxNode& node, const char* name) {
    float value = 0;
    std::memcpy(&value, test::texts(node.attributes.at(name), 2).at(0).data(), 4);
    return value;
  }
  static Dims whole(const Tensor& x) { return {x.values.begin(), x.values.end()}; }

  static Tensor compute(const test::OnnxNode& node, std::vector<Tensor>& in) {
    using Arguments = std::span<const double>;
    static const std::map<std::string, std::function<double(Arguments)>> kByItem = {
        {"Add", [](Arguments a) { return a[0] + a[1]; }},
        {"Sub", [](Arguments a) { return a[0] - a[1]; }},
        {"Mul", [](Arguments a) { return a[0] * a[1]; }},
        {"Div", [](Arguments a) { return a[0] / a[1]; }},
        {"Max", [](Arguments a) { return std::max(a[0], a[1]); }},
        {"Min", [](Arguments a) { return std::min(a[0], a[1]); }},
        {"Less", [](Arguments a) { return a[0] < a[1] ? 1.0 : 0.0; }},
        {"Where", [](Arguments a) { return a[0] != 0 ? a[1] : a[2]; }},
        {"Clip", [](Arguments a) { return std::clamp(a[0], a[1], a[2]); }},
        {"Sigmoid", [](Arguments a) { return 1 / (1 + std::exp(-a[0])); }},
        {"Tanh", [](Arguments a) { return std::tanh(a[0]); }},
        {"Relu", [](Arguments a) { return std::max(a[0], 0.0); }},
        {"Cos", [](Arguments a) { return std::cos(a[0]); }},
        {"Equal", [](Arguments a) { return a[0] == a[1] ? 1.0 : 0.0; }},
        {"Sin", [](Arguments a) { return std::sin(a[0]); }},
        {"Sqrt", [](Arguments a) { return std::sqrt(a[0]); }},
        {"Erf", [](Arguments a) { return std::erf(a[0]); }},
        {"Abs", [](Arguments a) { return std::abs(a[0]); }},
        {"Atan", [](Arguments a) { return std::atan(a[0]); }},
        {"Floor", [](Arguments a) { return std::floor(a[0]); }},
        {"Round", [](Arguments a) { return std::nearbyint(a[0]); }},
        {"Cast", [](Arguments a) { return a[0]; }},
        {"Identity", [](Arguments a) { return a[0]; }},
    };
    if (const auto found = kByItem.find(node.op); found != kByItem.end()) return combined(in, found->second);
    if (node.op == "LeakyRelu" || node.op == "Elu") {
      const double alpha = real(node, "alpha");
      const bool leaky = node.op == "LeakyRelu";
      return combined(in, [&](Arguments a) {
        return a[0] >= 0 ? a[0] : leaky ? alpha * a[0] : alpha * std::expm1(a[0]);
      });
    }
    if (node.op == "MatMul") return product(in[0], in[1]);
    if (node.op == "Gemm") {
      EXPECT_EQ(integer(node, "transB"), 1);
      const Tensor y = product(in[0], transposed(in[1], {1, 0}));
      if (in.size() < 3) return y;
      const Tensor both[] = {y, in[2]};
      return combined(both, [](Arguments a) { return a[0] + a[1]; });
    }
    if (node.op == "Transpose") return transposed(in[0], integers(node, "perm"));
    if (node.op == "Reshape") {
      Dims dims = whole(in[1]);
      std::int64_t known = 1;
      for (std::size_t i = 0; i < dims.size(); ++i) {
        if (dims[i] == 0) dims[i] = in[0].dims.at(i);
        if (dims[i] > 0) known *= dims[i];
      }
      for (std::int64_t& dim : dims)
        if (dim == -1) dim = items_of(in[0].dims) / known;
      if (items_of(dims) != items_of(in[0].dims)) throw std::runtime_error("reshaped to another size");
      return {dims, in[0].values};
    }
    if (node.op == "Shape") {
      Tensor out{{static_cast<std::int64_t>(in[0].dims.size())}, {}};
      for (const std::int64_t dim : in[0].dims) out.values.push_back(static_cast<double>(dim));
      return out;
    }
    if (node.op == "Expand") {
      const Tensor ones{broadcast(in[0].dims, whole(in[1])), {}};
      Tensor out{ones.dims, {}};
      for (std::int64_t i = 0; i < items_of(out.dims); ++i) out.values.push_back(item(in[0], out.dims, i));
      return out;
    }
    return along_an_axis(node, in);
  }

  static Tensor along_an_axis(const test::OnnxNode& node, std::vector<Tensor>& in) {
    Tensor out;
    const auto width = static_cast<std::size_t>(in[0].dims.empty() ? 1 : in[0].dim(-1));
    const auto rows = [&] { return in[0].values.size() / width; };
    const auto axis_of = [&](std::int64_t axis) {
      return static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(in[0].dims.size()) : axis);
    };
    // Numbers before, along and after an axis.
    const auto around = [](const Dims& dims, std::size_t axis) {
      return std::pair(items_of(Dims(dims.begin(), dims.begin() + static_cast<long>(axis))),
                       items_of(Dims(dims.begin() + static_cast<long>(axis) + 1, dims.end())));
    };
    if (node.op == "Slice") {
      const std::size_t axis = axis_of(whole(in[3]).at(0));
      const std::int64_t size = in[0].dims[axis], step = in.size() > 4 ? whole(in[4]).at(0) : 1;
      const auto place = [&](double at) {
        const auto from = static_cast<std::int64_t>(std::min(at, 1e15));
        return std::clamp<std::int64_t>(from < 0 ? from + size : from, 0, size);
      };
      const std::int64_t begin = place(in[1].values.at(0)), end = place(in[2].values.at(0));
      const auto [before, after] = around(in[0].dims, axis);
      out.dims = in[0].dims;
      out.dims[axis] = (end - begin + step - 1) / step;
      for (std::int64_t o = 0; o < before; ++o)
        for (std::int64_t c = begin; c < end; c += step)
          for (std::int64_t k = 0; k < after; ++k)
            out.values.push_back(in[0].values.at(static_cast<std::size_t>((o * size + c) * after + k)));
      return out;
    }
    if (node.op == "Concat") {
      const std::size_t axis = axis_of(integer(node, "axis"));
      out.dims = in[0].dims;
      out.dims[axis] = 0;
      for (const Tensor& x : in) {
        Dims same = x.dims;
        same[axis] = out.dims[axis];
        if (same != out.dims) throw std::runtime_error("joined shapes differ");
        out.dims[axis] += x.dims[axis];
      }
      const auto [before, after] = around(out.dims, axis);
      for (std::int64_t o = 0; o < before; ++o)
        for (const Tensor& x : in)
          for (std::int64_t c = 0; c < x.dims[axis] * after; ++c)
            out.values.push_back(x.values.at(static_cast<std::size_t>(o * x.dims[axis] * after + c)));
      return out;
    }
    if (node.op == "Squeeze") {
      EXPECT_EQ(in[0].dims, Dims{1});
      return {{}, in[0].values};
    }
    if (node.op == "Range") {
      for (double v = in[0].values.at(0); v < in[1].values.at(0); v += in[2].values.at(0)) out.values.push_back(v);
      out.dims = {static_cast<std::int64_t>(out.values.size())};
      return out;
    }
    if (node.op == "GatherND") {
      EXPECT_EQ(integer(node, "batch_dims"), 1);
      const std::int64_t height = in[0].dim(1), columns = in[0].dim(2), count = in[1].dim(1);
      out.dims = {in[0].dim(0), count, columns};
      for (std::int64_t item = 0; item < out.dims[0]; ++item)
        for (std::int64_t r = 0; r < count; ++r)
          for (std::int64_t c = 0; c < columns; ++c) {
            const auto from = static_cast<std::int64_t>(in[1].values.at(static_cast<std::size_t>(item * count + r)));
            out.values.push_back(in[0].values.at(static_cast<std::size_t>((item * height + from) * columns + c)));
          }
      return out;
    }
    if (node.op == "GatherElements") {
      EXPECT_EQ(integer(node, "axis"), -1);
      if (Dims(in[0].dims.begin(), in[0].dims.end() - 1) != Dims(in[1].dims.begin(), in[1].dims.end() - 1))
        throw std::runtime_error("elements of other shapes");
      const auto columns = static_cast<std::size_t>(in[1].dim(-1));
      out.dims = in[1].dims;
      for (std::size_t i = 0; i < in[1].values.size(); ++i)
        out.values.push_back(in[0].values.at(i / columns * width + static_cast<std::size_t>(in[1].values[i])));
      return out;
    }
    if (node.op == "Resize") return resized(node, in);
    if (node.op == "ReduceMean" || node.op == "ReduceMax" || (node.op == "Softmax" && integer(node, "axis") >= 0))
      return reduced(node, in[0]);
    if (node.op == "Gather") {
      EXPECT_EQ(integer(node, "axis"), 0);
      out.dims = in[1].dims;
      out.dims.insert(out.dims.end(), in[0].dims.begin() + 1, in[0].dims.end());
      const std::size_t row = in[0].values.size() / static_cast<std::size_t>(in[0].dims[0]);
      for (const double index : in[1].values)
        for (std::size_t c = 0; c < row; ++c)
          out.values.push_back(in[0].values.at(static_cast<std::size_t>(index) * row + c));
      return out;
    }
    if (node.op == "Softmax" || node.op == "ArgMin") {
      const bool softmax = node.op == "Softmax", mean = false;
      EXPECT_EQ(integer(node, "axis"), -1);
      EXPECT_TRUE(softmax || integer(node, "keepdims") == 1);
      out.dims = in[0].dims;
      if (!softmax) out.dims.back() = 1;
      for (std::size_t r = 0; r < rows(); ++r) {
        const std::span<const double> row(in[0].values.data() + r * width, width);
        double sum = 0;
        const double top = *std::max_element(row.begin(), row.end());
        for (const double v : row) sum += mean ? v : std::exp(v - top);
        if (mean) out.values.push_back(sum / static_cast<double>(width));
        if (softmax)
          for (const double v : row) out.values.push_back(std::exp(v - top) / sum);
        if (!softmax && !mean)
          out.values.push_back(static_cast<double>(std::min_element(row.begin(), row.end()) - row.begin()));
      }
      return out;
    }
    if (node.op == "Conv") return convolved(node, in);
    throw std::runtime_error("unknown operation " + node.op);
  }

  // Means, maxima and softmax over some axes, item by item.
  static Tensor reduced(const test::OnnxNode& node, const Tensor& x) {
    const bool softmax = node.op == "Softmax", mean = node.op == "ReduceMean";
    Dims axes = softmax ? Dims{integer(node, "axis")} : integers(node, "axes");
    const auto rank = static_cast<std::int64_t>(x.dims.size());
    for (std::int64_t& axis : axes) axis = axis < 0 ? axis + rank : axis;
    Dims kept = x.dims;
    for (const std::int64_t axis : axes) kept.at(static_cast<std::size_t>(axis)) = 1;
    Tensor group{kept, {}};  // The result that each item belongs to.
    for (std::int64_t i = 0; i < items_of(kept); ++i) group.values.push_back(static_cast<double>(i));
    std::vector<double> sums(group.values.size(), 0), highest(group.values.size(), -1e300), counts(sums);
    const auto at = [&](std::size_t i) {
      return static_cast<std::size_t>(item(group, x.dims, static_cast<std::int64_t>(i)));
    };
    for (std::size_t i = 0; i < x.values.size(); ++i) highest[at(i)] = std::max(highest[at(i)], x.values[i]);
    for (std::size_t i = 0; i < x.values.size(); ++i) {
      sums[at(i)] += softmax ? std::exp(x.values[i] - highest[at(i)]) : x.values[i];
      counts[at(i)] += 1;
    }
    if (softmax) {
      Tensor out = x;
      for (std::size_t i = 0; i < x.values.size(); ++i)
        out.values[i] = std::exp(x.values[i] - highest[at(i)]) / sums[at(i)];
      return out;
    }
    Tensor out{kept, mean ? sums : highest};
    for (std::size_t i = 0; mean && i < sums.size(); ++i) out.values[i] /= counts[i];
    if (integer(node, "keepdims") == 0) {
      std::sort(axes.rbegin(), axes.rend());
      for (const std::int64_t axis : axes) out.dims.erase(out.dims.begin() + axis);
    }
    return out;
  }

  // Pictures [batch, channels, lines, columns], by a formula of its own: weights of hats around each source.
  static Tensor resized(const test::OnnxNode& node, const std::vector<Tensor>& in) {
    const bool linear = test::texts(node.attributes.at("mode"), 4).at(0) == "linear";
    const std::int64_t times = whole(in[2]).at(3), lines = in[0].dim(2), line = in[0].dim(3);
    Tensor out{{in[0].dim(0), in[0].dim(1), lines * times, line * times}, {}};
    const auto weight = [&](std::int64_t to, std::int64_t from, std::int64_t count) {
      if (!linear) return to / times == from ? 1.0 : 0.0;
      const double at = std::clamp((static_cast<double>(to) + 0.5) / static_cast<double>(times) - 0.5, 0.0,
                                   static_cast<double>(count - 1));
      return std::max(0.0, 1 - std::abs(at - static_cast<double>(from)));
    };
    for (std::int64_t plane = 0; plane < out.dims[0] * out.dims[1]; ++plane)
      for (std::int64_t y = 0; y < lines * times; ++y)
        for (std::int64_t x = 0; x < line * times; ++x) {
          double sum = 0;
          for (std::int64_t sy = 0; sy < lines; ++sy)
            for (std::int64_t sx = 0; sx < line; ++sx)
              sum += weight(y, sy, lines) * weight(x, sx, line) *
                     in[0].values.at(static_cast<std::size_t>((plane * lines + sy) * line + sx));
          out.values.push_back(sum);
        }
    return out;
  }

  // Two dimensions.
  static Tensor convolved_picture(const test::OnnxNode& node, const std::vector<Tensor>& in) {
    const std::int64_t stride = integers(node, "strides").at(0), pad = integers(node, "pads").at(0),
                       dilation = integers(node, "dilations").at(0), groups = integer(node, "group");
    const std::int64_t channels = in[0].dim(1), lines = in[0].dim(2), line = in[0].dim(3), outs = in[1].dim(0),
                       per = in[1].dim(1), ky = in[1].dim(2), kx = in[1].dim(3);
    if (per * groups != channels) throw std::runtime_error("channels differ");
    const std::int64_t h = (lines + 2 * pad - dilation * (ky - 1) - 1) / stride + 1,
                       w = (line + 2 * pad - dilation * (kx - 1) - 1) / stride + 1;
    Tensor out{{in[0].dim(0), outs, h, w}, {}};
    for (std::int64_t b = 0; b < out.dims[0]; ++b)
      for (std::int64_t o = 0; o < outs; ++o)
        for (std::int64_t p = 0; p < h * w; ++p) {
          double sum = in.size() > 2 ? in[2].values.at(static_cast<std::size_t>(o)) : 0;
          for (std::int64_t c = 0; c < per; ++c)
            for (std::int64_t k = 0; k < ky * kx; ++k) {
              const std::int64_t y = p / w * stride - pad + k / kx * dilation,
                                 x = p % w * stride - pad + k % kx * dilation;
              if (y < 0 || y >= lines || x < 0 || x >= line) continue;
              sum += in[1].values.at(static_cast<std::size_t>((o * per + c) * ky * kx + k)) *
                     in[0].values.at(static_cast<std::size_t>(
                         ((b * channels + o / (outs / groups) * per + c) * lines + y) * line + x));
            }
          out.values.push_back(sum);
        }
    return out;
  }

  static Tensor convolved(const test::OnnxNode& node, const std::vector<Tensor>& in) {
    if (in[0].dims.size() == 4) return convolved_picture(node, in);
    const std::int64_t stride = integers(node, "strides").at(0), pad = integers(node, "pads").at(0),
                       dilation = integers(node, "dilations").at(0);
    EXPECT_EQ(integers(node, "pads").at(1), pad);
    const std::int64_t batch = in[0].dim(0), channels = in[0].dim(1), steps = in[0].dim(2), outs = in[1].dim(0),
                       taps = in[1].dim(2);
    if (in[1].dim(1) != channels) throw std::runtime_error("channels differ");
    const std::int64_t length = (steps + 2 * pad - dilation * (taps - 1) - 1) / stride + 1;
    Tensor out{{batch, outs, length}, {}};
    for (std::int64_t b = 0; b < batch; ++b)
      for (std::int64_t o = 0; o < outs; ++o)
        for (std::int64_t t = 0; t < length; ++t) {
          double sum = in.size() > 2 ? in[2].values.at(static_cast<std::size_t>(o)) : 0;
          for (std::int64_t c = 0; c < channels; ++c)
            for (std::int64_t k = 0; k < taps; ++k) {
              const std::int64_t at = t * stride - pad + k * dilation;
              if (at < 0 || at >= steps) continue;
              sum += in[0].values.at(static_cast<std::size_t>((b * channels + c) * steps + at)) *
                     in[1].values.at(static_cast<std::size_t>((o * channels + c) * taps + k));
            }
          out.values.push_back(sum);
        }
    return out;
  }

  test::OnnxModel model_;
  std::map<std::string, Tensor> known_;
  std::size_t next_ = 0;
};

// LSTM cells have two outputs, which are two nodes of the model: one result a node is enough. free: the model is that
// of this graph, whose dimensions have the sizes of the other.
void expect_same_numbers(const Graph& graph, const OnnxOptions& options, const std::string& what,
                         const Graph* free = nullptr) {
  for (const int batch : {1, 3}) {
    const auto inputs = made_up_inputs(graph, batch, 5);
    std::vector<std::span<const float>> spans(inputs.begin(), inputs.end());
    const auto expected = run_reference(graph, batch, spans);
    const std::string bytes = to_onnx(free != nullptr ? *free : graph, options).value();
    try {
      Interpreter onnx(bytes);
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        const Port& port = graph.inputs[i];
        Dims dims{batch, port.shape.width};
        const bool rows = port.shape.steps > 1 || (free != nullptr && free->inputs[i].shape.steps != 1);
        if (rows) dims.insert(dims.begin() + 1, port.shape.steps);
        onnx.set(port.name, {dims, {inputs[i].begin(), inputs[i].end()}});
      }
      for (std::size_t i = 0; i < graph.outputs.size(); ++i) {
        std::string name = graph.outputs[i].name;
        for (const Port& port : graph.inputs)
          if (port.name == name) name += "_1";
        const Tensor& found = onnx.run(name);
        ASSERT_EQ(found.values.size(), expected[i].size()) << what;
        const Shape shape = graph.outputs[i].shape;
        ASSERT_EQ(found.dims, (shape.steps > 1 || free != nullptr ? Dims{batch, shape.steps, shape.width}
                                                                  : Dims{batch, shape.width}))
            << what;
        for (std::size_t k = 0; k < found.values.size(); ++k)
          ASSERT_NEAR(found.values[k], expected[i][k], 2e-4 * (1 + std::abs(expected[i][k])))
              << what << ", batch " << batch << ", output " << graph.outputs[i].name << " [" << k << "]";
      }
    } catch (const std::exception& e) {
      ADD_FAILURE() << what << ": " << e.what();
    }
  }
}

TEST(OnnxNumbers, OfEveryBlockAreTheReferences) {
  for (const test::Block& block : test::all_blocks()) {
    for (const auto experts : {OnnxOptions::Experts::kBlendOutputs, OnnxOptions::Experts::kBlendWeights})
      expect_same_numbers(block.graph, {.experts = experts}, block.name);
  }
}

// One model with free sizes, run with several.
TEST(OnnxNumbers, OfNetworksWithDimensionsAreTheReferences) {
  for (const test::DimBlock& block : test::dim_blocks()) {
    for (const auto& sizes : block.sizes)
      expect_same_numbers(bind_dims(block.graph, sizes).value(), {}, block.name, &block.graph);
  }
}

TEST(OnnxNumbers, EveryDimensionNeedsAnInputThatTellsIt) {
  GraphBuilder b;
  const RowCount frames = b.dim("frames"), joints = b.dim("joints");
  const int x = b.input("x", 4, frames * joints);
  b.output("y", b.attention(x, x, x, {.over = joints}));
  const auto model = to_onnx(std::move(b).build().value());
  ASSERT_FALSE(model);
  EXPECT_NE(model.error().message.find("no input tells the dimension 'frames'"), std::string::npos)
      << model.error().message;
}

TEST(OnnxNumbers, OfRandomGraphsAreTheReferences) {
  for (std::uint64_t seed = 0; seed < 30; ++seed)
    expect_same_numbers(test::random_graph(seed), {}, "random graph " + std::to_string(seed));
}

}  // namespace
}  // namespace zoe::nn
