// SPDX-License-Identifier: MIT
// Part of Zoetrope. What sources of tracks share.
#pragma once

#include "zoe/features/tracks.h"

namespace zoe::train {

// Of a file of tracks, without what only its reader needs.
inline Metadata words_of(const features::TrackFile& file) {
  Metadata words = file.file.metadata();
  words.erase("steps");
  return words;
}

}  // namespace zoe::train
