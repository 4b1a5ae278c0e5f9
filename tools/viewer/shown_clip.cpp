// SPDX-License-Identifier: MIT
#include "shown_clip.h"

#include "zoe/anatomy/mirror.h"

namespace zoe::viewer {

void choose_side(bool mirrored, const Skeleton& skeleton, ShownClip& clip, scene::MotionPlayer& player) {
  if (mirrored == clip.shows_mirrored || (mirrored && clip.cannot_mirror)) return;
  if (mirrored && clip.mirrored == nullptr) {
    Result<Motion> made = mirror(*clip.plain, *clip.body);
    if (!made) {
      clip.cannot_mirror = true;
      return;
    }
    clip.mirrored = std::make_shared<const Motion>(std::move(made).value());
  }
  clip.shows_mirrored = mirrored;
  const bool plays =
      player.play(mirrored ? clip.mirrored : clip.plain, skeleton, {.wrap = Wrap::kClamp, .fade_s = 0.15F}).has_value();
  ZOE_CHECK(plays, "a mirrored clip is for the same skeleton");
  player.set_paused(true);
}

}  // namespace zoe::viewer
