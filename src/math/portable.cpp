// SPDX-License-Identifier: MIT
// Only additions, multiplications, divisions and square roots, which IEEE 754 defines to the bit, in a fixed order.
// Compiled without fused operations.
#include "zoe/math/portable.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

namespace zoe {
namespace {

// Horner's scheme: c[0] + c[1] x + …
template <std::size_t N>
double polynomial(const double (&c)[N], double x) {
  double sum = c[N - 1];
  for (std::size_t i = N - 1; i > 0; --i) sum = sum * x + c[i - 1];
  return sum;
}

// Taylor series.
constexpr double kSine[] = {-0.16666666666666666,   0.008333333333333333,   -0.0001984126984126984,
                            2.7557319223985893e-06, -2.505210838544172e-08, 1.6059043836821613e-10,
                            -7.647163731819816e-13, 2.8114572543455206e-15};
constexpr double kCosine[] = {-0.5,
                              0.041666666666666664,
                              -0.001388888888888889,
                              2.48015873015873e-05,
                              -2.755731922398589e-07,
                              2.08767569878681e-09,
                              -1.1470745597729725e-11,
                              4.779477332387385e-14,
                              -1.5619206968586225e-16};
constexpr double kExponential[] = {1.0,
                                   1.0,
                                   0.5,
                                   0.16666666666666666,
                                   0.041666666666666664,
                                   0.008333333333333333,
                                   0.001388888888888889,
                                   0.0001984126984126984,
                                   2.48015873015873e-05,
                                   2.7557319223985893e-06,
                                   2.755731922398589e-07,
                                   2.505210838544172e-08,
                                   2.08767569878681e-09,
                                   1.6059043836821613e-10};
constexpr double kArcTangent[] = {
    -0.3333333333333333, 0.2, -0.14285714285714285, 0.1111111111111111, -0.09090909090909091, 0.07692307692307693,
    -0.06666666666666667};
// atan(k / 8).
constexpr double kArcTangents[] = {0.0,
                                   0.12435499454676144,
                                   0.24497866312686414,
                                   0.35877067027057225,
                                   0.4636476090008061,
                                   0.5585993153435624,
                                   0.6435011087932844,
                                   0.7188299996216245,
                                   0.7853981633974483};

// pi/2 and ln 2 in parts whose products with whole numbers of 24 (20) bits are exact (Cody and Waite).
constexpr double kHalfPi[] = {1.570796325802803, 9.920935774287987e-10, 2.2517417741562176e-18};
constexpr double kLn2[] = {0.6931471804855391, 7.440617110012397e-11};
constexpr double kLargeAngle_rad = 1e6;

// As std::floor(x + 0.5), which is a call where the instruction set has no rounding.
double nearest(double x) {
  const double up = x + 0.5;
  if (!(std::abs(up) < 1e9)) return std::floor(up);
  const auto whole = static_cast<double>(static_cast<std::int32_t>(up));
  return whole > up ? whole - 1 : whole;
}

// e^r for |r| <= ln 2 / 2, times 2^power.
double exponential(double r, double power) {
  const double e = polynomial(kExponential, r);
  const int exponent = static_cast<int>(power);
  constexpr int kLeastNormal = -1021, kBias = 1023, kMantissaBits = 52;
  if (exponent < kLeastNormal || exponent > kBias) return std::ldexp(e, exponent);
  return e * std::bit_cast<double>(static_cast<std::uint64_t>(exponent + kBias) << kMantissaBits);  // Exact.
}

}  // namespace

SineCosine sine_cosine(double angle_rad) noexcept {
  if (!std::isfinite(angle_rad)) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    return {kNone, kNone};
  }
  // The remainder is exact. It is that of the double nearest to a turn.
  if (std::abs(angle_rad) > kLargeAngle_rad) angle_rad = std::fmod(angle_rad, 2 * std::numbers::pi);
  const double quadrant = nearest(angle_rad * (2 / std::numbers::pi));
  const double r = ((angle_rad - quadrant * kHalfPi[0]) - quadrant * kHalfPi[1]) - quadrant * kHalfPi[2];
  const double s = r * r;
  const double sine = r + r * s * polynomial(kSine, s), cosine = 1 + s * polynomial(kCosine, s);
  switch (static_cast<int>(quadrant) & 3) {
    case 0:
      return {sine, cosine};
    case 1:
      return {cosine, -sine};
    case 2:
      return {-sine, -cosine};
    default:
      return {-cosine, sine};
  }
}

double portable_sin(double angle_rad) noexcept { return sine_cosine(angle_rad).sine; }
double portable_cos(double angle_rad) noexcept { return sine_cosine(angle_rad).cosine; }

double portable_atan2(double y, double x) noexcept {
  if (std::isnan(x) || std::isnan(y)) return std::numeric_limits<double>::quiet_NaN();
  const double ax = std::abs(x), ay = std::abs(y), high = ax > ay ? ax : ay, low = ax > ay ? ay : ax;
  double angle = 0;
  if (std::isinf(high)) {
    angle = std::isinf(low) ? std::numbers::pi / 4 : 0;
  } else if (high > 0) {
    const double t = low / high;  // 0 to 1.
    // atan(t) = atan(c) + atan((t - c) / (1 + t c)), with c the nearest eighth.
    const double eighths = nearest(8 * t), c = eighths / 8, u = (t - c) / (1 + t * c), s = u * u;
    angle = kArcTangents[static_cast<int>(eighths)] + (u + u * s * polynomial(kArcTangent, s));
  }
  if (ay > ax) angle = std::numbers::pi / 2 - angle;
  if (std::signbit(x)) angle = std::numbers::pi - angle;
  return std::signbit(y) ? -angle : angle;
}

double portable_acos(double cosine) noexcept { return portable_atan2(std::sqrt((1 - cosine) * (1 + cosine)), cosine); }

double portable_exp(double x) noexcept {
  if (std::isnan(x)) return x;
  if (x > 709) return std::numeric_limits<double>::infinity();
  if (x < -745) return 0;
  const double power = nearest(x * std::numbers::log2e);
  return exponential((x - power * kLn2[0]) - power * kLn2[1], power);
}

double portable_exp2(double x) noexcept {
  if (std::isnan(x)) return x;
  if (x > 1023) return std::numeric_limits<double>::infinity();
  if (x < -1074) return 0;
  const double power = nearest(x);
  return exponential((x - power) * std::numbers::ln2, power);
}

double portable_hypot(double x, double y) noexcept { return std::sqrt(x * x + y * y); }

}  // namespace zoe
