// SPDX-License-Identifier: MIT
#include "zoe/sprite/look.h"

#include <array>
#include <numbers>
#include <utility>

#include "zoe/math/portable.h"

namespace zoe::sprite {

std::optional<Style> style_from(std::string_view word) {
  constexpr std::array<std::pair<std::string_view, Style>, 6> kWords{{{"lit", Style::kLit},
                                                                      {"toon", Style::kToon},
                                                                      {"ink", Style::kInk},
                                                                      {"silhouette", Style::kSilhouette},
                                                                      {"flat", Style::kFlat},
                                                                      {"pixel", Style::kPixel}}};
  for (const auto& [name, style] : kWords) {
    if (name == word) return style;
  }
  return std::nullopt;
}

Vec3 light_direction(float azimuth_deg, float elevation_deg) {
  constexpr double kRad = std::numbers::pi / 180;
  const SineCosine around = sine_cosine(static_cast<double>(azimuth_deg) * kRad),
                   above = sine_cosine(static_cast<double>(elevation_deg) * kRad);
  return {static_cast<float>(above.cosine * around.sine), static_cast<float>(above.sine),
          static_cast<float>(above.cosine * around.cosine)};
}

}  // namespace zoe::sprite
