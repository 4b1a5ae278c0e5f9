// SPDX-License-Identifier: MIT
#include "zoe/scene/film.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "zoe/character/pose.h"
#include "zoe/math/box.h"
#include "zoe/render/film_writer.h"
#include "zoe/render/picture_file.h"

#include "scene/film_stage.h"

namespace zoe::scene {
namespace {

constexpr int kGap_px = 2;  // Between the poses of a sheet.
constexpr int kLeastCell_px = 16;

// Arrangement of clips or poses on the page. width and height are of one cell.
struct Layout {
  int columns = 1, rows = 1, width = 0, height = 0, gap = 0;
};

// Width by height of the bodies in a picture, the mean over clips of the widest pose, from the joints. A person with
// arms at the sides gets room for a step.
float aspect_of_bodies(const FilmRequest& request) {
  constexpr int kPoses = 8;
  constexpr float kLeast = 0.85F, kMost = 2.5F;
  float sum = 0;
  for (const ClipOnBody& clip : request.clips) {
    float widest = kLeast;
    std::vector<Affine> joints(static_cast<std::size_t>(clip.motion->num_joints()));
    for (int i = 0; i < kPoses; ++i) {
      compute_model_from_joint(*clip.motion->skeleton,
                               clip.motion->frame((clip.motion->num_frames - 1) * i / (kPoses - 1)), joints);
      Box3 box;
      for (std::size_t j = 0; j < joints.size(); ++j)
        if (clip.motion->skeleton->parent(static_cast<int>(j)) >= 0) box.add(joints[j].t);
      if (box.empty()) continue;
      const Vec3 size = box.size();
      // Seen from the side of the front, as by default: most of the length, half of the width.
      const float width = 0.85F * std::max(size.x, size.z) + 0.5F * std::min(size.x, size.z);
      widest = std::max(widest, width / std::max(size.y, 1e-6F));
    }
    sum += std::min(widest, kMost);
  }
  return sum / static_cast<float>(request.clips.size());
}

// Each clip begins a row. Its poses fill as many rows as give them the largest cells.
Layout sheet_layout(const FilmRequest& request) {
  const auto num_clips = static_cast<int>(request.clips.size());
  const float page = static_cast<float>(request.width) / static_cast<float>(request.height);
  Layout layout{.gap = kGap_px};
  layout.columns = best_columns(request.num_poses, aspect_of_bodies(request), page * static_cast<float>(num_clips));
  const auto rows = [&] { return num_clips * ((request.num_poses + layout.columns - 1) / layout.columns); };
  const auto height = [&] { return (request.height - kGap_px * (rows() - 1)) / rows(); };
  while (height() < kLeastCell_px && layout.columns < request.num_poses) ++layout.columns;
  layout.rows = rows();
  layout.width = (request.width - kGap_px * (layout.columns - 1)) / layout.columns;
  layout.height = height();
  return layout;
}

Layout picture_layout(const FilmRequest& request) {
  const auto num_clips = static_cast<int>(request.clips.size());
  const float page = static_cast<float>(request.width) / static_cast<float>(request.height);
  Layout layout;
  layout.columns = best_columns(num_clips, aspect_of_bodies(request), page);
  layout.rows = (num_clips + layout.columns - 1) / layout.columns;
  layout.width = request.width / layout.columns;
  layout.height = request.height / layout.rows;
  return layout;
}

std::string time_label(double time_s) { return fmt::format("{:.2f} s", time_s); }

double film_seconds(const FilmRequest& request) {
  if (request.seconds > 0) return request.seconds;
  double longest = 0;
  for (const ClipOnBody& clip : request.clips) longest = std::max(longest, clip.motion->duration_s());
  return std::max(longest - request.start_s, 0.0);
}

// True to continue.
bool tell(const FilmRequest& request, int num_done, int num_all) {
  return !request.on_picture || request.on_picture(num_done, num_all);
}

// N poses of each clip in a grid; the size is that of the whole sheet.
Result<void> make_sheet(const FilmRequest& request, FilmReport& report) {
  const Layout layout = sheet_layout(request);
  const auto num_clips = static_cast<int>(request.clips.size());
  FilmStage stage(request);
  ZOE_TRY(stage.open(layout.width, layout.height, report.warnings));
  report.driver = stage.driver();
  render::Picture page =
      render::make_picture(layout.columns * layout.width + kGap_px * (layout.columns - 1),
                           layout.rows * layout.height + kGap_px * (layout.rows - 1), 46, 50, 56, 255);
  render::Picture cell;
  for (int clip = 0; clip < num_clips && !report.interrupted; ++clip) {
    const auto panel = static_cast<std::size_t>(clip);
    const double duration_s = stage.duration_s(panel);
    const double seconds = request.seconds > 0 ? request.seconds : std::max(duration_s - request.start_s, 0.0);
    for (int i = 0; i < request.num_poses && !report.interrupted; ++i) {
      const double time_s = request.start_s + seconds * i / std::max(request.num_poses - 1, 1);
      const bool titled = request.labels && i == 0;
      // The last moment still belongs to this clip.
      ZOE_TRY(stage.draw(panel, std::min(time_s, std::max(duration_s - 1e-4, 0.0)),
                         titled ? request.clips[panel].title : "", request.labels ? time_label(time_s) : "", cell));
      const int column = i % layout.columns, row = clip * (layout.rows / num_clips) + i / layout.columns;
      render::paste(cell, column * (layout.width + kGap_px), row * (layout.height + kGap_px), page);
      ++report.num_pictures;
      report.interrupted = !tell(request, report.num_pictures, num_clips * request.num_poses);
    }
  }
  if (request.on_page) return request.on_page(page);
  return render::write_png(request.output, page, render::PngAlpha::kDrop);
}

// One clip fills the picture; several are side by side with their names.
Result<void> make_pictures(const FilmRequest& request, FilmReport& report) {
  const Layout layout = picture_layout(request);
  const auto num_clips = static_cast<int>(request.clips.size());
  FilmStage stage(request);
  ZOE_TRY(stage.open(layout.width, layout.height, report.warnings));
  report.driver = stage.driver();
  render::Picture page = render::make_picture(request.width, request.height, 46, 50, 56, request.transparent ? 0 : 255);
  render::Picture cell;
  const auto draw_all = [&](double time_s) -> Result<void> {
    for (int clip = 0; clip < num_clips; ++clip) {
      const auto panel = static_cast<std::size_t>(clip);
      const bool alone = num_clips == 1 && layout.width == request.width && layout.height == request.height;
      const std::string title = num_clips > 1 && request.labels ? request.clips[panel].title : "";
      ZOE_TRY(stage.draw(panel, time_s, title, "", alone ? page : cell));
      if (!alone)
        render::paste(cell, clip % layout.columns * layout.width, clip / layout.columns * layout.height, page);
    }
    ++report.num_pictures;
    return {};
  };

  const double seconds = film_seconds(request);
  const bool is_still = request.on_page ? request.time_s >= 0 : request.output.extension() == ".png";
  if (is_still) {
    ZOE_TRY(draw_all(request.time_s >= 0 ? request.time_s : request.start_s + seconds * 0.5));
    if (request.on_page) return request.on_page(page);
    return render::write_png(request.output, page,
                             request.transparent ? render::PngAlpha::kKeep : render::PngAlpha::kDrop);
  }
  const int num_frames = std::max(static_cast<int>(std::lround(seconds * request.fps)), 1);
  std::unique_ptr<render::FilmWriter> writer;
  if (!request.on_page) {
    ZOE_TRY_ASSIGN(writer, render::FilmWriter::open(request.output, {.width = request.width,
                                                                     .height = request.height,
                                                                     .fps = request.fps,
                                                                     .alpha = request.transparent}));
  }
  for (int i = 0; i < num_frames && !report.interrupted; ++i) {
    ZOE_TRY(draw_all(request.start_s + static_cast<double>(i) / request.fps));
    ZOE_TRY(writer ? writer->add(page) : request.on_page(page));
    report.interrupted = !tell(request, i + 1, num_frames);
  }
  return writer ? writer->finish() : Result<void>{};
}

}  // namespace

int best_columns(int num_cells, float body_aspect, float page_aspect) {
  int best = 1;
  float best_size = 0;
  for (int columns = 1; columns <= num_cells; ++columns) {
    const int rows = (num_cells + columns - 1) / columns;
    const float width = page_aspect / static_cast<float>(columns), height = 1.0F / static_cast<float>(rows);
    const float size = std::min(width / body_aspect, height) *
                       (1 - 0.05F * static_cast<float>(columns * rows - num_cells) / static_cast<float>(num_cells));
    if (size > best_size) {
      best_size = size;
      best = columns;
    }
  }
  return best;
}

Result<void> check_film(const FilmRequest& request) {
  const std::string extension = request.output.extension().string();
  const Where where{.file = request.output.string()};
  if (request.sheet && extension != ".png" && !request.on_page)
    return Error{ErrorCode::kUsage, "a sheet is one picture: -o FILE.png", where};
  if (!extension.empty() && extension != ".png" && !render::is_film(request.output))
    return Error{ErrorCode::kUsage, "-o takes .png, .mp4, .gif, .webp, or a folder (no extension)", where};
  if (request.clips.empty()) return {};
  const Layout layout = request.sheet ? sheet_layout(request) : picture_layout(request);
  if (std::min(layout.width, layout.height) >= kLeastCell_px) return {};
  const std::string what =
      request.sheet ? fmt::format("{} poses do not fit {} x {} pixels: give a larger --size or fewer --poses",
                                  layout.columns * layout.rows, request.width, request.height)
                    : fmt::format("{} clips do not fit {} x {} pixels: give a larger --size", request.clips.size(),
                                  request.width, request.height);
  return Error{ErrorCode::kUsage, what};
}

Result<FilmReport> make_film(const FilmRequest& request) {
  ZOE_CHECK(!request.clips.empty(), "a film needs a clip");
  ZOE_TRY(check_film(request));
  const auto start = std::chrono::steady_clock::now();
  FilmReport report;
  ZOE_TRY(request.sheet ? make_sheet(request, report) : make_pictures(request, report));
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

}  // namespace zoe::scene
