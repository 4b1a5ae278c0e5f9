// SPDX-License-Identifier: MIT
#include "io/fbx_support.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

#include "zoe/character/deform.h"
#include "zoe/character/pose.h"
#include "zoe/core/file.h"

#include "io/fbx/document.h"
#include "io/fbx/settings.h"

namespace zoe::test {

std::vector<Vec3d> ObjFile::all_points() const {
  std::vector<Vec3d> points;
  for (const Group& group : groups) points.insert(points.end(), group.points.begin(), group.points.end());
  return points;
}

ObjFile read_obj(const std::filesystem::path& path) {
  ObjFile obj;
  std::ifstream in(path);
  std::vector<Vec3d> points;
  std::vector<std::pair<std::string, std::set<std::size_t>>> groups;
  std::string line, word;
  while (std::getline(in, line)) {
    std::istringstream words(line);
    words >> word;
    if (line.starts_with("# ufbx:bad_order")) obj.bad_order = true;
    if (line.starts_with("# ufbx:position_scale=")) obj.position_scale = std::stod(line.substr(22));
    if (line.starts_with("v ")) {
      Vec3d p;
      words >> p.x >> p.y >> p.z;
      points.push_back(p);
    } else if (line.starts_with("g ") || line.starts_with("o ")) {
      words >> word;
      groups.emplace_back(word, std::set<std::size_t>());
    } else if (line.starts_with("f ")) {
      if (groups.empty()) groups.emplace_back();
      while (words >> word) groups.back().second.insert(static_cast<std::size_t>(std::stoll(word)) - 1);
    }
  }
  // A group may come back after others: join runs of one name.
  for (const auto& [name, used] : groups) {
    if (used.empty()) continue;
    const auto known = std::find_if(obj.groups.begin(), obj.groups.end(),
                                    [&wanted = name](const auto& g) { return g.name == wanted; });
    auto& group = known != obj.groups.end() ? *known : obj.groups.emplace_back(ObjFile::Group{name, {}});
    for (const std::size_t i : used) {
      if (i < points.size()) group.points.push_back(points[i]);
    }
  }
  return obj;
}

std::vector<DeformedInstance> deform_in_file_space(const std::filesystem::path& fbx, const io::Asset& asset, int clip,
                                                   double time_s) {
  Warnings warnings;
  const auto file = MappedFile::open(fbx);
  const auto document = io::fbx::Document::parse(file->bytes(), {}, &warnings);
  const io::fbx::Settings settings = io::fbx::read_settings(*document, &warnings);
  const io::fbx::SpaceConversion conversion(settings.model_from_file, settings.metres_per_unit);

  const Character& character = *asset.character;
  std::vector<Affine> model_from_joint(character.skeleton->rest_model().begin(),
                                       character.skeleton->rest_model().end());
  std::span<const float> morph_weights;
  if (clip >= 0) {
    const Motion& motion = asset.clips[static_cast<std::size_t>(clip)];
    const int frame = std::clamp(static_cast<int>(std::lround((time_s - motion.start_time_s) * motion.fps)), 0,
                                 motion.num_frames - 1);
    compute_model_from_joint(*character.skeleton, motion.frame(frame), model_from_joint);
    morph_weights = motion.frame_morph_weights(frame);
  }
  std::vector<DeformedInstance> out;
  for (std::size_t i = 0; i < character.instances.size(); ++i) {
    const MeshInstance& instance = character.instances[i];
    const Mesh& mesh = character.meshes[static_cast<std::size_t>(instance.mesh)];
    const DeformedMesh deformed = deform_instance(character, i, model_from_joint, morph_weights);
    std::vector<Vec3d> points(mesh.num_source_points);
    std::vector<bool> used(mesh.num_source_points, false);
    for (std::size_t v = 0; v < deformed.positions.size(); ++v) {
      points[mesh.source_points[v]] = conversion.file_from_model(to_double(deformed.positions[v]));
      used[mesh.source_points[v]] = true;
    }
    DeformedInstance result{character.skeleton->name(instance.joint), {}};
    if (result.name.ends_with("_scale")) result.name.resize(result.name.size() - 6);
    for (std::size_t p = 0; p < points.size(); ++p) {
      if (used[p]) result.points.push_back(points[p]);
    }
    out.push_back(std::move(result));
  }
  return out;
}

namespace {

// Largest distance from a point of `from` to its nearest in `to`.
double one_way(const std::vector<Vec3d>& from, const std::vector<Vec3d>& to) {
  double worst = 0;
  for (const Vec3d p : from) {
    double best = 1e300;
    for (const Vec3d q : to) best = std::min(best, dot(p - q, p - q));
    worst = std::max(worst, best);
  }
  return std::sqrt(worst);
}

}  // namespace

ObjDifference compare(const ObjFile& expected, const std::vector<DeformedInstance>& actual) {
  ObjDifference difference;
  const std::vector<Vec3d> wanted = expected.all_points();
  std::vector<Vec3d> got;
  for (const DeformedInstance& instance : actual) {
    got.insert(got.end(), instance.points.begin(), instance.points.end());
  }
  Vec3d low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  for (const Vec3d p : wanted) {
    for (std::size_t i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], p[i]);
      high[i] = std::max(high[i], p[i]);
    }
  }
  difference.box = distance(low, high);
  difference.nearest = got.empty() || wanted.empty() ? 1e300 : std::max(one_way(wanted, got), one_way(got, wanted));
  if (expected.bad_order) return difference;
  // Groups carry the names of nodes; numbering agrees when each has one instance with as many
  // points.
  double ordered = 0;
  for (const ObjFile::Group& group : expected.groups) {
    const auto match = std::find_if(actual.begin(), actual.end(), [&](const DeformedInstance& instance) {
      return (instance.name == group.name || expected.groups.size() == 1) &&
             instance.points.size() == group.points.size();
    });
    if (match == actual.end()) return difference;
    for (std::size_t i = 0; i < group.points.size(); ++i) {
      ordered = std::max(ordered, distance(group.points[i], match->points[i]));
    }
  }
  difference.ordered = ordered;
  return difference;
}

}  // namespace zoe::test
