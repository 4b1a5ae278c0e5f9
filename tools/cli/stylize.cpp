// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe stylize`: the motions of a file or a folder in another style.
#include "zoe/style/stylize.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "zoe/author/retarget_source.h"
#include "zoe/io/convert.h"
#include "zoe/io/read.h"
#include "zoe/io/write.h"
#include "zoe/motion/calibration.h"
#include "zoe/retarget/reference_pose.h"
#include "zoe/style/adapt.h"
#include "zoe/style/quadruped.h"

#include "controller/mood.h"
#include "verbs.h"

namespace zoe::cli {
namespace fs = std::filesystem;
namespace {

struct StyledBody {
  SkeletonAnalysis analysis;
  style::RoleBody body;
};

// model: null for rules.
Result<StyledBody> body_of_asset(const io::Asset& asset, const style::StyleModel* model, const std::string& file) {
  if (asset.clips.empty()) return Error{ErrorCode::kUsage, "it contains no clip: style needs motion", {.file = file}};
  ZOE_TRY_ASSIGN(author::AssetAnalysis found, author::analyse_asset(asset));
  const SkeletonPtr& skeleton = asset.character->skeleton;
  Pose reference = reference_pose(*skeleton, found.body, asset.clips, asset.character.get());
  Result<style::RoleBody> body = model == nullptr ? style::RoleBody::create(skeleton, found.body, reference)
                                                  : model->body_of(skeleton, found.body, std::move(reference));
  if (!body) return Error{body.error().code, body.error().message, {.file = file}};
  return StyledBody{std::move(found.body), std::move(*body)};
}

// What --style names: a code of the model with a correction of its rows, or a rule.
struct Wanted {
  style::StyleCode code;
  std::string words;
  const style::ProceduralStyle* rule = nullptr;
  style::RowCorrection correction;
  std::optional<style::QuadrupedPosture> posture;  // Of a clip of a four-legged body.
};
constexpr std::string_view kRule = "rule:";

Result<Wanted> wanted_rule(const std::string& text) {
  Wanted wanted{{}, text, style::find_procedural_style(text.substr(kRule.size())), {}};
  if (wanted.rule != nullptr) return wanted;
  std::vector<std::string> names;
  for (const style::ProceduralStyle& style : style::procedural_styles()) names.push_back(style.name);
  return Error{ErrorCode::kUsage, fmt::format("there is no rule '{}'; there are: {}", text, fmt::join(names, ", "))};
}

// Rows of all clips of a file that are long enough.
Result<void> add_examples(const style::StyleModel& model, const fs::path& file, std::vector<style::StyleExample>& to) {
  constexpr int kFewestFrames = 15;
  ZOE_TRY_ASSIGN(io::Asset asset, io::read_asset(file));
  for (Motion& clip : asset.clips) drop_calibration_frames(clip);
  ZOE_TRY_ASSIGN(const StyledBody body, body_of_asset(asset, &model, file.string()));
  for (const Motion& clip : asset.clips) {
    if (clip.num_frames < kFewestFrames && asset.clips.size() > 1) continue;
    Result<style::StyleClip> rows = style::encode_clip(clip, body.body, body.analysis);
    if (!rows) return Error{rows.error().code, rows.error().message, {.file = file.string()}};
    to.push_back({style::every(*rows), body.body.offsets});
  }
  return {};
}

// The style of recordings: of the first clip of one file, or of all clips of several.
Result<Wanted> style_of_clips(const style::StyleModel& model, const std::vector<std::string>& clips, std::uint64_t vary,
                              int refine, bool first_only) {
  std::vector<style::StyleExample> examples;
  for (const std::string& text : clips) {
    std::vector<fs::path> files{text};
    if (fs::is_directory(text)) {
      ZOE_TRY_ASSIGN(files, io::list_assets(text));
    }
    for (const fs::path& file : files) ZOE_TRY(add_examples(model, file, examples));
  }
  if (examples.empty()) return Error{ErrorCode::kUsage, "no clip of the style here", {.file = clips[0]}};
  if (first_only) examples.resize(1);
  style::AdaptedStyle found = style::adapt_style(model, examples, {.tries = refine});
  if (!quiet())
    fmt::print("{}: {} clip{} rebuilt to {:.3f} leg lengths, by the encoder alone {:.3f}\n", clips[0], examples.size(),
               examples.size() == 1 ? "" : "s", found.error_after, found.error_before);
  // What a clip's own windows vary by is too little; the styles of the training tell what performers vary by.
  style::NamedStyle one{clips[0], found.code, style::StyleCode(found.code.size(), 0.0F)};
  for (const style::NamedStyle& style : model.styles())
    for (std::size_t i = 0; i < one.deviation.size(); ++i)
      one.deviation[i] += style.deviation[i] / static_cast<float>(model.styles().size());
  return Wanted{style::varied(one, vary), clips[0], nullptr, std::move(found.correction)};
}

// Empty where the file's body has no four legs.
Result<std::optional<style::QuadrupedPosture>> four_legged_posture(const std::string& file) {
  ZOE_TRY_ASSIGN(const io::Asset asset, io::read_asset(file));
  if (asset.clips.empty()) return Error{ErrorCode::kUsage, "it contains no clip: style needs motion", {.file = file}};
  ZOE_TRY_ASSIGN(const author::AssetAnalysis found, author::analyse_asset(asset));
  if (found.body.family != BodyFamily::kQuadruped) return std::optional<style::QuadrupedPosture>();
  ZOE_TRY_ASSIGN(const style::QuadrupedBody body, style::QuadrupedBody::create(asset.character->skeleton, found.body));
  return std::optional(style::posture_of(asset.clips[0], body));
}

Result<Wanted> wanted_style(const style::StyleModel& model, const std::string& text, std::uint64_t vary, int refine) {
  if (fs::is_regular_file(text)) {
    ZOE_TRY_ASSIGN(const std::optional<style::QuadrupedPosture> posture, four_legged_posture(text));
    if (posture) return Wanted{{}, text, nullptr, {}, posture};
  }
  if (fs::exists(text)) return style_of_clips(model, {text}, vary, refine, true);
  for (const style::NamedStyle& style : model.styles())
    if (style.name == text) return Wanted{style::varied(style, vary), text, nullptr, {}};
  ZOE_TRY_ASSIGN(style::StyleCode code, model.parse(text));
  return Wanted{std::move(code), text, nullptr, {}};
}

struct StylizeRequest {
  std::string style;
  float strength = 1;
  std::uint64_t vary = 0;
  style::StylizeOptions options;
  std::string apply = "auto";
};

// A four-legged body: by rule, or in the posture of a clip of such a body.
Result<void> stylize_quadruped(io::Asset& asset, const SkeletonAnalysis& analysis, const Wanted& wanted,
                               const StylizeRequest& request, const std::string& file) {
  if (wanted.rule == nullptr && !wanted.posture)
    return Error{ErrorCode::kUsage,
                 "this body has four legs, and the model knows people: use --style rule:NAME, or a clip of such a body",
                 {.file = file}};
  if (asset.clips.empty()) return Error{ErrorCode::kUsage, "it contains no clip: style needs motion", {.file = file}};
  Result<style::QuadrupedBody> body = style::QuadrupedBody::create(asset.character->skeleton, analysis);
  if (!body) return Error{body.error().code, body.error().message, {.file = file}};
  for (Motion& clip : asset.clips) {
    const style::QuadrupedStyle style = wanted.rule != nullptr
                                            ? style::quadruped_style(*wanted.rule)
                                            : style::style_between(style::posture_of(clip, *body), *wanted.posture);
    clip = style::perform_quadruped(style::scaled(style, request.strength), clip, *body, analysis, request.vary);
    if (!quiet()) fmt::print("{}: clip {}, {:.1f} s, paws as they were\n", file, clip.name, clip.duration_s());
  }
  return {};
}

Result<void> stylize_file(const fs::path& input, const fs::path& output, const style::StyleModel* model,
                          const Wanted& wanted, const StylizeRequest& request) {
  ZOE_TRY_ASSIGN(io::Asset asset, io::read_asset(input));
  if (!asset.clips.empty()) {
    ZOE_TRY_ASSIGN(const author::AssetAnalysis found, author::analyse_asset(asset));
    if (found.body.family == BodyFamily::kQuadruped) {
      ZOE_TRY(stylize_quadruped(asset, found.body, wanted, request, input.string()));
      ZOE_TRY_ASSIGN(const Warnings warnings, io::write_asset(output, asset));
      print_warnings(warnings);
      return {};
    }
  }
  if (wanted.posture)
    return Error{ErrorCode::kUsage, "this body has not four legs, and the style's clip has", {.file = input.string()}};
  ZOE_TRY_ASSIGN(const StyledBody body, body_of_asset(asset, model, input.string()));
  for (Motion& clip : asset.clips) {
    const int dropped = drop_calibration_frames(clip);
    if (dropped > 0 && !quiet()) fmt::print("{}: {} frames of a calibration pose excluded\n", input.string(), dropped);
    Result<style::StyleClip> rows = style::encode_clip(clip, body.body, body.analysis);
    if (!rows) return Error{rows.error().code, rows.error().message, {.file = input.string()}};
    CleanFeetReport feet;
    if (wanted.rule != nullptr) {
      ZOE_TRY_ASSIGN(clip, style::perform_motion(style::scaled(*wanted.rule, request.strength), clip, body.body,
                                                 body.analysis, Random(request.vary), request.options, &feet));
    } else {
      // The encoder is a guess on bodies that it has not seen: their clips count as neutral.
      const bool unknown = !model->knows(*asset.character->skeleton);
      const style::StyleCode own = unknown ? model->neutral() : model->encode(style::every(*rows));
      const style::StyleCode z = style::between(own, wanted.code, request.strength);
      style::StylizeOptions options = request.options;
      const style::RowCorrection correction = style::scaled(wanted.correction, request.strength);
      options.correction = &correction;
      if (request.apply == "change" || (request.apply == "auto" && unknown)) options.own = &own;
      constexpr double kEnough = 0.5;
      if (request.apply == "auto" && !unknown &&
          style::content_kept(*rows, style::stylize_rows(*model, *rows, z, options.correction), body.body.offsets) <
              kEnough) {
        options.own = &own;  // A style of walks, asked of a run: the clip's steps stay, in the posture of the style.
        if (!quiet()) fmt::print("{}: only the change is applied, else steps or gestures are lost\n", input.string());
      }
      ZOE_TRY_ASSIGN(clip, style::stylize_motion(*model, clip, body.body, body.analysis, z, options, &feet));
    }
    if (!quiet())
      fmt::print("{}: clip {}, {:.1f} s, feet slide {:.3f} m/s before locking and {:.3f} after\n", output.string(),
                 clip.name, clip.duration_s(), feet.slide_before_m_s, feet.slide_after_m_s);
  }
  ZOE_TRY_ASSIGN(const Warnings warnings, io::write_asset(output, asset));
  print_warnings(warnings);
  return {};
}

// The source and the result side by side, by `zoe render`.
int draw_pair(const fs::path& source, const std::string& style, const fs::path& result, const fs::path& picture,
              const std::vector<std::string>& more) {
  const auto verb = std::ranges::find_if(verbs(), [](const Verb& v) { return std::string(v.name) == "render"; });
  Arguments arguments{*verb, {source.string()}};
  if (fs::exists(style)) arguments.words.push_back(style);
  arguments.words.insert(arguments.words.end(), {result.string(), "-o", picture.string()});
  arguments.words.insert(arguments.words.end(), more.begin(), more.end());
  if (quiet()) arguments.words.emplace_back("--quiet");
  return run_render(arguments);
}

}  // namespace

int run_stylize(const Arguments& arguments) {
  Options app;
  StylizeRequest request;
  std::string motion, model_folder, output, format = "bvh", preview, character;
  bool no_lock = false, list = false;
  int refine = -1;
  std::vector<std::string> adapt;
  double strength = 1;
  app.add_option("motion", motion, "File with the clips, or a folder of files")->reads();
  app.add_option("--style", request.style,
                 "A motion file, a style of the model, a sum as \"0.6*proud+0.4*tired\", or a rule as rule:proud");
  app.add_option("--model", model_folder, "Run of `zoe train style`; default the included model")->reads();
  app.add_option("--strength", strength, "0: the clip's own style, 1: the style, up to 1.5: more of it")
      ->between(0.0, 1.5)
      ->capture_default_str();
  app.add_option("--vary", request.vary, "Seed of another performance of the style; 0: the typical one")
      ->at_least_zero()
      ->capture_default_str();
  app.add_option("--adapt", adapt, "Files or folders of the style, about a minute, instead of --style")
      ->reads()
      ->type_name("CLIPS");
  app.add_option("--refine", refine, "Clips as style: tries of a search for the code; default 0, with --adapt 150")
      ->between(0, 100000);
  app.add_option("-o,--out", output, "File to write (.bvh .glb .fbx .npz), or a folder")->writes();
  app.add_option("--format", format, "Folders: format to write")
      ->one_of({"glb", "gltf", "bvh", "npz"})
      ->capture_default_str();
  app.add_option("--preview", preview, "Film or picture of source, style clip and result side by side")->writes();
  app.add_option("--apply", request.apply,
                 "whole: the network's motion; change: only what differs from the clip's own style; auto: change where "
                 "no training clip had this skeleton")
      ->one_of({"auto", "whole", "change"})
      ->capture_default_str();
  app.add_flag("--no-foot-lock", no_lock, "Leave the feet where the network puts them");
  app.add_flag("--list", list, "Print the styles of the model and exit");
  if (const auto exit = parse(app, arguments)) return *exit;
  const bool by_rule = request.style.starts_with(kRule);
  style::StyleModelPtr model;
  if (!by_rule) {
    Result<style::StyleModelPtr> loaded = style::StyleModel::load(style_model_folder(model_folder));
    if (!loaded) return print_error(loaded.error());
    model = std::move(*loaded);
  }
  if (list) {
    if (by_rule)
      for (const style::ProceduralStyle& style : style::procedural_styles()) fmt::print("rule:{}\n", style.name);
    else
      for (const style::NamedStyle& style : model->styles()) fmt::print("{}\n", style.name);
    return kDone;
  }
  const auto wrong = [](const char* message) { return print_error(Error{ErrorCode::kUsage, message, {}}); };
  if (motion.empty() || (request.style.empty() && adapt.empty()))
    return wrong("stylize: a motion and --style are needed (--list prints styles)");
  if (!request.style.empty() && !adapt.empty()) return wrong("--adapt and --style both name the style: use one");
  if (output.empty()) return wrong("stylize: -o OUT is missing");
  request.strength = static_cast<float>(strength);
  request.options.lock_feet = !no_lock;
  constexpr int kAdaptTries = 150;
  const Result<Wanted> wanted =
      !adapt.empty() ? style_of_clips(*model, adapt, request.vary, refine >= 0 ? refine : kAdaptTries, false)
      : by_rule      ? wanted_rule(request.style)
                     : wanted_style(*model, request.style, request.vary, std::max(refine, 0));
  if (!wanted) return print_error(wanted.error());
  if (!fs::is_directory(motion)) {
    constexpr const char* kFormats[] = {".glb", ".gltf", ".fbx", ".bvh", ".npz"};
    if (const Result<void> fits = check_output_file(output, kFormats); !fits) return print_error(fits.error());
    if (const Result<void> done = stylize_file(motion, output, model.get(), *wanted, request); !done)
      return print_error(done.error());
    if (preview.empty()) return kDone;
    std::vector<std::string> more;
    if (fs::path(preview).extension() == ".png") more = {"--style", "sheet", "--poses", "8", "--size", "1600x700"};
    return draw_pair(motion, request.style, output, preview, more);
  }
  if (!preview.empty()) return wrong("--preview draws one file: name a motion, not a folder");
  const Result<std::vector<fs::path>> files = io::list_assets(motion);
  if (!files) return print_error(files.error());
  if (files->empty())
    return print_error(Error{ErrorCode::kUsage, "no supported file in this folder", {.file = motion}});
  const std::vector<fs::path> names = io::output_names(*files, motion, output, "." + format);
  int code = kDone;
  for (std::size_t i = 0; i < files->size(); ++i)
    if (const Result<void> done = stylize_file((*files)[i], names[i], model.get(), *wanted, request); !done)
      code = print_error(done.error());
  return code;
}

}  // namespace zoe::cli
