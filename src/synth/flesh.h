// SPDX-License-Identifier: MIT
// Part of Zoetrope. The smooth hull of blobs: a field, its closed surface, and the joint weights of each point.
#pragma once

#include <span>
#include <vector>

#include "synth/plan.h"

namespace zoe::synth {

struct Surface {
  std::vector<Vec3> positions;
  std::vector<std::uint32_t> indices;  // Triangles, counter-clockwise outside.
};

// The surface where the sum of exp(-sharpness * distance / radius) over the blobs is one. Closed: every triangle's edge
// has its twin.
Surface extract_surface(std::span<const Blob> blobs, float cell_m);

// Cell size that gives about `num_vertices`, and resolves thin blobs as far as that allows.
float cell_for(std::span<const Blob> blobs, int num_vertices);

// The field at a point, from the blobs near it.
class FleshField {
 public:
  explicit FleshField(std::span<const Blob> blobs) : blobs_(blobs) {}

  // Collects the blobs near p. The other functions use those.
  void gather(Vec3 p);
  // Moves p onto the surface (by at most max_step_m) and returns the outward normal there.
  Vec3 project(Vec3& p, float max_step_m) const;
  struct Near {
    int blob = 0;
    float distance = 0;  // In radii of the blob; negative inside.
  };
  std::span<const Near> near() const { return near_; }
  void measure(Vec3 p);  // Fills near() with the distances at p.

 private:
  std::span<const Blob> blobs_;
  std::vector<Near> near_;
};

// Up to 4 joints per vertex, heaviest first, weights sum to one: nearest flesh, its parents and children, smoothed over
// the surface.
struct Influences {
  std::vector<std::uint16_t> joints;
  std::vector<float> weights;
};
Influences skin_surface(const Plan& plan, const Surface& surface);

}  // namespace zoe::synth
