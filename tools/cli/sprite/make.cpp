// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe sprite make`: a character's motions as sheets for 2D games.
#include "sprite/make.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "zoe/core/thread_pool.h"
#include "zoe/sprite/events.h"
#include "zoe/sprite/palette.h"
#include "zoe/sprite/timing_file.h"
#include "zoe/sprite/write_set.h"

#include "sprite/timing_option.h"

namespace zoe::cli {
namespace {

struct MakeWords {
  SpriteSource source;
  std::string style = "toon", root = "auto", palette, output, name, pace = "smooth", timing_file;
  std::string light_color;
  std::vector<std::string> light, maps;
  sprite::Timing timing;
  bool no_outline = false, no_shadow = false, no_trim = false, once = false;
};

Result<void> set_light(const std::vector<std::string>& angles_deg, const std::string& color, sprite::Look& look) {
  const auto wrong = [](std::string message) { return Error{ErrorCode::kUsage, std::move(message), {}}; };
  if (!angles_deg.empty()) {
    float angles[2] = {1000, 1000};  // Out of range.
    for (std::size_t i = 0; angles_deg.size() == 2 && i < 2; ++i) {
      const char* end = angles_deg[i].data() + angles_deg[i].size();
      if (std::from_chars(angles_deg[i].data(), end, angles[i]).ptr != end) angles[i] = 1000;
    }
    if (!(std::abs(angles[0]) <= 360) || !(std::abs(angles[1]) <= 90))
      return wrong("--light takes two angles: AZIMUTH,ELEVATION, such as --light 40,30 (-360 to 360, -90 to 90)");
    look.to_light = sprite::light_direction(angles[0], angles[1]);
  }
  if (color.empty()) return {};
  unsigned value = 0;
  const auto [end, error] = std::from_chars(color.data(), color.data() + color.size(), value, 16);
  if (color.size() != 6 || error != std::errc{} || end != color.data() + 6)
    return wrong(fmt::format("--light-color takes six hexadecimal digits, such as ffd0a0, not '{}'", color));
  look.light_color = {static_cast<std::uint8_t>(value >> 16U), static_cast<std::uint8_t>(value >> 8U),
                      static_cast<std::uint8_t>(value)};
  return {};
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int run_sprite_make(const Arguments& arguments) {
  Options app;
  MakeWords words;
  sprite::Request request;
  sprite::WriteOptions write;
  app.add_option("--character", words.source.character, "File of the character: a mesh on a skeleton; or identity:SEED")
      ->required()
      ->reads();
  app.add_option("--motion", words.source.motion, "File of the motions; retargeted where the skeleton differs")
      ->reads();
  app.add_option("--clip", words.source.clips, "Clips by name or number, comma-separated, or all; default the first")
      ->delimiter(',');
  app.add_option("--action", words.source.actions,
                 "Actions, comma-separated: clips with such a name, else a generated motion (walk, run, attack, jump)")
      ->delimiter(',');
  app.add_option("--weapon", words.source.weapons,
                 "Files of weapons or shields, comma-separated: FILE[@JOINT]; default a hand slot or the right hand")
      ->delimiter(',');
  app.add_option("-o,--out", words.output, "Folder for the sheet and its descriptions")->required()->writes_folder();
  app.add_option("--name", words.name, "Name of the files; default that of the character's file");
  app.add_option("--directions", request.num_directions, "1, 2, 4, 8 or 16; one and two are side views")
      ->between(1, 16)
      ->capture_default_str();
  app.add_flag("--mirror", request.mirror, "Western directions are the eastern ones flipped by the game; not drawn");
  app.add_option("--size", request.size_px, "Canvas of each frame, width and height")
      ->between(8, 2048, "pixels")
      ->capture_default_str();
  app.add_option("--pitch", request.pitch_deg, "Camera above the horizon: 0 side, 26.565 or 30 isometric, 90 top")
      ->between(0, 90, "degrees")
      ->capture_default_str();
  app.add_option("--turn", request.turn_deg, "Turn of side views towards the viewer; default 20")
      ->between(0, 90, "degrees");
  app.add_option("--pixels-per-metre", request.pixels_per_metre, "Scale; default: all poses fill the canvas")
      ->between(0.01, 100000, "pixels per metre");
  app.add_option("--style", words.style, "lit, toon, ink, silhouette, flat or pixel")
      ->one_of({"lit", "toon", "ink", "silhouette", "flat", "pixel"});
  app.add_option("--colors", request.look.num_colors, "Flat and pixel: colours of all frames together")
      ->between(2, 255)
      ->capture_default_str();
  app.add_option("--palette", words.palette, "Flat and pixel: colours of a .gpl, .hex or .png file")->reads();
  app.add_option("--light", words.light,
                 "Light as AZIMUTH,ELEVATION in degrees: azimuth 0 before the body, 90 right, -90 left; default -39,48")
      ->delimiter(',');
  app.add_option("--light-color", words.light_color, "Colour of lit surfaces as RRGGBB");
  app.add_flag("--dither", request.look.dither, "Pixel: an ordered pattern instead of bands of light");
  app.add_flag("--no-outline", words.no_outline, "No outline");
  app.add_flag("--effects", request.effects,
               "Slash arcs, dust, sparks, fireballs and speed lines as a sheet of their own");
  app.add_option("--maps", words.maps, "Sheets with the same rectangles: normal, depth, part, flow, pose")
      ->delimiter(',')
      ->one_of({sprite::kMapWords.begin(), sprite::kMapWords.end()});
  app.add_flag("--no-shadow", words.no_shadow, "No shadow sheet");
  add_timing_options(app, words.pace, words.timing);
  app.add_option("--on", words.timing.on, "Arcade and snappy: shortest exposure, 1 (ones), 2 (twos), 3 (threes) …")
      ->between(1, 24, "24ths of a second");
  app.add_option("--hold", words.timing.hold, "Arcade and snappy: how much longer still poses are held")->between(0, 4);
  app.add_option("--timing", words.timing_file, "TOML file with a table per clip; a run writes its own as timing.toml")
      ->reads();
  app.add_flag("--once", words.once, "Clips do not repeat, even where they end as they begin");
  app.add_option("--root", words.root, "Travel of the body: auto (removed where it walks), keep or remove")
      ->one_of({"auto", "keep", "remove"});
  app.add_option("--export", write.exports,
                 "Further files, comma-separated: hash, texturepacker, phaser, pixi, godot, "
                 "godot3, unity, png, gif, apng, webp, mp4")
      ->delimiter(',')
      ->one_of(sprite::export_words());
  app.add_option("--padding", write.sheet.padding_px, "Pixels between frames of the sheet")->between(0, 64);
  app.add_option("--extrude", write.sheet.extrude_px, "Copies of each frame's border around it")->between(0, 16);
  app.add_flag("--no-trim", words.no_trim, "Whole canvases in the sheet");
  app.add_flag("--power-of-two", write.sheet.power_of_two, "Sheet sizes are powers of two");
  if (const auto exit = parse(app, arguments)) return *exit;

  request.look.style = *sprite::style_from(words.style);
  if (const Result<void> lit = set_light(words.light, words.light_color, request.look); !lit)
    return print_error(lit.error());
  request.look.outline = !words.no_outline;
  for (const std::string& word : words.maps) request.maps.add(*sprite::map_from(word));
  request.look.shadow = !words.no_shadow;
  request.root = words.root == "keep"     ? sprite::RootMotion::kKeep
                 : words.root == "remove" ? sprite::RootMotion::kRemove
                                          : sprite::RootMotion::kAuto;
  if (!words.palette.empty()) {
    Result<std::vector<sprite::Rgb>> palette = sprite::read_palette(words.palette);
    if (!palette) return print_error(palette.error());
    request.look.palette = std::move(palette).value();
  }
  Warnings warnings;
  if (const Result<void> loaded = load_sprite_source(words.source, request, warnings); !loaded)
    return print_error(loaded.error());
  words.timing.pace = *sprite::pace_from(words.pace);
  std::vector<sprite::NamedTiming> timings;
  for (sprite::Clip& clip : request.clips) {
    clip.loop = !words.once && sprite::is_loop(*clip.motion);
    timings.push_back({clip.name, words.timing});
  }
  if (!words.timing_file.empty()) {
    if (const Result<void> read = sprite::read_timings(words.timing_file, timings); !read)
      return print_error(read.error());
  }
  for (std::size_t i = 0; i < timings.size(); ++i) {
    sprite::Clip& clip = request.clips[i];
    sprite::Timing timing = timings[i].timing;
    clip.feel = sprite::feel_of(timing.pace, timing.feel);
    const std::vector<sprite::Event> events = sprite::find_events(request, clip);
    for (const sprite::Event& event : events) {
      if (event.type == sprite::EventType::kHit || event.type == sprite::EventType::kLanding)
        timing.pins_s.push_back(event.time_s);
    }
    clip.exposures = sprite::time_drawings(*clip.motion, timing, clip.loop);
    if (clip.feel.impact >= 0.5F) clip.exposures = sprite::with_impacts(std::move(clip.exposures), events);
  }
  const auto start = std::chrono::steady_clock::now();
  Result<sprite::FrameSet> set = sprite::make_frames(request, ThreadPool::shared(), warnings);
  const double drawn_s = seconds_since(start);
  print_warnings(warnings);
  if (!set) return print_error(set.error());
  write.folder = words.output;
  write.title = words.name.empty() ? std::filesystem::path(words.source.character).stem().string() : words.name;
  std::replace(write.title.begin(), write.title.end(), ':', '_');  // identity:17.
  write.sheet.trim = !words.no_trim;
  write.command = command_line_of(arguments);
  write.further_files.push_back({"timing.toml", sprite::write_timings(timings)});
  const Result<sprite::WriteReport> report = sprite::write_set(*set, write);
  if (!report) return print_error(report.error());
  if (!quiet()) {
    fmt::print(
        "{}: {} frames of {} x {} in {} animations, {} stored in a sheet of {} x {}; drawn in {:.2f} s, {:.0f} a "
        "second\n",
        report->files[0].string(), set->frames.size(), set->width, set->height, set->animations.size(),
        report->num_stored, report->sheet_width, report->sheet_height, drawn_s,
        static_cast<double>(set->frames.size()) / std::max(drawn_s, 1e-6));
  }
  return kDone;
}

}  // namespace zoe::cli
