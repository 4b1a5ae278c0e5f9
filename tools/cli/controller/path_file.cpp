// SPDX-License-Identifier: MIT
#include "controller/path_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "zoe/core/file.h"
#include "zoe/io/gltf.h"

namespace zoe::cli {
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
  std::vector<Vec3> places;
  int number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    line = line.substr(0, line.find('#'));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const auto place = read_line(line);
    if (place) {
      places.push_back({place->first, 0, place->second});
    } else if (number > 1 || !places.empty()) {  // The first line may be a heading.
      return Error{ErrorCode::kSyntax, "a line of a path is x,z in metres", {.file = file.string(), .line = number}};
    }
  }
  return places;
}

float reach_m(std::span<const Vec3> places) {
  float reach = 0;
  for (const Vec3& place : places) reach = std::max(reach, std::hypot(place.x - places[0].x, place.z - places[0].z));
  return reach;
}

float length_m(std::span<const Vec3> places) {
  float length = 0;
  for (std::size_t i = 1; i < places.size(); ++i) length += distance(places[i], places[i - 1]);
  return length;
}

// The way of what moves in the first clip: the first joint or node, from the root on, that goes at least half as far as
// any.
Result<std::vector<Vec3>> read_animated(const std::filesystem::path& file) {
  ZOE_TRY_ASSIGN(const io::Asset asset, io::read_gltf(file));
  constexpr float kLeast_m = 0.1F;  // Also between places: hips sway, and paths need not.
  if (!asset.clips.empty() && asset.clips[0].num_frames > 1) {
    const Motion& clip = asset.clips[0];
    const auto joints = static_cast<std::size_t>(clip.num_joints());
    std::vector<Affine> model_from_joint(joints);
    std::vector<std::vector<Vec3>> ways(joints);
    for (int f = 0; f < clip.num_frames; ++f) {
      compute_model_from_joint(*clip.skeleton, clip.frame(f), model_from_joint);
      for (std::size_t j = 0; j < joints; ++j) ways[j].push_back(model_from_joint[j].t);
    }
    float farthest_m = 0;
    for (const auto& way : ways) farthest_m = std::max(farthest_m, reach_m(way));
    for (const auto& way : ways) {
      if (farthest_m < kLeast_m || reach_m(way) < 0.5F * farthest_m) continue;
      std::vector<Vec3> places{way[0]};
      for (const Vec3& place : way) {
        if (std::hypot(place.x - places.back().x, place.z - places.back().z) > kLeast_m) places.push_back(place);
      }
      if (distance(places.back(), way.back()) > 1e-3F) places.push_back(way.back());
      return places;
    }
  }
  return Error{
      ErrorCode::kInvalid,
      "holds no way to go: it needs a curve as lines (in Blender: convert the curve to a mesh, export with loose "
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
  auto places = ending == ".glb" || ending == ".gltf" ? read_curve(file, closed) : read_csv(file);
  if (!places) return places.error();
  closed = closed || (places->size() > 2 && distance(places->front(), places->back()) < 1e-3F);
  auto path = control::Path::create(std::move(*places), closed);
  if (!path) return Error{path.error().code, path.error().message, {.file = file.string()}};
  return path;
}

}  // namespace zoe::cli
