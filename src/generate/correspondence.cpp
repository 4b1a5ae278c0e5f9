// SPDX-License-Identifier: MIT
#include "zoe/generate/correspondence.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "zoe/core/check.h"
#include "zoe/core/index.h"

namespace zoe::generate {
namespace {

using features::BodyTokens;
using features::kBodyWidth;
using features::kNameWidth;

double cosine(std::span<const float> x, std::span<const float> y) {
  double xy = 0, xx = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += double{x[i]} * double{y[i]};
    xx += double{x[i]} * double{x[i]};
    yy += double{y[i]} * double{y[i]};
  }
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0;
}

std::span<const float> row_of(std::span<const float> table, std::size_t row, std::size_t width) {
  return table.subspan(row * width, width);
}

// Joints of roles agree in 1; position and bone are distances in scales; opposite sides exclude each other.
double shape_likeness(std::span<const float> x, std::span<const float> y) {
  double distance = 0, roles = 0, either = 0;
  for (std::size_t i = 0; i < 6; ++i) distance += (double{x[i]} - double{y[i]}) * (double{x[i]} - double{y[i]});
  for (std::size_t i = 9; i < kBodyWidth; ++i) {
    roles += double{x[i]} * double{y[i]};
    either += std::max(double{x[i]}, double{y[i]});
  }
  const double sides = double{x[8]} * double{y[8]} < 0 ? -1.0 : x[8] == y[8] ? 0.2 : 0.0;
  return std::exp(-distance / 2) + (either > 0 ? roles / either : 1.0) + sides;
}

// 1 for the same position of parts that belong to each other, -1 for parts that belong to others, 0 where unknown.
double part_likeness(const BodyParts& a, std::size_t i, const BodyParts& b, std::size_t j, std::span<const int> limbs) {
  const int part_a = a.part[i], part_b = b.part[j];
  if (part_a == kNoPart || part_b == kNoPart) return part_a == part_b ? 0 : -0.5;
  const int wanted = part_b >= 0 ? limbs[idx(part_b)] : part_b;
  if (part_b >= 0 && wanted < 0) return part_a >= 0 ? 0 : -0.5;  // A limb that the other body does not have.
  if (wanted != part_a) return -1;
  return 1 - std::abs(a.position[i] - b.position[j]);
}

std::vector<std::vector<std::size_t>> children_of(const BodyTokens& body) {
  std::vector<std::vector<std::size_t>> children(body.parents.size());
  for (std::size_t t = 0; t < body.parents.size(); ++t)
    if (body.parents[t] != kNoJoint) children[idx(body.parents[t])].push_back(t);
  return children;
}

}  // namespace

std::vector<JointMatch> correspond_joints(const BodyTokens& a, const BodyTokens& b, std::span<const float> codes_a,
                                          std::span<const float> codes_b, const CorrespondOptions& options) {
  const std::size_t na = a.joints.size(), nb = b.joints.size();
  const std::size_t width = codes_a.empty() ? 0 : codes_a.size() / na;
  ZOE_CHECK(codes_b.size() == nb * width, "codes of both bodies have one width");
  std::vector<double> own(na * nb), like;
  const bool has_parts = options.parts_a != nullptr && options.parts_b != nullptr;
  const std::vector<int> limbs = has_parts ? correspond_limbs(*options.parts_a, *options.parts_b) : std::vector<int>{};
  for (std::size_t i = 0; i < na; ++i) {
    for (std::size_t j = 0; j < nb; ++j) {
      double& value = own[i * nb + j];
      value = options.shape * shape_likeness(row_of(a.body, i, kBodyWidth), row_of(b.body, j, kBodyWidth)) +
              options.names * cosine(row_of(a.names, i, kNameWidth), row_of(b.names, j, kNameWidth));
      if (has_parts) value += options.parts * part_likeness(*options.parts_a, i, *options.parts_b, j, limbs);
      if (width > 0) value += options.codes * cosine(row_of(codes_a, i, width), row_of(codes_b, j, width));
    }
  }
  // Similarity flooding (Melnik et al., 2002): a pair is as alike as its parents and its best pairs of children.
  const auto below_a = children_of(a), below_b = children_of(b);
  like = own;
  for (int round = 0; round < options.rounds; ++round) {
    std::vector<double> next(own);
    for (std::size_t i = 0; i < na; ++i) {
      for (std::size_t j = 0; j < nb; ++j) {
        double around = 0;
        if (a.parents[i] != kNoJoint && b.parents[j] != kNoJoint)
          around += like[idx(a.parents[i]) * nb + idx(b.parents[j])];
        double sum = 0;
        for (const std::size_t below : below_b[j]) {
          double best = 0;
          for (const std::size_t other : below_a[i]) best = std::max(best, like[other * nb + below]);
          sum += best;
        }
        const std::size_t most = std::max(below_a[i].size(), below_b[j].size());
        if (most > 0) around += sum / static_cast<double>(most);
        next[i * nb + j] += 0.4 * around;
      }
    }
    like = std::move(next);
  }
  std::vector<std::size_t> best_of_a(na, 0);
  for (std::size_t i = 0; i < na; ++i)
    for (std::size_t j = 1; j < nb; ++j)
      if (like[i * nb + j] > like[i * nb + best_of_a[i]]) best_of_a[i] = j;
  std::vector<JointMatch> matches;
  for (std::size_t j = 0; j < nb; ++j) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < na; ++i)
      if (like[i * nb + j] > like[best * nb + j]) best = i;
    double second = 0;
    for (std::size_t i = 0; i < na; ++i) {
      const bool neighbour =
          i == best || a.parents[i] == static_cast<int>(best) || a.parents[best] == static_cast<int>(i);
      if (!neighbour) second = std::max(second, like[i * nb + j]);
    }
    JointMatch match{a.joints[best], b.joints[j], 0, best_of_a[best] == j};
    const double top = std::max(1e-9, like[best * nb + j]);
    match.confidence = std::clamp(4 * (top - second) / top, 0.0, 1.0) * (match.mutual ? 1.0 : 0.5);
    matches.push_back(match);
  }
  return matches;
}

std::vector<FrameMatch> correspond_frames(std::span<const float> a, std::span<const float> b, int width) {
  const std::size_t w = idx(width), na = a.size() / w, nb = b.size() / w;
  if (na == 0 || nb == 0) return {};
  std::vector<double> cost(na * nb, std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < na; ++i) {
    for (std::size_t j = 0; j < nb; ++j) {
      double before = i == 0 && j == 0 ? 0 : std::numeric_limits<double>::infinity();
      if (i > 0) before = std::min(before, cost[(i - 1) * nb + j]);
      if (j > 0) before = std::min(before, cost[i * nb + j - 1]);
      if (i > 0 && j > 0) before = std::min(before, cost[(i - 1) * nb + j - 1]);
      cost[i * nb + j] = before + 1 - cosine(row_of(a, i, w), row_of(b, j, w));
    }
  }
  std::vector<FrameMatch> path{{static_cast<int>(na) - 1, static_cast<int>(nb) - 1}};
  while (path.back().a > 0 || path.back().b > 0) {
    const auto [i, j] = path.back();
    const auto at = [&](int x, int y) {
      return x < 0 || y < 0 ? std::numeric_limits<double>::infinity() : cost[idx(x) * nb + idx(y)];
    };
    const double both = at(i - 1, j - 1), one = at(i - 1, j), other = at(i, j - 1);
    path.push_back(both <= one && both <= other ? FrameMatch{i - 1, j - 1}
                   : one <= other               ? FrameMatch{i - 1, j}
                                                : FrameMatch{i, j - 1});
  }
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace zoe::generate
