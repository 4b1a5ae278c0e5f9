// SPDX-License-Identifier: MIT
// Part of Zoetrope. A recorded deed to look at: the body and its props as one character in one motion, for films and
// files.
#pragma once

#include "zoe/character/character.h"
#include "zoe/eval/deeds.h"

namespace zoe::author {

struct DisplayedDeed {
  CharacterPtr character;
  std::shared_ptr<const Motion> motion;
};
// body: of the recording's skeleton; null: bones as bars. Each prop, and the leaf of each door, is a joint at the top.
Result<DisplayedDeed> show_deed(const CharacterPtr& body, const eval::DeedRecording& deed);

}  // namespace zoe::author
