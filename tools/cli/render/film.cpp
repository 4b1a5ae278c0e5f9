// SPDX-License-Identifier: MIT
#include "render/film.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <optional>

#include <fmt/format.h>

#include "zoe/core/progress.h"
#include "zoe/render/film_writer.h"
#include "zoe/render/picture_file.h"
#include "zoe/render/renderer.h"

#include "render/surroundings.h"
#include "verb.h"

namespace zoe::cli {
namespace {

volatile std::sig_atomic_t g_interrupted = 0;

// Ctrl-C ends the film after the picture at hand; a second one ends the program.
class InterruptGuard {
 public:
  InterruptGuard() {
    struct sigaction action {};
    action.sa_handler = [](int) { g_interrupted = 1; };
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    for (std::size_t i = 0; i < 2; ++i) sigaction(kSignals[i], &action, &before_[i]);
  }
  ~InterruptGuard() {
    for (std::size_t i = 0; i < 2; ++i) sigaction(kSignals[i], &before_[i], nullptr);
  }

 private:
  static constexpr int kSignals[2] = {SIGINT, SIGTERM};
  struct sigaction before_[2]{};
};

// A cell of the output: a body, its camera, and how it is drawn.
struct Panel {
  std::unique_ptr<Actor> actor;
  std::optional<CameraRig> rig;
};

class Stage {
 public:
  explicit Stage(const FilmRequest& request) : request_(request) {}

  Result<void> open(Warnings& warnings, int width, int height) {
    ZOE_TRY_ASSIGN(context_, render::create_headless_context());
    ZOE_TRY_ASSIGN(renderer_, render::Renderer::create(*context_, {.shader_folder = request_.shader_folder}));
    render::set_quality(frame_.settings, request_.quality);
    frame_.settings.supersampling = request_.supersampling;
    frame_.settings.transparent_background = request_.transparent;
    set_size(width, height);
    for (const std::string& file : request_.files) {
      ZOE_TRY_ASSIGN(std::unique_ptr<Actor> actor, Actor::load(*renderer_, file, request_.actor, warnings));
      panels_.push_back({std::move(actor), std::nullopt});
      const float aspect = static_cast<float>(width) / static_cast<float>(height);
      panels_.back().rig.emplace(panels_.back().actor->extent(), request_.camera, aspect);
    }
    return {};
  }

  std::size_t num_panels() const { return panels_.size(); }
  const Actor& actor(std::size_t panel) const { return *panels_[panel].actor; }
  const std::string& driver() const { return context_->description(); }
  void set_size(int width, int height) {
    frame_.settings.width = width;
    frame_.settings.height = height;
  }

  // label: under the picture's lower edge, left; title: upper left. Either may be empty.
  Result<void> draw(std::size_t panel, double time_s, const std::string& title, const std::string& label,
                    render::Picture& picture) {
    Actor& who = *panels_[panel].actor;
    const bool still = request_.num_ghosts > 0 && !render::is_film(request_.output) && !request_.sheet;
    const CameraRig::View view = still ? panels_[panel].rig->overview() : panels_[panel].rig->at(time_s);
    frame_.clear();
    frame_.camera = view.camera;
    fit_surroundings(who.extent(), view.camera.world_from_camera.t, view.target_m, frame_);
    who.add_to(frame_, time_s, 0, {}, 1);
    for (int i = 1; i <= request_.num_ghosts; ++i) {
      // Stills spread ghosts over the whole clip, films trail them behind.
      const double ghost_s =
          still ? who.duration_s() * (i - 1) / std::max(request_.num_ghosts - 1, 1) : time_s - 0.12 * i;
      if (ghost_s < 0) continue;
      const float fade =
          still ? 0.35F : 0.4F * (1 - static_cast<float>(i - 1) / static_cast<float>(request_.num_ghosts));
      who.add_to(frame_, std::min(ghost_s, who.duration_s() - 1e-4), static_cast<std::size_t>(i), {}, fade);
    }
    who.add_signs(frame_, time_s, {});
    const auto height = static_cast<float>(frame_.settings.height);
    const float letters = std::clamp(height * 0.032F, 7.0F, 26.0F);
    const Vec4 ink{0.06F, 0.07F, 0.09F, 0.9F};
    const float fitted = std::min(1.0F, (static_cast<float>(frame_.settings.width) - 2 * letters) /
                                            std::max(render::text_width_px(title, letters), 1.0F));
    frame_.overlay.text(letters, letters * 2.1F, title, letters * fitted, ink);
    frame_.overlay.text(letters, height - letters, label, letters * 0.9F, ink);
    ZOE_TRY(renderer_->render(frame_));
    renderer_->read_color(picture);
    return {};
  }

 private:
  const FilmRequest& request_;
  std::unique_ptr<render::Context> context_;
  std::unique_ptr<render::Renderer> renderer_;
  std::vector<Panel> panels_;
  render::RenderFrame frame_;
};

// Columns that give a body of this aspect the largest place in a page of that one; fewer empty cells where equal.
int best_columns(int cells, float body_aspect, float page_aspect) {
  int best = 1;
  float best_size = 0;
  for (int columns = 1; columns <= cells; ++columns) {
    const int rows = (cells + columns - 1) / columns;
    const float width = page_aspect / static_cast<float>(columns), height = 1.0F / static_cast<float>(rows);
    const float size = std::min(width / body_aspect, height) *
                       (1 - 0.05F * static_cast<float>(columns * rows - cells) / static_cast<float>(cells));
    if (size > best_size) {
      best_size = size;
      best = columns;
    }
  }
  return best;
}

std::string time_label(double time_s) { return fmt::format("{:.2f} s", time_s); }

double film_seconds(const FilmRequest& request, const Stage& stage) {
  if (request.seconds > 0) return request.seconds;
  double longest = 0;
  for (std::size_t i = 0; i < stage.num_panels(); ++i) longest = std::max(longest, stage.actor(i).duration_s());
  return std::max(longest - request.start_s, 0.0);
}

// N poses of each clip in a grid; --size is the whole sheet.
Result<void> make_sheet(const FilmRequest& request, FilmReport& report) {
  const auto num_files = static_cast<int>(request.files.size());
  const float page = static_cast<float>(request.width) / static_cast<float>(request.height);
  const int columns = num_files > 1 ? request.num_poses : best_columns(request.num_poses, 0.85F, page);
  const int rows = num_files > 1 ? num_files : (request.num_poses + columns - 1) / columns;
  constexpr int kGap = 2;
  const int width = (request.width - kGap * (columns - 1)) / columns,
            height = (request.height - kGap * (rows - 1)) / rows;
  if (width < 16 || height < 16) {
    return Error{ErrorCode::kUsage,
                 fmt::format("{} poses do not fit {} x {} pixels: give a larger --size or fewer --poses",
                             columns * rows, request.width, request.height)};
  }
  Stage stage(request);
  ZOE_TRY(stage.open(report.warnings, width, height));
  report.driver = stage.driver();
  render::Picture page_picture =
      render::make_picture(columns * width + kGap * (columns - 1), rows * height + kGap * (rows - 1), 46, 50, 56, 255);
  render::Picture cell;
  Progress progress("render", static_cast<std::uint64_t>(num_files * request.num_poses),
                    {.mode = quiet() ? ProgressMode::kSilent : ProgressMode::kAuto, .unit = "poses"});
  for (int file = 0; file < num_files; ++file) {
    const auto panel = static_cast<std::size_t>(file);
    const Actor& actor = stage.actor(panel);
    const double seconds = request.seconds > 0 ? request.seconds : std::max(actor.duration_s() - request.start_s, 0.0);
    for (int i = 0; i < request.num_poses; ++i) {
      const double time_s = request.start_s + seconds * i / std::max(request.num_poses - 1, 1);
      const bool titled = request.labels && i == 0;
      // The last moment is still this clip's own.
      ZOE_TRY(stage.draw(panel, std::min(time_s, std::max(actor.duration_s() - 1e-4, 0.0)), titled ? actor.title() : "",
                         request.labels ? time_label(time_s) : "", cell));
      const int column = num_files > 1 ? i : i % columns, row = num_files > 1 ? file : i / columns;
      render::paste(cell, column * (width + kGap), row * (height + kGap), page_picture);
      progress.advance();
      ++report.num_pictures;
    }
  }
  return render::write_png(request.output, page_picture, render::PngAlpha::kDrop);
}

// One clip fills the picture; several stand side by side with their names.
Result<void> make_pictures(const FilmRequest& request, FilmReport& report) {
  const auto num_files = static_cast<int>(request.files.size());
  const float page = static_cast<float>(request.width) / static_cast<float>(request.height);
  const int columns = best_columns(num_files, 0.9F, page), rows = (num_files + columns - 1) / columns;
  const int width = request.width / columns, height = request.height / rows;
  if (width < 16 || height < 16)
    return Error{ErrorCode::kUsage, fmt::format("{} clips do not fit {} x {} pixels: give a larger --size", num_files,
                                                request.width, request.height)};
  Stage stage(request);
  ZOE_TRY(stage.open(report.warnings, width, height));
  report.driver = stage.driver();
  render::Picture page_picture =
      render::make_picture(request.width, request.height, 46, 50, 56, request.transparent ? 0 : 255);
  render::Picture cell;
  const auto draw_all = [&](double time_s) -> Result<void> {
    for (int file = 0; file < num_files; ++file) {
      const auto panel = static_cast<std::size_t>(file);
      const bool alone = num_files == 1 && width == request.width && height == request.height;
      const std::string title = num_files > 1 && request.labels ? stage.actor(panel).title() : "";
      ZOE_TRY(stage.draw(panel, time_s, title, "", alone ? page_picture : cell));
      if (!alone) render::paste(cell, file % columns * width, file / columns * height, page_picture);
    }
    ++report.num_pictures;
    return {};
  };

  const double seconds = film_seconds(request, stage);
  if (request.output.extension() == ".png") {
    ZOE_TRY(draw_all(request.time_s >= 0 ? request.time_s : request.start_s + seconds * 0.5));
    return render::write_png(request.output, page_picture,
                             request.transparent ? render::PngAlpha::kKeep : render::PngAlpha::kDrop);
  }
  const auto num_frames = std::max<long>(std::lround(seconds * request.fps), 1);
  ZOE_TRY_ASSIGN(
      const std::unique_ptr<render::FilmWriter> writer,
      render::FilmWriter::open(
          request.output,
          {.width = request.width, .height = request.height, .fps = request.fps, .alpha = request.transparent}));
  const InterruptGuard guard;
  Progress progress("render", static_cast<std::uint64_t>(num_frames),
                    {.mode = quiet() ? ProgressMode::kSilent : ProgressMode::kAuto, .unit = "frames"});
  for (long i = 0; i < num_frames && g_interrupted == 0; ++i) {
    ZOE_TRY(draw_all(request.start_s + static_cast<double>(i) / request.fps));
    ZOE_TRY(writer->add(page_picture));
    progress.advance();
  }
  progress.finish();
  report.interrupted = g_interrupted != 0;
  return writer->finish();
}

}  // namespace

Result<FilmReport> make_film(const FilmRequest& request) {
  const auto start = std::chrono::steady_clock::now();
  FilmReport report;
  ZOE_TRY(request.sheet ? make_sheet(request, report) : make_pictures(request, report));
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

}  // namespace zoe::cli
