// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe sprite puppet`: one drawing becomes an animation.
#include "sprite/puppet.h"

#include <algorithm>

#include <fmt/format.h>

#include "zoe/core/file.h"
#include "zoe/render/picture_file.h"
#include "zoe/sprite/puppet/find_rig.h"
#include "zoe/sprite/puppet/make_puppet.h"
#include "zoe/sprite/puppet/rig_page.h"
#include "zoe/sprite/timing_file.h"
#include "zoe/sprite/write_set.h"

#include "sprite/source.h"
#include "sprite/timing_option.h"

namespace zoe::cli {
namespace {

struct PuppetWords {
  std::string drawing, motion, output, name, joints, body, pace = "smooth";
  std::vector<std::string> clips, actions;
  sprite::Timing timing;
  int size_px = 0;
  double least_confidence = 0;
  bool only_joints = false, once = false, keep = false, both = false, flip = false;
};

std::vector<std::string> export_words() {
  std::vector<std::string> words = sprite::export_words();
  words.insert(words.end(), {"spine", "dragonbones"});
  return words;
}

Error in_file(Error error, const std::string& file) {
  if (error.where.file.empty()) error.where.file = file;
  return error;
}

// The family of bodies whose motions suit a drawing.
BodyFamily family_of(const sprite::PuppetRig& rig) {
  if (rig.body != sprite::PuppetBody::kAnimal) return BodyFamily::kBiped;
  return rig.find("front_near_hip") >= 0 ? BodyFamily::kQuadruped : BodyFamily::kBird;
}

Result<std::vector<sprite::PuppetClip>> load_clips(const PuppetWords& words, const sprite::PuppetRig& rig,
                                                   Warnings& warnings) {
  std::vector<sprite::PuppetClip> clips;
  if (!words.motion.empty()) {
    ZOE_TRY_ASSIGN(SourceMotions source, load_motions(words.motion, words.clips, words.actions, warnings));
    for (Motion& motion : source.motions) {
      const std::string name = unique_tag(motion.name, clips);
      clips.push_back({name, std::make_shared<const Motion>(std::move(motion)), source.body, {}, false});
    }
    return clips;
  }
  std::vector<std::string> actions = words.actions;
  if (actions.empty()) actions.emplace_back("walk");
  for (const std::string& action : actions) {
    ZOE_TRY_ASSIGN(GeneratedMotion generated, generate_action(action, family_of(rig)));
    const std::string name = unique_tag(action, clips);
    clips.push_back({name, std::make_shared<const Motion>(std::move(generated.motion)), generated.body, {}, false});
  }
  return clips;
}

}  // namespace

int run_sprite_puppet(const Arguments& arguments) {
  Options app;
  PuppetWords words;
  sprite::WriteOptions write;
  app.add_option("drawing", words.drawing, "Picture of one character: with transparency, on a plain colour or on paper")
      ->required()
      ->reads();
  app.add_option("--motion", words.motion, "File of the motions; any skeleton")->reads();
  app.add_option("--clip", words.clips, "Clips of the file by name or number, comma-separated, or all")->delimiter(',');
  app.add_option("--action", words.actions,
                 "Actions, comma-separated: clips of the file with such a name, else generated; default walk")
      ->delimiter(',');
  app.add_option("-o,--out", words.output, "Folder for the sheet and its descriptions")->required()->writes_folder();
  app.add_option("--name", words.name, "Name of the files; default that of the drawing's file");
  app.add_option("--joints", words.joints, "Corrected joints: the joints.json of an earlier run, edited")->reads();
  app.add_flag("--only-joints", words.only_joints, "Write joints.json and the page that edits it, no frames");
  app.add_option("--body", words.body, "humanoid, animal, blob or worm; default by the silhouette")
      ->one_of({"humanoid", "animal", "blob", "worm"});
  app.add_option("--min-confidence", words.least_confidence, "Fail where the joints' mean confidence is below")
      ->between(0, 1);
  app.add_flag("--flip", words.flip, "The drawing faces left: mirror it first");
  app.add_option("--size", words.size_px, "Canvas of each frame, width and height; default as large as drawn")
      ->between(8, 2048, "pixels");
  app.add_flag("--both", words.both, "East and west: the game flips the frames");
  add_timing_options(app, words.pace, words.timing);
  app.add_flag("--once", words.once, "Clips do not repeat, even where they end as they begin");
  app.add_flag("--keep-travel", words.keep, "Bodies that walk leave the pivot");
  app.add_option("--export", write.exports,
                 "Further files, comma-separated: hash, texturepacker, phaser, pixi, godot, "
                 "godot3, unity, png, gif, apng, webp, mp4; spine and dragonbones: a skeleton with meshes")
      ->delimiter(',')
      ->one_of(export_words());
  if (const auto exit = parse(app, arguments)) return *exit;

  Warnings warnings;
  Result<render::Picture> drawing = render::read_upright_picture(words.drawing);
  if (!drawing) return print_error(drawing.error());
  sprite::PuppetRequest request;
  Result<sprite::CutOut> cut = sprite::cut_out(*drawing, {}, warnings);
  if (!cut) return print_error(in_file(cut.error(), words.drawing));
  request.cut = std::move(cut).value();
  if (!words.joints.empty()) {
    const Result<MappedFile> file = MappedFile::open(words.joints);
    if (!file) return print_error(file.error());
    Result<sprite::PuppetRig> rig = sprite::parse_rig(file->text(), request.cut, words.joints);
    if (!rig) return print_error(rig.error());
    request.rig = std::move(rig).value();
  } else {
    request.rig = sprite::find_rig(request.cut.figure, sprite::puppet_body_from(words.body), words.flip);
  }
  for (Warning& warning : warnings)
    if (warning.where.file.empty()) warning.where.file = words.drawing;
  const double confidence = request.rig.confidence();
  if (confidence < words.least_confidence) {
    return print_error(Error{ErrorCode::kInvalid,
                             fmt::format("joints are found with confidence {:.2f}: correct them (--only-joints writes "
                                         "joints.json and a page that edits it)",
                                         confidence),
                             {.file = words.drawing}});
  }
  constexpr double kUncertain = 0.5;
  if (confidence < kUncertain && words.joints.empty()) {
    warnings.push_back({fmt::format("joints are uncertain ({:.2f}): look at joints.html and correct them, then give "
                                    "--joints joints.json",
                                    confidence),
                        {.file = words.drawing}});
  }
  const std::string joints = sprite::write_rig(request.rig, request.cut);
  write.folder = words.output;
  write.title = words.name.empty() ? std::filesystem::path(words.drawing).stem().string() : words.name;
  write.further_files.push_back({"joints.json", joints});
  write.further_files.push_back({"joints.html", sprite::rig_page(*drawing, request.rig, request.cut)});
  if (words.only_joints) {
    print_warnings(warnings);
    for (const auto& [name, text] : write.further_files) {
      const std::filesystem::path path = std::filesystem::path(words.output) / name;
      if (const Result<void> written = write_file_atomic(path, as_bytes(text)); !written)
        return print_error(written.error());
    }
    if (!quiet())
      fmt::print("{}: {}, confidence {:.2f}\n", (write.folder / "joints.json").string(),
                 sprite::to_string(request.rig.body), confidence);
    return kDone;
  }
  Result<std::vector<sprite::PuppetClip>> clips = load_clips(words, request.rig, warnings);
  print_warnings(warnings);
  if (!clips) return print_error(clips.error());
  request.clips = std::move(clips).value();
  request.size_px = words.size_px;
  request.keep_travel = words.keep;
  request.two_directions = words.both;
  words.timing.pace = *sprite::pace_from(words.pace);
  for (sprite::PuppetClip& clip : request.clips) {
    clip.loop = !words.once && sprite::is_loop(*clip.motion);
    clip.exposures = sprite::time_drawings(*clip.motion, words.timing, clip.loop);
  }
  sprite::PuppetReport report;
  sprite::Skeletal skeletal;
  const Result<sprite::FrameSet> set = sprite::make_puppet(request, &report, &skeletal);
  if (!set) return print_error(in_file(set.error(), words.drawing));
  for (const auto& [word, write_files] :
       {std::pair{"spine", &sprite::spine_files}, {"dragonbones", &sprite::dragonbones_files}}) {
    if (std::find(write.exports.begin(), write.exports.end(), word) == write.exports.end()) continue;
    Result<sprite::NamedFiles> files = write_files(skeletal, write.title);
    if (!files) return print_error(in_file(files.error(), words.drawing));
    for (auto& file : *files) write.further_files.push_back(std::move(file));
  }
  write.command = command_line_of(arguments);
  const Result<sprite::WriteReport> written = sprite::write_set(*set, write);
  if (!written) return print_error(written.error());
  if (!quiet()) {
    fmt::print("{}: {} ({}{}, joints {:.2f}), {} frames of {} x {}, sheet {} x {}; {:.2f} ms a frame after {:.0f} ms\n",
               written->files[0].string(), sprite::to_string(request.rig.body), to_string(request.cut.background),
               request.cut.pixel_art ? ", pixel art" : "", confidence, set->frames.size(), set->width, set->height,
               written->sheet_width, written->sheet_height, 1000 * report.frame_s, 1000 * report.setup_s);
  }
  return kDone;
}

}  // namespace zoe::cli
