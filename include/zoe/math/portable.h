// SPDX-License-Identifier: MIT
// Part of Zoetrope. Trigonometry and exponentials with the same bits on every machine. The C library's differ: glibc
// computes sinf, cosf and expf with other roundings on processors without fused multiply-add. Everything that a tick of
// a controller computes uses these. Correct to 1e-15 before the result is rounded to float.
#pragma once

namespace zoe {

struct SineCosine {
  double sine, cosine;
};
SineCosine sine_cosine(double angle_rad) noexcept;

double portable_sin(double angle_rad) noexcept;
double portable_cos(double angle_rad) noexcept;
double portable_atan2(double y, double x) noexcept;  // -pi to pi; 0 for (0, 0).
double portable_acos(double cosine) noexcept;        // NaN outside of -1 to 1.
double portable_exp(double x) noexcept;
double portable_exp2(double x) noexcept;
double portable_hypot(double x, double y) noexcept;  // Without care for squares beyond the range of a double.

inline float portable_sin(float angle_rad) noexcept {
  return static_cast<float>(portable_sin(static_cast<double>(angle_rad)));
}
inline float portable_cos(float angle_rad) noexcept {
  return static_cast<float>(portable_cos(static_cast<double>(angle_rad)));
}
inline float portable_atan2(float y, float x) noexcept {
  return static_cast<float>(portable_atan2(static_cast<double>(y), static_cast<double>(x)));
}
inline float portable_acos(float cosine) noexcept {
  return static_cast<float>(portable_acos(static_cast<double>(cosine)));
}
inline float portable_exp(float x) noexcept { return static_cast<float>(portable_exp(static_cast<double>(x))); }
inline float portable_exp2(float x) noexcept { return static_cast<float>(portable_exp2(static_cast<double>(x))); }
inline float portable_hypot(float x, float y) noexcept {
  return static_cast<float>(portable_hypot(static_cast<double>(x), static_cast<double>(y)));
}

}  // namespace zoe
