// SPDX-License-Identifier: MIT
#include "sprite/puppet/humanoid.h"

#include <algorithm>

namespace zoe::sprite {
namespace {

// Fractions of the figure's height.
constexpr double kLegStandsOut = 0.035;
constexpr double kHandStandsOut = 0.045;
constexpr double kLongArm = 0.16;

// The middle of the figure, row by row: where the largest disks are.
struct Core {
  int top = 0;                   // First row.
  std::vector<double> x, depth;  // [rows] from the top down.

  double x_at(double y) const { return x[row(y)]; }
  double depth_at(double y) const { return depth[row(y)]; }
  std::size_t row(double y) const {
    return static_cast<std::size_t>(std::clamp(static_cast<int>(y) - top, 0, static_cast<int>(x.size()) - 1));
  }
};

Core core_of(const Silhouette& shape, Point pelvis) {
  Core core;
  core.top = shape.box.top;
  const int bottom = std::clamp(static_cast<int>(pelvis.y), core.top + 1, shape.box.bottom - 1);
  core.x.assign(idx(bottom - core.top + 1), pelvis.x);
  core.depth.assign(core.x.size(), 0);
  double x = pelvis.x;
  for (int y = bottom; y >= core.top; --y) {
    double best = -1e30, found = x, depth = 0;
    for (int u = shape.box.left; u < shape.box.right; ++u) {
      if (shape.mask.at(u, y) == 0) continue;
      const double d = static_cast<double>(shape.depth.at(u, y)), value = d - 0.45 * std::abs(u + 0.5 - x);
      if (value > best) best = value, found = u + 0.5, depth = d;
    }
    x += std::clamp(found - x, -1.5, 1.5);
    core.x[idx(y - core.top)] = x;
    core.depth[idx(y - core.top)] = depth;
  }
  return core;
}

struct Neck {
  double y = 0, confidence = 0;
};

// The narrowest row between head and body.
Neck find_neck(const Silhouette& shape, const Core& core, double crotch_y) {
  const double top = core.top, tall = crotch_y - top;
  Neck best{top + 0.42 * tall, 0.3};
  double best_score = 0;
  const auto consider = [&](const std::vector<double>& values, double weight) {
    std::vector<double> low(values.size());
    double most = 1;
    for (const double v : values) most = std::max(most, v);
    for (std::size_t i = 0; i < values.size(); ++i) low[i] = most - values[i];
    for (const Peak& peak : find_peaks(low, 0.03 * most)) {
      const double t = (peak.index + 0.5) / tall;
      if (t < 0.16 || t > 0.82) continue;
      // Narrower than both the widest above and below.
      double above = 0, below = 0;
      for (int i = 0; i < static_cast<int>(values.size()); ++i)
        (i < peak.index ? above : below) = std::max(i < peak.index ? above : below, values[idx(i)]);
      const double depth = (std::min(above, below) - values[idx(peak.index)]) / most;
      // Waists are low, brows and hats are high.
      const double prior = t < 0.3 ? 0.5 + (t - 0.16) / 0.28 : t > 0.66 ? std::max(0.15, 1 - (t - 0.66) * 5) : 1.0;
      const double score = depth * prior * weight;
      if (score > best_score) {
        best_score = score;
        best = {top + peak.index + 0.5, std::min(1.0, 0.45 + 2 * depth)};
      }
    }
  };
  consider(core.depth, 1.0);
  // Chibi bodies have no narrow core: the outline's width has a notch where the head ends.
  std::vector<double> widths;
  for (int y = core.top; y < core.top + static_cast<int>(core.x.size()); ++y) {
    int left = shape.box.right, right = shape.box.left;
    for (int x = shape.box.left; x < shape.box.right; ++x) {
      if (shape.mask.at(x, y) == 0) continue;
      left = std::min(left, x);
      right = x + 1;
    }
    widths.push_back(std::max(0, right - left) / 2.0);
  }
  consider(widths, 0.9);
  return best;
}

struct Lower {
  Point crotch, foot[2];  // From the left of the picture.
  double confidence = 0;
};

Lower find_lower(const Silhouette& shape) {
  const double height = shape.box.height();
  const Legs legs = find_legs(shape, kLegStandsOut * height);
  double sum_x = 0, count = 0;
  for (int y = shape.box.top; y < shape.box.bottom; ++y) {
    for (int x = shape.box.left; x < shape.box.right; ++x) {
      if (shape.mask.at(x, y) != 0) sum_x += x + 0.5, count += 1;
    }
  }
  const double middle = sum_x / std::max(1.0, count);
  const auto lowest_between = [&](int from, int to) {  // The highest end of a column between two legs.
    int best = from;
    for (int x = from; x <= to; ++x)
      if (legs.lowest[idx(x)] > 0 && legs.lowest[idx(x)] < legs.lowest[idx(best)]) best = x;
    return best;
  };
  Lower lower;
  double best = -1e30;
  for (std::size_t i = 0; i < legs.peaks.size(); ++i) {
    for (std::size_t k = i + 1; k < legs.peaks.size(); ++k) {
      const int a = legs.peaks[i].index, b = legs.peaks[k].index;
      const int crotch = lowest_between(a, b);
      const double y = legs.lowest[idx(crotch)];
      const double up = std::max(shape.box.bottom - legs.lowest[idx(a)], shape.box.bottom - legs.lowest[idx(b)]);
      const double gap = std::min(legs.lowest[idx(a)], legs.lowest[idx(b)]) - y;
      if (up > 0.35 * height) continue;
      const double off = std::abs(crotch + 0.5 - middle) / height;
      // Feet are low, the gap between them is deep and in the middle. Other ends between them are no feet.
      const double score = 3 * std::min(gap, 0.3 * height) / height - 1.2 * up / height - 1.6 * off -
                           0.15 * static_cast<double>(k - i - 1);
      if (score <= best) continue;
      best = score;
      lower.crotch = {crotch + 0.5, y};
      lower.confidence = std::clamp(0.35 + 3 * gap / height, 0.3, 1.0);
      const int ends[2] = {a, b};
      for (std::size_t foot = 0; foot < 2; ++foot) {
        // The middle of the sole, and a little up: the ankle.
        const double low = legs.lowest[idx(ends[foot])];
        double from = ends[foot], to = ends[foot];
        for (int x = ends[foot]; x >= shape.box.left && legs.lowest[idx(x)] >= low - 0.025 * height; --x) from = x;
        for (int x = ends[foot]; x < shape.box.right && legs.lowest[idx(x)] >= low - 0.025 * height; ++x) to = x;
        lower.foot[foot] = {(from + to + 1) / 2, low - 0.03 * height};
      }
    }
  }
  if (best > -0.6) return lower;
  // One block of legs, or a skirt: side by side below the body.
  double left = shape.box.right, right = shape.box.left;
  for (int x = shape.box.left; x < shape.box.right; ++x) {
    if (legs.lowest[idx(x)] < shape.box.bottom - 0.08 * height) continue;
    left = std::min<double>(left, x);
    right = x + 1;
  }
  lower.crotch = {(left + right) / 2, shape.box.bottom - 0.16 * height};
  lower.foot[0] = {left + 0.25 * (right - left), shape.box.bottom - 0.03 * height};
  lower.foot[1] = {left + 0.75 * (right - left), shape.box.bottom - 0.03 * height};
  lower.confidence = 0.25;
  return lower;
}

// A waist is not the neck: where long limbs leave the body above the row on both sides, the neck is above them.
void raise_over_arms(const Silhouette& shape, const Core& core, Point crotch, Neck& neck) {
  const double height = shape.box.height();
  double base[2] = {1e30, 1e30}, longest[2] = {};
  for (const Tip& tip : find_tips(shape, {core.x_at(crotch.y), mix({0, neck.y}, crotch, 0.4).y}, 0.15 * height)) {
    const double out = tip.position.x - core.x_at(tip.position.y);
    if (std::abs(out) < 0.15 * height || tip.position.y > crotch.y) continue;
    const std::size_t side = out > 0 ? 1 : 0;
    if (tip.length <= longest[side]) continue;
    longest[side] = tip.length;
    // Where the limb enters the body.
    for (const Point p : medial_path(shape, tip.position, {core.x_at(crotch.y), crotch.y - 0.1 * height})) {
      base[side] = p.y;
      if (std::abs(p.x - core.x_at(p.y)) <= core.depth_at(p.y)) break;
    }
  }
  const double lower_base = std::max(base[0], base[1]);
  if (lower_base > neck.y - 0.03 * height) return;
  neck.y = std::max(core.top + 0.15 * height, std::min(base[0], base[1]) - 0.04 * height);
  neck.confidence = 0.5;
}

// True if the path from a limb's end goes down through the neck.
bool passes_neck(const std::vector<Point>& path, Point neck, double half) {
  for (std::size_t i = 1; i < path.size(); ++i) {
    if (path[i - 1].y < neck.y && path[i].y >= neck.y && std::abs(path[i].x - neck.x) <= half) return true;
  }
  return false;
}

struct Arm {
  Point shoulder, elbow, hand;
  double confidence = 0;
  bool tip = false;
};

}  // namespace

Legs find_legs(const Silhouette& shape, double min_height) {
  Legs legs;
  legs.lowest.assign(idx(shape.mask.width), 0);
  for (int x = 0; x < shape.mask.width; ++x) {
    for (int y = shape.mask.height - 1; y >= 0; --y) {
      if (shape.mask.at(x, y) == 0) continue;
      legs.lowest[idx(x)] = y + 1;
      break;
    }
  }
  legs.peaks = find_peaks(legs.lowest, min_height);
  return legs;
}

double neck_notch(const Silhouette& shape) {
  const Lower lower = find_lower(shape);
  const Core core = core_of(shape, {lower.crotch.x, lower.crotch.y - 0.04 * shape.box.height()});
  return (find_neck(shape, core, lower.crotch.y).confidence - 0.45) / 2;
}

FoundJoints find_humanoid(const Silhouette& shape) {
  const double height = shape.box.height();
  const Lower lower = find_lower(shape);
  const Point crotch = lower.crotch;
  const Core core = core_of(shape, {crotch.x, crotch.y - 0.04 * height});
  Neck neck_row = find_neck(shape, core, crotch.y);
  raise_over_arms(shape, core, crotch, neck_row);
  const Point neck{core.x_at(neck_row.y), neck_row.y};
  const double body = std::max(4.0, crotch.y - neck.y);
  const Point hips{core.x_at(crotch.y - 0.12 * body), crotch.y - 0.12 * body};
  const Point chest = mix(neck, hips, 0.3);
  double trunk = 0;  // Half of the trunk's width.
  for (double y = neck.y + 0.15 * body; y < hips.y; ++y) trunk = std::max(trunk, core.depth_at(y));
  trunk = std::max(trunk, 2.0);

  // The run of the neck's row.
  double neck_half = 2;
  for (const double sign : {-1.0, 1.0}) {
    double x = neck.x;
    while (shape.has({x + sign, neck.y})) x += sign;
    neck_half = std::max(neck_half, std::min(std::abs(x - neck.x), 1.6 * core.depth_at(neck.y)));
  }

  // Hands are ends of limbs that leave the body below the neck and above the legs.
  std::vector<Tip> tips = find_tips(shape, mix(neck, hips, 0.6), kHandStandsOut * height);
  Arm arms[2];  // Left and right in the picture.
  for (int side = 0; side < 2; ++side) {
    const double sign = side == 0 ? -1 : 1;
    Arm& arm = arms[side];
    double best = 0;
    for (const Tip& tip : tips) {
      const double out = sign * (tip.position.x - core.x_at(tip.position.y));
      if (out < 0.35 * trunk || tip.position.y > crotch.y + 0.75 * (shape.box.bottom - crotch.y)) continue;
      const bool foot =
          std::min(distance(tip.position, lower.foot[0]), distance(tip.position, lower.foot[1])) < 0.14 * height &&
          tip.position.y > crotch.y;
      if (foot) continue;
      // Hair, ears and hats are beyond the neck.
      if (passes_neck(medial_path(shape, tip.position, mix(neck, hips, 0.6)), neck, neck_half)) continue;
      const double score = tip.length + 0.5 * out;
      if (score > best) {
        best = score;
        arm.hand = tip.position;
        arm.tip = true;
        arm.confidence = std::clamp(0.55 + 0.45 * tip.length / (kLongArm * height), 0.5, 1.0);
      }
    }
    // Never the same end for both arms: the sides exclude it.
  }
  for (int side = 0; side < 2; ++side) {
    const double sign = side == 0 ? -1 : 1;
    Arm& arm = arms[side];
    const Point drawn_shoulder{core.x_at(neck.y + 0.16 * body) + sign * 0.8 * trunk, neck.y + 0.16 * body};
    if (arm.tip) {
      // The shoulder is where the arm enters the trunk.
      const std::vector<Point> path = medial_path(shape, arm.hand, chest);
      arm.shoulder = drawn_shoulder;
      double total = 0, at = 0;
      for (std::size_t i = 1; i < path.size(); ++i) total += distance(path[i - 1], path[i]);
      for (std::size_t i = 1; i < path.size(); ++i) {
        at += distance(path[i - 1], path[i]);
        if (std::abs(path[i].x - core.x_at(std::min(path[i].y, hips.y))) > 0.85 * trunk) continue;
        arm.shoulder = {path[i].x, std::clamp(path[i].y, neck.y + 0.04 * body, neck.y + 0.5 * body)};
        break;
      }
      arm.elbow = along(path, std::min(0.9, at / std::max(1.0, total)) * 0.5);
      // The hand is a little inside of the arm's end.
      arm.hand = along(path, std::min(0.12, 0.03 * height / std::max(1.0, total)));
      if (total < 1.0) arm.elbow = mix(arm.shoulder, arm.hand, 0.5);
    } else {
      // Arms at the sides: along the outline, down to where it steps back.
      const auto outer = [&](double y) {
        const double x0 = core.x_at(std::min(y, hips.y));
        for (double x = sign < 0 ? shape.box.left : shape.box.right; sign * (x - x0) > 0; x -= sign)
          if (shape.has({x, y})) return sign * (x - x0);
        return 0.0;
      };
      double out = 0, row = hips.y;
      const double from = neck.y + 0.3 * body, to = crotch.y + 0.35 * (shape.box.bottom - crotch.y);
      for (double y = from; y < crotch.y; ++y) out = std::max(out, outer(y));
      for (double y = from; y < to; ++y)
        if (outer(y) > 0.8 * out) row = y;
      row -= 0.03 * height;
      const double inset = std::min(0.05 * height, 0.3 * out);
      arm.hand = {core.x_at(std::min(row, hips.y)) + sign * (out - inset), std::max(row, neck.y + 0.5 * body)};
      arm.shoulder = {core.x_at(chest.y) + sign * std::max(0.6 * out, out - 0.09 * height), neck.y + 0.2 * body};
      arm.elbow = mix(arm.shoulder, arm.hand, 0.5) + Point{sign * 0.1 * inset, 0};
      arm.confidence = 0.35;
    }
  }
  FoundJoints found;
  const auto add = [&](const std::string& name, Point p, double confidence) {
    found.push_back({name, {p, confidence}});
  };
  double head_x = core.x_at(core.top + 1.0);
  add("hips", hips, 0.5 + lower.confidence / 2);
  add("chest", chest, 0.5 + neck_row.confidence / 2);
  add("neck", neck, neck_row.confidence);
  add("head", {mix({head_x, 0}, neck, 0.35).x, shape.box.top + 0.04 * (neck.y - shape.box.top)}, neck_row.confidence);
  const char* sides[2] = {"right", "left"};  // The figure's own right is on the left of the picture.
  for (int side = 0; side < 2; ++side) {
    const std::string name = sides[side];
    const Arm& arm = arms[side];
    add(name + "_shoulder", arm.shoulder, arm.confidence);
    add(name + "_elbow", arm.elbow, arm.confidence);
    add(name + "_hand", arm.hand, arm.confidence);
  }
  for (int side = 0; side < 2; ++side) {
    const std::string name = sides[side];
    const Point foot = lower.foot[side];
    const double leg = std::max(1.0, foot.y - crotch.y);
    // Between the crotch and the outline at the leg's root.
    double x = crotch.x;
    const double sign = side == 0 ? -1 : 1;
    const Point inner{crotch.x + sign, crotch.y - 0.02 * height};
    while (shape.has({x + sign, inner.y}) && std::abs(x - crotch.x) < 1.1 * trunk) x += sign;
    const Point root{crotch.x + 0.5 * (x - crotch.x), crotch.y - 0.05 * body};
    const std::vector<Point> path = medial_path(shape, foot, root);
    const Point middle = along(path, 0.5);
    // Short legs have no bend worth following.
    const Point knee = leg < 0.12 * height ? mix(root, foot, 0.5) : mix(middle, mix(root, foot, 0.5), 0.3);
    add(name + "_hip", root, lower.confidence);
    add(name + "_knee", knee, lower.confidence);
    add(name + "_foot", foot, lower.confidence);
  }
  return found;
}

}  // namespace zoe::sprite
