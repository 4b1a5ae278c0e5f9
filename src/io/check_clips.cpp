// SPDX-License-Identifier: MIT
#include "io/check_clips.h"

#include <fmt/format.h>

namespace zoe::io {

Result<void> check_clips(const Character& character, std::span<const Motion> clips) {
  ZOE_TRY(validate(character));
  for (const Motion& clip : clips) {
    if (clip.skeleton == nullptr || clip.skeleton->topology_hash() != character.skeleton->topology_hash()) {
      return Error{ErrorCode::kUsage,
                   fmt::format("clip '{}' has other joints than the character; retarget or rebind it first", clip.name),
                   {}};
    }
    if (clip.num_morph_weights != 0 &&
        static_cast<std::size_t>(clip.num_morph_weights) != character.num_morph_weights()) {
      return Error{ErrorCode::kUsage, fmt::format("clip '{}' has morph weights of another character", clip.name), {}};
    }
    ZOE_TRY(validate(clip));
  }
  return {};
}

}  // namespace zoe::io
