// SPDX-License-Identifier: MIT
#include "zoe/sprite/generate/make_painted.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "zoe/core/index.h"
#include "zoe/sprite/generate/pack.h"
#include "zoe/sprite/generate/video.h"

#include "sprite/generate/guess.h"
#include "sprite/generate/paint_clip.h"
#include "sprite/generate/puppet_pose.h"
#include "sprite/puppet/canvas.h"
#include "sprite/puppet/drive.h"
#include "sprite/puppet/resize.h"

namespace zoe::sprite {
namespace {

constexpr double kEdge = 1;  // Transparent pixels around all frames.
constexpr int kPainterColors = 32;

// Every zoom x zoom block as one pixel: its most frequent index.
paint::SoftPicture shrunk(std::span<const std::uint8_t> pixels, int size, int zoom) {
  const int small = size / zoom;
  paint::SoftPicture out;
  out.pixels.resize(idx(small) * idx(small));
  out.coverage.resize(out.pixels.size());
  for (int y = 0; y < small; ++y) {
    for (int x = 0; x < small; ++x) {
      std::array<int, paint::kMaxColors + 1> votes{};
      std::uint8_t best = 0;
      for (int k = 0; k < zoom * zoom; ++k) {
        const std::uint8_t index = pixels[idx(y * zoom + k / zoom) * idx(size) + idx(x * zoom + k % zoom)];
        if (++votes[index] > votes[best]) best = index;
      }
      out.pixels[idx(y) * idx(small) + idx(x)] = best;
      out.coverage[idx(y) * idx(small) + idx(x)] = best > 0 ? paint::kFullCoverage : std::uint8_t{0};
    }
  }
  return out;
}

// Mirrored about the canvas's column `middle` where a body has turned round.
render::Picture picture_of(const paint::SoftPicture& picture, std::span<const Rgb> palette, int size, bool mirror,
                           int middle) {
  render::Picture out = render::make_picture(size, size, 0, 0, 0, 0);
  const std::vector<std::uint8_t> rgba = rgba_of(picture, palette);
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) {
      const int from = mirror ? 2 * middle - 1 - x : x;
      if (from < 0 || from >= size) continue;
      std::copy_n(rgba.begin() + static_cast<std::ptrdiff_t>(4 * (idx(y) * idx(size) + idx(from))), 4, out.pixel(x, y));
    }
  }
  return out;
}

// All that is to be painted of a drawing, on a canvas of the network's size.
struct PaintedDrawing {
  FrameSet set;            // Frames without bodies.
  render::Picture canvas;  // The drawing.
  std::vector<paint::Color> colors;
  paint::Pose pose;
  struct Job {
    paint::Pose pose;
    paint::SoftPicture guess;
    bool mirror = false;
    int middle = 0;
  };
  std::vector<Job> jobs;  // One a frame.
  bool whole_pixels = false;
  int size = 0, zoom = 1;

  void put(std::size_t frame, paint::SoftPicture& picture) {
    if (whole_pixels) harden(picture);
    if (zoom > 1) picture = shrunk(picture.pixels, size, zoom);
    const Job& job = jobs[frame];
    set.frames[frame].body = trim(picture_of(picture, set.palette, set.width, job.mirror, job.middle));
  }
};

Result<PaintedDrawing> drive_drawing(const PuppetRequest& request, int size, Warnings& warnings) {
  ZOE_CHECK(!request.clips.empty(), "make_painted: at least one clip");
  if (request.rig.body != PuppetBody::kHumanoid) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("the figure looks like {}: painters know bodies with two arms and two legs; use `zoe "
                             "sprite puppet`, or --humanoid",
                             request.rig.body == PuppetBody::kAnimal ? "an animal" : "a body without limbs"),
                 {}};
  }
  render::Picture figure = request.rig.flipped ? mirrored(request.cut.figure) : request.cut.figure;
  PuppetRig rig = request.rig;
  std::optional<Puppet> puppet(std::in_place, figure, rig);
  PuppetReach reach = reach_of(*puppet, request);
  const auto needs = [&] {
    return std::max(2 * std::max(reach.left, reach.right), reach.top + reach.bottom) + 2 * kEdge;
  };
  if (!(needs() < 1e5)) return Error{ErrorCode::kInvalid, "the motion throws the figure far away", {}};
  const bool fits = needs() <= size;
  if (!fits || !request.cut.pixel_art) {
    const double scale = (size - 2 * kEdge - 2) / (needs() - 2 * kEdge);
    if (request.cut.pixel_art) {
      warnings.push_back({fmt::format("pixel art needs {} pixels with this motion and was made smaller to fit {}",
                                      static_cast<int>(std::ceil(needs())), size),
                          {}});
    }
    const int width = std::max(4, static_cast<int>(std::lround(figure.width * scale))),
              height = std::max(4, static_cast<int>(std::lround(figure.height * scale)));
    rig = scaled(rig, static_cast<double>(width) / figure.width, static_cast<double>(height) / figure.height);
    figure = resized(figure, width, height);
    puppet.emplace(figure, rig);
    reach = reach_of(*puppet, request);
  }
  // Small pixel art is painted several times as large: the network knows bodies that fill its canvas.
  const int zoom = fits && request.cut.pixel_art ? std::max(1, static_cast<int>(size / needs())) : 1;
  if (zoom > 1) {
    figure = repeated(figure, zoom);
    rig = scaled(rig, zoom, zoom);
    puppet.emplace(figure, rig);
    reach = reach_of(*puppet, request);
  }
  PaintedDrawing out;
  out.size = size;
  out.zoom = zoom;
  FrameSet& set = out.set;
  // In pixels of the network's canvas; whole pixels of the frames.
  const int pivot_x = zoom * (size / zoom / 2),
            pivot_y = zoom * ((size - static_cast<int>(std::ceil(reach.bottom + kEdge))) / zoom);
  set.width = set.height = size / zoom;
  set.pivot_x = pivot_x / zoom;
  set.pivot_y = pivot_y / zoom;

  const PuppetDriver first = driver_of(*puppet, request.clips[0], request);
  const Point pivot{zoom * std::round(first.pivot().x / zoom), zoom * std::round(first.pivot().y / zoom)};
  const Point offset = Point{static_cast<double>(pivot_x), static_cast<double>(pivot_y)} - pivot;
  render::Picture canvas = render::make_picture(size, size, 0, 0, 0, 0);
  render::paste(figure, static_cast<int>(offset.x), static_cast<int>(offset.y), canvas);
  set.palette = colors_of_picture(canvas, kPainterColors);
  if (set.palette.empty()) return Error{ErrorCode::kInvalid, "nothing of the figure is left at this size", {}};
  for (const Rgb color : set.palette) out.colors.push_back({color.r, color.g, color.b});
  out.canvas = canvas;
  out.pose = pose_of_rig(rig, offset, size);

  // Soft edges stay soft; pixel art has none.
  out.whole_pixels = request.cut.pixel_art || zoom > 1;
  PuppetPainter puppet_painter(*puppet, out.whole_pixels);
  std::vector<std::vector<Point>> vertices;
  for (const PuppetClip& clip : request.clips) {
    const PuppetDriver driver = driver_of(*puppet, clip, request);
    set.pixels_per_metre =
        static_cast<float>(driver.scale() / zoom * (clip.body.metres_per_unit > 0 ? 1 / clip.body.metres_per_unit : 1));
    for (const Exposure& exposure : clip.exposures) {
      PuppetPose driven = driver.pose(exposure.time_s);
      const bool mirror = driven.width < 0;
      driven.width = 1;
      puppet->deform(driven, vertices);
      puppet_painter.draw(vertices, puppet->draw_order(driven), offset, size, size, canvas);
      out.jobs.push_back({pose_of_puppet(*puppet, driven, offset, size), soft_picture(canvas, set.palette), mirror,
                          static_cast<int>(std::lround((driven.middle + offset.x) / zoom))});
      Frame frame{.duration_ms = exposure.duration_ms};
      frame.root_x = static_cast<float>(driver.removed_travel(exposure.time_s) / zoom);
      set.frames.push_back(std::move(frame));
    }
    add_animation(clip, request, set);
  }
  return out;
}

}  // namespace

Result<FrameSet> make_painted(const PuppetRequest& request, const paint::Painter& painter, Executor& executor,
                              Warnings& warnings) {
  ZOE_TRY_ASSIGN(PaintedDrawing drawing, drive_drawing(request, painter.size(), warnings));
  const paint::Reference reference({drawing.size, indices_of(drawing.canvas, drawing.set.palette)}, drawing.colors,
                                   drawing.pose);
  for (std::size_t c = 0; c < drawing.set.animations.size(); ++c) {
    const Animation& animation = drawing.set.animations[c];
    const std::size_t first = idx(animation.first), count = idx(animation.count);
    std::vector<paint::Pose> poses;
    std::vector<paint::SoftPicture> guesses, painted(count);
    for (std::size_t i = first; i < first + count; ++i) {
      poses.push_back(drawing.jobs[i].pose);
      guesses.push_back(drawing.jobs[i].guess);
    }
    paint_clip(painter, reference, poses, guesses, request.clips[c].loop, executor, painted);
    for (std::size_t i = 0; i < count; ++i) drawing.put(first + i, painted[i]);
  }
  return std::move(drawing.set);
}

Result<FrameSet> make_painted(const PuppetRequest& request, const paint::VideoPainter& painter,
                              std::string_view caption, const VideoLook& look, Executor& executor, Warnings& warnings) {
  ZOE_TRY_ASSIGN(PaintedDrawing drawing, drive_drawing(request, painter.size(), warnings));
  const paint::SoftPicture reference = soft_picture(drawing.canvas, drawing.set.palette);
  for (const Animation& animation : drawing.set.animations) {
    VideoClip clip;
    clip.reference = {&reference, drawing.colors, drawing.pose};
    clip.caption = caption;
    clip.loop = animation.loop;
    clip.whole_pixels = drawing.whole_pixels;
    const std::size_t first = idx(animation.first);
    for (std::size_t i = first; i < first + idx(animation.count); ++i) {
      clip.poses.push_back(drawing.jobs[i].pose);
      clip.guesses.push_back(drawing.jobs[i].guess);
    }
    ZOE_TRY_ASSIGN(std::vector<paint::SoftPicture> frames, paint_video(painter, clip, look, executor));
    for (std::size_t f = 0; f < frames.size(); ++f) drawing.put(first + f, frames[f]);
  }
  return std::move(drawing.set);
}

}  // namespace zoe::sprite
