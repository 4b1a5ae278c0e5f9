// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe sprite dataset`: clips of procedural characters to train networks with.
#include "zoe/sprite/dataset.h"

#include <charconv>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "zoe/core/interrupt.h"
#include "zoe/core/progress.h"
#include "zoe/core/thread_pool.h"
#include "zoe/sprite/identity/captions.h"

#include "sprite/dataset.h"
#include "sprite/dataset_characters.h"
#include "sprite/identity_source.h"
#include "sprite/source.h"

namespace zoe::cli {
namespace {

// "2/8": the second of eight parts.
Result<std::pair<int, int>> parse_part(const std::string& word) {
  std::pair<int, int> part;
  const char *begin = word.data(), *end = begin + word.size();
  const auto [slash, error] = std::from_chars(begin, end, part.first);
  if (error == std::errc() && slash != end && *slash == '/') {
    const auto [last, bad] = std::from_chars(slash + 1, end, part.second);
    if (bad == std::errc() && last == end && part.first >= 1 && part.first <= part.second && part.second <= 10000)
      return part;
  }
  return Error{ErrorCode::kUsage, fmt::format("--part {}: expected I/N, from 1/N to N/N", word), {}};
}

Result<std::vector<float>> parse_pitches(const std::vector<std::string>& words) {
  std::vector<float> pitches;
  for (const std::string& word : words) {
    char* end = nullptr;
    const float pitch = std::strtof(word.c_str(), &end);
    if (end == word.c_str() || *end != 0 || !(pitch >= 0 && pitch <= 90))
      return Error{ErrorCode::kUsage, fmt::format("--pitch {}: expected degrees from 0 to 90", word), {}};
    pitches.push_back(pitch);
  }
  return pitches;
}

}  // namespace

int run_sprite_dataset(const Arguments& arguments) {
  namespace id = sprite::identity;
  Options app;
  sprite::DatasetOptions options;
  std::string output, part = "1/1", motion;
  std::vector<std::string> maps, pitches{"0", "30"}, clips, characters, weapons;
  int num_identities = -1;
  bool print_words = false;
  app.add_option("-o,--out", output, "Folder; a run that was interrupted goes on there")->writes_folder();
  app.add_option("--identities", num_identities, "Number of procedural characters; default 300, or 0 with --character")
      ->between(0, 1000000);
  app.add_option("--character", characters, "Files of characters, comma-separated, with their clips or --motion")
      ->delimiter(',');
  app.add_option("--weapon", weapons,
                 "Weapons of these characters, comma-separated: FILE[@JOINT]; a clip has one or none")
      ->delimiter(',');
  app.add_option("--first-identity", options.first_identity, "Seed of the first character")->capture_default_str();
  app.add_option("--action", options.actions, "Actions, comma-separated; default all")
      ->delimiter(',')
      ->one_of(id::action_words());
  app.add_option("--motion", motion, "File with further motions; retargeted")->reads();
  app.add_option("--clip", clips, "Clips of --motion, comma-separated; default all")->delimiter(',');
  app.add_option("--style", options.styles, "Styles, comma-separated; each clip has one; default toon,pixel,lit")
      ->delimiter(',')
      ->one_of({"lit", "toon", "ink", "silhouette", "flat", "pixel"});
  app.add_option("--directions", options.num_directions, "1, 2, 4 or 8; each clip has one")
      ->between(1, 8)
      ->capture_default_str();
  app.add_option("--pitch", pitches, "Cameras above the horizon, degrees, comma-separated; default 0,30")
      ->delimiter(',');
  app.add_option("--weapon-changes", options.weapon_changes, "Share of clips with another weapon or none")
      ->between(0, 1)
      ->capture_default_str();
  app.add_option("--size", options.size_px, "Canvas of each frame")->between(16, 512, "pixels")->capture_default_str();
  app.add_option("--frames", options.num_frames, "Frames of each clip")->between(1, 128)->capture_default_str();
  app.add_option("--clips", options.num_clips, "Number of clips; default every character with every action once")
      ->between(0, 100000000);
  app.add_option("--maps", maps, "Pictures beside each clip: normal, depth, part, flow, pose")
      ->delimiter(',')
      ->one_of({sprite::kMapWords.begin(), sprite::kMapWords.end()});
  app.add_option("--seed", options.seed, "Of cameras, styles and weapons")->capture_default_str();
  app.add_option("--part", part, "I/N: this machine draws every N-th clip")->capture_default_str();
  app.add_flag("--vocabulary", print_words, "Print the words of captions by category, and end");
  if (const auto exit = parse(app, arguments)) return *exit;

  if (print_words) {
    for (const auto& [category, words] : sprite::identity::vocabulary()) {
      std::string line;
      for (const std::string& word : words) line += (line.empty() ? "" : ", ") + word;
      fmt::print("{}: {}\n", category, line);
    }
    return kDone;
  }
  if (output.empty()) {
    print_error("where to? Give a folder (-o FOLDER)");
    return kWrongUsage;
  }
  if (options.num_directions == 3 || (options.num_directions > 4 && options.num_directions != 8)) {
    print_error(fmt::format("{} directions: 1, 2, 4 or 8 are possible", options.num_directions));
    return kWrongUsage;
  }
  const Result<std::pair<int, int>> parts = parse_part(part);
  if (!parts) return print_error(parts.error());
  std::tie(options.part, options.num_parts) = *parts;
  Result<std::vector<float>> degrees = parse_pitches(pitches);
  if (!degrees) return print_error(degrees.error());
  options.pitches_deg = std::move(*degrees);
  for (const std::string& word : maps) options.maps.add(*sprite::map_from(word));
  options.folder = output;

  // Motions of files go to one identity, and from there to all.
  const id::Identity source = id::make_identity(id::draw_traits(100));
  const std::vector<std::string> own_clips = clips;
  if (!motion.empty() && num_identities != 0 && (characters.empty() || num_identities > 0)) {
    Warnings warnings;
    if (clips.empty()) clips = {"all"};
    Result<std::vector<Motion>> moved = motions_on_identity(motion, clips, {}, source, warnings);
    print_warnings(warnings);
    if (!moved) return print_error(moved.error());
    for (Motion& one : *moved) one.name = unique_tag(one.name, options.motions);
    options.motions = std::move(*moved);
    options.motion_source = &source;
  }
  options.num_identities = num_identities >= 0 ? num_identities : characters.empty() ? 300 : 0;
  if (characters.empty() && !weapons.empty()) {
    print_error("--weapon needs --character: identities have weapons of their own (--weapon-changes)");
    return kWrongUsage;
  }
  for (const std::string& file : characters) {
    Warnings warnings;
    Result<sprite::DatasetCharacter> character = load_dataset_character(
        file, {.motion = motion, .clips = own_clips, .actions = options.actions, .weapons = weapons}, warnings);
    print_warnings(warnings);
    if (!character) return print_error(character.error());
    options.characters.push_back(std::move(character).value());
  }
  InterruptGuard guard;
  std::optional<Progress> progress;
  int shown = 0;
  options.on_progress = [&](int done, int all) {
    if (!progress) {
      progress.emplace("dataset", static_cast<std::uint64_t>(all),
                       ProgressOptions{.mode = quiet() ? ProgressMode::kSilent : ProgressMode::kAuto, .unit = "clips"});
    }
    progress->advance(static_cast<std::uint64_t>(done - shown));
    shown = done;
    return !guard.interrupted();
  };
  const auto start = std::chrono::steady_clock::now();
  const Result<sprite::DatasetReport> report = sprite::write_dataset(options, ThreadPool::shared());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  progress.reset();
  if (!report) return print_error(report.error());
  if (!quiet()) {
    fmt::print("{}: {} clips drawn in {:.1f} s, {:.0f} a minute; {} were there{}\n", output, report->num_done, seconds,
               60 * report->num_done / std::max(seconds, 1e-6), report->num_before,
               report->interrupted ? "; interrupted, run it again to go on" : "");
  }
  return report->interrupted ? kFailed : kDone;
}

}  // namespace zoe::cli
