// SPDX-License-Identifier: MIT
#include "correspond.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/core/file.h"
#include "zoe/core/index.h"
#include "zoe/generate/correspondence.h"

#include "correspond_paint.h"
#include "film.h"
#include "metric_body.h"

namespace zoe::cli {
namespace {

using Json = nlohmann::ordered_json;

struct CorrespondRequest {
  std::string files[2], model, output;
  bool json = false, no_names = false;
  double noise = 0.3;
};

struct CorrespondBody {
  MetricBody body;
  generate::BodyLayout layout;
  generate::MotionCodes codes;  // Of its first clip; empty without a model or a clip.
};

Result<CorrespondBody> load(const std::string& file, const std::optional<generate::BodyModel>& model,
                            const CorrespondRequest& request) {
  ZOE_TRY_ASSIGN(MetricBody body, load_metric_body(file));
  // Without names also the analysis must do without.
  if (request.no_names) {
    const bool in_metres = std::abs(body.displayed.metres_per_unit - 1) < 1e-6F;
    body.analysis =
        analyse(*body.skeleton, body.clips, in_metres ? body.displayed.character.get() : nullptr, {.use_names = false});
  }
  ZOE_TRY_ASSIGN(const features::Schema schema,
                 model ? Result<features::Schema>(model->schema()) : features::Schema::preset("anytop"));
  Result<generate::BodyLayout> layout = generate::make_body_layout(schema, body.skeleton, body.analysis);
  if (!layout) return Error{layout.error().code, layout.error().message, {.file = file}};
  if (request.no_names) std::fill(layout->tokens.names.begin(), layout->tokens.names.end(), 0.0F);
  CorrespondBody out{std::move(body), std::move(*layout), {}};
  if (!model) return out;
  std::vector<float> rest(out.layout.tokens.rest);
  features::to_canonical(out.layout.tokens, rest);
  if (!out.body.clips.empty()) {
    ZOE_TRY_ASSIGN(const generate::BodyFrames frames, generate::to_frames(out.layout, out.body.clips[0]));
    rest = frames.values;
  }
  ZOE_TRY_ASSIGN(out.codes, model->codes(out.layout.tokens, rest, request.noise));
  return out;
}

generate::BodyParts parts_of(const CorrespondBody& body) {
  return generate::find_body_parts(body.layout.tokens, *body.body.skeleton, body.body.analysis);
}

Result<Json> correspond(const CorrespondRequest& request) {
  std::optional<generate::BodyModel> model;
  if (!request.model.empty()) {
    ZOE_TRY_ASSIGN(model, generate::BodyModel::load(request.model));
  }
  ZOE_TRY_ASSIGN(const CorrespondBody a, load(request.files[0], model, request));
  ZOE_TRY_ASSIGN(const CorrespondBody b, load(request.files[1], model, request));
  const generate::BodyParts parts_a = parts_of(a), parts_b = parts_of(b);
  const std::vector<generate::JointMatch> matches = generate::correspond_joints(
      a.layout.tokens, b.layout.tokens, a.codes.joints, b.codes.joints, {.parts_a = &parts_a, .parts_b = &parts_b});
  Json joints = Json::array();
  for (const generate::JointMatch& match : matches)
    joints.push_back({{"b", b.body.skeleton->name(match.b)},
                      {"a", a.body.skeleton->name(match.a)},
                      {"confidence", match.confidence},
                      {"mutual", match.mutual}});
  Json out{{"a", request.files[0]},
           {"b", request.files[1]},
           {"by", model ? request.model : "shape, graph and names"},
           {"joints", joints}};
  if (model && !a.body.clips.empty() && !b.body.clips.empty()) {
    Json frames = Json::array();
    for (const generate::FrameMatch& match : generate::correspond_frames(a.codes.frames, b.codes.frames, a.codes.width))
      frames.push_back({match.a, match.b});
    out["fps"] = model->schema().fps;
    out["frames"] = frames;
  }
  if (is_film(request.output)) {
    std::vector<Vec4> of_a = part_colors(parts_a, a.layout.tokens, a.body.skeleton->num_joints());
    std::vector<Vec4> of_b(static_cast<std::size_t>(b.body.skeleton->num_joints()), Vec4{0.25F, 0.25F, 0.27F, 1});
    for (const generate::JointMatch& match : matches) of_b[idx(match.b)] = of_a[idx(match.a)];
    color_what_hangs(of_a, a.layout.tokens, *a.body.skeleton);
    color_what_hangs(of_b, b.layout.tokens, *b.body.skeleton);
    const std::array bodies{PaintedBody{&a.body, of_a}, PaintedBody{&b.body, of_b}};
    if (draw_painted(bodies, request.output) != kDone)
      return Error{ErrorCode::kIo, "the picture was not drawn", {.file = request.output}};
  }
  return out;
}

}  // namespace

int run_correspond(const Arguments& arguments) {
  Options app;
  CorrespondRequest request;
  app.add_option("a", request.files[0], "File of a body, with or without clips")->required()->reads();
  app.add_option("b", request.files[1], "Another: each of its joints gets one of a")->required()->reads();
  app.add_option("-m,--model", request.model, "Run of `zoe train anytop`: its codes count too, and frames are matched")
      ->reads();
  app.add_option("--noise", request.noise, "Level of noise at which the network reads motions")
      ->between(0.001, 1)
      ->capture_default_str();
  app.add_flag("--no-names", request.no_names, "Ignore the names of joints");
  app.add_option("-o,--out", request.output,
                 "JSON (.json), or a film or picture of both in equal colours (.mp4 .gif .webp .png)")
      ->writes();
  app.add_flag("--json", request.json, "Print JSON instead of lines");
  if (const auto exit = parse(app, arguments)) return *exit;
  const Result<Json> out = correspond(request);
  if (!out) return print_error(out.error());
  if (!request.output.empty() && !is_film(request.output)) {
    if (const auto written = write_file_atomic(request.output, out->dump(2) + "\n"); !written)
      return print_error(written.error());
  }
  if (request.json) {
    fmt::print("{}\n", out->dump(2));
  } else if (!quiet()) {
    for (const Json& joint : (*out)["joints"])
      fmt::print("{:<32} {:<32} {:.2f}{}\n", joint["b"].get<std::string>(), joint["a"].get<std::string>(),
                 joint["confidence"].get<double>(), joint["mutual"].get<bool>() ? "" : "  one way");
  }
  return kDone;
}

}  // namespace zoe::cli
