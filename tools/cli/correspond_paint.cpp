// SPDX-License-Identifier: MIT
#include "correspond_paint.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "zoe/core/index.h"
#include "zoe/io/write.h"

#include "temporary_folder.h"
#include "verbs.h"

namespace zoe::cli {
namespace {

constexpr Vec4 kGrey{0.25F, 0.25F, 0.27F, 1};

// hue in turns; value 0 to 1.
Vec4 from_hue(double hue, double value) {
  const auto channel = [&](double shift) {
    const double t = std::abs(std::fmod(hue + shift, 1.0) * 6 - 3) - 1;
    return static_cast<float>(value * (0.12 + 0.88 * std::clamp(t, 0.0, 1.0)));
  };
  return {channel(0), channel(2.0 / 3), channel(1.0 / 3), 1};
}

Material plain_material() {
  Material material{.name = "painted"};
  material.roughness = 0.7F;
  material.double_sided = true;
  return material;
}

// Every vertex has the colour of the joint that moves it most.
Character painted_skin(const Character& character, std::span<const Vec4> colors) {
  Character out = character;
  out.images.clear();
  out.materials = {plain_material()};
  // A mesh may be worn by several instances: each gets its own colours.
  out.meshes.clear();
  for (MeshInstance& instance : out.instances) {
    Mesh mesh = character.meshes[idx(instance.mesh)];
    for (Submesh& part : mesh.submeshes) part.material = 0;
    mesh.uvs.clear(), mesh.uvs1.clear(), mesh.tangents.clear();
    const Vec4 own = instance.joint >= 0 ? colors[idx(instance.joint)] : kGrey;
    mesh.colors.assign(mesh.num_vertices(), own);
    if (instance.skin >= 0 && mesh.influences_per_vertex > 0) {
      const Skin& skin = character.skins[idx(instance.skin)];
      for (std::size_t v = 0; v < mesh.num_vertices(); ++v)
        mesh.colors[v] = colors[idx(skin.joints[mesh.influence_joints[v * idx(mesh.influences_per_vertex)]])];
    }
    instance.mesh = static_cast<int>(out.meshes.size());
    out.meshes.push_back(std::move(mesh));
  }
  return out;
}

// A bone as a double pyramid of flat sides, from the origin to `end`.
Mesh bone_mesh(Vec3 end, Vec4 color) {
  const float bone = length(end), width = 0.12F * bone;
  const Vec3 along = end * (1 / bone);
  const Vec3 side = normalized(cross(along, std::abs(along.y) < 0.9F ? Vec3{0, 1, 0} : Vec3{1, 0, 0}));
  const Vec3 up = cross(along, side), middle = end * 0.25F;
  const std::array ring{middle + side * width, middle + up * width, middle - side * width, middle - up * width};
  Mesh mesh{.name = "bone"};
  const auto triangle = [&](Vec3 a, Vec3 b, Vec3 c) {
    const Vec3 normal = normalized(cross(b - a, c - a));
    for (const Vec3& p : {a, b, c}) {
      mesh.indices.push_back(static_cast<std::uint32_t>(mesh.positions.size()));
      mesh.positions.push_back(p);
      mesh.normals.push_back(normal);
      mesh.colors.push_back(color);
    }
  };
  for (std::size_t k = 0; k < 4; ++k) {
    triangle(Vec3{}, ring[(k + 1) % 4], ring[k]);
    triangle(end, ring[k], ring[(k + 1) % 4]);
  }
  mesh.submeshes = {{0, static_cast<std::uint32_t>(mesh.indices.size()), 0}};
  return mesh;
}

Character painted_bones(const SkeletonPtr& skeleton, std::span<const Vec4> colors) {
  Character out;
  out.skeleton = skeleton;
  out.materials = {plain_material()};
  for (int j = 0; j < skeleton->num_joints(); ++j) {
    const Vec3 end = skeleton->joints()[idx(j)].rest_local.translation;
    if (skeleton->parent(j) == kNoJoint || length(end) < 1e-4F) continue;
    MeshInstance instance;
    instance.mesh = static_cast<int>(out.meshes.size());
    instance.joint = skeleton->parent(j);
    out.instances.push_back(instance);
    out.meshes.push_back(bone_mesh(end, colors[idx(skeleton->parent(j))]));
  }
  return out;
}

}  // namespace

std::vector<Vec4> part_colors(const generate::BodyParts& parts, const features::BodyTokens& tokens, int num_joints) {
  std::vector<Vec4> colors(idx(num_joints), kGrey);
  const double hues = static_cast<double>(parts.limbs.size()) + 3;
  for (std::size_t t = 0; t < tokens.joints.size(); ++t) {
    const int part = parts.part[t];
    if (part == generate::kNoPart) continue;
    const double number = part >= 0 ? part : hues - 4 - part;  // Trunk, head, tail after the limbs.
    // Neighbouring numbers are far apart on the wheel of hues.
    colors[idx(tokens.joints[t])] = from_hue(std::fmod(number * 0.618, 1.0), 0.95 - 0.5 * parts.position[t]);
  }
  return colors;
}

void color_what_hangs(std::vector<Vec4>& colors, const features::BodyTokens& tokens, const Skeleton& skeleton) {
  for (int j = 0; j < skeleton.num_joints(); ++j) {
    const bool is_token = std::find(tokens.joints.begin(), tokens.joints.end(), j) != tokens.joints.end();
    if (!is_token && skeleton.parent(j) != kNoJoint) colors[idx(j)] = colors[idx(skeleton.parent(j))];
  }
}

int draw_painted(std::span<const PaintedBody> bodies, const std::string& output, const std::vector<std::string>& more) {
  const Result<TemporaryFolder> folder = TemporaryFolder::make();
  if (!folder) return print_error(folder.error());
  const auto verb = std::ranges::find_if(verbs(), [](const Verb& v) { return std::string(v.name) == "render"; });
  Arguments arguments{*verb, {}};
  for (const PaintedBody& painted : bodies) {
    const MetricBody& body = *painted.body;
    auto character = std::make_shared<Character>(
        body.displayed.has_mesh() ? painted_skin(*body.displayed.character, painted.colors)
                                  : painted_bones(body.displayed.character->skeleton, painted.colors));
    io::Asset asset;
    asset.character = character;
    if (!body.clips.empty()) asset.clips = {in_file_unit(body.clips[0], body)};
    for (Motion& clip : asset.clips) clip.name = "clip";
    // The file's name is its title in the picture.
    const std::filesystem::path place = folder->path() / std::to_string(arguments.words.size());
    std::filesystem::create_directories(place);
    const std::filesystem::path file = place / (std::filesystem::path(body.file).stem().string() + ".glb");
    if (const auto written = io::write_asset(file, asset); !written) return print_error(written.error());
    arguments.words.push_back(file.string());
  }
  arguments.words.insert(arguments.words.end(), {"-o", output});
  arguments.words.insert(arguments.words.end(), more.begin(), more.end());
  if (std::filesystem::path(output).extension() == ".png")
    arguments.words.insert(arguments.words.end(), {"--time", "0"});
  return run_quietly(true, [&] { return run_render(arguments); });
}

}  // namespace zoe::cli
