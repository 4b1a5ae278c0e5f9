// SPDX-License-Identifier: MIT
// Spine and DragonBones files: a reader of this test puts the frames together again.
#include <array>
#include <cmath>
#include <span>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "zoe/render/picture_file.h"
#include "zoe/sprite/puppet/find_rig.h"
#include "zoe/sprite/puppet/make_puppet.h"
#include "zoe/synth/clip.h"

#include "puppet_support.h"

namespace zoe::sprite {
namespace {

using nlohmann::json;

PuppetRequest turning_person() {
  const synth::Body body = synth::make_body(BodyFamily::kBiped, Random(1));
  const synth::Clip clip =
      synth::make_clip(body, {.gait = synth::Gait::kWalk, .course = synth::Course::kTurnLeft, .seconds = 2}, Random(1))
          .value();
  Warnings warnings;
  PuppetRequest request{.cut = cut_out(test::draw_person(), {}, warnings).value()};
  request.rig = find_rig(request.cut.figure);
  auto motion = std::make_shared<const Motion>(clip.motion);
  request.clips.push_back({"walk", motion, analyse(*body.character->skeleton, {&clip.motion, 1}, body.character.get()),
                           even_exposures(*motion, 0.001, 5, false), false});
  request.size_px = 128;
  return request;
}

struct Mesh {
  render::Picture texture;
  std::vector<Point> uvs, vertices;  // Vertices from the pivot, y down.
  std::vector<int> triangles;
};

// Alpha and colours times alpha between four texels.
std::array<double, 4> texel(const render::Picture& texture, Point uv) {
  std::array<double, 4> sum{};
  const double fx = std::floor(uv.x - 0.5), fy = std::floor(uv.y - 0.5);
  for (int k = 0; k < 4; ++k) {
    const double x = fx + k % 2, y = fy + static_cast<double>(k / 2);
    if (x < 0 || y < 0 || x >= texture.width || y >= texture.height) continue;
    const double weight = (1 - std::abs(uv.x - 0.5 - x)) * (1 - std::abs(uv.y - 0.5 - y));
    const std::uint8_t* p = texture.pixel(static_cast<int>(x), static_cast<int>(y));
    for (std::size_t c = 0; c < 4; ++c) sum[c] += weight * p[c] * (c < 3 ? p[3] / 255.0 : 1.0);
  }
  return sum;
}

// An independent painter: inverse of each triangle's map at pixel centres, layers over each other.
std::vector<std::array<double, 4>> paint(const std::vector<Mesh>& meshes, int width, int height, Point pivot) {
  std::vector<std::array<double, 4>> out(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  for (const Mesh& mesh : meshes) {
    std::vector<bool> drawn(out.size());
    for (std::size_t t = 0; t + 2 < mesh.triangles.size(); t += 3) {
      Point p[3], q[3];
      for (std::size_t i = 0; i < 3; ++i) {
        const auto v = static_cast<std::size_t>(mesh.triangles[t + i]);
        p[i] = mesh.vertices[v] + pivot;
        q[i] = {mesh.uvs[v].x * mesh.texture.width, mesh.uvs[v].y * mesh.texture.height};
      }
      const double area = cross(p[1] - p[0], p[2] - p[0]);
      if (std::abs(area) < 1e-9) continue;
      const auto least = [&](double Point::*axis) {
        return std::floor(std::min({p[0].*axis, p[1].*axis, p[2].*axis}));
      };
      const auto most = [&](double Point::*axis) { return std::ceil(std::max({p[0].*axis, p[1].*axis, p[2].*axis})); };
      for (int y = std::max(0, static_cast<int>(least(&Point::y))); y < std::min<double>(height, most(&Point::y));
           ++y) {
        for (int x = std::max(0, static_cast<int>(least(&Point::x))); x < std::min<double>(width, most(&Point::x));
             ++x) {
          const Point c{x + 0.5, y + 0.5};
          const double a = cross(p[1] - c, p[2] - c) / area, b = cross(p[2] - c, p[0] - c) / area, d = 1 - a - b;
          const std::size_t at =
              static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
          if (a < 0 || b < 0 || d < 0 || drawn[at]) continue;
          drawn[at] = true;
          const std::array<double, 4> over = texel(mesh.texture, q[0] * a + q[1] * b + q[2] * d);
          for (std::size_t k = 0; k < 4; ++k) out[at][k] = over[k] + out[at][k] * (1 - over[3] / 255);
        }
      }
    }
  }
  return out;
}

std::vector<double> numbers(const json& values) { return values.get<std::vector<double>>(); }

render::Picture part_of(const render::Picture& sheet, int x, int y, int width, int height) {
  render::Picture out = render::make_picture(width, height, 0, 0, 0, 0);
  render::paste(sheet, -x, -y, out);
  return out;
}

std::string file_in(const NamedFiles& files, const std::string& name) {
  for (const auto& [file, text] : files)
    if (file == name) return text;
  ADD_FAILURE() << name;
  return {};
}

render::Picture picture_in(const NamedFiles& files, const std::string& name) {
  const std::string png = file_in(files, name);
  return render::decode_picture(std::as_bytes(std::span(png.data(), png.size())), name).value();
}

std::vector<Point> points(const std::vector<double>& values) {
  std::vector<Point> out;
  for (std::size_t i = 0; i + 1 < values.size(); i += 2) out.push_back({values[i], values[i + 1]});
  return out;
}

void expect_same_frames(const FrameSet& set, const std::vector<std::vector<Mesh>>& frames) {
  ASSERT_EQ(frames.size(), set.frames.size());
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const render::Picture own = untrim(set.frames[i].body, set.width, set.height);
    const std::vector<std::array<double, 4>> again =
        paint(frames[i], set.width, set.height, {static_cast<double>(set.pivot_x), static_cast<double>(set.pivot_y)});
    int drawn = 0, wrong = 0;
    for (std::size_t k = 0; k < again.size(); ++k) {
      const std::uint8_t* pixel = own.rgba.data() + 4 * k;
      drawn += pixel[3] > 127 ? 1 : 0;
      bool same = std::abs(pixel[3] - again[k][3]) < 4;
      for (std::size_t c = 0; c < 3; ++c) same = same && std::abs(pixel[c] * pixel[3] / 255.0 - again[k][c]) < 4;
      wrong += same ? 0 : 1;
    }
    ASSERT_GT(drawn, 300);
    // Layers that fold over themselves are drawn twice by one of the painters.
    EXPECT_LE(wrong, drawn / 50) << "frame " << i << ": " << wrong << " of " << drawn;
  }
}

TEST(Skeletal, DragonBonesFramesAreTheFrames) {
  Skeletal skeletal;
  const FrameSet set = make_puppet(turning_person(), nullptr, &skeletal).value();
  const NamedFiles files = dragonbones_files(skeletal, "hero").value();
  const json ske = json::parse(file_in(files, "hero_ske.json")), tex = json::parse(file_in(files, "hero_tex.json"));
  const render::Picture sheet = picture_in(files, "hero_tex.png");
  EXPECT_EQ(ske["version"], "5.5");
  const json& armature = ske["armature"][0];
  const json& animation = armature["animation"][0];
  std::vector<std::string> slots;
  for (const json& slot : armature["slot"]) slots.push_back(slot["name"]);
  std::vector<std::vector<Mesh>> frames(set.frames.size());
  int total = 0;
  for (std::size_t f = 0; f < frames.size(); ++f) {
    std::vector<Mesh> by_slot(slots.size());
    for (std::size_t s = 0; s < slots.size(); ++s) {
      for (const json& entry : armature["skin"][0]["slot"]) {
        if (entry["name"] != slots[s]) continue;
        const json& display = entry["display"][0];
        Mesh& mesh = by_slot[s];
        mesh.uvs = points(numbers(display["uvs"]));
        mesh.vertices = points(numbers(display["vertices"]));
        mesh.triangles = display["triangles"].get<std::vector<int>>();
        for (const json& t : tex["SubTexture"])
          if (t["name"] == display["name"]) mesh.texture = part_of(sheet, t["x"], t["y"], t["width"], t["height"]);
      }
      for (const json& ffd : animation["ffd"]) {
        if (ffd["slot"] != slots[s]) continue;
        const std::vector<Point> moved = points(numbers(ffd["frame"][f]["vertices"]));
        ASSERT_EQ(moved.size(), by_slot[s].vertices.size());
        for (std::size_t i = 0; i < moved.size(); ++i) by_slot[s].vertices[i] = by_slot[s].vertices[i] + moved[i];
      }
    }
    std::vector<Mesh> ordered = by_slot;
    const std::vector<int> order = animation["zOrder"]["frame"][f]["zOrder"].get<std::vector<int>>();
    for (std::size_t i = 0; i + 1 < order.size(); i += 2)
      ordered[static_cast<std::size_t>(order[i] + order[i + 1])] = by_slot[static_cast<std::size_t>(order[i])];
    frames[f] = std::move(ordered);
    total += animation["zOrder"]["frame"][f]["duration"].get<int>();
  }
  EXPECT_EQ(animation["duration"], total);
  expect_same_frames(set, frames);
}

TEST(Skeletal, SpineFramesAreTheFrames) {
  Skeletal skeletal;
  const FrameSet set = make_puppet(turning_person(), nullptr, &skeletal).value();
  const NamedFiles files = spine_files(skeletal, "hero").value();
  const json data = json::parse(file_in(files, "hero_spine.json"));
  const render::Picture sheet = picture_in(files, "hero_spine.png");
  const std::string atlas = file_in(files, "hero_spine.atlas");
  struct Bone {
    std::string name;
    double x = 0, y = 0, rotation = 0;
  };
  std::vector<Bone> bones;
  for (const json& bone : data["bones"])
    bones.push_back({bone["name"], bone.value("x", 0.0), bone.value("y", 0.0), bone.value("rotation", 0.0)});
  const json& animation = data["animations"]["walk"];
  std::vector<std::string> slots;
  for (const json& slot : data["slots"]) slots.push_back(slot["name"]);
  std::vector<std::vector<Mesh>> frames;
  for (std::size_t f = 0; f < set.frames.size(); ++f) {
    std::vector<Mesh> by_slot(slots.size());
    for (std::size_t s = 0; s < slots.size(); ++s) {
      const json& mesh = data["skins"][0]["attachments"][slots[s]][slots[s]];
      Mesh& out = by_slot[s];
      out.uvs = points(numbers(mesh["uvs"]));
      out.triangles = mesh["triangles"].get<std::vector<int>>();
      const std::vector<double> weighted = numbers(mesh["vertices"]);
      const std::vector<Point> deform =
          points(numbers(animation["deform"]["default"][slots[s]][slots[s]][f]["vertices"]));
      ASSERT_EQ(weighted.size(), 5 * out.uvs.size());
      for (std::size_t i = 0; i < out.uvs.size(); ++i) {
        ASSERT_EQ(weighted[5 * i], 1);
        const Bone& bone = bones[static_cast<std::size_t>(weighted[5 * i + 1])];
        const json& keys = animation["bones"][bone.name];
        const double angle = (bone.rotation + keys["rotate"][f]["angle"].get<double>()) * 3.14159265358979 / 180;
        const double x = (weighted[5 * i + 2] + deform[i].x) * keys["scale"][f]["x"].get<double>();
        const double y = (weighted[5 * i + 3] + deform[i].y) * keys["scale"][f]["y"].get<double>();
        const double wx = bone.x + keys["translate"][f]["x"].get<double>() + x * std::cos(angle) - y * std::sin(angle);
        const double wy = bone.y + keys["translate"][f]["y"].get<double>() + x * std::sin(angle) + y * std::cos(angle);
        out.vertices.push_back({wx, -wy});
      }
      // "NAME\n  rotate: false\n  xy: X, Y\n  size: W, H".
      const std::size_t at = atlas.find("\n" + slots[s] + "\n");
      ASSERT_NE(at, std::string::npos);
      int px = 0, py = 0, width = 0, height = 0;
      ASSERT_EQ(std::sscanf(atlas.c_str() + at + slots[s].size() + 2, " rotate: false xy: %d, %d size: %d, %d", &px,
                            &py, &width, &height),
                4);
      out.texture = part_of(sheet, px, py, width, height);
    }
    std::vector<Mesh> ordered = by_slot;
    if (animation["drawOrder"][f].contains("offsets")) {
      for (const json& entry : animation["drawOrder"][f]["offsets"]) {
        const auto slot = std::find(slots.begin(), slots.end(), entry["slot"].get<std::string>()) - slots.begin();
        ordered[static_cast<std::size_t>(slot + entry["offset"].get<int>())] = by_slot[static_cast<std::size_t>(slot)];
      }
    }
    frames.push_back(std::move(ordered));
  }
  expect_same_frames(set, frames);
}

}  // namespace
}  // namespace zoe::sprite
