// SPDX-License-Identifier: MIT
#include "zoe/dataset/prop_track.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace zoe::dataset {
namespace {

// Numbers of a prop that never change: type, number of parts, mass, seat's middle, half width and depth, handle.
constexpr std::size_t kShape = 11;
constexpr std::size_t kPart = 7;   // Centre, half size, 1 on a door's leaf.
constexpr std::size_t kPlace = 5;  // Position, facing, open.
constexpr std::size_t kGoal = 5;   // Deed, position, facing.

Error wrong(const Safetensors& file, std::string what) {
  return {ErrorCode::kInvalid, "props of a clip: " + std::move(what), {.file = file.file_name()}};
}

// A tensor of float32 with the given shape; 0 in the shape: any size.
Result<std::vector<float>> numbers_of(const Safetensors& file, const char* name, std::vector<std::size_t> shape) {
  ZOE_TRY_ASSIGN(const ArrayView array, file.find(name));
  if (array.shape.size() != shape.size()) return wrong(file, fmt::format("'{}' has another number of axes", name));
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (shape[i] != 0 && array.shape[i] != shape[i]) return wrong(file, fmt::format("'{}' has another shape", name));
  ZOE_TRY_ASSIGN(std::vector<float> values, to_floats(array));
  for (const float v : values)
    if (!std::isfinite(v) || std::abs(v) > 1e6F)
      return wrong(file, fmt::format("'{}' has a number out of range", name));
  return values;
}

Vec3 vec(const float* p) { return {p[0], p[1], p[2]}; }
void append(std::vector<float>& out, Vec3 v) { out.insert(out.end(), {v.x, v.y, v.z}); }

// An index stored as a float.
bool is_index(float value, std::size_t count) {
  return value >= 0 && value < static_cast<float>(count) && value == std::floor(value);
}

}  // namespace

std::filesystem::path prop_track_beside(const std::filesystem::path& motion_file) {
  std::filesystem::path path = motion_file;
  path.replace_extension();
  path += kPropTrackEnding;
  return path;
}

Result<void> write_prop_track(const std::filesystem::path& path, const PropTrack& track) {
  const std::size_t frames = track.num_frames(), props = track.num_props;
  ZOE_CHECK(track.props.size() == frames * props && track.goals.size() == frames, "a track's arrays have its frames");
  std::vector<float> shapes, parts, places, deeds, goals;
  for (std::size_t i = 0; frames > 0 && i < props; ++i) {
    const Prop& prop = track.props[i];
    shapes.insert(shapes.end(),
                  {static_cast<float>(prop.type), static_cast<float>(prop.num_parts), prop.mass_kg, prop.seat_m.x,
                   prop.seat_m.y, prop.seat_m.z, prop.seat_half_width_m, prop.seat_half_depth_m});
    append(shapes, prop.handle_m);
    for (const PropPart& part : prop.parts) {
      append(parts, part.centre_m), append(parts, part.half_m);
      parts.push_back(part.on_leaf ? 1.0F : 0.0F);
    }
  }
  for (const Prop& prop : track.props) {
    append(places, prop.position);
    places.insert(places.end(), {prop.facing_rad, prop.open_rad});
  }
  for (const int deed : track.deed) deeds.push_back(static_cast<float>(deed));
  for (const PropTrack::Goal& goal : track.goals) {
    goals.push_back(static_cast<float>(goal.deed));
    append(goals, goal.position);
    goals.push_back(goal.facing_rad);
  }
  const std::size_t known = frames > 0 ? props : 0;
  const NamedArray arrays[] = {{"shapes", view_of(shapes, {known, kShape})},
                               {"parts", view_of(parts, {known, std::size_t{kMaxPropParts}, kPart})},
                               {"places", view_of(places, {frames, props, kPlace})},
                               {"deeds", view_of(deeds, {frames})},
                               {"goals", view_of(goals, {frames, kGoal})}};
  return write_safetensors(path, arrays,
                           {{"format", "zoe.props 1"},
                            {"fps", fmt::format("{:.9g}", track.fps)},
                            {"deeds", fmt::format("{}", fmt::join(track.deeds, " "))}});
}

Result<PropTrack> read_prop_track(const Safetensors& file) {
  const auto word = [&](const char* key) {
    const auto found = file.metadata().find(key);
    return found == file.metadata().end() ? std::string() : found->second;
  };
  if (word("format") != "zoe.props 1") return wrong(file, "the file's format is not 'zoe.props 1'");
  PropTrack track;
  const std::string fps = word("fps");
  if (std::from_chars(fps.data(), fps.data() + fps.size(), track.fps).ec != std::errc() ||
      !(track.fps > 0 && track.fps <= 1000))
    return wrong(file, "fps must be above 0 and at most 1000");
  const std::string names = word("deeds");
  for (std::size_t from = 0; from < names.size();) {
    const std::size_t to = std::min(names.find(' ', from), names.size());
    if (to > from) track.deeds.push_back(names.substr(from, to - from));
    from = to + 1;
  }
  if (track.deeds.empty() || track.deeds.size() > 16) return wrong(file, "1 to 16 names of deeds are needed");
  ZOE_TRY_ASSIGN(const std::vector<float> deeds, numbers_of(file, "deeds", {0}));
  const std::size_t frames = deeds.size();
  if (frames == 0 || frames > 1000000) return wrong(file, "1 to 1,000,000 frames are needed");
  ZOE_TRY_ASSIGN(const std::vector<float> shapes, numbers_of(file, "shapes", {0, kShape}));
  track.num_props = shapes.size() / kShape;
  if (track.num_props > 64) return wrong(file, "at most 64 props");
  const std::size_t props = track.num_props;
  std::vector<float> parts, places;
  if (props > 0) {
    ZOE_TRY_ASSIGN(parts, numbers_of(file, "parts", {props, std::size_t{kMaxPropParts}, kPart}));
    ZOE_TRY_ASSIGN(places, numbers_of(file, "places", {frames, props, kPlace}));
  }
  ZOE_TRY_ASSIGN(const std::vector<float> goals, numbers_of(file, "goals", {frames, kGoal}));
  std::vector<Prop> first;
  for (std::size_t i = 0; i < props; ++i) {
    const float* s = &shapes[i * kShape];
    if (!is_index(s[0], kNumPropTypes) || !is_index(s[1], kMaxPropParts + 1))
      return wrong(file, fmt::format("prop {} has a type or a number of parts that does not exist", i));
    Prop prop;
    prop.type = static_cast<PropType>(static_cast<int>(s[0]));
    prop.num_parts = static_cast<int>(s[1]);
    prop.mass_kg = s[2], prop.seat_m = vec(s + 3), prop.seat_half_width_m = s[6], prop.seat_half_depth_m = s[7];
    prop.handle_m = vec(s + 8);
    for (std::size_t k = 0; k < kMaxPropParts; ++k) {
      const float* p = &parts[(i * kMaxPropParts + k) * kPart];
      if (p[3] < 0 || p[4] < 0 || p[5] < 0) return wrong(file, fmt::format("prop {} has a part of negative size", i));
      prop.parts[k] = {vec(p), vec(p + 3), p[6] > 0.5F};
    }
    first.push_back(prop);
  }
  for (std::size_t f = 0; f < frames; ++f) {
    if (!is_index(deeds[f], track.deeds.size()) || !is_index(goals[f * kGoal], track.deeds.size()))
      return wrong(file, fmt::format("frame {} has a deed without a name", f));
    track.deed.push_back(static_cast<int>(deeds[f]));
    const float* g = &goals[f * kGoal];
    track.goals.push_back({static_cast<int>(g[0]), vec(g + 1), g[4]});
    for (std::size_t i = 0; i < props; ++i) {
      const float* p = &places[(f * props + i) * kPlace];
      Prop prop = first[i];
      prop.position = vec(p), prop.facing_rad = p[3], prop.open_rad = p[4];
      track.props.push_back(prop);
    }
  }
  return track;
}

Result<PropTrack> read_prop_track(const std::filesystem::path& path) {
  ZOE_TRY_ASSIGN(const Safetensors file, Safetensors::open(path));
  return read_prop_track(file);
}

}  // namespace zoe::dataset
