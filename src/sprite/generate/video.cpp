// SPDX-License-Identifier: MIT
#include "zoe/sprite/generate/video.h"

#include <algorithm>

#include <fmt/format.h>

#include "zoe/core/index.h"
#include "zoe/sprite/generate/pack.h"
#include "zoe/sprite/identity/captions.h"

#include "sprite/generate/guess.h"
#include "sprite/generate/paint_clip.h"
#include "sprite/generate/settle.h"

namespace zoe::sprite {
namespace {

constexpr std::size_t kPieceFrames = 16;
constexpr int kStillColors = 24;

render::Picture picture_from(std::vector<std::uint8_t> rgba, int size) {
  render::Picture picture = render::make_picture(size, size, 0, 0, 0, 0);
  picture.rgba = std::move(rgba);
  return picture;
}

// Frames as the network gives them, and the guesses that it read.
struct RawClip {
  std::vector<std::vector<std::uint8_t>> frames;  // Rgba.
  std::vector<paint::SoftPicture> guesses;
};
Result<RawClip> paint_raw(const paint::VideoPainter& painter, const VideoClip& clip, const VideoLook& look,
                          Executor& executor) {
  const int size = painter.size();
  const std::size_t patch_numbers = paint::num_patches(size) * paint::kPatchNumbers;
  nn::SamplerOptions sampler = painter.sampler();
  // Guesses are refined by regression; more steps add detail that the truth does not have.
  if (look.steps > 0 || !clip.guesses.empty()) sampler.steps = std::max(1, look.steps);
  ZOE_TRY_ASSIGN(const std::vector<nn::SamplerStage> stages, nn::make_stages(painter.process(), sampler));
  const std::vector<int> words = painter.vocabulary().encode(clip.caption);
  RawClip out;
  out.guesses = clip.guesses;
  std::vector<paint::SoftPicture>& guesses = out.guesses;
  if (painter.begins_painted() && !guesses.empty()) {
    if (look.first == nullptr || look.first->size() != size || clip.reference.picture == nullptr)
      return Error{ErrorCode::kUsage, "this network begins with frames of a painter of the same size: give one", {}};
    paint_guesses(
        *look.first,
        {clip.reference.picture, clip.reference.palette, clip.reference.pose, clip.poses, clip.loop, clip.whole_pixels},
        executor, guesses);
  }
  // Pieces of about the same length.
  const std::size_t pieces = (clip.poses.size() + kPieceFrames - 1) / kPieceFrames;
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    const std::size_t begin = piece * clip.poses.size() / pieces,
                      count = (piece + 1) * clip.poses.size() / pieces - begin;
    ZOE_TRY_ASSIGN(paint::VideoState state, painter.make_state(static_cast<int>(count)));
    std::vector<float> painted(count * patch_numbers);
    paint::VideoJob job{.painter = &painter,
                        .state = &state,
                        .poses = std::span(clip.poses).subspan(begin, count),
                        .reference = clip.reference,
                        .words = words,
                        .stages = stages,
                        .guidance = look.guidance,
                        .seed = look.seed,
                        .out = painted};
    if (!guesses.empty()) job.guesses = std::span<const paint::SoftPicture>(guesses).subspan(begin, count);
    if (const char* why = job.validate()) return Error{ErrorCode::kInvalid, why, {}};
    job.run(executor);
    for (std::size_t f = 0; f < count; ++f) {
      out.frames.emplace_back(4 * idx(size) * idx(size));
      paint::from_patches(std::span(painted).subspan(f * patch_numbers, patch_numbers), size, out.frames.back());
    }
  }
  return out;
}

}  // namespace

Result<std::vector<paint::SoftPicture>> paint_video(const paint::VideoPainter& painter, const VideoClip& clip,
                                                    const VideoLook& look, Executor& executor) {
  ZOE_CHECK(clip.reference.picture != nullptr, "paint_video: a reference");
  ZOE_TRY_ASSIGN(const RawClip raw, paint_raw(painter, clip, look, executor));
  std::vector<Rgb> palette;
  for (const paint::Color& c : clip.reference.palette) palette.push_back({c[0], c[1], c[2]});
  return settled({.frames = raw.frames,
                  .guesses = raw.guesses,
                  .palette = palette,
                  .size = painter.size(),
                  .whole_pixels = clip.whole_pixels,
                  .loop = clip.loop});
}

Result<void> repaint(FrameSet& set, const RepaintStill& still, const paint::VideoPainter& painter,
                     const RepaintWords& words, const VideoLook& look, Executor& executor) {
  const int size = painter.size();
  if (set.width != size || set.height != size) {
    return Error{ErrorCode::kUsage, fmt::format("this painter's frames have {} pixels: use --size {}", size, size), {}};
  }
  const auto caption = [&](std::string_view action, std::string_view direction) {
    return fmt::format("{} {} {} {}", identity::gerund(action), words.who, identity::view_words(direction),
                       words.style);
  };
  const bool whole_pixels = words.style == "pixel" || words.style == "flat";
  const paint::Pose pose = pose_from(still.frame->maps, size);
  render::Picture drawing;
  if (still.as_drawn) {
    drawing = untrim(still.frame->body, size, size);
  } else {
    VideoClip first;
    first.poses = {pose};
    const std::string text = caption("idle", still.direction);
    first.caption = text;
    ZOE_TRY_ASSIGN(RawClip stills, paint_raw(painter, first, look, executor));
    drawing = picture_from(std::move(stills.frames[0]), size);
  }
  const std::vector<Rgb> palette = colors_of_picture(drawing, kStillColors);
  if (palette.empty()) return Error{ErrorCode::kInvalid, "the network painted nothing for these words", {}};
  const paint::SoftPicture reference =
      settled({.frames = {&drawing.rgba, 1}, .palette = palette, .size = size, .whole_pixels = whole_pixels})[0];
  drawing.rgba = rgba_of(reference, palette);
  std::vector<paint::Color> colors;
  for (const Rgb color : palette) colors.push_back({color.r, color.g, color.b});
  PosedPuppet puppet(drawing, pose);
  // The still has followed the words; the animations follow the still.
  VideoLook plain = look;
  plain.guidance = 1;
  for (const Animation& animation : set.animations) {
    VideoClip clip;
    clip.reference = {&reference, colors, pose};
    const std::string text = caption(animation.clip, animation.direction);
    clip.caption = text;
    clip.loop = animation.loop;
    clip.whole_pixels = whole_pixels;
    for (int f = animation.first; f < animation.first + animation.count; ++f) {
      clip.poses.push_back(pose_from(set.frames[idx(f)].maps, size));
      if (animation.direction == still.direction)
        clip.guesses.push_back(soft_picture(puppet.draw(clip.poses.back()), palette));
    }
    ZOE_TRY_ASSIGN(const std::vector<paint::SoftPicture> frames, paint_video(painter, clip, plain, executor));
    for (std::size_t f = 0; f < frames.size(); ++f)
      set.frames[idx(animation.first) + f].body = trim(picture_from(rgba_of(frames[f], palette), size));
  }
  set.palette = palette;
  return {};
}

}  // namespace zoe::sprite
