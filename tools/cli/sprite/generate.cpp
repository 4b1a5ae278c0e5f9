// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe sprite generate`: an animated character from one drawing or from a sentence.
#include "sprite/generate.h"

#include <chrono>
#include <optional>

#include <fmt/format.h>

#include "zoe/core/file.h"
#include "zoe/core/suggest.h"
#include "zoe/core/thread_pool.h"
#include "zoe/render/picture_file.h"
#include "zoe/sprite/generate/make_painted.h"
#include "zoe/sprite/generate/text.h"
#include "zoe/sprite/generate/video.h"
#include "zoe/sprite/identity/identity.h"
#include "zoe/sprite/make_frames.h"
#include "zoe/sprite/puppet/find_rig.h"
#include "zoe/sprite/puppet/rig_page.h"
#include "zoe/sprite/timing_file.h"
#include "zoe/sprite/write_set.h"

#include "sprite/network_file.h"
#include "sprite/source.h"
#include "sprite/timing_option.h"

namespace zoe::cli {
namespace {

namespace id = sprite::identity;

struct GenerateWords {
  std::string image, text, motion, output, name, joints, model, style, painter, pace = "smooth";
  std::vector<std::string> clips, actions;
  sprite::Timing timing;
  std::uint64_t seed = 0;
  sprite::VideoLook video;
  int size_px = 64, directions = 1;
  bool once = false, keep = false, both = false, flip = false, humanoid = false, effects = false;
};

// The network, and the painter of the frames that it begins with.
struct VideoTools {
  paint::VideoPainter video;
  std::optional<paint::Painter> first;
  sprite::VideoLook look(sprite::VideoLook given) const {
    given.first = first ? &*first : nullptr;
    return given;
  }
};

Result<VideoTools> load_video_painter(const std::string& given) {
  const std::filesystem::path path = painter_file(given, "sprite_video");
  std::error_code ignored;
  if (given.empty() && !std::filesystem::exists(path, ignored)) {
    return Error{ErrorCode::kUsage,
                 "no network for --painter video is included here: train one (`zoe train sprite_video`) and give it "
                 "with --model",
                 {}};
  }
  ZOE_TRY_ASSIGN(paint::VideoPainter video, paint::VideoPainter::load(path));
  VideoTools tools{std::move(video), {}};
  if (tools.video.begins_painted()) {
    ZOE_TRY_ASSIGN(tools.first, paint::Painter::load(painter_file("", "painter")));
  }
  return tools;
}

Error with_file(Error error, const std::string& file) {
  if (error.where.file.empty()) error.where.file = file;
  return error;
}

// A plain person, whose game actions move drawings.
id::Identity plain_person() {
  id::Traits traits = id::draw_traits(100);
  traits.species = id::Species::kHuman;
  traits.build = id::Build::kNormal;
  traits.weapon = id::Weapon::kNone;
  return id::make_identity(traits);
}

Result<void> check_actions(const std::vector<std::string>& actions) {
  const std::vector<std::string>& known = id::action_words();
  for (const std::string& action : actions) {
    if (std::find(known.begin(), known.end(), action) != known.end()) continue;
    return Error{ErrorCode::kUsage,
                 fmt::format("there is no action '{}'{}; there are {}", action, did_you_mean(action, known),
                             fmt::join(known, ", ")),
                 {}};
  }
  return {};
}

Result<sprite::TextRequest> read_text(const GenerateWords& words, Warnings& warnings) {
  ZOE_TRY_ASSIGN(sprite::TextRequest text, sprite::parse_text(words.text, words.seed));
  if (!text.unknown.empty())
    warnings.push_back({fmt::format("words that mean nothing here: {} (`zoe sprite dataset --vocabulary` lists those "
                                    "that do)",
                                    fmt::join(text.unknown, ", ")),
                        {}});
  for (std::string& why : text.refused) warnings.push_back({std::move(why), {}});
  return text;
}

Result<sprite::FrameSet> paint_drawing(const sprite::PuppetRequest& request, const GenerateWords& words,
                                       Warnings& warnings) {
  if (words.painter != "video") {
    ZOE_TRY_ASSIGN(const paint::Painter painter, paint::Painter::load(painter_file(words.model, "painter")));
    return sprite::make_painted(request, painter, ThreadPool::shared(), warnings);
  }
  ZOE_TRY_ASSIGN(const VideoTools tools, load_video_painter(words.model));
  std::string caption;
  if (!words.text.empty()) {
    ZOE_TRY_ASSIGN(const sprite::TextRequest text, read_text(words, warnings));
    caption = text.who;
  }
  return sprite::make_painted(request, tools.video, caption, tools.look(words.video), ThreadPool::shared(), warnings);
}

Result<sprite::FrameSet> from_image(const GenerateWords& words, sprite::WriteOptions& write, Warnings& warnings) {
  ZOE_TRY_ASSIGN(const render::Picture drawing, render::read_picture(words.image));
  sprite::PuppetRequest request;
  Result<sprite::CutOut> cut = sprite::cut_out(drawing, {}, warnings);
  if (!cut) return with_file(cut.error(), words.image);
  request.cut = std::move(*cut);
  if (!words.joints.empty()) {
    ZOE_TRY_ASSIGN(const MappedFile file, MappedFile::open(words.joints));
    ZOE_TRY_ASSIGN(request.rig, sprite::parse_rig(file.text(), request.cut, words.joints));
  } else {
    request.rig = sprite::find_rig(
        request.cut.figure,
        words.humanoid ? std::optional(sprite::PuppetBody::kHumanoid) : std::optional<sprite::PuppetBody>(),
        words.flip);
  }
  write.further_files.push_back({"joints.json", sprite::write_rig(request.rig, request.cut)});
  write.further_files.push_back({"joints.html", sprite::rig_page(drawing, request.rig, request.cut)});
  if (!words.motion.empty()) {
    ZOE_TRY_ASSIGN(SourceMotions source, load_motions(words.motion, words.clips, words.actions, warnings));
    for (Motion& motion : source.motions) {
      const std::string name = unique_tag(motion.name, request.clips);
      request.clips.push_back({name, std::make_shared<const Motion>(std::move(motion)), source.body, {}, false});
    }
  } else {
    ZOE_TRY(check_actions(words.actions));
    const id::Identity person = plain_person();
    for (const std::string& action : words.actions) {
      auto motion = std::make_shared<const Motion>(id::make_action(person, action).value());
      request.clips.push_back({unique_tag(action, request.clips), motion, person.body, {}, false});
    }
  }
  for (sprite::PuppetClip& clip : request.clips) {
    clip.loop = !words.once && sprite::is_loop(*clip.motion);
    clip.exposures = sprite::time_drawings(*clip.motion, words.timing, clip.loop);
  }
  request.keep_travel = words.keep;
  request.two_directions = words.both;
  Result<sprite::FrameSet> set = paint_drawing(request, words, warnings);
  if (!set) return with_file(set.error(), words.image);
  if (!quiet()) fmt::print("joints {:.2f}, {} colours\n", request.rig.confidence(), set->palette.size());
  return set;
}

// The factory gives poses, timing and shadows; the network paints the bodies from the words.
Result<sprite::FrameSet> repaint_text(const sprite::TextRequest& text, const id::Identity& person,
                                      const GenerateWords& words, sprite::Request request, Warnings& warnings) {
  ZOE_TRY_ASSIGN(const VideoTools tools, load_video_painter(words.model));
  request.maps.add(sprite::MapKind::kPose);
  request.look.shadow = false;
  const auto stand = std::make_shared<const Motion>(id::make_action(person, "idle").value());
  request.clips.push_back({"still", stand, {{0, 100}}, false});
  ZOE_TRY_ASSIGN(sprite::FrameSet set, sprite::make_frames(request, ThreadPool::shared(), warnings));
  // One still for each direction is last of all; the first of them is the reference, the others are dropped.
  const auto is_still = [](const sprite::Animation& animation) { return animation.clip == "still"; };
  const auto first = std::find_if(set.animations.begin(), set.animations.end(), is_still);
  ZOE_CHECK(first != set.animations.end(), "the still was drawn");
  const sprite::Frame still = set.frames[static_cast<std::size_t>(first->first)];
  const std::string direction = first->direction;
  for (const sprite::Animation& animation : set.animations)
    ZOE_CHECK(is_still(animation) || animation.first < first->first, "stills are last");
  set.frames.resize(static_cast<std::size_t>(first->first));
  set.animations.erase(std::remove_if(set.animations.begin(), set.animations.end(), is_still), set.animations.end());
  // A single direction is called east, however it is turned.
  const std::string view = words.directions == 1 && !text.direction.empty() ? text.direction : direction;
  if (words.directions == 1)
    for (sprite::Animation& animation : set.animations) animation.direction = view;
  sprite::VideoLook look = tools.look(words.video);
  look.seed = words.seed + 1;
  ZOE_TRY(sprite::repaint(set, {&still, view}, tools.video, {text.who, words.style}, look, ThreadPool::shared()));
  if (words.directions == 1)
    for (sprite::Animation& animation : set.animations) animation.direction = direction;
  set.maps = {};
  for (sprite::Frame& frame : set.frames) frame.maps = {};
  return set;
}

Result<sprite::FrameSet> from_text(GenerateWords& words, Warnings& warnings) {
  ZOE_TRY_ASSIGN(const sprite::TextRequest text, read_text(words, warnings));
  if (words.actions.empty()) words.actions = text.actions;
  if (words.actions.empty()) words.actions = {"idle"};
  ZOE_TRY(check_actions(words.actions));
  if (words.style.empty()) words.style = text.style.empty() ? "pixel" : text.style;
  const id::Identity person = id::make_identity(text.traits);
  sprite::Request request{
      .character = person.character, .body = person.body, .num_directions = words.directions, .size_px = words.size_px};
  constexpr std::array<std::pair<std::string_view, float>, 8> kYaws{
      {{"s", 0}, {"se", 45}, {"e", 70}, {"ne", 135}, {"n", 180}, {"nw", 225}, {"w", 290}, {"sw", 315}}};
  for (const auto& [direction, yaw_deg] : kYaws)
    if (direction == text.direction && words.directions == 1)
      request.turn_deg = yaw_deg <= 90 ? 90 - yaw_deg : 450 - yaw_deg;
  request.look.style = *sprite::style_from(words.style);
  request.num_weapon_instances = person.num_weapon_instances;
  request.effects = words.effects;
  for (const std::string& action : words.actions) {
    auto motion = std::make_shared<const Motion>(id::make_action(person, action).value());
    sprite::Clip clip{action, motion, {}, !words.once && id::action_loops(action)};
    clip.feel = sprite::feel_of(words.timing.pace, words.timing.feel);
    clip.exposures = sprite::time_drawings(*motion, words.timing, clip.loop);
    request.clips.push_back(std::move(clip));
  }
  if (!quiet()) fmt::print("{}, {}\n", id::describe(text.traits), fmt::join(words.actions, ", "));
  if (words.painter != "video") return sprite::make_frames(request, ThreadPool::shared(), warnings);
  return repaint_text(text, person, words, std::move(request), warnings);
}

}  // namespace

int run_sprite_generate(const Arguments& arguments) {
  Options app;
  GenerateWords words;
  sprite::WriteOptions write;
  float guidance = 0;
  app.add_option("--image", words.image, "Drawing of one character; frames of 64 x 64 pixels in its colours")->reads();
  app.add_option("--text", words.text, "Or a sentence: \"a fat green goblin with an axe, walking\"");
  app.add_option("--action", words.actions, "Actions, comma-separated; default walk, or those of the text")
      ->delimiter(',');
  app.add_option("--motion", words.motion, "With --image: file of the motions; any skeleton")->reads();
  app.add_option("--clip", words.clips, "Clips of --motion by name or number, comma-separated, or all")->delimiter(',');
  app.add_option("-o,--out", words.output, "Folder for the sheet and its descriptions")->required()->writes_folder();
  app.add_option("--name", words.name, "Name of the files");
  app.add_option(
         "--painter", words.painter,
         "Who draws: warp (default of --image), factory (default of --text, exact), or video, a transformer that "
         "reads a drawing, a text or both")
      ->one_of({"warp", "factory", "video"});
  app.add_option("--model", words.model,
                 "Run of `zoe train sprite` or `sprite_video`, or its network; default models/painter, sprite_video");
  app.add_option("--steps", words.video.steps, "With --painter video: evaluations of the network; default the model's")
      ->between(1, 50);
  app.add_option("--guidance", guidance,
                 "With --painter video: how much text and drawing count; default 2 for --text, 1 for --image")
      ->between(1, 10);
  app.add_option("--joints", words.joints, "Corrected joints: the joints.json of an earlier run, edited")->reads();
  app.add_flag("--humanoid", words.humanoid,
               "The figure has two arms and two legs, whatever its silhouette looks like");
  app.add_flag("--flip", words.flip, "The drawing faces left: mirror it first");
  app.add_flag("--both", words.both, "East and west: the game flips the frames");
  app.add_option("--seed", words.seed, "With --text: of all that the text leaves open")->capture_default_str();
  app.add_option("--style", words.style, "With --text: default the text's, else pixel")
      ->one_of({"lit", "toon", "ink", "silhouette", "flat", "pixel"});
  app.add_option("--directions", words.directions, "With --text: 1, 2, 4, 8 or 16")->between(1, 16);
  app.add_option("--size", words.size_px, "With --text: canvas")->between(8, 2048, "pixels")->capture_default_str();
  app.add_flag("--effects", words.effects, "With --text: slash arcs, dust, sparks as a layer");
  add_timing_options(app, words.pace, words.timing);
  app.add_flag("--once", words.once, "Clips do not repeat, even where they end as they begin");
  app.add_flag("--keep-travel", words.keep, "Bodies that walk leave the pivot");
  app.add_option("--export", write.exports, "Further files, comma-separated: as for `zoe sprite make`")
      ->delimiter(',')
      ->one_of(sprite::export_words());
  if (const auto exit = parse(app, arguments)) return *exit;
  const bool both_given = !words.image.empty() && !words.text.empty();
  if ((words.image.empty() && words.text.empty()) || (both_given && words.painter != "video")) {
    print_error("give either a drawing (--image FILE) or a sentence (--text \"…\"); both only with --painter video");
    return kWrongUsage;
  }
  if (words.painter == (words.image.empty() ? "warp" : "factory")) {
    print_error(words.image.empty() ? "--painter warp needs a drawing (--image FILE)"
                                    : "--painter factory draws from a sentence (--text), not from a drawing");
    return kWrongUsage;
  }
  if (!words.image.empty() && words.motion.empty() && words.actions.empty()) words.actions = {"walk"};
  words.timing.pace = *sprite::pace_from(words.pace);
  words.video.guidance = guidance > 0 ? guidance : words.image.empty() ? 2.0F : 1.0F;
  write.folder = words.output;
  write.title = !words.name.empty()    ? words.name
                : !words.image.empty() ? std::filesystem::path(words.image).stem().string()
                                       : "sprite";
  Warnings warnings;
  const auto start = std::chrono::steady_clock::now();
  const Result<sprite::FrameSet> set =
      words.image.empty() ? from_text(words, warnings) : from_image(words, write, warnings);
  for (Warning& warning : warnings)
    if (warning.where.file.empty()) warning.where.file = words.image;
  print_warnings(warnings);
  if (!set) return print_error(set.error());
  write.command = command_line_of(arguments);
  const Result<sprite::WriteReport> written = sprite::write_set(*set, write);
  if (!written) return print_error(written.error());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!quiet()) {
    fmt::print("{}: {} frames of {} x {}, sheet {} x {}, {:.1f} s\n", written->files[0].string(), set->frames.size(),
               set->width, set->height, written->sheet_width, written->sheet_height, seconds);
  }
  return kDone;
}

}  // namespace zoe::cli
