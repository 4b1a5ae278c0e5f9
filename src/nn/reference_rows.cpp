// SPDX-License-Identifier: MIT
#include "nn/reference_rows.h"

#include <algorithm>
#include <cmath>

#include "zoe/core/index.h"

#include "nn/op_table.h"

namespace zoe::nn::reference {
namespace {

struct Groups {
  int outer = 1, over = 1, inner = 1;
  int row(int o, int i, int k) const { return (o * over + i) * inner + k; }
};
Groups axis_of(const Item& item) {
  const RowAxis axis = row_axis(item.shapes[0].rows(), item.node.attributes).value();
  return {*axis.outer.fixed(), *axis.over.fixed(), *axis.inner.fixed()};
}
std::vector<Row> empty(const Item& item) {
  return {static_cast<std::size_t>(item.out.steps), Row(static_cast<std::size_t>(item.out.width), 0.0)};
}
std::size_t index_of(double value, double count) {
  return static_cast<std::size_t>(std::clamp(std::nearbyint(value), 0.0, count - 1));
}
double frequency(const Attributes& a, std::size_t i, std::size_t half) {
  return std::pow(static_cast<double>(a.period), -static_cast<double>(i) / static_cast<double>(half));
}

std::vector<Row> attention(const Item& item) {
  const Attributes& a = item.node.attributes;
  const Groups axis = axis_of(item);
  const int kv_heads = a.kv_heads == 0 ? a.heads : a.kv_heads;
  const auto d = idx(item.shapes[0].width / a.heads), dv = idx(item.out.width / a.heads);
  const int groups = axis.outer * axis.inner,
            keys = a.shared_keys ? item.shapes[1].steps : item.shapes[1].steps / groups;
  const Groups key_axis{axis.outer, keys, axis.inner};
  std::size_t next = 3;
  const std::size_t bias = a.bias ? next++ : 0, mask = a.mask ? next++ : 0, terms = next;
  const auto classes = a.relations ? idx(item.shapes[terms].width / a.heads) : 0;
  std::vector<Row> y = empty(item);
  for (int o = 0; o < axis.outer; ++o)
    for (int g = 0; g < axis.inner; ++g)
      for (int i = 0; i < axis.over; ++i)
        for (int head = 0; head < a.heads; ++head) {
          const int q_row = axis.row(o, i, g);
          const auto key_row = [&](int j) { return a.shared_keys ? j : key_axis.row(o, j, g); };
          const auto related = [&](int j) -> const Row& { return item.row(terms + 2, i * keys + j); };
          const std::size_t kv = idx(head * kv_heads / a.heads);
          Row scores;
          for (int j = 0; j < keys; ++j) {
            const bool late = a.causal ? j > i : a.after >= 0 && j > i + a.after;
            double score = 0;
            for (std::size_t c = 0; c < d; ++c)
              score += item.row(0, q_row)[idx(head) * d + c] * item.row(1, key_row(j))[kv * d + c];
            for (std::size_t c = 0; a.relations && c < related(j).size(); ++c) {
              const std::size_t r = idx(head) * classes + index_of(related(j)[c], static_cast<double>(classes));
              score += item.row(terms, q_row)[r] + item.row(terms + 1, key_row(j))[r];
            }
            score /= std::sqrt(static_cast<double>(d));
            if (a.bias) {
              const Row& row = item.row(bias, i * keys + j);
              score += row[row.size() == 1 ? 0 : idx(head)];
            }
            // Far below all others: a row without keys has equal weights.
            if (j >= a.first && (late || (a.before >= 0 && j < i - a.before))) score -= 1e30;
            if (a.mask && !(item.row(mask, key_row(j))[0] > 0)) score -= 1e30;
            scores.push_back(score);
          }
          const double high = *std::max_element(scores.begin(), scores.end());
          double sum = 0;
          for (double& score : scores) sum += score = std::exp(score - high);
          for (int j = 0; j < keys; ++j) {
            const double w = scores[idx(j)] / sum;
            for (std::size_t c = 0; c < dv; ++c) {
              double& to = y[idx(q_row)][idx(head) * dv + c];
              to += w * item.row(2, key_row(j))[kv * dv + c];
              for (std::size_t k = 0; a.relation_values && k < related(j).size(); ++k) {
                const std::size_t r = index_of(related(j)[k], static_cast<double>(classes));
                to += w * item.row(terms + 3, static_cast<int>(r))[idx(head) * dv + c];
              }
            }
          }
        }
  return y;
}

std::vector<Row> group_norm(const Item& item) {
  const auto groups = idx(item.node.attributes.groups), size = idx(item.out.width) / groups;
  std::vector<Row> y = empty(item);
  for (std::size_t g = 0; g < groups; ++g) {
    double sum = 0, square = 0;
    const double n = static_cast<double>(size) * item.out.steps;
    for (int r = 0; r < item.out.steps; ++r)
      for (std::size_t i = g * size; i < (g + 1) * size; ++i) sum += item.row(0, r)[i] / n;
    for (int r = 0; r < item.out.steps; ++r)
      for (std::size_t i = g * size; i < (g + 1) * size; ++i)
        square += (item.row(0, r)[i] - sum) * (item.row(0, r)[i] - sum) / n;
    const double deviation = std::sqrt(square + static_cast<double>(item.node.attributes.epsilon));
    for (int r = 0; r < item.out.steps; ++r)
      for (std::size_t i = g * size; i < (g + 1) * size; ++i)
        y[idx(r)][i] = (item.row(0, r)[i] - sum) / deviation * item.weight(0, i, 1) + item.weight(1, i, 0);
  }
  return y;
}

std::vector<Row> rotary(const Item& item) {
  const Attributes& a = item.node.attributes;
  std::vector<Row> y = empty(item);
  const auto d = idx(item.out.width / a.heads), half = d / 2;
  for (int r = 0; r < item.out.steps; ++r) {
    const double t = item.row(1, item.shapes[1].steps == 1 ? 0 : r)[0];
    for (std::size_t head = 0; head < idx(a.heads); ++head)
      for (std::size_t i = 0; i < half; ++i) {
        const std::size_t first = head * d + (a.interleaved ? 2 * i : i), second = first + (a.interleaved ? 1 : half);
        const double angle = t * frequency(a, i, half), x = item.row(0, r)[first], z = item.row(0, r)[second];
        y[idx(r)][first] = x * std::cos(angle) - z * std::sin(angle);
        y[idx(r)][second] = x * std::sin(angle) + z * std::cos(angle);
      }
  }
  return y;
}

// Means, maxima and softmax over the rows of each group.
std::vector<Row> reduced(const Item& item) {
  const Attributes& a = item.node.attributes;
  const Groups axis = axis_of(item);
  std::vector<Row> y = empty(item);
  for (int o = 0; o < axis.outer; ++o)
    for (int k = 0; k < axis.inner; ++k)
      for (std::size_t c = 0; c < idx(item.out.width); ++c) {
        double high = -1e38, sum = 0, count = 0;
        for (int i = 0; i < axis.over; ++i) {
          const bool masked = item.shapes.size() > 1 && !(item.row(1, axis.row(o, i, k))[0] > 0);
          if (masked) continue;
          const double x = item.row(0, axis.row(o, i, k))[c];
          high = std::max(high, x), sum += x, count += 1;
        }
        if (item.node.op == Op::kPoolRows) {
          double& to = y[idx(o * axis.inner + k)][c];
          to = count == 0 ? 0 : a.maximum ? high : sum / count;
          continue;
        }
        sum = 0;
        for (int i = 0; i < axis.over; ++i) sum += std::exp(item.row(0, axis.row(o, i, k))[c] - high);
        for (int i = 0; i < axis.over; ++i)
          y[idx(axis.row(o, i, k))][c] = std::exp(item.row(0, axis.row(o, i, k))[c] - high) / sum;
      }
  return y;
}

std::vector<Row> moved(const Item& item) {
  const Attributes& a = item.node.attributes;
  std::vector<Row> y;
  if (item.node.op == Op::kConcatRows) {
    for (std::size_t i = 0; i < item.shapes.size(); ++i)
      for (int r = 0; r < item.shapes[i].steps; ++r) y.push_back(item.row(i, r));
  } else if (item.node.op == Op::kGather) {
    for (int r = 0; r < item.out.steps; ++r)
      y.push_back(item.row(0, static_cast<int>(index_of(item.row(1, r)[0], item.shapes[0].steps))));
  } else if (item.node.op == Op::kRepeatRows) {
    const int inner = a.inner.empty() ? item.shapes[0].steps : *a.inner.fixed();
    for (int o = 0; o < item.shapes[0].steps / inner; ++o)
      for (int i = 0; i < *a.over.fixed(); ++i)
        for (int k = 0; k < inner; ++k) y.push_back(item.row(0, o * inner + k));
  } else {
    const Groups axis = axis_of(item);
    const int end = a.end > 0 ? a.end : axis.over + a.end;
    for (int o = 0; o < axis.outer; ++o)
      for (int i = a.begin; i < end; ++i)
        for (int k = 0; k < axis.inner; ++k) y.push_back(item.row(0, axis.row(o, i, k)));
  }
  return y;
}

std::vector<Row> conv2d(const Item& item) {
  const Attributes& a = item.node.attributes;
  const std::vector<std::size_t>& shape = item.graph.weights[idx(item.node.weights[0])].shape;
  const auto per_group = shape[1], outs = shape[0] / idx(a.groups);
  const Groups axis = axis_of(item);
  const int width = (axis.inner + 2 * a.padding - a.dilation * (static_cast<int>(shape[3]) - 1) - 1) / a.stride + 1;
  std::vector<Row> y = empty(item);
  for (int r = 0; r < item.out.steps; ++r)
    for (std::size_t n = 0; n < shape[0]; ++n) {
      double sum = item.weight(1, n, 0);
      for (std::size_t ky = 0; ky < shape[2]; ++ky)
        for (std::size_t kx = 0; kx < shape[3]; ++kx) {
          const int line = r / width * a.stride - a.padding + static_cast<int>(ky) * a.dilation,
                    column = r % width * a.stride - a.padding + static_cast<int>(kx) * a.dilation;
          if (line < 0 || line >= axis.over || column < 0 || column >= axis.inner) continue;
          for (std::size_t c = 0; c < per_group; ++c) {
            sum += item.weight(0, ((n * per_group + c) * shape[2] + ky) * shape[3] + kx, 0) *
                   item.row(0, line * axis.inner + column)[n / outs * per_group + c];
          }
        }
      y[idx(r)][n] = activate(sum, a);
    }
  return y;
}

std::vector<Row> upsample(const Item& item) {
  const Attributes& a = item.node.attributes;
  const Groups axis = axis_of(item);
  std::vector<Row> y = empty(item);
  const int width = axis.inner * a.stride;
  for (int r = 0; r < item.out.steps; ++r) {
    if (!a.bilinear) {
      y[idx(r)] = item.row(0, r / width / a.stride * axis.inner + r % width / a.stride);
      continue;
    }
    // Centres of pixels; the border continues outwards.
    const auto source = [&](int i, int count) {
      return std::clamp((i + 0.5) / a.stride - 0.5, 0.0, static_cast<double>(count - 1));
    };
    const double line = source(r / width, axis.over), column = source(r % width, axis.inner);
    const int y0 = static_cast<int>(line), x0 = static_cast<int>(column), y1 = std::min(y0 + 1, axis.over - 1),
              x1 = std::min(x0 + 1, axis.inner - 1);
    const double fy = line - y0, fx = column - x0;
    for (std::size_t c = 0; c < y[idx(r)].size(); ++c) {
      const auto pixel = [&](int py, int px) { return item.row(0, py * axis.inner + px)[c]; };
      y[idx(r)][c] = (1 - fy) * ((1 - fx) * pixel(y0, x0) + fx * pixel(y0, x1)) +
                     fy * ((1 - fx) * pixel(y1, x0) + fx * pixel(y1, x1));
    }
  }
  return y;
}

// Row by row.
std::vector<Row> simple(const Item& item) {
  const Attributes& a = item.node.attributes;
  std::vector<Row> y = empty(item);
  for (int r = 0; r < item.out.steps; ++r) {
    const Row& x = item.row(0, r);
    Row& to = y[idx(r)];
    double square = 0;
    for (const double v : x) square += v * v / static_cast<double>(x.size());
    for (std::size_t i = 0; i < to.size(); ++i) {
      if (item.node.op == Op::kRmsNorm) {
        to[i] = x[i] / std::sqrt(square + static_cast<double>(a.epsilon)) * item.weight(0, i, 1);
      } else if (item.node.op == Op::kGlu) {
        to[i] = x[i] * activate(x[to.size() + i], a);
      } else {
        const std::size_t half = to.size() / 2;
        const double angle = x[0] * frequency(a, i % half, half);
        to[i] = i < half ? std::cos(angle) : std::sin(angle);
      }
    }
  }
  return y;
}

std::vector<Row> positions(const Item& item) {
  const Groups axis = axis_of(item);
  std::vector<Row> y;
  for (int r = 0; r < item.out.steps; ++r) y.push_back({static_cast<double>(r / axis.inner % axis.over)});
  return y;
}

}  // namespace

double Item::weight(std::size_t role, std::size_t index, double otherwise) const {
  return node.weights[role] < 0 ? otherwise
                                : static_cast<double>(weights[static_cast<std::size_t>(node.weights[role])][index]);
}

bool is_along_rows(Op op) { return op == Op::kAttention || op > Op::kConstant; }

std::vector<Row> compute(const Item& item) {
  switch (item.node.op) {
    case Op::kAttention:
      return attention(item);
    case Op::kGroupNorm:
      return group_norm(item);
    case Op::kRotary:
      return rotary(item);
    case Op::kSoftmaxRows:
    case Op::kPoolRows:
      return reduced(item);
    case Op::kConcatRows:
    case Op::kGather:
    case Op::kRepeatRows:
    case Op::kSliceRows:
      return moved(item);
    case Op::kConv2d:
      return conv2d(item);
    case Op::kUpsample:
      return upsample(item);
    case Op::kPositions:
      return positions(item);
    default:
      return simple(item);
  }
}

}  // namespace zoe::nn::reference
