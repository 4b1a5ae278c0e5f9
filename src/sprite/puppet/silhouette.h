// SPDX-License-Identifier: MIT
// Part of Zoetrope. A figure's silhouette in one size, its tips, and paths inside of it.
#pragma once

#include <vector>

#include "zoe/render/picture.h"

#include "sprite/puppet/mask.h"

namespace zoe::sprite {

constexpr int kSilhouetteSize = 160;  // Of the longer side of the figure's box: limits are in these pixels.

struct Tip {
  Point position;
  Point base;         // Where it joins a longer limb or the body.
  double length = 0;  // How far it stands out: distance inside of the figure from base to position.
};

struct Silhouette {
  Mask mask;  // With a border of 3 pixels.
  Grid<float> depth;
  Box box;
  double scale = 1;  // Pixels of the silhouette per pixel of the figure.
  Point origin;      // Position of the figure's corner.

  Point to_figure(Point p) const { return (p - origin) * (1 / scale); }
  bool has(Point p) const { return mask.get(static_cast<int>(p.x), static_cast<int>(p.y)) != 0; }
  double depth_at(Point p) const {
    return static_cast<double>(depth.get(static_cast<int>(p.x), static_cast<int>(p.y)));
  }
};
Silhouette silhouette_of(const render::Picture& figure);

// Ends of limbs, longest first: local maxima of the distance from `center` inside of the figure that stand out by at
// least min_length.
std::vector<Tip> find_tips(const Silhouette& shape, Point center, double min_length);

// From one point to another along the middle of limbs.
std::vector<Point> medial_path(const Silhouette& shape, Point from, Point to);
// Fraction of a path's length.
Point along(const std::vector<Point>& path, double fraction);

// Local maxima of a row of values that stand out by at least min_height, by index.
struct Peak {
  int index = 0;
  double prominence = 0;
};
std::vector<Peak> find_peaks(const std::vector<double>& values, double min_height);

// The part of the figure that its mirror image about a vertical line has as well, 0 to 1, of the best line.
double symmetry_of(const Silhouette& shape);

}  // namespace zoe::sprite
