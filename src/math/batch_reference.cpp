// SPDX-License-Identifier: MIT
#include "zoe/math/batch_reference.h"

#include "zoe/math/rotation_6d.h"
#include "zoe/math/transform.h"

namespace zoe::batch::reference {
namespace {

Vec3 vec_at(ConstPlanes p, std::size_t i, std::size_t first = 0) {
  return {p.plane(first)[i], p.plane(first + 1)[i], p.plane(first + 2)[i]};
}
Quat quat_at(ConstPlanes p, std::size_t i) { return {p.plane(0)[i], p.plane(1)[i], p.plane(2)[i], p.plane(3)[i]}; }
Affine affine_at(ConstPlanes p, std::size_t i) {
  return {vec_at(p, i, 0), vec_at(p, i, 3), vec_at(p, i, 6), vec_at(p, i, 9)};
}
void put(Vec3 v, Planes p, std::size_t i, std::size_t first = 0) {
  for (std::size_t k = 0; k < 3; ++k) p.plane(first + k)[i] = v[k];
}
void put(Quat q, Planes p, std::size_t i) {
  p.plane(0)[i] = q.x, p.plane(1)[i] = q.y, p.plane(2)[i] = q.z, p.plane(3)[i] = q.w;
}
void put(const Affine& m, Planes p, std::size_t i) {
  put(m.x, p, i, 0), put(m.y, p, i, 3), put(m.z, p, i, 6), put(m.t, p, i, 9);
}

}  // namespace

void normalize_quats(std::size_t count, ConstPlanes q, Planes out) {
  for (std::size_t i = 0; i < count; ++i) put(normalized(quat_at(q, i)), out, i);
}
void conjugate_quats(std::size_t count, ConstPlanes q, Planes out) {
  for (std::size_t i = 0; i < count; ++i) put(conjugate(quat_at(q, i)), out, i);
}
void multiply_quats(std::size_t count, ConstPlanes a, ConstPlanes b, Planes out) {
  for (std::size_t i = 0; i < count; ++i) put(quat_at(a, i) * quat_at(b, i), out, i);
}
void rotate_vectors(std::size_t count, ConstPlanes q, ConstPlanes v, Planes out) {
  for (std::size_t i = 0; i < count; ++i) put(rotate(quat_at(q, i), vec_at(v, i)), out, i);
}
void nlerp_quats(std::size_t count, ConstPlanes a, ConstPlanes b, const float* t, Planes out) {
  for (std::size_t i = 0; i < count; ++i) put(nlerp(quat_at(a, i), quat_at(b, i), t[i]), out, i);
}
void slerp_quats(std::size_t count, ConstPlanes a, ConstPlanes b, const float* t, Planes out) {
  for (std::size_t i = 0; i < count; ++i) put(slerp(quat_at(a, i), quat_at(b, i), t[i]), out, i);
}
void encode_6d(std::size_t count, ConstPlanes q, Planes out) {
  for (std::size_t i = 0; i < count; ++i) {
    const Rotation6 r = to_6d(quat_at(q, i));
    put(r.x, out, i, 0);
    put(r.y, out, i, 3);
  }
}
void decode_6d(std::size_t count, ConstPlanes rotation_6d, Planes out) {
  for (std::size_t i = 0; i < count; ++i) {
    put(from_6d(Rotation6{vec_at(rotation_6d, i, 0), vec_at(rotation_6d, i, 3)}), out, i);
  }
}
void compose_affines(std::size_t count, ConstPlanes translation, ConstPlanes rotation, ConstPlanes scale, Planes out) {
  for (std::size_t i = 0; i < count; ++i) {
    put(to_affine(Transform{vec_at(translation, i), quat_at(rotation, i), vec_at(scale, i)}), out, i);
  }
}
void multiply_affines(std::size_t count, ConstPlanes a, ConstPlanes b, Planes out) {
  for (std::size_t i = 0; i < count; ++i) put(affine_at(a, i) * affine_at(b, i), out, i);
}
void sines_cosines(std::size_t count, const float* angles, float* sines, float* cosines) {
  for (std::size_t i = 0; i < count; ++i) {
    const float angle = angles[i];  // Read before it is overwritten: outputs may be the input.
    sines[i] = std::sin(angle);
    cosines[i] = std::cos(angle);
  }
}

}  // namespace zoe::batch::reference
