// SPDX-License-Identifier: MIT
#include "sprite/puppet/mask.h"

#include <algorithm>
#include <limits>

namespace zoe::sprite {
namespace {

// Squared distances along one line: the lower envelope of parabolas.
void envelope(std::vector<double>& values, std::vector<int>& roots, std::vector<double>& ends,
              std::vector<double>& out) {
  const int count = static_cast<int>(values.size());
  int last = 0;
  roots[0] = 0;
  ends[0] = -std::numeric_limits<double>::infinity();
  ends[1] = std::numeric_limits<double>::infinity();
  const auto meet = [&](int q, int r) {
    return ((values[idx(q)] + q * q) - (values[idx(r)] + r * r)) / (2.0 * (q - r));
  };
  for (int q = 1; q < count; ++q) {
    double s = meet(q, roots[idx(last)]);
    while (last > 0 && s <= ends[idx(last)]) s = meet(q, roots[idx(--last)]);
    roots[idx(++last)] = q;
    ends[idx(last)] = s;
    ends[idx(last + 1)] = std::numeric_limits<double>::infinity();
  }
  for (int q = 0, k = 0; q < count; ++q) {
    while (ends[idx(k + 1)] < q) ++k;
    const double apart = q - roots[idx(k)];
    out[idx(q)] = apart * apart + values[idx(roots[idx(k)])];
  }
}

// Squared distance of each pixel to the nearest one with `target`.
Grid<double> squared_distance_to(const Mask& mask, bool target, bool border_is_target) {
  constexpr double kFar = 1e12;
  // One more pixel around, so that the border counts.
  Grid<double> squares(mask.width + 2, mask.height + 2, border_is_target ? 0.0 : kFar);
  for (int y = 0; y < mask.height; ++y) {
    for (int x = 0; x < mask.width; ++x) squares.at(x + 1, y + 1) = (mask.at(x, y) != 0) == target ? 0.0 : kFar;
  }
  const int most = std::max(squares.width, squares.height);
  std::vector<double> line, out(idx(most)), ends(idx(most) + 1);
  std::vector<int> roots(idx(most));
  for (int x = 0; x < squares.width; ++x) {
    line.resize(idx(squares.height));
    for (int y = 0; y < squares.height; ++y) line[idx(y)] = squares.at(x, y);
    envelope(line, roots, ends, out);
    for (int y = 0; y < squares.height; ++y) squares.at(x, y) = out[idx(y)];
  }
  for (int y = 0; y < squares.height; ++y) {
    line.resize(idx(squares.width));
    for (int x = 0; x < squares.width; ++x) line[idx(x)] = squares.at(x, y);
    envelope(line, roots, ends, out);
    for (int x = 0; x < squares.width; ++x) squares.at(x, y) = out[idx(x)];
  }
  return squares;
}

}  // namespace

Box box_of(const Mask& mask) {
  Box box{mask.width, mask.height, 0, 0};
  for (int y = 0; y < mask.height; ++y) {
    for (int x = 0; x < mask.width; ++x) {
      if (mask.at(x, y) == 0) continue;
      box.left = std::min(box.left, x);
      box.right = std::max(box.right, x + 1);
      box.top = std::min(box.top, y);
      box.bottom = y + 1;
    }
  }
  return box;
}

int area_of(const Mask& mask) {
  return static_cast<int>(
      std::count_if(mask.cells.begin(), mask.cells.end(), [](std::uint8_t cell) { return cell != 0; }));
}

Grid<float> depth_of(const Mask& mask) {
  const Grid<double> squares = squared_distance_to(mask, false, true);
  Grid<float> depth(mask.width, mask.height);
  for (int y = 0; y < mask.height; ++y) {
    for (int x = 0; x < mask.width; ++x) depth.at(x, y) = static_cast<float>(std::sqrt(squares.at(x + 1, y + 1)));
  }
  return depth;
}

Grid<float> distance_to(const Mask& mask) {
  const Grid<double> squares = squared_distance_to(mask, true, false);
  Grid<float> apart(mask.width, mask.height);
  for (int y = 0; y < mask.height; ++y) {
    for (int x = 0; x < mask.width; ++x) apart.at(x, y) = static_cast<float>(std::sqrt(squares.at(x + 1, y + 1)));
  }
  return apart;
}

Mask dilated(const Mask& mask, double radius) {
  const Grid<double> squares = squared_distance_to(mask, true, false);
  Mask out(mask.width, mask.height);
  for (int y = 0; y < mask.height; ++y) {
    for (int x = 0; x < mask.width; ++x) out.at(x, y) = squares.at(x + 1, y + 1) <= radius * radius ? 1 : 0;
  }
  return out;
}

Mask eroded(const Mask& mask, double radius) {
  const Grid<double> squares = squared_distance_to(mask, false, false);
  Mask out(mask.width, mask.height);
  for (int y = 0; y < mask.height; ++y) {
    for (int x = 0; x < mask.width; ++x) out.at(x, y) = squares.at(x + 1, y + 1) > radius * radius ? 1 : 0;
  }
  return out;
}

Grid<int> parts_of(const Mask& mask, std::vector<int>& sizes) {
  Grid<int> parts(mask.width, mask.height);
  sizes.clear();
  std::vector<std::pair<int, int>> stack;
  for (int y = 0; y < mask.height; ++y) {
    for (int x = 0; x < mask.width; ++x) {
      if (mask.at(x, y) == 0 || parts.at(x, y) != 0) continue;
      const int number = static_cast<int>(sizes.size()) + 1;
      sizes.push_back(0);
      stack.push_back({x, y});
      parts.at(x, y) = number;
      while (!stack.empty()) {
        const auto [px, py] = stack.back();
        stack.pop_back();
        ++sizes.back();
        for (int dy = -1; dy <= 1; ++dy) {
          for (int dx = -1; dx <= 1; ++dx) {
            const int qx = px + dx, qy = py + dy;
            if (!mask.inside(qx, qy) || mask.at(qx, qy) == 0 || parts.at(qx, qy) != 0) continue;
            parts.at(qx, qy) = number;
            stack.push_back({qx, qy});
          }
        }
      }
    }
  }
  return parts;
}

Mask without_holes(const Mask& mask) {
  Mask out(mask.width, mask.height, 1);
  std::vector<std::pair<int, int>> stack;
  const auto visit = [&](int x, int y) {
    if (!mask.inside(x, y) || mask.at(x, y) != 0 || out.at(x, y) == 0) return;
    out.at(x, y) = 0;
    stack.push_back({x, y});
  };
  for (int x = 0; x < mask.width; ++x) visit(x, 0), visit(x, mask.height - 1);
  for (int y = 0; y < mask.height; ++y) visit(0, y), visit(mask.width - 1, y);
  while (!stack.empty()) {
    const auto [x, y] = stack.back();
    stack.pop_back();
    visit(x + 1, y), visit(x - 1, y), visit(x, y + 1), visit(x, y - 1);
  }
  return out;
}

}  // namespace zoe::sprite
