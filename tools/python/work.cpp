// SPDX-License-Identifier: MIT
// Part of Zoetrope. The Python module: analysis, retargeting, features, certificates.
#include <nlohmann/json.hpp>

#include "zoe/author/retarget_source.h"
#include "zoe/features/find_schema.h"
#include "zoe/io/convert.h"
#include "zoe/retarget/reference_pose.h"
#include "zoe/retarget/retarget.h"
#include "zoe/retarget/skin_stretch.h"

#include "binding.h"
#include "certify/judged_file.h"
#include "clip_arrays.h"
#include "info_analysis.h"

namespace zoe::python {

namespace {

std::string analyse_file(const File& file, const std::string& overrides) {
  need_joints(file);
  const io::Asset asset = file.to_asset();
  return cli::analysis_to_json("", *asset.character->skeleton, unwrap(author::analyse_asset(asset, overrides))).dump();
}

// All clips of `source` on the body of `target`. As `zoe retarget`, without its files.
std::shared_ptr<File> retarget_file(const File& source_file, const File& target_file, const std::string& clip,
                                    bool ik) {
  need_joints(source_file);
  need_joints(target_file);
  const io::Asset source = source_file.to_asset(), target = target_file.to_asset();
  if (source.clips.empty()) throw PythonError("the source has no clip");
  const author::AssetAnalysis from = unwrap(author::analyse_asset(source)), to = unwrap(author::analyse_asset(target));
  RetargetOptions options;
  options.ik = ik;
  options.source_reference =
      reference_pose(*source.character->skeleton, from.body, source.clips, source.character.get());
  options.target_reference = reference_pose(*target.character->skeleton, to.body, target.clips, target.character.get());
  options.target_character = target.character.get();
  options.allowed_stretch = allowed_stretch(*target.character, target.clips);
  io::Asset out{target.character, {}, target.source, {}};
  const std::size_t only = clip.empty() ? 0 : unwrap(io::find_clip(source.clips, clip));
  for (std::size_t i = 0; i < source.clips.size(); ++i) {
    if (!clip.empty() && i != only) continue;
    out.clips.push_back(unwrap(retarget(source.clips[i], from.body, target.character->skeleton, to.body, options)));
  }
  return File::from(std::move(out));
}

std::string certify_path(const std::filesystem::path& path, const std::string& against, bool loop, double tolerance,
                         bool round_trip) {
  cli::CertifyRequest request;
  request.options.loop = loop;
  request.options.tolerance = tolerance;
  request.against = against;
  request.round_trip = round_trip;
  return cli::to_json(unwrap(cli::judge_file(path, request))).dump();
}

std::string certify_file(const File& file, bool loop, double tolerance) {
  need_joints(file);
  cli::CertifyRequest request;
  request.options.loop = loop;
  request.options.tolerance = tolerance;
  return cli::to_json(unwrap(cli::judge_asset(file.to_asset(), request))).dump();
}

py::dict features_of(const std::string& path, const std::string& schema_name, const std::string& clip_name,
                     double fps) {
  Warnings warnings;
  cli::ClipArrays arrays;
  std::optional<features::Layout> layout;
  {
    const py::gil_scoped_release released;
    const cli::MetricClip clip = unwrap(cli::load_metric_clip({path, clip_name, ""}, warnings));
    features::Schema schema = unwrap(features::find_schema(schema_name));
    if (fps > 0) schema.fps = fps;
    layout = unwrap(features::Layout::compile(schema, *clip.motion.skeleton, clip.body));
    arrays = unwrap(cli::make_clip_arrays(clip, *layout));
  }
  const auto rows = static_cast<py::ssize_t>(arrays.num_rows);
  py::dict out, columns;
  out["time"] = take(std::move(arrays.times_s), {rows});
  out["root"] = take(std::move(arrays.roots), {rows, 4});
  for (std::size_t i = 0; i < features::kNumBlocks; ++i) {
    const features::BlockKind kind = features::kBlockKinds[i];
    if (layout->width(kind) == 0) continue;
    out[to_string(kind)] = take(std::move(arrays.blocks[i]), {rows, layout->steps(kind), layout->width(kind)});
    columns[to_string(kind)] = column_names(*layout, kind);
  }
  out["columns"] = columns;
  return out;
}

}  // namespace

void bind_work(py::module_& module) {
  const py::call_guard<py::gil_scoped_release> released;
  module.def("_analyse", &analyse_file, py::arg("file"), py::arg("overrides"), released);
  module.def("retarget", &retarget_file, py::arg("source"), py::arg("target"), py::arg("clip") = "",
             py::arg("ik") = true, released,
             "Moves the clips of a file, or one of them, onto the body of another. Returns a File of the target.");
  module.def("_certify_path", &certify_path, py::arg("path"), py::arg("against"), py::arg("loop"), py::arg("tolerance"),
             py::arg("round_trip"), released);
  module.def("_certify_file", &certify_file, py::arg("file"), py::arg("loop"), py::arg("tolerance"), released);
  module.def("features", &features_of, py::arg("path"), py::arg("schema"), py::arg("clip") = "", py::arg("fps") = 0,
             "Inputs and outputs of a model for a clip, as `zoe features` writes them: 'time', 'root', 'input', "
             "'output', 'condition', and 'columns' with their names. schema: a preset or a .toml file.");
  module.def("feature_presets", &features::preset_names, "Names of the schemas that come with zoe.");
}

}  // namespace zoe::python
