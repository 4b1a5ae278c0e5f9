// SPDX-License-Identifier: MIT
#include "sprite/generate/paint_clip.h"

#include "zoe/core/check.h"

namespace zoe::sprite {

void paint_clip(const paint::Painter& painter, const paint::Reference& reference, std::span<const paint::Pose> poses,
                std::span<const paint::SoftPicture> guesses, bool loop, Executor& executor,
                std::span<paint::SoftPicture> painted) {
  ZOE_CHECK(guesses.size() == poses.size() && painted.size() == poses.size(), "paint_clip: a guess for each pose");
  std::vector<paint::PainterScores> scores(poses.size());
  executor.parallel_for(poses.size(), 4, [&](std::size_t begin, std::size_t end) {
    paint::PainterState state = painter.make_state();
    for (std::size_t i = begin; i < end; ++i) {
      scores[i] = painter.make_scores();
      painter.score(reference, poses[i], guesses[i], state, scores[i]);
    }
  });
  paint::PainterState state = painter.make_state();
  const auto choose = [&](std::size_t i, const paint::SoftPicture* before) {
    painted[i].pixels.resize(reference.num_pixels());
    painted[i].coverage.resize(reference.num_pixels());
    painter.choose(reference, guesses[i], scores[i], state, painted[i], before);
  };
  for (std::size_t i = 0; i < poses.size(); ++i) choose(i, i > 0 ? &painted[i - 1] : nullptr);
  if (loop && poses.size() > 2)
    for (std::size_t i = 0; i < poses.size(); ++i) choose(i, i > 0 ? &painted[i - 1] : &painted.back());
}

void paint_guesses(const paint::Painter& painter, const GuessedClip& clip, Executor& executor,
                   std::span<paint::SoftPicture> guesses) {
  paint::SoftPicture hard = *clip.picture;
  harden(hard);
  const paint::Reference reference({painter.size(), std::move(hard.pixels)}, {clip.palette.begin(), clip.palette.end()},
                                   clip.pose);
  std::vector<paint::SoftPicture> painted(guesses.size());
  paint_clip(painter, reference, clip.poses, guesses, clip.loop, executor, painted);
  for (std::size_t i = 0; i < guesses.size(); ++i) {
    if (clip.whole_pixels) harden(painted[i]);
    guesses[i] = std::move(painted[i]);
  }
}

}  // namespace zoe::sprite
