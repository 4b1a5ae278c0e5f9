// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "zoe/core/file.h"
#include "zoe/io/fbx.h"

#include "io/fbx/animation.h"
#include "io/fbx/clip_sampler.h"
#include "io/fbx/curve_reader.h"
#include "io/fbx/document.h"
#include "io/fbx/objects.h"
#include "io/fbx/properties.h"
#include "io/fbx/scene_meshes.h"
#include "io/fbx/scene_nodes.h"
#include "io/fbx/settings.h"
#include "io/fbx/skeleton_plan.h"

namespace zoe::io {
namespace {

using namespace fbx;

// Largest growth of data that can be larger than the file.
constexpr std::size_t kMaxGrowth = 8;

// Unsupported content that would change the visible result.
void warn_about_unread(const Document& document, const ObjectGraph& graph, Warnings* warnings) {
  std::set<std::string> geometries;
  int constraints = 0;
  for (const Object& object : graph.objects()) {
    if (object.record == nullptr) continue;
    if (object.kind == ObjectKind::kConstraint && graph.subclass(object) != "Character" &&
        PropertyList(document, graph, object).boolean("Active", true)) {
      ++constraints;
    }
    if (object.kind == ObjectKind::kOther && document.node_at(object.record).name == "Geometry")
      geometries.emplace(graph.subclass(object));
  }
  if (constraints > 0) {
    warnings->push_back(
        {fmt::format("{} constraints are not evaluated; bake the animation before exporting", constraints), {}});
  }
  for (const std::string& kind : geometries) {
    warnings->push_back(
        {fmt::format("geometry of type '{}' is not read; convert it to polygons before exporting", kind), {}});
  }
}

void warn_about_quaternions(const Document& document, const ObjectGraph& graph, const Animation& animation,
                            Warnings* warnings) {
  for (const AnimStack& stack : animation.stacks) {
    for (const AnimLayer& layer : stack.layers) {
      for (const AnimTrack& track : layer.tracks) {
        if (track.chain != ChainPart::kRotation) continue;
        if (PropertyList(document, graph, graph.object(track.object)).integer("QuaternionInterpolate", 0) == 0)
          continue;
        warnings->push_back(
            {"requests quaternion interpolation; its angles are interpolated, which is the same only where keys are "
             "dense",
             {.joint = std::string(graph.object(track.object).name())}});
        return;
      }
    }
  }
}

Result<Asset> read(std::span<const std::byte> bytes, const std::string& name, const FbxReadOptions& options) {
  Asset asset;
  ZOE_TRY_ASSIGN(const Document document, Document::parse(bytes, options.limits, &asset.warnings));
  ZOE_TRY_ASSIGN(const ObjectGraph graph, ObjectGraph::build(document, &asset.warnings));
  const Settings settings = read_settings(document, &asset.warnings);
  const SpaceConversion conversion(settings.model_from_file, settings.metres_per_unit);
  ZOE_TRY_ASSIGN(const SceneNodes scene, read_nodes(document, graph, options.limits, &asset.warnings));
  CurveReader curves(document, bytes.size());
  Animation animation;
  if (options.clips) {
    animation = read_animation(document, graph, &asset.warnings);
    warn_about_quaternions(document, graph, animation, &asset.warnings);
  }
  ZOE_TRY_ASSIGN(const SkeletonPlan plan, SkeletonPlan::make(scene, animation, curves));
  auto character = std::make_shared<Character>();
  character->name = std::filesystem::path(name).stem().string();
  ZOE_TRY_ASSIGN(character->skeleton, build_skeleton(graph, scene, plan, conversion));
  GrowthBudget budget(std::max(options.bytes_always_granted, bytes.size() * kMaxGrowth));
  const SceneContext context{document, graph, settings, conversion, scene, plan, &curves, &budget, &asset.warnings};
  std::vector<InstanceChannels> channels;
  if (options.meshes) {
    ZOE_TRY_ASSIGN(channels, add_meshes(context, character.get()));
  }
  warn_about_unread(document, graph, &asset.warnings);
  ZOE_TRY(validate(*character));
  ZOE_TRY_ASSIGN(asset.clips, sample_clips(context, animation, *character, channels, options));
  for (const Motion& clip : asset.clips) ZOE_TRY(validate(clip));
  asset.character = std::move(character);
  asset.source = {
      .format = "fbx",
      .format_version = fmt::format("{} {}", document.version(), document.is_binary() ? "binary" : "ascii"),
      .generator = settings.application.empty() ? settings.generator : settings.application + ", " + settings.generator,
      .metres_per_unit = settings.metres_per_unit,
      .unit_known = true,
      .up_axis = settings.up_axis};
  return asset;
}

}  // namespace

Result<Asset> read_fbx(std::span<const std::byte> bytes, const std::string& name, const FbxReadOptions& options) {
  Result<Asset> result = read(bytes, name, options);
  if (!result) {
    Error error = std::move(result).error();
    error.where.file = name;
    return error;
  }
  for (Warning& warning : result->warnings) warning.where.file = name;
  return result;
}

Result<Asset> read_fbx(const std::filesystem::path& path, const FbxReadOptions& options) {
  ZOE_TRY_ASSIGN(const MappedFile file, MappedFile::open(path));
  return read_fbx(file.bytes(), path.string(), options);
}

}  // namespace zoe::io
