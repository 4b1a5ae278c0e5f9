// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe render`: clips to pictures and films, without a display.
#include <algorithm>

#include "zoe/scene/film.h"

#include "camera_option.h"
#include "clip.h"
#include "film.h"
#include "size_option.h"
#include "verbs.h"

namespace zoe::cli {
namespace {

// Bodies are analysed from all clips of a file: cameras stand before their front. Bones and contacts need the analysis.
Result<void> load_clips(const std::vector<std::string>& files, const ClipOptions& options, scene::FilmRequest& request,
                        Warnings& warnings) {
  for (const std::string& file : files) {
    ZOE_TRY_ASSIGN(const LoadedClip clip, load_clip(file, options, warnings));
    request.clips.push_back(to_displayed(clip));
    Result<SkeletonAnalysis> body = analyse_clip(clip);
    if (body) {
      request.clips.back().body = std::make_shared<const SkeletonAnalysis>(std::move(*body));
    } else if (!clip.has_mesh() || request.look.bones || request.look.signs.contacts) {
      return body.error();
    }
  }
  return {};
}

}  // namespace

int run_render(const Arguments& arguments) {
  Options app;
  scene::FilmRequest request;
  ClipOptions clip;
  std::vector<std::string> files;
  std::string size = "1280x720", camera = "auto", output, quality = "medium", bvh_up = "auto", skin = "file";
  std::vector<std::string> show, styles;
  bool no_labels = false;
  app.add_option("files", files, "Clips or characters; several are drawn side by side")->required()->reads();
  app.add_option("-o,--out", output, "film (.mp4 .gif .webp), picture (.png), or a folder for one PNG per frame")
      ->required()
      ->writes();
  app.add_option("--character", clip.character, "Play the clips on this file's body; joint names may differ")->reads();
  app.add_option("--clip", clip.clip, "Which clip: its number from 0, or its name");
  app.add_option("--camera", camera,
                 "auto, front, back, left, right, top, iso, or YAW,PITCH[,DISTANCE] (degrees, metres)");
  app.add_option("--size", size, "WIDTHxHEIGHT in pixels")->capture_default_str();
  app.add_option("--fps", request.fps, "Frames per second of a film")
      ->between(0.1, 1000.0, "frames per second")
      ->capture_default_str();
  app.add_option("--start", request.start_s, "Seconds into the clip to start at")->between(0.0, 86400.0, "s");
  app.add_option("--seconds", request.seconds, "Length; shorter clips repeat. Default: the whole clip")
      ->between(0.001, 86400.0, "s");
  app.add_option("--time", request.time_s, "A single picture: the moment, seconds. Default: the middle")
      ->between(0.0, 86400.0, "s");
  app.add_option("--style", styles,
                 "studio: body and light; skeleton: solid bones; sheet: many poses in one picture; toon, ink or "
                 "watercolour: as a drawing. Comma-separated, e.g. sheet,ink")
      ->delimiter(',')
      ->one_of({"studio", "skeleton", "sheet", "toon", "ink", "watercolour", "watercolor"});
  app.add_flag("--software", request.software, "Draw on the CPU, without OpenGL: the same bytes in every run");
  app.add_option("--poses", request.num_poses, "Sheet: number of poses of each clip")
      ->between(1, 1000)
      ->capture_default_str();
  app.add_option("--ghost", request.num_ghosts,
                 "N see-through poses: behind the body in a film, over the whole clip in a picture")
      ->between(0, 100);
  app.add_option("--show", show, "Overlays, comma-separated: trajectory, velocities, contacts, names")
      ->delimiter(',')
      ->one_of({"trajectory", "velocities", "contacts", "names"});
  app.add_option("--quality", quality, "low, medium or high")->one_of({"low", "medium", "high"});
  app.add_option("--supersample", request.supersampling, "Render N times larger each way and average")->between(1, 4);
  app.add_option(
         "--skin", skin,
         "file, linear or dual: as the file states, or one for all; dual quaternions keep the volume of twisted limbs")
      ->one_of({"file", "linear", "dual"});
  app.add_flag("--transparent", request.transparent,
               "No ground, no sky; alpha is the coverage of the body (PNG, WebP)");
  app.add_flag("--no-labels", no_labels, "No titles, no times");
  app.add_option("--bvh-up", bvh_up,
                 "Up axis of BVH input, y or z; the format does not state it. auto: as the body stands")
      ->one_of({"auto", "y", "z"});
  app.add_option("--shaders", request.shader_folder, "Folder of GLSL files that replace ours of the same name");
  if (const auto exit = parse(app, arguments)) return *exit;

  const Result<std::pair<int, int>> pixels = parse_size(size);
  if (!pixels) return print_error(pixels.error());
  const Result<scene::CameraPlacement> placement = parse_camera(camera);
  if (!placement) return print_error(placement.error());
  std::tie(request.width, request.height) = *pixels;
  request.camera = *placement;
  request.output = output;
  const auto has_style = [&](const char* word) {
    return std::find(styles.begin(), styles.end(), word) != styles.end();
  };
  const bool watercolor = has_style("watercolour") || has_style("watercolor");
  if (has_style("toon") + has_style("ink") + watercolor > 1)
    return print_error(Error{ErrorCode::kUsage, "--style takes one of toon, ink and watercolour", {}});
  request.style = has_style("toon")  ? render::DrawStyle::kToon
                  : has_style("ink") ? render::DrawStyle::kInk
                  : watercolor       ? render::DrawStyle::kWatercolor
                                     : render::DrawStyle::kPlain;
  request.sheet = has_style("sheet");
  request.labels = !no_labels;
  request.look.bones = has_style("skeleton");
  const auto shows = [&](const char* what) { return std::find(show.begin(), show.end(), what) != show.end(); };
  request.look.signs = {shows("trajectory"), shows("velocities"), shows("contacts"), shows("names")};
  clip.bvh_up = bvh_up[0];
  if (skin != "file") {
    request.look.skinning = skin == "dual" ? render::Skinning::kDualQuaternion : render::Skinning::kLinear;
  }
  request.quality = quality == "low"    ? render::Quality::kLow
                    : quality == "high" ? render::Quality::kHigh
                                        : render::Quality::kMedium;
  if (const Result<void> fits = check_film(request); !fits) return print_error(fits.error());
  Warnings warnings;
  if (const Result<void> loaded = load_clips(files, clip, request, warnings); !loaded)
    return print_error(loaded.error());
  print_warnings(warnings);
  return draw_film(request);
}

}  // namespace zoe::cli
