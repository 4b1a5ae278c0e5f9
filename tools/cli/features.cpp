// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe features`: a model's inputs and outputs for a file, as a table of channels or
// as arrays.
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "zoe/core/file.h"
#include "zoe/features/find_schema.h"
#include "zoe/features/frame_rows.h"
#include "zoe/features/label_file.h"
#include "zoe/io/npz_file.h"

#include "clip_arrays.h"
#include "metric_clip.h"
#include "verbs.h"

namespace zoe::cli {
namespace {

using namespace features;
using Json = nlohmann::ordered_json;

struct Request {
  std::string file, schema, output, clip, overrides;
  double fps = 0;
  bool json = false, print_schema = false, find_actions = false;
};

// A preset's name, or a file.
Result<Schema> load_schema(const Request& request) {
  ZOE_TRY_ASSIGN(Schema schema, features::find_schema(request.schema));
  if (request.fps > 0) schema.fps = request.fps;
  return schema;
}

std::vector<std::string> names_of(const Layout& layout, const std::vector<std::string>& indices) {
  std::vector<std::string> names;
  for (const std::string& index : indices)
    names.push_back(index.empty() ? "" : layout.joint_names()[std::stoul(index.substr(1))]);
  return names;
}

Json to_json(const Request& request, const MetricClip& clip, const Layout& layout) {
  const Schema& schema = layout.schema();
  Json out{{"file", request.file},
           {"clip", clip.motion.name},
           {"schema", schema.name},
           {"fps", layout.fps()},
           {"rows", num_rows(layout, clip.motion)},
           {"frame_width", layout.frame_width()},
           {"past_frames", layout.past_frames()},
           {"future_frames", layout.future_frames()},
           {"joints",
            {{"pose", names_of(layout, schema.pose_joints)},
             {"contacts", names_of(layout, schema.contact_joints)},
             {"tracking", names_of(layout, schema.tracking_joints)},
             {"root", names_of(layout, schema.root_joints)}}}};
  for (const BlockKind kind : kBlockKinds) {
    Json channels = Json::array();
    for (const Column& column : layout.columns(kind))
      channels.push_back({{"name", column.name}, {"begin", column.begin}, {"width", column.width}});
    out[to_string(kind)] = {{"steps", layout.width(kind) > 0 ? layout.steps(kind) : 0},
                            {"width", layout.width(kind)},
                            {"channels", channels}};
  }
  return out;
}

void print_table(const Request& request, const MetricClip& clip, const Layout& layout) {
  const Schema& schema = layout.schema();
  fmt::print("{}\n", request.file);
  fmt::print("  clip       {}: {} frames at {:g} fps\n", clip.motion.name, clip.motion.num_frames, clip.motion.fps);
  fmt::print("  schema     {}: {} rows at {:g} fps; a sample reads {} before and {} after its own\n", schema.name,
             num_rows(layout, clip.motion), layout.fps(), layout.past_frames(), layout.future_frames());
  const auto joints = [&](const char* title, const std::vector<std::string>& list) {
    if (!list.empty()) fmt::print("  {:<10} {}: {}\n", title, list.size(), fmt::join(names_of(layout, list), ", "));
  };
  joints("pose", schema.pose_joints);
  joints("contacts", schema.contact_joints);
  joints("tracking", schema.tracking_joints);
  for (const BlockKind kind : kBlockKinds) {
    if (layout.width(kind) == 0) continue;
    fmt::print("\n  {} {} x {}\n", to_string(kind), layout.steps(kind), layout.width(kind));
    for (const Column& column : layout.columns(kind))
      fmt::print("    {:>5} .. {:<5} {:>5}  {}\n", column.begin, column.begin + column.width - 1, column.width,
                 column.name);
  }
}

// From the file beside the clip; actions are detected where requested and the file has none.
Result<LabelFrames> labels_of(const Request& request, const MetricClip& clip, const Schema& schema) {
  std::filesystem::path path = label_file_of(request.file, clip.motion.name);
  if (!std::filesystem::exists(path)) path = label_file_of(request.file);
  std::vector<LabelSpan> spans;
  if (std::filesystem::exists(path)) {
    ZOE_TRY_ASSIGN(const MappedFile file, MappedFile::open(path));
    // Times in the file count from the calibration pose on.
    ZOE_TRY_ASSIGN(spans, parse_labels(file.text(), path.string(), {schema.styles, schema.actions, {}},
                                       clip.first_row_s + clip.motion.duration_s(), clip.motion.fps));
  } else if (request.find_actions) {
    ZOE_TRY_ASSIGN(spans, find_action_labels(clip.motion, clip.body));
    for (LabelSpan& span : spans) {
      span.start_s += clip.first_row_s;
      span.end_s += clip.first_row_s;
    }
  }
  return LabelFrames(spans, clip.motion, clip.first_row_s);
}

Result<void> write_arrays(const Request& request, const MetricClip& clip, const Layout& layout) {
  ZOE_TRY_ASSIGN(const LabelFrames label_frames, labels_of(request, clip, layout.schema()));
  ZOE_TRY_ASSIGN(const ClipArrays made, make_clip_arrays(clip, layout, label_frames.tracks()));
  const std::size_t count = made.num_rows;
  std::vector<NamedArray> arrays{{"time", view_of(made.times_s)}, {"root", view_of(made.roots, {count, 4})}};
  std::vector<Array> texts;
  texts.push_back(string_array(std::vector<std::string>{layout.to_toml()}));
  std::vector<std::string> names{"layout"};
  for (std::size_t i = 0; i < kNumBlocks; ++i) {
    const BlockKind kind = kBlockKinds[i];
    if (layout.width(kind) == 0) continue;
    const std::string name = to_string(kind);
    arrays.push_back({name, view_of(made.blocks[i], {count, static_cast<std::size_t>(layout.steps(kind)),
                                                     static_cast<std::size_t>(layout.width(kind))})});
    texts.push_back(string_array(column_names(layout, kind)));
    names.push_back(name + "_columns");
  }
  for (std::size_t i = 0; i < texts.size(); ++i) arrays.push_back({names[i], texts[i].view()});
  return io::write_npz(request.output, arrays, {.compression = 1});
}

// The presets that fit the body, and their widths.
int list_presets(const Request& request, const MetricClip& clip) {
  fmt::print("{}: family {}, {} joints; presets for it (--schema NAME prints more):\n", request.file,
             to_string(clip.body.family), clip.motion.num_joints());
  for (const std::string& name : preset_names()) {
    const auto layout = Layout::compile(Schema::preset(name).value(), *clip.motion.skeleton, clip.body);
    if (!layout) {
      fmt::print("  {:<21} -  {}\n", name, layout.error().message);
      continue;
    }
    std::string text;
    for (const BlockKind kind : kBlockKinds)
      if (layout->width(kind) > 0)
        text += fmt::format("  {} {} x {}", to_string(kind), layout->steps(kind), layout->width(kind));
    fmt::print("  {:<21}{}\n", name, text);
  }
  return kDone;
}

int run(const Request& request) {
  if (request.print_schema) {
    const auto schema = load_schema(request);
    if (!schema) return print_error(schema.error());
    const auto text = preset_text(request.schema);  // The original text, for one of our presets.
    fmt::print("{}", text && request.fps == 0 ? *text : schema->to_toml());
    return kDone;
  }
  Warnings warnings;
  const auto clip = load_metric_clip({request.file, request.clip, request.overrides}, warnings);
  if (!clip) return print_error(clip.error());
  print_warnings(warnings);
  if (request.schema.empty()) return list_presets(request, *clip);
  const auto schema = load_schema(request);
  if (!schema) return print_error(schema.error());
  const auto layout = Layout::compile(*schema, *clip->motion.skeleton, clip->body);
  if (!layout) {
    Error error = layout.error();
    if (error.where.file.empty()) error.where.file = request.file;
    return print_error(error);
  }
  if (request.json)
    fmt::print("{}\n", to_json(request, *clip, *layout).dump(2));
  else if (!quiet() || request.output.empty())
    print_table(request, *clip, *layout);
  if (request.output.empty()) return kDone;
  if (auto written = write_arrays(request, *clip, *layout); !written) return print_error(written.error());
  return kDone;
}

}  // namespace

int run_features(const Arguments& arguments) {
  Options app;
  Request request;
  app.add_option("file", request.file, "Motion file (BVH, glTF/GLB, FBX, NPZ)")->reads();
  app.add_option(
         "-s,--schema", request.schema,
         fmt::format("Preset ({}) or TOML file; default: print which presets fit", fmt::join(preset_names(), " ")))
      ->reads();
  app.add_option("-o,--out", request.output, "Write the arrays: .npz")->writes();
  app.add_option("--clip", request.clip, "Which clip: its name or its number from 0");
  app.add_option("--fps", request.fps, "Rows per second, instead of the schema's")
      ->between(1.0, 1000.0, "rows per second");
  app.add_option("--overrides", request.overrides, "TOML corrections to the body's analysis")->reads();
  app.add_flag("--find-actions", request.find_actions,
               "Detect labels in the motion where no FILE.labels.csv is beside it");
  app.add_flag("--json", request.json, "Print the table as JSON");
  app.add_flag("--print-schema", request.print_schema,
               "Print the schema as TOML, as a start for your own; needs no file");
  if (const auto exit = parse(app, arguments)) return *exit;
  if (request.file.empty() && !(request.print_schema && !request.schema.empty())) {
    print_error("name a file, or a --schema to print with --print-schema");
    return kWrongUsage;
  }
  if (!request.output.empty()) {
    constexpr const char* kFormats[] = {".npz"};
    if (const Result<void> fits = check_output_file(request.output, kFormats); !fits) return print_error(fits.error());
    if (request.schema.empty()) {
      print_error("--out needs a --schema: it says what the arrays contain");
      return kWrongUsage;
    }
  }
  return run(request);
}

}  // namespace zoe::cli
