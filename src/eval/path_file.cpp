// SPDX-License-Identifier: MIT
#include "zoe/eval/path_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "zoe/core/file.h"
#include "zoe/io/gltf.h"

namespace zoe::eval {
namespace {

std::optional<std::pair<float, float>> read_line(std::string_view line) {
  float values[2];
  const char* at = line.data();
  const char* const end = at + line.size();
  for (int i = 0; i < 2; ++i) {
    while (at < end && (*at == ' ' || *at == '\t' || (i > 0 && (*at == ',' || *at == ';')))) ++at;
    const auto [next, error] = std::from_chars(at, end, values[i]);
    if (error != std::errc{} || !std::isfinite(values[i])) return {};
    at = next;
  }
  return std::pair{values[0], values[1]};
}

Result<std::vector<Vec3>> read_csv(const std::filesystem::path& file) {
  ZOE_TRY_ASSIGN(const MappedFile mapped, MappedFile::open(file));
  const std::string_view text = mapped.text();
  std::vector<Vec3> positions;
  int number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    line = line.substr(0, line.find('#'));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const auto position = read_line(line);
    if (position) {
      positions.push_back({position->first, 0, position->second});
    } else if (number > 1 || !positions.empty()) {  // The first line may be a heading.
      return Error{ErrorCode::kSyntax, "a line of a path is x,z in metres", {.file = file.string(), .line = number}};
    }
  }
  return positions;
}

float reach_m(std::span<const Vec3> positions) {
  float reach = 0;
  for (const Vec3& position : positions)
    reach = std::max(reach, std::hypot(position.x - positions[0].x, position.z - positions[0].z));
  return reach;
}

float length_m(std::span<const Vec3> positions) {
  float length = 0;
  for (std::size_t i = 1; i < positions.size(); ++i) length += distance(positions[i], positions[i - 1]);
  return length;
}

// The path of the moving part of the first clip: the first joint or node, from the root on, that travels at least half
// as far as any other.
Result<std::vector<Vec3>> read_animated(const std::filesystem::path& file) {
  ZOE_TRY_ASSIGN(const io::Asset asset, io::read_gltf(file));
  constexpr float kLeast_m = 0.1F;  // Also between positions: hips sway, and paths need not.
  if (!asset.clips.empty() && asset.clips[0].num_frames > 1) {
    const Motion& clip = asset.clips[0];
    const auto joints = static_cast<std::size_t>(clip.num_joints());
    std::vector<Affine> model_from_joint(joints);
    std::vector<std::vector<Vec3>> paths(joints);
    for (int f = 0; f < clip.num_frames; ++f) {
      compute_model_from_joint(*clip.skeleton, clip.frame(f), model_from_joint);
      for (std::size_t j = 0; j < joints; ++j) paths[j].push_back(model_from_joint[j].t);
    }
    float farthest_m = 0;
    for (const auto& path : paths) farthest_m = std::max(farthest_m, reach_m(path));
    for (const auto& path : paths) {
      if (farthest_m < kLeast_m || reach_m(path) < 0.5F * farthest_m) continue;
      std::vector<Vec3> positions{path[0]};
      for (const Vec3& position : path) {
        if (std::hypot(position.x - positions.back().x, position.z - positions.back().z) > kLeast_m)
          positions.push_back(position);
      }
      if (distance(positions.back(), path.back()) > 1e-3F) positions.push_back(path.back());
      return positions;
    }
  }
  return Error{ErrorCode::kInvalid,
               "holds no path: it needs a curve as lines (in Blender: convert the curve to a mesh, export with loose "
               "edges), or an animated node that moves over the ground",
               {.file = file.string()}};
}

Result<std::vector<Vec3>> read_curve(const std::filesystem::path& file, bool& closed) {
  ZOE_TRY_ASSIGN(const std::vector<io::Line> lines, io::read_gltf_lines(file));
  if (lines.empty()) return read_animated(file);
  const auto& longest = *std::max_element(lines.begin(), lines.end(), [](const io::Line& a, const io::Line& b) {
    return length_m(a.places) < length_m(b.places);
  });
  closed = longest.closed;
  return longest.places;
}

}  // namespace

bool is_path_file(const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  return ending == ".csv" || ending == ".txt" || ending == ".glb" || ending == ".gltf";
}

Result<control::Path> read_path(const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  bool closed = false;
  auto positions = ending == ".glb" || ending == ".gltf" ? read_curve(file, closed) : read_csv(file);
  if (!positions) return positions.error();
  closed = closed || (positions->size() > 2 && distance(positions->front(), positions->back()) < 1e-3F);
  auto path = control::Path::create(std::move(*positions), closed);
  if (!path) return Error{path.error().code, path.error().message, {.file = file.string()}};
  return path;
}

}  // namespace zoe::eval
