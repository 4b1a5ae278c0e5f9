// SPDX-License-Identifier: MIT
// Part of Zoetrope. Batches of quaternions, vectors or affine maps as structures of arrays, dispatched at run time.
// Element-wise: outputs may be the inputs themselves (same pointers), any count is allowed, no alignment is needed,
// nothing allocates. zoe::batch::reference (batch_reference.h) has the same functions as plain loops.
#pragma once

#include <cstddef>

namespace zoe::batch {

// Component k of element i is data[k * stride + i]; stride >= count. Quaternions have four planes (x y z w), vectors
// three, affine maps twelve in the memory order of Affine, 6D rotations six.
struct ConstPlanes {
  const float* data = nullptr;
  std::size_t stride = 0;

  const float* plane(std::size_t k) const { return data + k * stride; }
};
struct Planes {
  float* data = nullptr;
  std::size_t stride = 0;

  float* plane(std::size_t k) const { return data + k * stride; }
  operator ConstPlanes() const { return {data, stride}; }  // NOLINT(google-explicit-constructor)
};

// Quaternions too short to have a direction become the identity.
void normalize_quats(std::size_t count, ConstPlanes q, Planes out);
void conjugate_quats(std::size_t count, ConstPlanes q, Planes out);
// out = a * b: b acts first.
void multiply_quats(std::size_t count, ConstPlanes a, ConstPlanes b, Planes out);
void rotate_vectors(std::size_t count, ConstPlanes q, ConstPlanes v, Planes out);
// Along the shorter arc; t: one number per element, in [0, 1].
void nlerp_quats(std::size_t count, ConstPlanes a, ConstPlanes b, const float* t, Planes out);
void slerp_quats(std::size_t count, ConstPlanes a, ConstPlanes b, const float* t, Planes out);
// Rotation6 (rotation_6d.h): the x and y column of the rotation matrix. Decoding orthonormalises and gives w >= 0.
void encode_6d(std::size_t count, ConstPlanes q, Planes out);
void decode_6d(std::size_t count, ConstPlanes rotation_6d, Planes out);
// Affine maps of translation, rotation and scale.
void compose_affines(std::size_t count, ConstPlanes translation, ConstPlanes rotation, ConstPlanes scale, Planes out);
// a_from_c = a_from_b * b_from_c.
void multiply_affines(std::size_t count, ConstPlanes a, ConstPlanes b, Planes out);
// Radians; exact to 2e-7 for |angle| <= 8192.
void sines_cosines(std::size_t count, const float* angles, float* sines, float* cosines);

// The instruction set in use: "AVX3" (AVX-512), "AVX2", "SSE4", "NEON", "SCALAR" or "portable".
const char* instruction_set();

}  // namespace zoe::batch
