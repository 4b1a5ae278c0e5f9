// SPDX-License-Identifier: MIT
#include "convert_vrm.h"

#include <fmt/format.h>

#include "zoe/anatomy/human_bones.h"
#include "zoe/author/retarget_source.h"
#include "zoe/core/output_file.h"
#include "zoe/io/vrm.h"

namespace zoe::cli {
namespace {

// Another character's bones are not those of the input.
Result<io::Vrm> vrm_of(const std::string& input, const io::Asset& asset, const io::ConvertOptions& options) {
  const std::filesystem::path rig = options.character.empty() ? std::filesystem::path(input) : options.character;
  if (asset.source.format == "glb" || asset.source.format == "gltf" || !options.character.empty()) {
    const Result<std::optional<io::Vrm>> stated = io::read_vrm(rig);
    if (stated && *stated) return **stated;
  }
  ZOE_TRY_ASSIGN(const author::AssetAnalysis found, author::analyse_asset(asset, {}));
  io::Vrm vrm;
  vrm.bones = anatomy::human_bones(*asset.character->skeleton, found.body);
  if (vrm.bones.empty()) {
    return Error{ErrorCode::kInvalid,
                 fmt::format("VRM holds people; the body is a {} (zoe info --analysis)", to_string(found.body.family)),
                 {.file = input}};
  }
  return vrm;
}

}  // namespace

Result<io::ConvertReport> convert_to_vrm(const std::string& input, const std::string& output,
                                         const io::ConvertOptions& options) {
  for (const std::filesystem::path& source : {std::filesystem::path(input), options.character}) {
    if (same_file(source, output))
      return Error{ErrorCode::kUsage, "is the same file as the input; name another output", {.file = output}};
  }
  ZOE_TRY_ASSIGN(io::Asset asset, io::load_converted(input, options));
  if (!options.scale) io::to_metres(asset, input);
  ZOE_TRY_ASSIGN(const io::Vrm vrm, vrm_of(input, asset, options));
  io::ConvertReport report;
  report.warnings = asset.warnings;
  report.num_clips = static_cast<int>(asset.clips.size());
  for (const Motion& clip : asset.clips) report.num_frames += clip.num_frames;
  if (Result<void> written = io::write_vrm(output, *asset.character, asset.clips, vrm, &report.warnings); !written) {
    Error error = std::move(written).error();
    if (error.where.file.empty()) error.where.file = input;
    return error;
  }
  report.written.emplace_back(output);
  return report;
}

}  // namespace zoe::cli
