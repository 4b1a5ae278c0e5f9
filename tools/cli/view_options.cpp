// SPDX-License-Identifier: MIT
#include "view_options.h"

#include <tuple>

#include "size_option.h"

namespace zoe::cli {

void add_window_flags(Options& app, WindowFlags& flags, std::string& size) {
  app.add_option("--theme", flags.theme, "dark or light; default: as last time")->one_of({"dark", "light"});
  app.add_option("--size", size, "WIDTHxHEIGHT of the window in pixels; default: as last time");
  app.add_option("--quality", flags.quality, "auto, low, medium or high; auto: low where Mesa draws in software")
      ->one_of({"auto", "low", "medium", "high"});
  app.add_flag("--no-panels", flags.no_panels, "The picture without panels; Tab displays them");
  app.add_flag("--fresh", flags.fresh, "Neither read nor write saved settings (layout, theme)");
  app.add_option("--screenshot", flags.screenshot, "Write a PNG of the window after N frames (--after), then exit")
      ->writes();
  app.add_option("--after", flags.after, "Exit after N frames")->between(1, 1000000);
  app.add_option("--film", flags.film,
                 "Record the picture as a film (.mp4 .gif .webp or a folder) until the window is closed")
      ->writes();
  app.add_option("--record", flags.record, "Record all input in this file, to replay it")->writes();
  app.add_flag("--hash", flags.hash, "Print a hash of all poses at the end: the same with and without a window");
  app.add_flag("--state", flags.state,
               "Print a line of JSON at every change of time, camera or looks; for scripts and tests");
  app.add_flag("--debug", flags.debug, "Report OpenGL errors of the driver");
}

Result<void> read_window_flags(WindowFlags& flags, const std::string& size) {
  if (!size.empty()) {
    ZOE_TRY_ASSIGN(const auto pixels, parse_size(size));
    std::tie(flags.width, flags.height) = pixels;
  }
  if (flags.headless && (!flags.screenshot.empty() || !flags.film.empty())) {
    return Error{ErrorCode::kUsage, "--headless draws nothing: no --screenshot, no --film", {}};
  }
  if (!flags.screenshot.empty() && flags.after == 0) flags.after = 30;
  return {};
}

std::optional<int> parse_view(const Arguments& arguments, ViewOptions& options) {
  Options app;
  std::string size, bvh_up = "auto";
  app.add_option("files", options.files,
                 "Clips, characters or folders; several clips are side by side. Default: the current folder")
      ->reads();
  app.add_option("--character", options.clip.character, "Play the clips on this file's body; joint names may differ")
      ->reads();
  app.add_option("--clip", options.clip.clip, "Which clip: its number from 0, or its name");
  app.add_option("--camera", options.camera, "orbit, free, follow or fixed")
      ->one_of({"orbit", "free", "follow", "fixed"})
      ->capture_default_str();
  app.add_option("--time", options.time_s, "Start paused at this time, seconds")->between(0.0, 86400.0, "s");
  app.add_flag("--overlaid", options.overlaid, "Several clips over each other instead of side by side");
  app.add_option("--bvh-up", bvh_up,
                 "Up axis of BVH input, y or z; the format does not state it. auto: as the body stands")
      ->one_of({"auto", "y", "z"});
  app.add_option("--play", options.play, "Replay the input of a file of --record, then exit")->reads();
  app.add_flag("--headless", options.headless, "No window: run --play as fast as possible");
  add_window_flags(app, options, size);
  if (const auto exit = parse(app, arguments)) return exit;
  if (const auto read = read_window_flags(options, size); !read) return print_error(read.error());
  if (options.headless && options.play.empty()) {
    return print_error(Error{ErrorCode::kUsage, "--headless runs recorded input: give it --play FILE", {}});
  }
  options.clip.bvh_up = bvh_up[0];
  return std::nullopt;
}

}  // namespace zoe::cli
