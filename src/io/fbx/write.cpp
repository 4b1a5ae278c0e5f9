// SPDX-License-Identifier: MIT
#include <cmath>

#include <fmt/format.h>

#include "zoe/core/file.h"
#include "zoe/core/version.h"
#include "zoe/io/fbx.h"

#include "io/check_clips.h"
#include "io/fbx/settings.h"
#include "io/fbx/write_parts.h"

namespace zoe::io {
namespace {

using namespace fbx;

constexpr std::string_view kFileId("\x28\xb3\x2a\xeb\xb6\x24\xcc\xc2\xbf\xc8\xb0\x2a\xa9\x2b\xfc\xf1", 16);
constexpr const char* kCreationTime = "1970-01-01 10:00:00:000";  // Belongs to kFileId and the footer.

void write_header(RecordWriter& out) {
  const std::string creator = fmt::format("{} {}", kCreator, ZOE_VERSION_STRING);
  out.begin("FBXHeaderExtension");
  out.record("FBXHeaderVersion", 1003);
  out.record("FBXVersion", static_cast<std::int32_t>(RecordWriter::kVersion));
  out.record("Creator", std::string_view(creator));
  out.begin("SceneInfo");
  out.put(std::string_view("GlobalInfo\0\1SceneInfo", 21));
  out.put("UserData");
  out.record("Type", "UserData");
  out.begin("Properties70");
  for (const char* when : {"Original|ApplicationName", "LastSaved|ApplicationName"})
    out.property(when, "KString", "", "", kCreator);
  out.end();
  out.end();
  out.end();
  out.record("FileId", RawBytes{as_bytes(kFileId)});
  out.record("CreationTime", kCreationTime);
  out.record("Creator", std::string_view(creator));
}

void write_settings(RecordWriter& out, std::span<const Motion> clips, const FbxWriteOptions& options) {
  double fps = 30, start_s = 0, stop_s = 0;
  if (!clips.empty()) {
    fps = clips[0].fps;
    start_s = clips[0].start_time_s;
    stop_s = start_s + clips[0].duration_s();
  }
  out.begin("GlobalSettings");
  out.record("Version", 1000);
  out.begin("Properties70");
  const auto integer = [&](const char* name, std::int32_t value) { out.property(name, "int", "Integer", "", value); };
  integer("UpAxis", 1);
  integer("UpAxisSign", 1);
  integer("FrontAxis", 2);
  integer("FrontAxisSign", 1);
  integer("CoordAxis", 0);
  integer("CoordAxisSign", 1);
  integer("OriginalUpAxis", 1);
  integer("OriginalUpAxisSign", 1);
  const double factor = options.metres_per_unit * 100;  // Centimetres per unit.
  out.property("UnitScaleFactor", "double", "Number", "", factor);
  out.property("OriginalUnitScaleFactor", "double", "Number", "", factor);
  out.property("TimeMode", "enum", "", "", static_cast<std::int32_t>(time_mode_of(fps)));
  out.property("TimeSpanStart", "KTime", "Time", "", tick_of(start_s));
  out.property("TimeSpanStop", "KTime", "Time", "", tick_of(stop_s));
  out.property("CustomFrameRate", "double", "Number", "", fps);
  out.end();
  out.end();
}

void write_documents(RecordWriter& out) {
  out.begin("Documents");
  out.record("Count", 1);
  out.begin("Document");
  out.put(std::int64_t{1});
  out.put("Scene");
  out.put("Scene");
  out.record("RootNode", kSceneId);
  out.end();
  out.end();
  out.begin("References");
  out.end();
}

// Counts of objects come before the objects. Returns where to put them.
std::vector<std::size_t> write_definitions(RecordWriter& out) {
  std::vector<std::size_t> positions;
  const auto count = [&] {
    out.begin("Count");
    positions.push_back(out.next_integer());
    out.put(0);
    out.end();
  };
  out.begin("Definitions");
  out.record("Version", 100);
  count();  // Of all.
  out.begin("ObjectType");
  out.put("GlobalSettings");
  out.record("Count", 1);
  out.end();
  for (const char* type : ObjectWriter::kTypes) {
    out.begin("ObjectType");
    out.put(type);
    count();
    out.end();
  }
  out.end();
  return positions;
}

}  // namespace

Result<std::vector<std::byte>> encode_fbx(const Character& character, std::span<const Motion> clips,
                                          const FbxWriteOptions& options, Warnings* warnings) {
  if (!(options.metres_per_unit > 0) || !std::isfinite(options.metres_per_unit))
    return Error{ErrorCode::kUsage, "metres_per_unit must be above 0", {}};
  ZOE_TRY(check_clips(character, clips));
  Warnings ignored;
  Warnings& noted = warnings != nullptr ? *warnings : ignored;
  for (const Motion& clip : clips) {
    if (clip.fps == clips[0].fps) continue;
    noted.push_back({fmt::format("clip '{}' has {} frames per second, but an FBX file states one rate ({}) for all "
                                 "takes; its keys stay where they are",
                                 clip.name, clip.fps, clips[0].fps),
                     {}});
  }
  RecordWriter out;
  write_header(out);
  write_settings(out, clips, options);
  write_documents(out);
  const std::vector<std::size_t> counts = write_definitions(out);
  ObjectWriter objects(out);
  out.begin("Objects");
  OutPlan plan = plan_models(character, 1 / options.metres_per_unit, objects, noted);
  write_models(plan, objects);
  const std::vector<std::int64_t> materials = write_materials(character, objects, noted);
  write_meshes(plan, materials, objects);
  for (const Motion& clip : clips) {
    if (clip.num_frames > 0 && clip.num_joints() > 0) write_take(plan, clip, objects);
  }
  out.end();
  int total = 1;
  for (std::size_t type = 0; type < ObjectWriter::kNumTypes; ++type) {
    out.patch(counts[type + 1], objects.count(type));
    total += objects.count(type);
  }
  out.patch(counts[0], total);
  objects.write_connections();
  return std::move(out).finish();
}

Result<void> write_fbx(const std::filesystem::path& path, const Character& character, std::span<const Motion> clips,
                       const FbxWriteOptions& options, Warnings* warnings) {
  ZOE_TRY_ASSIGN(const std::vector<std::byte> bytes, encode_fbx(character, clips, options, warnings));
  return write_file_atomic(path, bytes);
}

}  // namespace zoe::io
