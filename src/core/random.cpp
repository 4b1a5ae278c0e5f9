// SPDX-License-Identifier: MIT
// Compiled with -ffp-contract=off: a fused multiply-add would round differently where the CPU has one.
#include "zoe/core/random.h"

#include <bit>
#include <cmath>

#include "zoe/core/check.h"

namespace zoe {
namespace {

std::uint32_t low(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
std::uint32_t high(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); }

// Marks blocks that derive a stream's identity, so that they never equal blocks of numbers.
constexpr std::uint32_t kSplitMark = 0x5a0e5911;

template <std::size_t N>
double polynomial(const double (&coefficients)[N], double x) {
  double sum = 0;
  for (std::size_t i = N; i-- > 0;) sum = sum * x + coefficients[i];
  return sum;
}

// Natural logarithm of a positive normal number, with + - * / only: log(m 2^e) = e log 2 + 2 atanh((m - 1) / (m + 1)).
double portable_log(double x) {
  constexpr double kLog2 = 0.693147180559945309417232121458;
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  int exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
  double mantissa = std::bit_cast<double>((bits & 0x000fffffffffffffu) | 0x3ff0000000000000u);
  if (mantissa > 1.4142135623730951) {
    mantissa *= 0.5;
    ++exponent;
  }
  const double s = (mantissa - 1) / (mantissa + 1);  // |s| < 0.172: 12 terms reach double precision.
  const double s2 = s * s;
  double sum = 0;
  for (int odd = 23; odd >= 1; odd -= 2) sum = sum * s2 + 1.0 / odd;
  return exponent * kLog2 + 2 * s * sum;
}

}  // namespace

PhiloxCounter philox4x32_10(PhiloxCounter counter, PhiloxKey key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t product1 = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {high(product1) ^ counter[1] ^ key[0], low(product1), high(product0) ^ counter[3] ^ key[1],
               low(product0)};
    key[0] += 0x9E3779B9;  // Golden ratio and sqrt(3) - 1: the Weyl constants of the paper.
    key[1] += 0xBB67AE85;
  }
  return counter;
}

Random::Random(std::uint64_t seed) : key_{low(seed), high(seed)} {}

Random Random::split(std::uint64_t key) const {
  const PhiloxCounter child =
      philox4x32_10({low(key), high(key), low(nonce_), high(nonce_)}, {key_[0] ^ kSplitMark, key_[1] ^ ~kSplitMark});
  return Random({child[0], child[1]}, std::uint64_t{child[3]} << 32 | child[2]);
}

std::uint32_t Random::next_u32() {
  if (used_ == 4) {
    words_ = philox4x32_10({low(block_), high(block_), low(nonce_), high(nonce_)}, key_);
    ++block_;
    used_ = 0;
  }
  return words_[used_++];
}

std::uint64_t Random::next_u64() {
  const std::uint64_t first = next_u32();
  return std::uint64_t{next_u32()} << 32 | first;
}

float Random::uniform() { return static_cast<float>(next_u32() >> 8) * 0x1p-24f; }
double Random::uniform_double() { return static_cast<double>(next_u64() >> 11) * 0x1p-53; }

float Random::uniform(float low, float high) {
  ZOE_CHECK(low <= high, "uniform: low above high");
  const float value = low + (high - low) * uniform();
  return value < high ? value : low;  // Rounding may reach `high`.
}

double Random::normal() {
  // Centres of 2^53 equal cells: never 0 or 1, symmetric about a half.
  return normal_quantile((static_cast<double>(next_u64() >> 12) + 0.5) * 0x1p-52);
}

// Lemire, "Fast random integer generation in an interval", 2019: multiply, and reject the few values that would bias.
std::uint64_t Random::below(std::uint64_t n) {
  ZOE_CHECK(n > 0, "below: n must be positive");
  using Wide = unsigned __int128;
  Wide product = static_cast<Wide>(next_u64()) * n;
  if (static_cast<std::uint64_t>(product) < n) {
    const std::uint64_t reject_below = (0 - n) % n;
    while (static_cast<std::uint64_t>(product) < reject_below) product = static_cast<Wide>(next_u64()) * n;
  }
  return static_cast<std::uint64_t>(product >> 64);
}

// M. J. Wichura, "Algorithm AS 241: the percentage points of the normal distribution", 1988, routine PPND16.
double normal_quantile(double p) {
  ZOE_CHECK(p > 0 && p < 1, "normal_quantile: p must be between 0 and 1");
  static constexpr double kA[] = {3.3871328727963666080, 133.14166789178437745, 1971.5909503065514427,
                                  13731.693765509461125, 45921.953931549871457, 67265.770927008700853,
                                  33430.575583588128105, 2509.0809287301226727};
  static constexpr double kB[] = {1.0,
                                  42.313330701600911252,
                                  687.18700749205790830,
                                  5394.1960214247511077,
                                  21213.794301586595867,
                                  39307.895800092710610,
                                  28729.085735721942674,
                                  5226.4952788528545610};
  static constexpr double kC[] = {1.42343711074968357734,   4.63033784615654529590,   5.76949722146069140550,
                                  3.64784832476320460504,   1.27045825245236838258,   0.241780725177450611770,
                                  0.0227238449892691845833, 7.74545014278341407640e-4};
  static constexpr double kD[] = {1.0,
                                  2.05319162663775882187,
                                  1.67638483018380384940,
                                  0.689767334985100004550,
                                  0.148103976427480074590,
                                  0.0151986665636164571966,
                                  5.47593808499534494600e-4,
                                  1.05075007164441684324e-9};
  static constexpr double kE[] = {6.65790464350110377720,    5.46378491116411436990,   1.78482653991729133580,
                                  0.296560571828504891230,   0.0265321895265761230930, 0.00124266094738807843860,
                                  2.71155556874348757815e-5, 2.01033439929228813265e-7};
  static constexpr double kF[] = {1.0,
                                  0.599832206555887937690,
                                  0.136929880922735805310,
                                  0.0148753612908506148525,
                                  7.86869131145613259100e-4,
                                  1.84631831751005468180e-5,
                                  1.42151175831644588870e-7,
                                  2.04426310338993978564e-15};
  const double q = p - 0.5;
  if (std::abs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial(kA, r) / polynomial(kB, r);
  }
  const double r = std::sqrt(-portable_log(q < 0 ? p : 1 - p));  // IEEE 754 rounds sqrt exactly.
  const double tail =
      r <= 5 ? polynomial(kC, r - 1.6) / polynomial(kD, r - 1.6) : polynomial(kE, r - 5) / polynomial(kF, r - 5);
  return q < 0 ? -tail : tail;
}

}  // namespace zoe
