// SPDX-License-Identifier: MIT
// Part of Zoetrope. What sources of drawn clips share.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "zoe/core/hash64.h"
#include "zoe/paint/clip_file.h"
#include "zoe/train/batch_source.h"

namespace zoe::train {

// Colours, then their number.
constexpr std::size_t kPaletteWidth = 3 * paint::kMaxColors + 1;

inline void write_palette(const std::vector<paint::Color>& palette, std::span<float> out) {
  std::fill(out.begin(), out.end(), 0.0F);
  for (std::size_t c = 0; c < palette.size(); ++c)
    for (std::size_t k = 0; k < 3; ++k) out[3 * c + k] = palette[c][k];
  out[kPaletteWidth - 1] = static_cast<float>(palette.size());
}

// Whole numbers are not normalised.
inline std::vector<FieldStatistics> no_statistics(std::span<const Field> fields) {
  std::vector<FieldStatistics> all;
  for (const Field& field : fields) {
    const auto width = static_cast<std::size_t>(field.width);
    all.push_back({std::vector<float>(width, 0.0F), std::vector<float>(width, 1.0F)});
  }
  return all;
}

// One identity in 25 is for validation.
inline bool is_validation(const paint::ClipLabel& label) {
  return hash64(std::as_bytes(std::span(label.identity))) % 25 == 0;
}

// Of the samples of a clip file.
inline std::string identity_of(const paint::ClipFile& file) {
  return std::to_string(hash64(file.file().find("poses").value().bytes)) + "-" + std::to_string(file.num_frames());
}
inline Metadata words_of(const paint::ClipFile& file) {
  Metadata words = file.file().metadata();
  words.erase(kChecksumKey);
  return words;
}

}  // namespace zoe::train
