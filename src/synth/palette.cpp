// SPDX-License-Identifier: MIT
#include "synth/palette.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace zoe::synth {
namespace {

struct CoatCode {
  std::uint32_t back, belly, wing;  // sRGB.
};

constexpr std::array kFur{CoatCode{0xa8592a, 0xf0e0c8, 0}, CoatCode{0x6b4a30, 0xc8a884, 0},
                          CoatCode{0x6c6a66, 0xcfc9be, 0}, CoatCode{0x35302c, 0x8a7460, 0},
                          CoatCode{0xc2975a, 0xf1e1c2, 0}, CoatCode{0x8c5f3a, 0xe4d2b6, 0},
                          CoatCode{0xb9b2a6, 0xefeae0, 0}};
constexpr std::array kShell{CoatCode{0x3a2418, 0x6a4630, 0}, CoatCode{0x7c3216, 0xb8662f, 0},
                            CoatCode{0x215a36, 0x77b060, 0}, CoatCode{0x22344f, 0x56708c, 0},
                            CoatCode{0x8f2418, 0xc0603c, 0}, CoatCode{0x6e5a1f, 0xb89a4a, 0}};
constexpr std::array kHairy{CoatCode{0x4a3526, 0x8a6a4c, 0}, CoatCode{0x2e2b2c, 0x6a6260, 0},
                            CoatCode{0x9a7646, 0xcfb27e, 0}, CoatCode{0x743a20, 0xb97a4c, 0}};
constexpr std::array kFeathers{CoatCode{0x6d5c4a, 0xe07f3e, 0x54463a}, CoatCode{0x2a2e38, 0x4a5160, 0x1c1f28},
                               CoatCode{0x8497a8, 0xe9edf0, 0x566a7e}, CoatCode{0x3f6fa8, 0xf1d662, 0x2b4f86},
                               CoatCode{0x71833c, 0xe8dc90, 0x4c5a2a}, CoatCode{0xd8d5cd, 0xfaf8f2, 0x9a9aa0},
                               CoatCode{0x7c5432, 0xf0e1c8, 0x5a3a22}};
constexpr std::array kDragon{CoatCode{0x2f5e3c, 0xcdbb70, 0x8a5a34}, CoatCode{0x842420, 0xdba46c, 0xa04a34},
                             CoatCode{0x2a3c5c, 0xa6b8cb, 0x56688c}, CoatCode{0x6e4c20, 0xdabb7c, 0x96703c},
                             CoatCode{0x4d3a5c, 0xc4aec8, 0x7c5a80}, CoatCode{0x3a3a3e, 0xa8a49c, 0x7a3a30}};
constexpr std::array kScales{CoatCode{0x4c6c2c, 0xd8d69e, 0}, CoatCode{0x6c5030, 0xe4d3a4, 0},
                             CoatCode{0x2c2c30, 0x8a8478, 0}, CoatCode{0x9c4a24, 0xeccfa0, 0},
                             CoatCode{0x58624c, 0xcfd0b8, 0}};
constexpr std::array kFish{CoatCode{0x50604a, 0xe9e5d8, 0x6a5a40}, CoatCode{0x2f6092, 0xe7eff3, 0x224a78},
                           CoatCode{0xd8682c, 0xf8e8d2, 0xb8481c}, CoatCode{0x5c6872, 0xeaeff1, 0x4a555e},
                           CoatCode{0xc49a34, 0xf6ecc4, 0xa87a20}, CoatCode{0x3a7a74, 0xdceee6, 0x2a5c58}};

std::span<const CoatCode> codes_of(BodyFamily family) {
  switch (family) {
    case BodyFamily::kHexapod:
    case BodyFamily::kMillipede:
      return kShell;
    case BodyFamily::kOctopod:
      return kHairy;
    case BodyFamily::kBird:
      return kFeathers;
    case BodyFamily::kFlyer:
      return kDragon;
    case BodyFamily::kSnake:
      return kScales;
    case BodyFamily::kFish:
      return kFish;
    default:
      return kFur;
  }
}

template <typename Items>
auto pick(Random& random, const Items& items) {
  return items[static_cast<std::size_t>(random.below(items.size()))];
}

}  // namespace

Vec4 linear_color(std::uint32_t srgb) {
  const auto channel = [&](int shift) {
    const float c = static_cast<float>(srgb >> shift & 255) / 255.0F;
    return c <= 0.04045F ? c / 12.92F : std::pow((c + 0.055F) / 1.055F, 2.4F);
  };
  // Paints and coats reflect less than a screen's white.
  return shaded({channel(16), channel(8), channel(0), 1}, 0.78F);
}

Vec4 shaded(Vec4 color, float factor) {
  const auto channel = [&](float c) { return std::clamp(c * factor, 0.0F, 1.0F); };
  return {channel(color.x), channel(color.y), channel(color.z), 1};
}

Vec4 mixed(Vec4 a, Vec4 b, float share) {
  const auto channel = [&](float from, float to) { return from + (to - from) * share; };
  return {channel(a.x, b.x), channel(a.y, b.y), channel(a.z, b.z), 1};
}

Coat coat_of(BodyFamily family, float choice, float shade) {
  const std::span<const CoatCode> codes = codes_of(family);
  const auto n = static_cast<float>(codes.size());
  const CoatCode& code = codes[std::min(static_cast<std::size_t>(choice * n), codes.size() - 1)];
  const auto muted = [&](std::uint32_t srgb) {
    const Vec4 c = linear_color(srgb);
    const float grey = 0.3F * c.x + 0.6F * c.y + 0.1F * c.z;
    return shaded(mixed(c, {grey, grey, grey, 1}, 0.22F), shade);
  };
  const Vec4 back = muted(code.back);
  return {back, muted(code.belly), code.wing == 0 ? shaded(back, 0.8F) : muted(code.wing)};
}

Look draw_look(Random random) {
  struct Outfit {
    std::uint32_t shirt, trousers, shoes;
  };
  static constexpr std::array kOutfits{
      Outfit{0xd9d4c7, 0x34455e, 0x6b4a32}, Outfit{0x3f6f8f, 0xb7a98a, 0x4a3628}, Outfit{0xb5483a, 0x39414d, 0xe6e2da},
      Outfit{0x55734f, 0x6b5a46, 0x3a2e26}, Outfit{0xd9a441, 0x2f4156, 0xf0ece4}, Outfit{0x2f3e55, 0x8c8577, 0x2a2522},
      Outfit{0x7f9fb8, 0x2c3038, 0x7a5536}, Outfit{0x8a5a6a, 0x4a4d58, 0xd8d2c8}, Outfit{0xe8e3d9, 0x7a4b38, 0x33302e},
      Outfit{0x4f8a86, 0x3b3a44, 0xece6da}, Outfit{0xc97b5a, 0x47596b, 0x4a3a30}, Outfit{0x6d6f8f, 0xa59a86, 0x3c3432}};
  static constexpr std::array<std::uint32_t, 7> kSkins{0xf0cdb4, 0xe3b596, 0xd29d7a, 0xb98058,
                                                       0x98643f, 0x75492e, 0x573522};
  static constexpr std::array<std::uint32_t, 6> kDarkHair{0x1e1a18, 0x2c211b, 0x231c1a, 0x26262a, 0x1a1616, 0x8d8a86},
      kAnyHair{0x2c211b, 0x4a3224, 0x7a5230, 0xb98a4c, 0x8a4426, 0xa09c96};
  static constexpr std::array<std::uint32_t, 4> kIrises{0x4a3220, 0x5a6e7c, 0x5e6b42, 0x6e4a28};
  Look look;
  const auto outfit = pick(random, kOutfits);
  const auto skin = static_cast<std::size_t>(random.below(kSkins.size()));
  look.skin = linear_color(kSkins[skin]);
  look.lips = {0.72F * look.skin.x, 0.5F * look.skin.y, 0.5F * look.skin.z, 1};
  look.hair_color = linear_color(skin > 2 ? pick(random, kDarkHair) : pick(random, kAnyHair));
  look.iris = linear_color(skin > 2 ? kIrises[0] : pick(random, kIrises));
  look.shirt = linear_color(outfit.shirt);
  look.trousers = linear_color(outfit.trousers);
  look.shoes = linear_color(outfit.shoes);
  look.soles = linear_color(random.uniform() < 0.5F ? 0xd8d3c8 : 0x2a2826);
  look.hair = static_cast<Hair>(random.below(4));
  look.long_sleeves = random.uniform() < 0.5F;
  look.shorts = random.uniform() < 0.2F;
  return look;
}

}  // namespace zoe::synth
