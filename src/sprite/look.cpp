// SPDX-License-Identifier: MIT
#include "zoe/sprite/look.h"

#include <array>
#include <utility>

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

}  // namespace zoe::sprite
