// SPDX-License-Identifier: MIT
#include "zoe/eval/grounds.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <numbers>

#include <fmt/format.h>

#include "zoe/character/pose.h"
#include "zoe/core/suggest.h"
#include "zoe/eval/height_file.h"
#include "zoe/ground/terrain.h"
#include "zoe/io/read.h"

namespace zoe::eval {
namespace {

GroundPtr ramp(float angle_deg) {
  const float rise = std::tan(angle_deg * std::numbers::pi_v<float> / 180);
  return Ground::function([rise](float, float z) { return rise * z; },
                          [rise](float, float) {
                            return normalized(Vec3{0, 1, -rise});
                          });
}

// Four steps up, a level stretch, four down, a level stretch.
GroundPtr steps(float height_m) {
  constexpr float kTread_m = 0.9F;
  constexpr int kSteps = 4, kPeriod = 4 * kSteps;
  return Ground::function(
      [height_m](float, float z) {
        const float tread = std::floor(z / kTread_m - 0.5F);
        const float at = tread - kPeriod * std::floor(tread / kPeriod);
        return height_m * std::clamp(std::min(at + 1, static_cast<float>(3 * kSteps) - at), 0.0F, float{kSteps});
      },
      [](float, float) {
        return Vec3{0, 1, 0};
      });
}

// "rmp:10": a shape with a typing error rather than a file.
Result<void> check_shape_name(const std::string& words) {
  std::vector<std::string> known{"ramp", "steps"};
  for (int i = 0; i < kNumTerrainShapes; ++i) known.emplace_back(to_string(static_cast<TerrainShape>(i)));
  const std::size_t colon = words.find(':');
  if (colon == std::string::npos || std::filesystem::exists(words)) return {};
  const std::string name = words.substr(0, colon);
  return Error{ErrorCode::kUsage,
               fmt::format("ground '{}': there is no shape '{}'{}; there are ramp:DEGREES, steps:METRES, "
                           "stairs|slope|rough|gaps|beams|platforms:SEED, and files",
                           words, name, did_you_mean(name, known)),
               {}};
}

// "stairs:7". Null: the words are something else.
Result<GroundPtr> seeded(const std::string& words) {
  const std::size_t colon = words.find(':');
  const auto shape = parse_terrain_shape(words.substr(0, colon));
  if (!shape || colon == std::string::npos) return GroundPtr();
  std::uint64_t seed = 0;
  const char *begin = words.data() + colon + 1, *end = words.data() + words.size();
  const auto [last, error] = std::from_chars(begin, end, seed);
  if (error == std::errc() && last == end && begin != end) return make_terrain_ground(*shape, seed);
  return Error{ErrorCode::kUsage,
               fmt::format("ground '{}': a seed is a whole number, such as {}:7", words, to_string(*shape)),
               {}};
}

Result<GroundPtr> from_file(const std::string& file) {
  ZOE_TRY_ASSIGN(const io::Asset asset, io::read_asset(file));
  const Character& character = *asset.character;
  std::vector<Affine> models(static_cast<std::size_t>(character.skeleton->num_joints()));
  const Pose rest = make_pose(*character.skeleton);
  compute_model_from_joint(*character.skeleton, rest.view(), models);
  std::vector<Vec3> positions;
  std::vector<std::uint32_t> indices;
  for (const MeshInstance& instance : character.instances) {
    if (instance.skin >= 0) continue;
    const Affine joint = instance.joint >= 0 ? models[static_cast<std::size_t>(instance.joint)] : Affine{};
    const Affine model_from_mesh = joint * instance.joint_from_mesh;
    const Mesh& mesh = character.meshes[static_cast<std::size_t>(instance.mesh)];
    const auto first = static_cast<std::uint32_t>(positions.size());
    for (const Vec3& p : mesh.positions) positions.push_back(model_from_mesh.apply_point(p));
    for (const std::uint32_t index : mesh.indices) indices.push_back(first + index);
  }
  if (indices.empty()) return Error{ErrorCode::kInvalid, "no mesh to stand on", {.file = file}};
  return Ground::mesh(positions, indices);
}

}  // namespace

Result<GroundPtr> make_ground(const std::string& words, Warnings* warnings) {
  const struct {
    const char* name;
    float limit;
    const char* unit;
    GroundPtr (*make)(float);
  } shapes[] = {{"ramp:", 45, "degrees", ramp}, {"steps:", 0.5F, "metres", steps}};
  for (const auto& shape : shapes) {
    if (!words.starts_with(shape.name)) continue;
    const std::string_view text = std::string_view(words).substr(std::string_view(shape.name).size());
    float value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size() && std::abs(value) <= shape.limit) {
      return shape.make(value);
    }
    return Error{ErrorCode::kUsage,
                 fmt::format("ground '{}': {} takes {} from {:g} to {:g}, such as {}{}", words, shape.name, shape.unit,
                             -shape.limit, shape.limit, shape.name, shape.limit > 1 ? "10" : "0.15"),
                 {}};
  }
  ZOE_TRY_ASSIGN(const GroundPtr by_seed, seeded(words));
  if (by_seed != nullptr) return by_seed;
  if (is_height_file(words)) return read_height_file(words, warnings);
  ZOE_TRY(check_shape_name(words));
  return from_file(words);
}

}  // namespace zoe::eval
