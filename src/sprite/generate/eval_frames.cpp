// SPDX-License-Identifier: MIT
#include "sprite/generate/eval_frames.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "zoe/core/index.h"
#include "zoe/sprite/identity/identity.h"

#include "sprite/generate/guess.h"
#include "sprite/generate/paint_clip.h"
#include "sprite/generate/serial_executor.h"

namespace zoe::sprite {
namespace {

std::vector<Rgb> palette_of(const paint::ClipFile& clips, std::size_t clip) {
  std::vector<Rgb> palette;
  for (const paint::Color& c : clips.palette(clip)) palette.push_back({c[0], c[1], c[2]});
  return palette;
}

render::Picture drawing_of(const paint::ClipFile& clips, std::size_t clip) {
  return picture_of_bytes(clips.truth(clips.first_frame(clip)), clips.size());
}

// flat: without depth and facing.
paint::Pose pose_of(const paint::ClipFile& clips, std::size_t frame, bool flat) {
  paint::Pose pose = paint::read_pose(clips.pose(frame));
  if (!flat) return pose;
  for (paint::PosePoint& p : pose.points) p.depth = 0;
  pose.facing_cos = pose.facing_sin = 0;
  return pose;
}

paint::Reference reference_of(const paint::ClipFile& clips, std::size_t clip, bool flat = false) {
  const std::size_t first = clips.first_frame(clip);
  const auto pixels = clips.pixels(first);
  return {{clips.size(), {pixels.begin(), pixels.end()}}, clips.palette(clip), pose_of(clips, first, flat)};
}

// Squared distance of two pixels on black and on white.
double distance_between(const std::array<std::uint8_t, 4>& a, const std::uint8_t* b) {
  double sum = 0;
  const double apart = a[3] - b[3];
  for (std::size_t c = 0; c < 3; ++c) {
    const double black = (a[c] * a[3] - b[c] * b[3]) / 255.0, white = black - apart;
    sum += black * black + white * white;
  }
  return sum;
}

}  // namespace

render::Picture picture_of_bytes(std::span<const std::uint8_t> rgba, int size) {
  render::Picture picture = render::make_picture(size, size, 0, 0, 0, 0);
  std::copy(rgba.begin(), rgba.end(), picture.rgba.begin());
  return picture;
}

Frames true_frames(const paint::ClipFile& clips, std::size_t clip) {
  Frames frames;
  for (std::size_t f = clips.first_frame(clip) + 1; f < clips.first_frame(clip + 1); ++f)
    frames.emplace_back(clips.truth(f).begin(), clips.truth(f).end());
  return frames;
}

Frames copied_frames(const paint::ClipFile& clips, std::size_t clip) {
  const auto reference = clips.truth(clips.first_frame(clip));
  return Frames(clips.first_frame(clip + 1) - clips.first_frame(clip) - 1,
                std::vector<std::uint8_t>(reference.begin(), reference.end()));
}

Frames puppet_frames(const paint::ClipFile& clips, std::size_t clip) {
  const std::size_t first = clips.first_frame(clip);
  PosedPuppet puppet(drawing_of(clips, clip), paint::read_pose(clips.pose(first)));
  Frames frames;
  for (std::size_t f = first + 1; f < clips.first_frame(clip + 1); ++f)
    frames.push_back(puppet.draw(paint::read_pose(clips.pose(f))).rgba);
  return frames;
}

Frames guessed_frames(const paint::ClipFile& clips, std::size_t clip) {
  const std::vector<Rgb> palette = palette_of(clips, clip);
  Frames frames = puppet_frames(clips, clip);
  for (auto& frame : frames) frame = rgba_of(soft_picture(picture_of_bytes(frame, clips.size()), palette), palette);
  return frames;
}

Frames painted_frames(const paint::Painter& painter, const paint::ClipFile& clips, std::size_t clip, bool flat) {
  const std::vector<Rgb> palette = palette_of(clips, clip);
  const paint::Reference reference = reference_of(clips, clip, flat);
  const bool whole_pixels = has_whole_pixels(clips.truth(clips.first_frame(clip)));
  Frames frames = puppet_frames(clips, clip);
  std::vector<paint::Pose> poses;
  std::vector<paint::SoftPicture> guesses;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    guesses.push_back(soft_picture(picture_of_bytes(frames[i], clips.size()), palette));
    poses.push_back(pose_of(clips, clips.first_frame(clip) + 1 + i, flat));
  }
  std::vector<paint::SoftPicture> painted(frames.size());
  SerialExecutor serial;
  paint_clip(painter, reference, poses, guesses, identity::action_loops(clips.label(clip).action), serial, painted);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (whole_pixels) harden(painted[i]);
    frames[i] = rgba_of(painted[i], palette);
  }
  return frames;
}

Frames video_frames(const paint::VideoPainter& painter, const VideoLook& look, const paint::ClipFile& clips,
                    std::size_t clip, bool flat) {
  const int size = clips.size();
  const std::size_t first = clips.first_frame(clip);
  const std::vector<Rgb> palette = palette_of(clips, clip);
  const std::vector<paint::Color> colors = clips.palette(clip);
  const paint::SoftPicture reference = soft_picture(drawing_of(clips, clip), palette);
  const bool whole_pixels = has_whole_pixels(clips.truth(first));
  VideoClip video;
  video.reference = {&reference, colors, pose_of(clips, first, flat)};
  video.loop = identity::action_loops(clips.label(clip).action);
  video.whole_pixels = whole_pixels;
  const Frames guesses = puppet_frames(clips, clip);
  for (std::size_t f = 0; f < guesses.size(); ++f) {
    video.poses.push_back(pose_of(clips, first + 1 + f, flat));
    video.guesses.push_back(soft_picture(picture_of_bytes(guesses[f], size), palette));
  }
  SerialExecutor serial;
  const std::vector<paint::SoftPicture> painted = paint_video(painter, video, look, serial).value();
  Frames frames;
  for (const paint::SoftPicture& picture : painted) frames.push_back(rgba_of(picture, palette));
  return frames;
}

Frames best_frames(const paint::ClipFile& clips, std::size_t clip, bool with_guess) {
  const std::vector<Rgb> palette = palette_of(clips, clip);
  const paint::Reference reference = reference_of(clips, clip);
  const int size = clips.size();
  std::vector<float> features(reference.num_pixels() * paint::kNumFeatures);
  std::vector<std::uint8_t> carried(reference.num_pixels() * paint::kNumLayers);
  Frames frames = puppet_frames(clips, clip);
  for (std::size_t f = 0; f < frames.size(); ++f) {
    const std::size_t number = clips.first_frame(clip) + 1 + f;
    const paint::Pose pose = paint::read_pose(clips.pose(number));
    const paint::SoftPicture guess = soft_picture(picture_of_bytes(frames[f], size), palette);
    reference.describe(pose, guess, features, carried);
    const auto layers = paint::shared_layers(pose, reference.pose());
    for (std::size_t i = 0; i < reference.num_pixels(); ++i) {
      std::array<std::uint8_t, 4> best{};
      double nearest = distance_between(best, clips.truth(number).data() + 4 * i);
      const auto offer = [&](std::size_t index, int coverage) {
        if (index == 0) return;
        const Rgb color = palette[index - 1];
        const std::array<std::uint8_t, 4> pixel{color.r, color.g, color.b,
                                                static_cast<std::uint8_t>(coverage * 255 / paint::kFullCoverage)};
        const double apart = distance_between(pixel, clips.truth(number).data() + 4 * i);
        if (apart < nearest) nearest = apart, best = pixel;
      };
      for (std::size_t l = 0; l < paint::kNumLayers; ++l)
        if (layers[l]) offer(carried[i * paint::kNumLayers + l], paint::kFullCoverage);
      for (const paint::PixelStep step : paint::kGuessSteps) {
        const int x = static_cast<int>(i) % size + step.x, y = static_cast<int>(i) / size + step.y;
        if (!with_guess || x < 0 || y < 0 || x >= size || y >= size) continue;
        offer(guess.pixels[idx(y * size + x)], guess.coverage[idx(y * size + x)]);
      }
      std::copy(best.begin(), best.end(), frames[f].begin() + static_cast<std::ptrdiff_t>(4 * i));
    }
  }
  return frames;
}

}  // namespace zoe::sprite
