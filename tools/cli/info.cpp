// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe info`: the content of a file.
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/io/read.h"
#include "zoe/io/vrm.h"

#include "info_analysis.h"
#include "info_map.h"
#include "info_network.h"
#include "info_segments.h"
#include "verbs.h"

namespace zoe::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string unit_name(const io::SourceInfo& source) {
  if (!source.unit_known) return "unknown";
  const double metres = source.metres_per_unit;
  const auto near = [&](double value) { return std::abs(metres - value) < 1e-6 * value; };
  if (near(1.0)) return "m";
  if (near(0.01)) return "cm";
  if (near(0.001)) return "mm";
  if (near(0.1)) return "dm";
  if (near(0.0254)) return "in";
  if (near(0.3048)) return "ft";
  return fmt::format("{:g} m", metres);
}

// Where the axis does not come from the file, or the body contradicts it.
std::string up_note(const io::Asset& asset) {
  if (const std::optional<Vec3> up = standing_axis(asset); up && up->y < 0.5F)
    return ", but the body does not stand along it (zoe info --analysis)";
  return asset.source.up_known         ? ""
         : asset.source.up_axis == 'y' ? " (not stated)"
                                       : " (not stated; as the body stands)";
}

// Points of the author. Vertices that were split for normals and uvs are not counted.
std::size_t num_author_vertices(const Mesh& mesh) {
  return mesh.source_points.empty() ? mesh.num_vertices() : mesh.num_source_points;
}

struct Totals {
  std::size_t vertices = 0, triangles = 0, morph_targets = 0;
};

Totals totals_of(const Character& character) {
  Totals totals;
  for (const Mesh& mesh : character.meshes) {
    totals.vertices += num_author_vertices(mesh);
    totals.triangles += mesh.indices.size() / 3;
    totals.morph_targets += mesh.morph_targets.size();
  }
  return totals;
}

std::optional<io::Vrm> vrm_of(const std::string& file, const io::Asset& asset) {
  if (asset.source.format != "glb" && asset.source.format != "gltf") return std::nullopt;
  const Result<std::optional<io::Vrm>> vrm = io::read_vrm(file);
  return vrm ? *vrm : std::nullopt;
}

Json to_json(const std::string& file, const io::Asset& asset) {
  const Character& character = *asset.character;
  const Skeleton& skeleton = *character.skeleton;
  const Totals totals = totals_of(character);
  Json out{{"file", file},
           {"format", asset.source.format},
           {"format_version", asset.source.format_version},
           {"generator", asset.source.generator},
           {"unit", unit_name(asset.source)},
           {"metres_per_unit", asset.source.metres_per_unit},
           {"up", std::string(1, asset.source.up_axis)}};
  out["joints"] = Json::array();
  for (int j = 0; j < skeleton.num_joints(); ++j) {
    const int parent = skeleton.parent(j);
    out["joints"].push_back({{"name", skeleton.name(j)},
                             {"parent", parent},
                             {"parent_name", parent == kNoJoint ? Json(nullptr) : Json(skeleton.name(parent))},
                             {"kind", to_string(skeleton.kind(j))}});
  }
  out["clips"] = Json::array();
  for (const Motion& clip : asset.clips) {
    out["clips"].push_back({{"name", clip.name},
                            {"frames", clip.num_frames},
                            {"fps", clip.fps},
                            {"seconds", clip.duration_s()},
                            {"start", clip.start_time_s}});
  }
  out["meshes"] = character.meshes.size();
  out["vertices"] = totals.vertices;
  out["triangles"] = totals.triangles;
  out["skins"] = character.skins.size();
  out["morph_targets"] = totals.morph_targets;
  out["materials"] = character.materials.size();
  out["images"] = character.images.size();
  out["warnings"] = Json::array();
  for (const Warning& warning : asset.warnings) out["warnings"].push_back(warning.format());
  if (const std::optional<io::Vrm> vrm = vrm_of(file, asset)) {
    Json bones;
    for (const HumanBone& bone : vrm->bones) bones[bone.name] = skeleton.name(bone.joint);
    out["vrm"] = {{"version", vrm->spec_version},           {"name", vrm->meta.name},
                  {"character_version", vrm->meta.version}, {"authors", vrm->meta.authors},
                  {"licence", vrm->meta.licence},           {"bones", bones}};
  }
  return out;
}

void print_tree(const Skeleton& skeleton) {
  std::vector<int> depth(static_cast<std::size_t>(skeleton.num_joints()), 0);
  for (int j = 0; j < skeleton.num_joints(); ++j) {
    const int parent = skeleton.parent(j);
    if (parent != kNoJoint) depth[static_cast<std::size_t>(j)] = depth[static_cast<std::size_t>(parent)] + 1;
    const char* note = skeleton.kind(j) == JointKind::kBone   ? ""
                       : skeleton.kind(j) == JointKind::kNode ? "  (node)"
                                                              : "  (end)";
    fmt::print("    {:{}}{}{}\n", "", 2 * depth[static_cast<std::size_t>(j)], skeleton.name(j), note);
  }
}

void print_text(const std::string& file, const io::Asset& asset, bool with_tree) {
  const Character& character = *asset.character;
  const Skeleton& skeleton = *character.skeleton;
  const Totals totals = totals_of(character);
  fmt::print("{}\n", file);
  fmt::print("  format    {} {}{}\n", asset.source.format, asset.source.format_version,
             asset.source.generator.empty() ? "" : fmt::format(" by {}", asset.source.generator));
  fmt::print(
      "  space     unit {}{}, {} up{}\n", unit_name(asset.source),
      asset.source.unit_known ? "" : fmt::format(" (looks like {:g} m; see --scale)", asset.source.metres_per_unit),
      asset.source.up_axis, up_note(asset));
  int counts[3] = {0, 0, 0};
  for (const JointDesc& joint : skeleton.joints()) ++counts[static_cast<int>(joint.kind)];
  fmt::print("  joints    {} ({} bones, {} end sites, {} other nodes)\n", skeleton.num_joints(), counts[0], counts[1],
             counts[2]);
  if (with_tree) print_tree(skeleton);
  if (!character.meshes.empty()) {
    fmt::print("  meshes    {} ({} vertices, {} triangles, {} skins, {} morph targets, {} materials, {} images)\n",
               character.meshes.size(), totals.vertices, totals.triangles, character.skins.size(), totals.morph_targets,
               character.materials.size(), character.images.size());
  }
  if (asset.clips.empty()) fmt::print("  clips     none\n");
  for (std::size_t i = 0; i < asset.clips.size(); ++i) {
    const Motion& clip = asset.clips[i];
    fmt::print("  clip {:<4} {}: {} frames at {:g} fps, {:.3f} s{}\n", i, clip.name, clip.num_frames, clip.fps,
               clip.duration_s(), clip.start_time_s != 0 ? fmt::format(" from {:.3f} s", clip.start_time_s) : "");
  }
  if (const std::optional<io::Vrm> vrm = vrm_of(file, asset)) {
    fmt::print("  vrm       {} \"{}\" {} by {}; {} bones; licence {}\n", vrm->spec_version, vrm->meta.name,
               vrm->meta.version, fmt::join(vrm->meta.authors, ", "), vrm->bones.size(), vrm->meta.licence);
    for (const HumanBone& bone : vrm->bones) {
      if (with_tree) fmt::print("    {:<24} {}\n", bone.name, skeleton.name(bone.joint));
    }
  }
  for (const Warning& warning : asset.warnings) fmt::print("  warning   {}\n", warning.format());
}

}  // namespace

int run_info(const Arguments& arguments) {
  Options app;
  std::vector<std::string> files;
  std::string overrides;
  bool json = false, tree = false, analysis = false, segments = false;
  MapRequest map;
  app.add_option("files", files,
                 "Motion or character files (BVH, glTF/GLB, VRM, FBX, USD, NPZ), or networks (safetensors); with --map "
                 "also folders")
      ->required()
      ->reads();
  app.add_flag("--json", json, "Print one JSON object (a list for several files)");
  app.add_flag("--joints", tree, "Print the joint hierarchy");
  auto* analysis_flag =
      app.add_flag("--analysis", analysis, "Print the analysis of the skeleton: family, facing, limbs, feet, pairs");
  app.add_flag("--segments", segments, "Print the actions of the body, part by part: idle, walk, run, turn, jump, …")
      ->excludes(analysis_flag);
  app.add_option("--overrides", overrides, "With --analysis or --segments: TOML file that corrects the analysis")
      ->reads();
  auto* map_file =
      app.add_option("--map", map.output, "Write a map of all motions: files, folders, datasets, runs; .html or .svg")
          ->type_name("FILE")
          ->excludes(analysis_flag)
          ->writes();
  app.add_option("--by", map.by, "Colours of the map: folder, label, family, auto")
      ->one_of({"auto", "folder", "label", "family"})
      ->needs(map_file);
  app.add_option("--points", map.max_points, "Most points of the map")->between(10, 50000)->needs(map_file);
  app.add_option("--encoder", map.encoder, "Motion encoder of the map; default the one that ships")
      ->type_name("FILE")
      ->reads()
      ->needs(map_file);
  app.add_option("--seed", map.seed, "Of the map's layout")->at_least_zero()->needs(map_file);
  if (const auto exit = parse(app, arguments)) return *exit;
  if (!map.output.empty()) {
    map.inputs = files;
    map.json = json;
    return write_map(map);
  }

  if (!overrides.empty() && !analysis && !segments)
    return print_error({ErrorCode::kUsage, "--overrides needs --analysis or --segments", {}});

  int code = kDone;
  Json list = Json::array();
  for (const std::string& file : files) {
    if (std::filesystem::path(file).extension() == ".safetensors") {
      const Result<Json> network = network_to_json(file);
      if (!network) code = print_error(network.error());
      if (json) {
        list.push_back(network ? *network : Json{{"file", file}, {"error", network.error().format()}});
      } else if (network) {
        print_network(*network);
      }
      continue;
    }
    const Result<io::Asset> asset = io::read_asset(file);
    if (!asset) {
      code = print_error(asset.error());
      if (json) list.push_back({{"file", file}, {"error", asset.error().format()}});
      continue;
    }
    if (analysis || segments) {
      const Result<author::AssetAnalysis> found = author::analyse_asset(*asset, overrides);
      if (!found) {
        code = print_error(found.error());
        if (json) list.push_back({{"file", file}, {"error", found.error().format()}});
      } else if (segments) {
        const std::vector<ClipSegments> clips = segment_file(*asset, found->body);
        if (json) {
          list.push_back(segments_to_json(file, clips));
        } else {
          print_segments(file, clips);
        }
      } else if (json) {
        list.push_back(analysis_to_json(file, *asset->character->skeleton, *found));
      } else {
        print_analysis(file, *asset->character->skeleton, *found);
      }
    } else if (json) {
      list.push_back(to_json(file, *asset));
    } else {
      print_text(file, *asset, tree);
    }
  }
  // Names in damaged files need not be UTF-8: replaces bytes, never throws.
  if (json)
    fmt::print("{}\n", (files.size() == 1 ? list[0] : list).dump(2, ' ', false, Json::error_handler_t::replace));
  return code;
}

}  // namespace zoe::cli
