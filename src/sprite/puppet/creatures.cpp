// SPDX-License-Identifier: MIT
// Part of Zoetrope. Joints of animals, blobs and worms, and which of them a silhouette is.
#include <algorithm>
#include <array>

#include "sprite/puppet/humanoid.h"

namespace zoe::sprite {
namespace {

// Centre, axis and extents of the figure's pixels.
struct Moments {
  Point mean, axis{1, 0};
  double along = 0, across = 0;  // Deviations.
};

Moments moments_of(const Silhouette& shape) {
  Moments m;
  double count = 0, xx = 0, xy = 0, yy = 0;
  for (int pass = 0; pass < 2; ++pass) {
    for (int y = shape.box.top; y < shape.box.bottom; ++y) {
      for (int x = shape.box.left; x < shape.box.right; ++x) {
        if (shape.mask.at(x, y) == 0) continue;
        const Point p{x + 0.5, y + 0.5};
        if (pass == 0) {
          m.mean = m.mean + p, count += 1;
        } else {
          const Point d = p - m.mean;
          xx += d.x * d.x, xy += d.x * d.y, yy += d.y * d.y;
        }
      }
    }
    if (pass == 0) m.mean = m.mean * (1 / std::max(1.0, count));
  }
  const double half = portable_atan2(2 * xy, xx - yy) / 2;
  m.axis = rotated({1, 0}, half);
  const double root = std::sqrt((xx - yy) * (xx - yy) + 4 * xy * xy);
  m.along = std::sqrt((xx + yy + root) / 2 / std::max(1.0, count));
  m.across = std::sqrt(std::max(0.0, xx + yy - root) / 2 / std::max(1.0, count));
  return m;
}

// Rows of the upper outline, column by column.
double top_of(const Silhouette& shape, int x) {
  for (int y = 0; y < shape.mask.height; ++y)
    if (shape.mask.get(x, y) != 0) return y;
  return shape.box.bottom;
}

// Legs that reach the ground, from the left.
std::vector<Peak> standing_legs(const Silhouette& shape, const Legs& legs, double min_up) {
  std::vector<Peak> feet;
  for (const Peak& peak : legs.peaks) {
    if (shape.box.bottom - legs.lowest[idx(peak.index)] < min_up) feet.push_back(peak);
  }
  return feet;
}

// Limbs on both sides that begin in the upper half and hang down.
bool has_arms(const Silhouette& shape) {
  const double height = shape.box.height(), middle = (shape.box.left + shape.box.right) / 2.0;
  bool sides[2] = {};
  for (const Tip& tip : find_tips(shape, {middle, shape.box.top + 0.55 * height}, 0.12 * height)) {
    const double down = (tip.position.y - shape.box.top) / height;
    if (std::abs(tip.position.x - middle) > 0.35 * shape.box.width() && down > 0.55 && down < 0.85)
      sides[tip.position.x > middle ? 1 : 0] = true;
  }
  return sides[0] && sides[1];
}

}  // namespace

BodyGuess guess_body(const Silhouette& shape) {
  const double width = shape.box.width(), height = shape.box.height(), size = std::max(width, height);
  const Legs legs = find_legs(shape, 0.06 * size);
  const std::vector<Peak> feet = standing_legs(shape, legs, 0.16 * height);
  const double symmetry = symmetry_of(shape);
  const Moments moments = moments_of(shape);
  // Heads are high and thick; tails are thin.
  double high[2] = {};
  for (int y = shape.box.top; y < shape.box.top + 0.45 * height; ++y) {
    for (int x = shape.box.left; x < shape.box.right; ++x)
      high[x + 0.5 > (shape.box.left + shape.box.right) / 2.0 ? 1 : 0] += static_cast<double>(shape.depth.at(x, y));
  }
  BodyGuess guess;
  guess.faces_left = high[0] > high[1];
  double spread = 0, deepest = 0;  // Of the feet, and of the gaps between them.
  if (feet.size() > 1) spread = (feet.back().index - feet.front().index) / width;
  for (std::size_t i = 1; i < feet.size(); ++i) {
    double highest = shape.box.bottom;
    for (int x = feet[i - 1].index; x <= feet[i].index; ++x)
      if (legs.lowest[idx(x)] > 0) highest = std::min(highest, legs.lowest[idx(x)]);
    deepest = std::max(deepest, (shape.box.bottom - highest) / height);
  }
  const double slim = moments.along / std::max(1.0, moments.across), aspect = width / height;
  const bool long_legs = feet.size() >= 2 && deepest > 0.14;
  const double notch = neck_notch(shape);
  if (aspect > 1.7 && (symmetry < 0.86 || aspect > 2.2) && !(feet.size() >= 3 && deepest > 0.3)) {
    guess.body = PuppetBody::kWorm;
  } else if (aspect > 1.25 && !long_legs) {
    guess.body =
        (symmetry < 0.8 && slim > 2.4) || (symmetry < 0.75 && slim > 1.6) ? PuppetBody::kWorm : PuppetBody::kBlob;
  } else if (long_legs && symmetry < 0.84 && aspect > 0.85 &&
             (feet.size() >= 3 || (aspect > 1.02 && spread > 0.3) || symmetry < 0.74)) {
    guess.body = PuppetBody::kAnimal;
  } else if (feet.size() == 2 && deepest > 0.06 && symmetry < 0.745 && aspect > 0.85) {
    guess.body = PuppetBody::kAnimal;
  } else if (aspect > 0.78 && notch < 0.1 && !(long_legs && feet.size() == 2)) {
    guess.body = has_arms(shape) ? PuppetBody::kHumanoid : PuppetBody::kBlob;
  } else if (feet.size() < 2 && aspect > 0.8 && notch < 0.15 && symmetry > 0.84) {
    guess.body = PuppetBody::kBlob;
  } else if (feet.size() >= 3 && symmetry > 0.84 && aspect > 0.8 && (notch < 0.25 || symmetry > 0.97)) {
    guess.body = PuppetBody::kBlob;
  }
  return guess;
}

FoundJoints find_animal(const Silhouette& shape) {
  const double width = shape.box.width(), height = shape.box.height();
  const Legs legs = find_legs(shape, 0.04 * height);
  std::vector<Peak> feet = standing_legs(shape, legs, 0.2 * height);
  // The belly is the highest end of the columns between the outer feet.
  double belly = shape.box.bottom - 0.35 * height;
  if (feet.size() > 1) {
    belly = shape.box.bottom;
    for (int x = feet.front().index; x <= feet.back().index; ++x)
      if (legs.lowest[idx(x)] > 0) belly = std::min(belly, legs.lowest[idx(x)]);
  }
  std::stable_sort(feet.begin(), feet.end(), [](const Peak& a, const Peak& b) { return a.prominence > b.prominence; });
  if (feet.size() > 4) feet.resize(4);
  std::sort(feet.begin(), feet.end(), [](const Peak& a, const Peak& b) { return a.index < b.index; });
  const double sure = feet.size() >= 2 ? 0.85 : 0.35;
  if (feet.empty()) feet.push_back({shape.box.left + static_cast<int>(width / 3), 0});
  if (feet.size() == 1) feet.push_back({std::min(shape.box.right - 1, feet[0].index + static_cast<int>(width / 3)), 0});
  double rear_x = feet.front().index + 0.5, front_x = feet.back().index + 0.5;
  // Birds and dinosaurs: two legs close together carry the hips, the chest is in front of them.
  const bool biped = feet.size() == 2 && front_x - rear_x < 0.34 * width;
  if (biped) {
    rear_x = (rear_x + front_x) / 2;
    front_x = std::min(shape.box.right - 0.25 * width, rear_x + 0.25 * width);
  }
  // The trunk: the middle between back and belly over the outer feet.
  const auto trunk_at = [&](double x) {
    const int column = std::clamp(static_cast<int>(x), shape.box.left, shape.box.right - 1);
    const double top = std::max(top_of(shape, column), belly - 0.5 * height);
    return Point{x, (top + belly) / 2};
  };
  const Point hips = trunk_at(mix({rear_x, 0}, {front_x, 0}, 0.08).x);
  const Point chest = trunk_at(mix({rear_x, 0}, {front_x, 0}, 0.92).x);
  // The head is the farthest end that is not a foot, to the front and up; the tail one to the rear.
  Point head{shape.box.right - 0.06 * width, chest.y}, tail{shape.box.left + 0.5, hips.y};
  double best_head = -1e30, best_tail = -1e30;
  for (const Tip& tip : find_tips(shape, mix(hips, chest, 0.5), 0.03 * width)) {
    if (tip.position.y > belly + 0.3 * (shape.box.bottom - belly)) continue;
    const double forward = tip.position.x - chest.x, up = chest.y - tip.position.y;
    const double ahead = forward + 0.4 * up, rear = hips.x - tip.position.x;
    if (ahead > best_head && forward > -0.1 * width) best_head = ahead, head = tip.position;
    // Tails may curl forwards over the back.
    if (forward < -0.3 * width && rear > -0.2 * width && tip.length + 0.5 * rear > best_tail)
      best_tail = tip.length + 0.5 * rear, tail = tip.position;
  }
  const std::vector<Point> front = medial_path(shape, head, chest);
  const Point neck = along(front, 0.6);
  head = along(front, 0.15);  // Inside of the head, not at its corner.
  FoundJoints found{{"hips", {hips, sure}},
                    {"chest", {chest, sure}},
                    {"neck", {neck, 0.7}},
                    {"head", {head, best_head > -1e29 ? 0.8 : 0.4}},
                    {"tail", {tail, best_tail > -1e29 ? 0.7 : 0.3}}};
  // Feet of the rear half are hind legs; of a pair the outer one is near the viewer.
  std::vector<Peak> pairs[2];
  for (const Peak& foot : feet)
    pairs[biped || std::abs(foot.index - rear_x) <= std::abs(foot.index - front_x) ? 0 : 1].push_back(foot);
  const char* names[2] = {"hind", "front"};
  for (std::size_t pair = 0; pair < 2; ++pair) {
    for (std::size_t i = 0; i < pairs[pair].size() && i < 2; ++i) {
      const std::string name = std::string(names[pair]) + (i == 0 ? "_near" : "_far");
      const Peak& peak = pairs[pair][i];
      const Point foot{peak.index + 0.5, legs.lowest[idx(peak.index)] - 0.02 * height};
      const Point trunk = pair == 0 ? hips : chest;
      const Point root{mix(trunk, foot, 0.3).x, mix(trunk, {0, belly}, 0.6).y};
      found.push_back({name + "_hip", {root, sure}});
      found.push_back({name + "_knee", {along(medial_path(shape, foot, root), 0.5), sure}});
      found.push_back({name + "_foot", {foot, sure}});
    }
  }
  return found;
}

FoundJoints find_blob(const Silhouette& shape) {
  // A chain from the ground to the top through the middle of the rows.
  FoundJoints found;
  constexpr int kCount = 5;
  for (int i = 0; i < kCount; ++i) {
    const double y = shape.box.bottom - 1 - (shape.box.height() - 2.0) * i / (kCount - 1);
    double left = shape.box.right, right = shape.box.left;
    for (int x = shape.box.left; x < shape.box.right; ++x) {
      if (shape.mask.get(x, static_cast<int>(y)) == 0) continue;
      left = std::min<double>(left, x);
      right = x + 1;
    }
    found.push_back({"spine_" + std::to_string(i), {{(left + right) / 2, y}, 0.8}});
  }
  return found;
}

FoundJoints find_worm(const Silhouette& shape) {
  // Between the two ends that are farthest from each other inside of the figure.
  const Moments moments = moments_of(shape);
  Point ends[2] = {moments.mean, moments.mean};
  for (int i = 0; i < 3; ++i) {
    const std::vector<Tip> tips = find_tips(shape, ends[(i + 1) % 2], 4);
    if (!tips.empty()) ends[i % 2] = tips.front().position;
  }
  if (ends[0].x > ends[1].x) std::swap(ends[0], ends[1]);
  const std::vector<Point> path = medial_path(shape, ends[0], ends[1]);
  FoundJoints found;
  constexpr int kCount = 7;
  for (int i = 0; i < kCount; ++i)
    found.push_back({"spine_" + std::to_string(i), {along(path, static_cast<double>(i) / (kCount - 1)), 0.75}});
  return found;
}

}  // namespace zoe::sprite
