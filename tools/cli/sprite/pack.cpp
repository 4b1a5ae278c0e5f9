// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe sprite pack`: clips for `zoe train sprite` and `zoe eval sprite`.
#include "sprite/pack.h"

#include <chrono>
#include <optional>

#include <fmt/format.h>

#include "zoe/core/interrupt.h"
#include "zoe/core/progress.h"
#include "zoe/core/suggest.h"
#include "zoe/core/thread_pool.h"
#include "zoe/render/picture_file.h"
#include "zoe/sprite/generate/pack.h"
#include "zoe/sprite/generate/pack_drawings.h"

#include "sprite/make.h"
#include "sprite/network_file.h"

namespace zoe::cli {
namespace {

constexpr int kNumSpecies = 20;

Result<std::vector<sprite::identity::Species>> parse_species(const std::vector<std::string>& words) {
  std::vector<sprite::identity::Species> list;
  std::vector<std::string> known;
  for (int i = 0; i < kNumSpecies; ++i)
    known.emplace_back(sprite::identity::to_string(static_cast<sprite::identity::Species>(i)));
  for (const std::string& word : words) {
    const auto found = std::find(known.begin(), known.end(), word);
    if (found == known.end())
      return Error{ErrorCode::kUsage, fmt::format("there is no species '{}'{}", word, did_you_mean(word, known)), {}};
    list.push_back(static_cast<sprite::identity::Species>(found - known.begin()));
  }
  return list;
}

// Clips of characters of files: each action in each style, from both sides. Actions that a character lacks are left
// out with a warning.
Result<std::vector<paint::PaintClip>> pack_characters(const std::vector<std::string>& characters,
                                                      const std::string& motion, const sprite::PackOptions& options,
                                                      Warnings& warnings) {
  std::vector<paint::PaintClip> clips;
  std::vector<std::string> actions = options.dataset.actions;
  if (actions.empty()) actions = {"walk", "run", "jump", "attack"};
  for (const std::string& character : characters) {
    for (const std::string& action : actions) {
      sprite::Request request{.size_px = options.dataset.size_px};
      SpriteSource source{.character = character, .motion = motion, .actions = {"idle", action}};
      if (const Result<void> loaded = load_sprite_source(source, request, warnings); !loaded) {
        warnings.push_back({loaded.error().message, {.file = character}});
        continue;
      }
      if (request.clips.size() != 2) continue;
      request.look.shadow = false;
      request.clips[0].exposures = {{0, 100}};
      sprite::Clip& clip = request.clips[1];
      clip.loop = sprite::is_loop(*clip.motion);
      clip.exposures = sprite::even_exposures(*clip.motion, 12, options.dataset.num_frames, clip.loop);
      for (std::size_t s = 0; s < options.dataset.styles.size(); ++s) {
        request.look.style = *sprite::style_from(options.dataset.styles[s]);
        request.turn_deg = s % 2 == 0 ? 20.0F : 160.0F;  // East and west in turn.
        Result<paint::PaintClip> drawn =
            sprite::pack_clip(request,
                              {std::filesystem::path(character).stem().string(), "file", action,
                               options.dataset.styles[s], s % 2 == 0 ? "e" : "w"},
                              {.num_colors = options.num_colors, .content = options.content});
        if (drawn)
          clips.push_back(std::move(*drawn));
        else
          warnings.push_back({drawn.error().message, {.file = character}});
      }
    }
  }
  if (clips.empty()) return Error{ErrorCode::kInvalid, "none of these characters gave a clip", {}};
  return clips;
}

// The folder of a file names its collection.
Result<std::vector<paint::PaintClip>> pack_drawn_figures(const std::vector<std::string>& files,
                                                         const sprite::PackOptions& options, int num_bent) {
  const sprite::PackDrawings how{.size_px = options.dataset.size_px,
                                 .num_colors = options.num_colors,
                                 .num_bent = num_bent,
                                 .truth = options.content == sprite::PackContent::kTruth,
                                 .seed = options.dataset.seed,
                                 .num_frames = options.video ? options.dataset.num_frames : 1,
                                 .painter = options.painter};
  std::vector<std::optional<Result<std::vector<paint::PaintClip>>>> packed(files.size());
  ThreadPool::shared().parallel_for(files.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Result<render::Picture> sheet = render::read_upright_picture(files[i]);
      const std::string source = std::filesystem::absolute(files[i]).parent_path().filename().string();
      if (sheet)
        packed[i] = sprite::pack_drawings(*sheet, source, how);
      else
        packed[i] = sheet.error();
    }
  });
  std::vector<paint::PaintClip> clips;
  for (auto& one : packed) {
    if (!*one) return one->error();
    for (paint::PaintClip& clip : **one) clips.push_back(std::move(clip));
  }
  if (clips.empty()) return Error{ErrorCode::kInvalid, "no figure was found in these drawings", {}};
  return clips;
}

}  // namespace

int run_sprite_pack(const Arguments& arguments) {
  Options app;
  sprite::PackOptions options;
  sprite::DatasetOptions& set = options.dataset;
  std::string output, motion, painter_path;
  std::vector<std::string> species, no_species, characters, drawings;
  bool truth = false, labels = false, no_guesses = false;
  int num_bent = 6;
  set.styles = {"pixel", "toon", "lit"};
  set.num_frames = 8;
  app.add_option("-o,--out", output, "Folder for clips.safetensors")->required()->writes_folder();
  app.add_option("--identities", set.num_identities, "Number of characters")->between(1, 1000000);
  app.add_option("--first-identity", set.first_identity, "Seed of the first character")->capture_default_str();
  app.add_option("--action", set.actions, "Actions, comma-separated; default all, of files walk,run,jump,attack")
      ->delimiter(',');
  app.add_option("--character", characters, "Files of characters instead of identities, comma-separated")
      ->delimiter(',')
      ->reads();
  app.add_option("--motion", motion, "With --character: file of the motions")->reads();
  app.add_option("--species", species, "Only these, comma-separated")->delimiter(',');
  app.add_option("--no-species", no_species, "None of these: held out for tests")->delimiter(',');
  app.add_option("--style", set.styles, "Styles, comma-separated; each clip has one; default pixel,toon,lit")
      ->delimiter(',')
      ->one_of({"lit", "toon", "ink", "silhouette", "flat", "pixel"});
  app.add_option("--directions", set.num_directions, "1, 2, 4 or 8; each clip has one")
      ->between(1, 8)
      ->capture_default_str();
  app.add_option("--other-views", options.other_views, "Share of clips whose reference is from another direction")
      ->between(0, 1)
      ->capture_default_str();
  app.add_option("--size", set.size_px, "Canvas of each frame")->between(16, 256, "pixels")->capture_default_str();
  app.add_option("--frames", set.num_frames, "Frames of each clip")->between(2, 128)->capture_default_str();
  app.add_option("--clips", set.num_clips, "Number of clips before species are left out; default all combinations")
      ->between(0, 100000000);
  app.add_option("--seed", set.seed, "Of cameras, styles and weapons")->capture_default_str();
  app.add_option("--joint-noise", options.joint_noise,
                 "Deviation of the joints of half of the training puppets, fractions of the canvas")
      ->between(0, 0.1)
      ->capture_default_str();
  app.add_flag("--truth", truth, "Keep the colours as drawn, for evaluations, in place of guesses to train");
  app.add_flag("--labels", labels, "For judges: neither guesses nor colours as drawn; draws twice as fast");
  app.add_flag("--video", options.video,
               "For `zoe train sprite_video`: with captions, all guesses made from the reference");
  app.add_option("--painter", painter_path,
                 "With --video: network of `zoe train sprite` that paints the puppets' guesses; the trained network "
                 "then begins with its frames")
      ->reads();
  app.add_flag("--no-guesses", no_guesses, "With --video: clips to learn words from; draws twice as fast");
  app.add_option("--weapon-changes", set.weapon_changes, "Share of clips whose weapon is not the identity's own")
      ->between(0, 1)
      ->capture_default_str();
  app.add_option("--drawings", drawings,
                 "Instead of characters: PNG files of hand-drawn figures and sheets; with --labels to judge, else bent "
                 "by puppets to paint")
      ->reads();
  app.add_option("--bent", num_bent, "With --drawings: clips of each figure that painters train on")
      ->between(1, 1000)
      ->capture_default_str();
  if (const auto exit = parse(app, arguments)) return *exit;
  if (options.video && (truth || labels || !characters.empty())) {
    print_error("--video is for clips to train with: without --truth, --labels, --character");
    return kWrongUsage;
  }
  if (!painter_path.empty() && !options.video) {
    print_error("--painter is for clips of --video");
    return kWrongUsage;
  }
  if (no_guesses && (!options.video || !painter_path.empty() || !drawings.empty())) {
    print_error("--no-guesses is for clips of --video: without --painter and --drawings");
    return kWrongUsage;
  }
  std::optional<paint::Painter> painter;
  if (!painter_path.empty()) {
    Result<paint::Painter> loaded = paint::Painter::load(network_file(painter_path));
    if (!loaded) return print_error(loaded.error());
    if (loaded->size() != set.size_px) {
      print_error(fmt::format("the painter's pictures have {0} pixels: use --size {0}", loaded->size()));
      return kWrongUsage;
    }
    painter = std::move(*loaded);
    options.painter = &*painter;
  }
  for (const auto& [words, to] : {std::pair{&species, &options.species}, {&no_species, &options.no_species}}) {
    Result<std::vector<sprite::identity::Species>> list = parse_species(*words);
    if (!list) return print_error(list.error());
    *to = std::move(*list);
  }
  if (truth && labels) {
    print_error("--truth is for evaluations, --labels for judges: give one of them");
    return kWrongUsage;
  }
  options.content = truth        ? sprite::PackContent::kTruth
                    : labels     ? sprite::PackContent::kNothing
                    : no_guesses ? sprite::PackContent::kEmptyGuesses
                                 : sprite::PackContent::kGuesses;
  set.folder = output;
  if (!characters.empty() || !drawings.empty()) {
    Warnings warnings;
    const Result<std::vector<paint::PaintClip>> drawn =
        drawings.empty() ? pack_characters(characters, motion, options, warnings)
                         : pack_drawn_figures(drawings, options, labels ? 0 : num_bent);
    print_warnings(warnings);
    if (!drawn) return print_error(drawn.error());
    const Result<void> written = paint::write_clips(
        output, set.size_px, *drawn, options.video ? sprite::video_metadata(options.painter != nullptr) : Metadata{});
    if (!written) return print_error(written.error());
    if (!quiet()) fmt::print("{}: {} clips\n", output, drawn->size());
    return kDone;
  }
  const std::vector<std::string>& known = sprite::identity::action_words();
  for (const std::string& action : set.actions) {
    if (std::find(known.begin(), known.end(), action) != known.end()) continue;
    print_error(fmt::format("identities have no action '{}'{}", action, did_you_mean(action, known)));
    return kWrongUsage;
  }
  InterruptGuard guard;
  std::optional<Progress> progress;
  int shown = 0;
  set.on_progress = [&](int done, int all) {
    if (!progress) {
      progress.emplace("pack", static_cast<std::uint64_t>(all),
                       ProgressOptions{.mode = quiet() ? ProgressMode::kSilent : ProgressMode::kAuto, .unit = "clips"});
    }
    progress->advance(static_cast<std::uint64_t>(done - shown));
    shown = done;
    return !guard.interrupted();
  };
  const auto start = std::chrono::steady_clock::now();
  const Result<sprite::PackReport> report = sprite::pack_clips(options, ThreadPool::shared());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  progress.reset();
  if (!report) return print_error(report.error());
  if (!quiet()) {
    fmt::print("{}: {} clips, {} frames in {:.1f} s, {:.0f} clips a minute; {} of other species\n", output,
               report->num_clips, report->num_frames, seconds, 60 * report->num_clips / std::max(seconds, 1e-6),
               report->num_skipped);
  }
  return kDone;
}

}  // namespace zoe::cli
