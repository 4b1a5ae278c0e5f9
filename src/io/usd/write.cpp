// SPDX-License-Identifier: MIT
#include <algorithm>

#include "zoe/core/file.h"
#include "zoe/core/output_file.h"
#include "zoe/core/version.h"
#include "zoe/io/usd.h"

#include "io/check_clips.h"
#include "io/npz/zip.h"
#include "io/usd/write_parts.h"

namespace zoe::io {
namespace {

using namespace usd;

void write_stage_header(const OutStage& stage, TextWriter& out) {
  out.line("#usda 1.0");
  out.line("(");
  out.line("    defaultPrim = \"{}\"", stage.root.substr(1));
  out.line("    doc = \"Zoetrope {}\"", ZOE_VERSION_STRING);
  out.line("    metersPerUnit = 1");
  out.line("    upAxis = \"Y\"");
  if (!stage.clips.empty() && stage.clips[0].num_frames > 0) {
    const Motion& clip = stage.clips[0];
    out.line("    startTimeCode = {}", time_code(stage, clip, 0));
    out.line("    endTimeCode = {}", time_code(stage, clip, clip.num_frames - 1));
    out.line("    timeCodesPerSecond = {}", clip.fps);
    out.line("    framesPerSecond = {}", clip.fps);
  }
  out.line(")");
  out.line("");
}

// Box around the joints and vertices at rest; a SkelRoot must have one.
void write_extent(const OutStage& stage, TextWriter& out) {
  std::vector<Vec3> points;
  for (const Affine& joint : stage.character.skeleton->rest_model()) points.push_back(joint.t);
  for (std::size_t i = 0; i < stage.bindings.size(); ++i) {
    const Mesh& mesh = stage.character.meshes[static_cast<std::size_t>(stage.character.instances[i].mesh)];
    for (const Vec3& p : mesh.positions)
      points.push_back(to_float(stage.bindings[i].model_from_mesh.apply_point(to_double(p))));
  }
  if (points.empty()) return;
  Vec3 low = points[0], high = low;
  for (const Vec3& p : points) {
    for (std::size_t c = 0; c < 3; ++c) {
      low[c] = std::min(low[c], p[c]);
      high[c] = std::max(high[c], p[c]);
    }
  }
  out.array("float3[] extent", 2, [&](std::size_t i) { out.put(i == 0 ? low : high); });
}

}  // namespace

Result<UsdText> encode_usda(const Character& character, std::span<const Motion> clips,
                            const std::string& texture_folder, Warnings* warnings) {
  ZOE_TRY(check_clips(character, clips));
  Warnings ignored;
  OutStage stage = plan_stage(character, clips, warnings != nullptr ? *warnings : ignored);
  TextWriter out;
  write_stage_header(stage, out);
  const bool skel = !stage.skeletons.empty();
  std::vector<std::string> metadata{fmt::format("displayName = {}", in_quotes(character.name))};
  if (skel) metadata.emplace_back("prepend apiSchemas = [\"SkelBindingAPI\"]");
  metadata.emplace_back("kind = \"component\"");
  out.begin(skel ? "SkelRoot" : "Xform", stage.root.substr(1), metadata);
  write_extent(stage, out);
  write_skeletons(stage, out);
  for (std::size_t i = 0; i < character.instances.size(); ++i) {
    const Mesh& mesh = character.meshes[static_cast<std::size_t>(character.instances[i].mesh)];
    if (mesh.indices.empty()) continue;
    const std::string name = stage.names.add(mesh.name, "mesh");
    write_mesh(stage, i, name, out);
  }
  write_materials(stage, texture_folder, out);
  out.end();
  return UsdText{out.take(), std::move(stage.textures)};
}

Result<std::vector<std::byte>> encode_usdz(const Character& character, std::span<const Motion> clips,
                                           Warnings* warnings) {
  ZOE_TRY_ASSIGN(const UsdText encoded, encode_usda(character, clips, "textures", warnings));
  ZipWriter zip;
  ZOE_TRY(zip.add("character.usda", {}, as_bytes(encoded.text), 0));
  for (const UsdTexture& texture : encoded.textures) ZOE_TRY(zip.add(texture.path, {}, texture.bytes, 0));
  return zip.finish();
}

Result<void> write_usd(const std::filesystem::path& path, const Character& character, std::span<const Motion> clips,
                       Warnings* warnings) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (extension == ".usdz") {
    ZOE_TRY_ASSIGN(const std::vector<std::byte> bytes, encode_usdz(character, clips, warnings));
    return write_file_atomic(path, bytes);
  }
  const std::string folder = path.stem().string() + "_textures";
  ZOE_TRY_ASSIGN(const UsdText encoded, encode_usda(character, clips, folder, warnings));
  ZOE_TRY(output_target(path));  // Before the textures: a refused file leaves none behind.
  for (const UsdTexture& texture : encoded.textures)
    ZOE_TRY(write_file_atomic(path.parent_path() / texture.path, texture.bytes));
  return write_file_atomic(path, encoded.text);
}

}  // namespace zoe::io
