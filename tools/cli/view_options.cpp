// SPDX-License-Identifier: MIT
#include "view_options.h"

#include <tuple>

#include "size_option.h"

namespace zoe::cli {

std::optional<int> parse_view(const Arguments& arguments, ViewOptions& options) {
  Options app;
  std::string size, bvh_up = "y";
  app.add_option("files", options.files, "Clips, characters or folders; several clips stand side by side. None: this folder");
  app.add_option("--character", options.clip.character, "Play the clips on this file's body, whatever its joints are called");
  app.add_option("--clip", options.clip.clip, "Which clip: its number from 0, or its name");
  app.add_option("--camera", options.camera, "orbit, free, follow or fixed")->one_of({"orbit", "free", "follow", "fixed"})->capture_default_str();
  app.add_option("--theme", options.theme, "dark or light; default: as it was left")->one_of({"dark", "light"});
  app.add_option("--size", size, "WIDTHxHEIGHT of the window in pixels; default: as it was left");
  app.add_option("--quality", options.quality, "auto, low, medium or high; auto: low where Mesa draws in software")
      ->one_of({"auto", "low", "medium", "high"});
  app.add_option("--time", options.time_s, "Stand still at this time, seconds")->not_negative();
  app.add_flag("--overlaid", options.overlaid, "Several clips over each other instead of side by side");
  app.add_flag("--no-panels", options.no_panels, "The picture alone; Tab brings the panels back");
  app.add_flag("--fresh", options.fresh, "Neither read nor write what is remembered (layout, theme)");
  app.add_option("--bvh-up", bvh_up, "Up axis of BVH input, y or z; the format does not say")->one_of({"y", "z"});
  app.add_option("--screenshot", options.screenshot, "Write the window as a PNG after so many frames (--after), then end");
  app.add_option("--after", options.after, "End after so many frames")->positive();
  app.add_option("--film", options.film, "Record the picture as a film (.mp4 .gif .webp or a folder) until the window is closed");
  app.add_option("--record", options.record, "Write down all input in this file, to play it again");
  app.add_option("--play", options.play, "Play the input of such a file, then end");
  app.add_flag("--headless", options.headless, "No window: run --play as fast as possible");
  app.add_flag("--hash", options.hash, "Print a hash of all poses at the end: the same with and without a window");
  app.add_flag("--state", options.state, "Print a line of JSON whenever time, camera or looks change; for scripts and tests");
  app.add_flag("--debug", options.debug, "Ask the driver to report misuse of OpenGL");
  if (const auto exit = parse(app, arguments)) return exit;
  const auto wrong = [](const std::string& message) { return std::optional(print_error(Error{ErrorCode::kUsage, message, {}})); };
  if (!size.empty()) {
    const Result<std::pair<int, int>> pixels = parse_size(size);
    if (!pixels) return print_error(pixels.error());
    std::tie(options.width, options.height) = *pixels;
  }
  if (options.headless && options.play.empty()) return wrong("--headless runs recorded input: give it --play FILE");
  if (options.headless && (!options.screenshot.empty() || !options.film.empty())) return wrong("--headless draws nothing: no --screenshot, no --film");
  if (!options.screenshot.empty() && options.after == 0) options.after = 30;
  options.clip.bvh_up = bvh_up[0];
  return std::nullopt;
}

}  // namespace zoe::cli
