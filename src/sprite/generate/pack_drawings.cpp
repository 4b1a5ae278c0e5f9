// SPDX-License-Identifier: MIT
#include "zoe/sprite/generate/pack_drawings.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "zoe/core/hash64.h"
#include "zoe/core/index.h"
#include "zoe/core/random.h"
#include "zoe/sprite/generate/pack.h"
#include "zoe/sprite/puppet/find_rig.h"

#include "sprite/generate/guess.h"
#include "sprite/generate/paint_clip.h"
#include "sprite/generate/puppet_pose.h"
#include "sprite/generate/serial_executor.h"
#include "sprite/puppet/mask.h"
#include "sprite/puppet/resize.h"

namespace zoe::sprite {
namespace {

constexpr int kLeastHeight = 10;
constexpr std::size_t kMostFigures = 256;
constexpr double kSureJoints = 0.5;
constexpr float kJointNoise = 0.006F;  // Of the puppet that guesses, fractions of the canvas.

struct LimbChain {
  std::size_t first;    // The joint it turns about; the next two follow.
  double upper, lower;  // Deviations of the angles, degrees.
};
constexpr LimbChain kChains[] = {{paint::kRightShoulder, 40, 30},
                                 {paint::kLeftShoulder, 40, 30},
                                 {paint::kRightHip, 25, 25},
                                 {paint::kLeftHip, 25, 25}};

void turn(paint::PosePoint& p, const paint::PosePoint& about, double angle) {
  const double c = std::cos(angle), s = std::sin(angle), x = static_cast<double>(p.x - about.x),
               y = static_cast<double>(p.y - about.y);
  p.x = about.x + static_cast<float>(c * x - s * y);
  p.y = about.y + static_cast<float>(s * x + c * y);
}

// Limbs at other angles, the trunk leans.
paint::Pose bent(const paint::Pose& drawn, Random& random) {
  paint::Pose pose = drawn;
  const auto angle = [&](double deviation_deg) {
    return deviation_deg * std::numbers::pi / 180 * static_cast<double>(random.normal());
  };
  const double lean = angle(6);
  for (std::size_t j = paint::kNeck; j <= paint::kLeftHand; ++j) turn(pose.points[j], pose.points[paint::kHips], lean);
  for (const LimbChain& chain : kChains) {
    const double upper = angle(chain.upper), lower = angle(chain.lower);
    turn(pose.points[chain.first + 1], pose.points[chain.first], upper);
    turn(pose.points[chain.first + 2], pose.points[chain.first], upper);
    turn(pose.points[chain.first + 2], pose.points[chain.first + 1], lower);
  }
  return pose;
}

paint::Pose a_little_off(paint::Pose pose, Random& random) {
  for (paint::PosePoint& p : pose.points) {
    p.x += kJointNoise * static_cast<float>(random.normal());
    p.y += kJointNoise * static_cast<float>(random.normal());
  }
  return pose;
}

}  // namespace

std::vector<render::Picture> figures_of_sheet(const render::Picture& sheet) {
  Mask mask(sheet.width, sheet.height);
  for (int y = 0; y < sheet.height; ++y)
    for (int x = 0; x < sheet.width; ++x) mask.at(x, y) = sheet.pixel(x, y)[3] >= 64 ? 1 : 0;
  std::vector<int> sizes;
  const bool whole_pixels = has_whole_pixels(sheet.rgba);
  const Grid<int> parts = parts_of(whole_pixels ? mask : dilated(mask, 1.5), sizes);
  std::vector<Box> boxes(sizes.size(), Box{sheet.width, sheet.height, 0, 0});
  for (int y = 0; y < sheet.height; ++y) {
    for (int x = 0; x < sheet.width; ++x) {
      if (mask.at(x, y) == 0 || parts.at(x, y) == 0) continue;
      Box& box = boxes[idx(parts.at(x, y) - 1)];
      box = {std::min(box.left, x), std::min(box.top, y), std::max(box.right, x + 1), std::max(box.bottom, y + 1)};
    }
  }
  int tallest = 0;
  for (const Box& box : boxes) tallest = std::max(tallest, box.empty() ? 0 : box.height());
  std::vector<render::Picture> figures;
  for (std::size_t part = 0; part < boxes.size() && figures.size() < kMostFigures; ++part) {
    const Box& box = boxes[part];
    if (box.empty() || box.height() < std::max(kLeastHeight, tallest / 3) || 4 * box.width() < box.height()) continue;
    render::Picture figure = cropped(sheet, box.left, box.top, box.width(), box.height());
    for (int y = 0; y < figure.height; ++y)  // Boxes of neighbours may overlap.
      for (int x = 0; x < figure.width; ++x)
        if (const int owner = parts.at(box.left + x, box.top + y); owner != static_cast<int>(part) + 1)
          std::fill_n(figure.pixel(x, y), 4, std::uint8_t{0});
    figures.push_back(std::move(figure));
  }
  return figures;
}

render::Picture on_canvas(const render::Picture& figure, int size_px) {
  const int room = size_px - 4, longest = std::max(figure.width, figure.height);
  render::Picture fitted = figure;
  if (longest <= room && has_whole_pixels(figure.rgba)) {
    fitted = repeated(figure, std::max(1, room / longest));
  } else {
    const double scale = 0.92 * room / longest;
    fitted = resized(figure, std::max(1, static_cast<int>(std::lround(figure.width * scale))),
                     std::max(1, static_cast<int>(std::lround(figure.height * scale))));
  }
  render::Picture canvas = render::make_picture(size_px, size_px, 0, 0, 0, 0);
  render::paste(fitted, (size_px - fitted.width) / 2, size_px - 3 - fitted.height, canvas);
  for (std::size_t i = 0; i < canvas.rgba.size(); i += 4)  // Transparent pixels of files have stray colours.
    if (canvas.rgba[i + 3] == 0) std::fill_n(canvas.rgba.begin() + static_cast<std::ptrdiff_t>(i), 3, std::uint8_t{0});
  return canvas;
}

std::vector<paint::PaintClip> pack_drawings(const render::Picture& sheet, const std::string& source,
                                            const PackDrawings& how) {
  std::vector<paint::PaintClip> clips;
  int number = 0;
  for (const render::Picture& figure : figures_of_sheet(sheet)) {
    const render::Picture drawing = on_canvas(figure, how.size_px);
    const std::vector<Rgb> palette = colors_of_picture(drawing, how.num_colors);
    if (palette.empty()) continue;
    paint::PaintClip clip;
    clip.label = {source, "drawing", "still", "drawn", "-"};
    clip.answers[paint::kAskDrawn] = 1;
    for (const Rgb color : palette) clip.palette.push_back({color.r, color.g, color.b});
    const std::vector<std::uint8_t> indices = indices_of(drawing, palette);
    if (how.num_bent == 0) {
      clip.pixels = {indices, indices};
      clip.poses.resize(2);
      clips.push_back(std::move(clip));
      continue;
    }
    const PuppetRig rig = find_rig(drawing);
    if (rig.body != PuppetBody::kHumanoid || rig.flipped || rig.confidence() < kSureJoints) continue;
    const paint::Pose drawn = pose_of_rig(rig, {}, how.size_px);
    PosedPuppet puppet(drawing, drawn);
    Random random =
        Random(how.seed + hash64(std::as_bytes(std::span(source)))).split(static_cast<std::uint64_t>(number++));
    for (int k = 0; k < how.num_bent; ++k) {
      paint::PaintClip one = clip;
      const paint::Pose other = bent(drawn, random);
      const render::Picture reference = puppet.draw(other);
      one.pixels = {indices_of(reference, palette), indices};
      one.poses = {other, drawn};
      if (how.truth) {
        one.truth = {reference.rgba, drawing.rgba};
        clips.push_back(std::move(one));
        continue;
      }
      one.soft = {soft_picture(reference, palette)};
      one.guesses = {one.soft[0]};
      one.pixels.resize(1);
      one.poses.resize(1);
      for (int f = 0; f < how.num_frames; ++f) {
        const paint::Pose noisy = a_little_off(other, random);
        PosedPuppet back(reference, noisy);
        one.soft.push_back(soft_picture(drawing, palette));
        one.guesses.push_back(soft_picture(back.draw(drawn), palette));
        one.pixels.push_back(indices);
        one.poses.push_back(drawn);
        if (how.painter == nullptr) continue;
        SerialExecutor serial;
        paint_guesses(*how.painter,
                      {.picture = &one.soft[0],
                       .palette = one.palette,
                       .pose = noisy,
                       .poses = std::span(&drawn, 1),
                       .whole_pixels = has_whole_pixels(drawing.rgba)},
                      serial, std::span(one.guesses).last(1));
      }
      clips.push_back(std::move(one));
    }
  }
  return clips;
}

}  // namespace zoe::sprite
