// SPDX-License-Identifier: MIT
// Part of Zoetrope. Slopes at keys whose tangents FBX does not store: automatic ones and TCB.
#pragma once

#include <cstddef>

#include "io/fbx/curve_data.h"

namespace zoe::io::fbx {

// A tangent on one side of a key: slope in value per second, weight as a fraction of the segment's time.
struct Tangent {
  double slope = 0;
  double weight = kDefaultTangentWeight;
};

// Tangents at the two sides of key `key`, for any mode. `run` is the index of its attributes.
struct KeyTangents {
  Tangent left, right;
};
KeyTangents tangents_at(const Curve& curve, std::size_t key);

// Index into curve.runs of the attributes of a key.
std::size_t run_of(const Curve& curve, std::size_t key);

// Kochanek–Bartels: slopes left and right of a key from the secants to its neighbours. `edge`: one
// neighbour is missing.
void solve_tcb(double tension, double continuity, double bias, double left_secant, double right_secant, bool edge,
               double* left_slope, double* right_slope);

}  // namespace zoe::io::fbx
