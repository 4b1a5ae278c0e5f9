// SPDX-License-Identifier: MIT
#include "zoe/sprite/puppet/make_puppet.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "zoe/core/index.h"

#include "sprite/puppet/canvas.h"
#include "sprite/puppet/drive.h"
#include "sprite/puppet/paint.h"
#include "sprite/puppet/resize.h"

namespace zoe::sprite {
namespace {

constexpr double kMargin = 2;  // Pixels around the figure in its canvas.
constexpr int kLargestCanvas = 2048;
constexpr int kCopy = 128;

// Of the processor: other programs do not count.
double seconds_from(std::clock_t start) {
  return static_cast<double>(std::clock() - start) / static_cast<double>(CLOCKS_PER_SEC);
}

// Bones and meshes as drawn, from the pivot.
Skeletal skeletal_of(const Puppet& puppet, Point pivot) {
  Skeletal out;
  const PuppetRig& rig = puppet.rig();
  for (const PuppetBone& bone : puppet.bones()) {
    const Point from = rig.joints[idx(bone.from)].position, to = rig.joints[idx(bone.to)].position;
    const double size = distance(from, to);
    out.bones.push_back(
        {rig.joints[idx(bone.to)].name, from - pivot, size > 1e-6 ? angle_of(to - from) : angle_of({0, 1}), size});
  }
  for (const PuppetPart& part : puppet.parts()) {
    SkeletalPart drawn{.name = part.name, .bones = part.bone_of};
    Point low{1e30, 1e30}, high{-1e30, -1e30};
    for (const Point v : part.solver.rest()) {
      low = {std::min(low.x, v.x), std::min(low.y, v.y)};
      high = {std::max(high.x, v.x), std::max(high.y, v.y)};
      drawn.rest.push_back(v - pivot);
    }
    if (drawn.rest.empty()) low = high = {0, 0};
    const Point corner{std::floor(low.x), std::floor(low.y)};
    drawn.texture = cropped(part.texture, static_cast<int>(corner.x), static_cast<int>(corner.y),
                            std::max(1, static_cast<int>(std::ceil(high.x - corner.x))),
                            std::max(1, static_cast<int>(std::ceil(high.y - corner.y))));
    drawn.origin = corner - pivot;
    for (const MeshTriangle& triangle : part.triangles)
      drawn.triangles.push_back({triangle.vertices[0], triangle.vertices[1], triangle.vertices[2]});
    out.parts.push_back(std::move(drawn));
  }
  return out;
}

SkeletalFrame skeletal_frame(const PuppetPose& pose, const std::vector<std::vector<Point>>& vertices,
                             std::vector<int> order, int duration_ms, Point pivot) {
  SkeletalFrame frame{.duration_ms = duration_ms, .vertices = vertices, .order = std::move(order)};
  for (const BonePose& bone : pose.bones)
    frame.bones.push_back({bone.from - pivot, bone.turn_rad, bone.along, bone.across});
  for (std::vector<Point>& part : frame.vertices)
    for (Point& v : part) v = v - pivot;
  return frame;
}

std::vector<Rgb> colors_of(const render::Picture& figure) {
  std::set<std::uint32_t> colors;
  for (std::size_t i = 0; i < figure.rgba.size(); i += 4) {
    const std::uint8_t* p = figure.rgba.data() + i;
    if (p[3] != 0) colors.insert(std::uint32_t{p[0]} << 16 | std::uint32_t{p[1]} << 8 | p[2]);
  }
  std::vector<Rgb> palette;
  for (const std::uint32_t c : colors)
    palette.push_back({static_cast<std::uint8_t>(c >> 16), static_cast<std::uint8_t>(c >> 8 & 255),
                       static_cast<std::uint8_t>(c & 255)});
  return palette;
}

}  // namespace

Result<FrameSet> make_puppet(const PuppetRequest& request, PuppetReport* report, Skeletal* skeletal) {
  ZOE_CHECK(!request.clips.empty(), "make_puppet: at least one clip");
  const std::clock_t start = std::clock();
  render::Picture figure = request.rig.flipped ? mirrored(request.cut.figure) : request.cut.figure;
  PuppetRig rig = request.rig;
  const bool pixel_art = request.cut.pixel_art;
  PuppetReach reach;
  // Scales are found with a small copy: the mesh has the same cells.
  const bool fits = !pixel_art && request.size_px > 0;
  std::optional<Puppet> puppet;
  double factor = 1;  // Of the copy.
  if (fits) {
    factor = std::min(1.0, static_cast<double>(kCopy) / std::max(figure.width, figure.height));
    puppet.emplace(resized(figure, std::max(4, static_cast<int>(figure.width * factor)),
                           std::max(4, static_cast<int>(figure.height * factor))),
                   scaled(rig, factor, factor));
  } else {
    puppet.emplace(figure, rig);
  }
  reach = reach_of(*puppet, request);
  for (double* side : {&reach.left, &reach.right, &reach.top, &reach.bottom}) *side /= factor;
  const double wide = 2 * std::max(reach.left, reach.right) + 2 * kMargin;
  const double tall = reach.top + reach.bottom + 2 * kMargin;
  if (!(wide < 1e5 && tall < 1e5)) return Error{ErrorCode::kInvalid, "the motion throws the figure far away", {}};
  if (request.size_px > 0 && pixel_art && std::max(wide, tall) > request.size_px) {
    return Error{ErrorCode::kUsage,
                 fmt::format("the figure needs a canvas of {} pixels; pixel art is not scaled, {} are too few",
                             static_cast<int>(std::ceil(std::max(wide, tall))), request.size_px),
                 {}};
  }
  if (fits) {
    // One unit of the drawing is scaled so that all frames fit.
    const double scale = (0.98 * request.size_px - 2 * kMargin - 2) / std::max(wide - 2 * kMargin, tall - 2 * kMargin);
    const int width = std::max(4, static_cast<int>(std::lround(figure.width * scale))),
              height = std::max(4, static_cast<int>(std::lround(figure.height * scale)));
    rig = scaled(rig, static_cast<double>(width) / figure.width, static_cast<double>(height) / figure.height);
    figure = resized(figure, width, height);
    puppet.emplace(figure, rig);
    reach = reach_of(*puppet, request);
  }
  FrameSet set;
  const int half = static_cast<int>(std::ceil(std::max(reach.left, reach.right) + kMargin));
  const int bottom = static_cast<int>(std::ceil(reach.bottom + kMargin));
  set.width = request.size_px > 0 ? request.size_px : 2 * half;
  set.height = request.size_px > 0 ? request.size_px : static_cast<int>(std::ceil(reach.top + kMargin)) + bottom;
  if (std::max(set.width, set.height) > kLargestCanvas) {
    return Error{ErrorCode::kLimit,
                 fmt::format("frames of {} x {} pixels are too large: at most {} are possible; give --size", set.width,
                             set.height, kLargestCanvas),
                 {}};
  }
  set.pivot_x = set.width / 2;
  set.pivot_y = set.height - bottom;
  if (pixel_art) set.palette = colors_of(figure);
  if (set.palette.size() > 255 || set.palette.size() < 2) set.palette.clear();
  PuppetPainter painter(*puppet, pixel_art);
  const double prepared_s = seconds_from(start);
  const std::clock_t drawing = std::clock();
  std::vector<std::vector<Point>> vertices;
  render::Picture canvas;
  for (const PuppetClip& clip : request.clips) {
    const PuppetDriver driver = driver_of(*puppet, clip, request);
    set.pixels_per_metre =
        static_cast<float>(driver.scale() * (clip.body.metres_per_unit > 0 ? 1 / clip.body.metres_per_unit : 1));
    const Point pivot{std::round(driver.pivot().x), std::round(driver.pivot().y)};
    // Whole pixels: pixel art does not swim on its grid.
    const Point offset = Point{static_cast<double>(set.pivot_x), static_cast<double>(set.pivot_y)} - pivot;
    if (skeletal != nullptr) {
      if (skeletal->parts.empty()) {
        *skeletal = skeletal_of(*puppet, pivot);
        skeletal->width = set.width;
        skeletal->height = set.height;
        skeletal->pixel_art = pixel_art;
      }
      skeletal->clips.push_back({clip.name, clip.loop, {}});
    }
    for (const Exposure& exposure : clip.exposures) {
      const PuppetPose pose = driver.pose(exposure.time_s);
      puppet->deform(pose, vertices);
      std::vector<int> order = puppet->draw_order(pose);
      painter.draw(vertices, order, offset, set.width, set.height, canvas);
      if (skeletal != nullptr) {
        skeletal->clips.back().frames.push_back(
            skeletal_frame(pose, vertices, std::move(order), exposure.duration_ms, pivot));
      }
      Frame frame{.body = trim(canvas), .duration_ms = exposure.duration_ms};
      frame.root_x = static_cast<float>(driver.removed_travel(exposure.time_s));
      set.frames.push_back(std::move(frame));
    }
    add_animation(clip, request, set);
  }
  if (report != nullptr) {
    report->setup_s = prepared_s;
    report->frame_s = seconds_from(drawing) / static_cast<double>(set.frames.size());
    report->num_vertices = 0;
    for (const PuppetPart& part : puppet->parts()) report->num_vertices += static_cast<int>(part.solver.num_vertices());
  }
  return set;
}

}  // namespace zoe::sprite
