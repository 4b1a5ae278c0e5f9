// SPDX-License-Identifier: MIT
// Puppets: cut-out, joints, deformation, frames.
#include "sprite/puppet/puppet.h"

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "zoe/core/file.h"
#include "zoe/core/index.h"
#include "zoe/core/random.h"
#include "zoe/render/picture_file.h"
#include "zoe/sprite/puppet/find_rig.h"
#include "zoe/sprite/puppet/make_puppet.h"
#include "zoe/sprite/puppet/rig_page.h"
#include "zoe/synth/clip.h"

#include "puppet_support.h"
#include "sprite/puppet/arap.h"
#include "sprite/puppet/paint.h"
#include "support/allocation.h"
#include "support/data.h"
#include "support/mutate.h"

namespace zoe::sprite {
namespace {

using test::draw_limb;
using test::draw_person;

CutOut cut(const render::Picture& drawing) {
  Warnings warnings;
  return cut_out(drawing, {}, warnings).value();
}

std::string refusal(const render::Picture& drawing) {
  Warnings warnings;
  const Result<CutOut> result = cut_out(drawing, {}, warnings);
  return result ? std::string{} : result.error().message;
}

TEST(PuppetCutOut, RefusesWhatIsNoFigure) {
  EXPECT_NE(refusal(render::make_picture(64, 64, 10, 20, 30, 0)).find("transparent"), std::string::npos);
  EXPECT_NE(refusal(render::make_picture(2, 2, 10, 20, 30, 255)).find("4 x 4"), std::string::npos);
  EXPECT_FALSE(refusal(render::make_picture(64, 64, 200, 200, 200, 255)).empty());  // Paper without a figure.
  render::Picture photo = render::make_picture(120, 90, 0, 0, 0, 255);
  Random random(5);
  for (std::size_t i = 0; i < photo.rgba.size(); ++i)
    if (i % 4 != 3) photo.rgba[i] = static_cast<std::uint8_t>(random.uniform_double() * 255);
  EXPECT_NE(refusal(photo).find("plain background"), std::string::npos);
}

TEST(PuppetCutOut, RefusesTwoCharacters) {
  render::Picture two = render::make_picture(400, 200, 0, 0, 0, 0);
  render::paste(draw_person(), 0, 0, two);
  render::paste(draw_person(), 200, 0, two);
  EXPECT_NE(refusal(two).find("2 separate figures"), std::string::npos);
}

TEST(PuppetCutOut, WarnsOfCutLimbs) {
  Warnings warnings;
  ASSERT_TRUE(cut_out(draw_person(200, 200, {20, 20}), {}, warnings));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].message.find("left side"), std::string::npos);
}

TEST(PuppetCutOut, FindsLinesOnUnevenPaper) {
  // Paper that gets darker to the right, with grain; a circle of ink with a small gap.
  render::Picture paper = render::make_picture(300, 240, 0, 0, 0, 255);
  Random random(2);
  for (int y = 0; y < 240; ++y) {
    for (int x = 0; x < 300; ++x) {
      for (int c = 0; c < 3; ++c)
        paper.pixel(x, y)[c] = static_cast<std::uint8_t>(225 - x / 6 - 4 * c + 6 * random.uniform_double());
    }
  }
  for (double angle = 0.03; angle < 6.25; angle += 0.01) {
    const Point p{150 + 60 * std::cos(angle), 120 + 60 * std::sin(angle)};
    draw_limb(paper, p, p, 1.5, {40, 40, 90});
  }
  const CutOut found = cut(paper);
  EXPECT_EQ(found.background, Background::kPaper);
  EXPECT_NEAR(found.figure.width, 127, 4);
  EXPECT_NEAR(found.left + 2, 88, 4);
  // The inside of the circle belongs to the figure, the corner does not.
  EXPECT_EQ(found.figure.pixel(found.figure.width / 2, found.figure.height / 2)[3], 255);
  EXPECT_EQ(found.figure.pixel(3, 3)[3], 0);
}

TEST(PuppetCutOut, FindsPixelsOfPixelArt) {
  render::Picture art = render::make_picture(96, 96, 0, 0, 0, 0);
  for (int y = 0; y < 96; ++y) {
    for (int x = 0; x < 96; ++x) {
      const int u = x / 4, v = y / 4;
      if (u < 6 || u > 17 || v < 4 || v > 20 || (v > 14 && u > 10 && u < 13)) continue;
      const std::uint8_t pixel[4] = {static_cast<std::uint8_t>(40 * (u % 3)), static_cast<std::uint8_t>(50 * (v % 4)),
                                     90, 255};
      std::copy_n(pixel, 4, art.pixel(x, y));
    }
  }
  const CutOut found = cut(art);
  EXPECT_TRUE(found.pixel_art);
  EXPECT_EQ(found.pixel_scale, 4);
  EXPECT_EQ(found.figure.width, 12 + 4);
  EXPECT_EQ(found.figure.height, 17 + 4);
}

TEST(PuppetRig, FindsJointsOfADrawnPerson) {
  const CutOut found = cut(draw_person());
  const PuppetRig rig = find_rig(found.figure);
  EXPECT_EQ(rig.body, PuppetBody::kHumanoid);
  EXPECT_GT(rig.confidence(), 0.8);
  const auto expect_near = [&](const char* name, Point truth) {
    const Point p = rig.joints[static_cast<std::size_t>(rig.find(name))].position + Point{found.left, found.top};
    EXPECT_LT(distance(p, truth), 14) << name << " at " << p.x << ", " << p.y;
  };
  expect_near("right_hand", {48, 108});
  expect_near("left_hand", {152, 108});
  expect_near("right_foot", {86, 172});
  expect_near("left_foot", {114, 172});
  expect_near("neck", {100, 60});
  expect_near("hips", {100, 118});
  expect_near("right_elbow", {66, 90});
  expect_near("left_knee", {111, 146});
}

TEST(PuppetRig, FileRoundTripAndErrors) {
  const CutOut found = cut(draw_person());
  const PuppetRig rig = find_rig(found.figure);
  const std::string text = write_rig(rig, found);
  const PuppetRig back = parse_rig(text, found, "joints.json").value();
  ASSERT_EQ(back.joints.size(), rig.joints.size());
  for (std::size_t i = 0; i < rig.joints.size(); ++i) {
    EXPECT_EQ(back.joints[i].name, rig.joints[i].name);
    EXPECT_EQ(back.joints[i].parent, rig.joints[i].parent);
    EXPECT_LT(distance(back.joints[i].position, rig.joints[i].position), 0.08);
  }
  const auto message = [&](std::string changed) {
    const Result<PuppetRig> parsed = parse_rig(changed, found, "joints.json");
    return parsed ? std::string{} : parsed.error().message;
  };
  nlohmann::json json = nlohmann::json::parse(text);
  json["joints"].erase("neck");
  EXPECT_NE(message(json.dump()).find("\"neck\" is missing"), std::string::npos);
  json = nlohmann::json::parse(text);
  json["joints"]["nek"] = {{"x", 1}, {"y", 2}};
  EXPECT_NE(message(json.dump()).find("did you mean"), std::string::npos);
  json = nlohmann::json::parse(text);
  json["joints"]["neck"]["x"] = 4000;
  EXPECT_NE(message(json.dump()).find("outside"), std::string::npos);
  EXPECT_FALSE(message("[]").empty());
  zoe::test::expect_survives_damage(
      "joints", as_bytes(text),
      [&](std::span<const std::byte> bytes) {
        (void)parse_rig({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, found, "x");
      },
      {.flips = 300});
  EXPECT_NE(rig_page(draw_person(), rig, found).find("data:image/png;base64,"), std::string::npos);
}

TEST(PuppetArap, BandSolvesAsEliminationDoes) {
  constexpr int kSize = 9, kBand = 3;
  Random random(4);
  std::vector<std::vector<double>> dense(kSize, std::vector<double>(kSize, 0));
  BandMatrix band(kSize, kBand);
  for (int i = 0; i < kSize; ++i) {
    for (int j = std::max(0, i - kBand); j <= i; ++j) {
      const double value = i == j ? 8 + random.uniform_double() : random.uniform_double() - 0.5;
      dense[idx(i)][idx(j)] = dense[idx(j)][idx(i)] = value;
      band.at(i, j) = value;
    }
  }
  std::vector<double> truth(kSize), right(kSize, 0);
  for (double& v : truth) v = random.uniform_double();
  for (std::size_t i = 0; i < kSize; ++i)
    for (std::size_t j = 0; j < kSize; ++j) right[i] += dense[i][j] * truth[j];
  band.factorise();
  band.solve(right);
  for (std::size_t i = 0; i < kSize; ++i) EXPECT_NEAR(right[i], truth[i], 1e-12);
}

// A square grid of n × n vertices.
ArapSolver make_grid(int n, double pull) {
  std::vector<Point> rest;
  std::vector<MeshEdge> edges;
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) {
      rest.push_back({static_cast<double>(x), static_cast<double>(y)});
      if (x > 0) edges.push_back({y * n + x - 1, y * n + x});
      if (y > 0) edges.push_back({(y - 1) * n + x, y * n + x});
      if (x > 0 && y > 0) edges.push_back({(y - 1) * n + x - 1, y * n + x});
    }
  }
  std::vector<double> pulls(rest.size(), 1e-6);
  for (int i = 0; i < n; ++i) pulls[idx(i)] = pull;  // The first row is held.
  return {rest, edges, pulls};
}

TEST(PuppetArap, RigidTargetsGiveARigidBody) {
  ArapSolver solver = make_grid(6, 10);
  std::vector<Point> targets, stretched, out;
  for (std::size_t i = 0; i < solver.num_vertices(); ++i) {
    // Only the first row knows the turn.
    const Point p = solver.rest()[i];
    targets.push_back(i < 6 ? rotated(p, 0.7) + Point{3, 4} : rotated(p, 0.6) + Point{3, 4});
  }
  for (const MeshEdge& edge : solver.edges())
    stretched.push_back(solver.rest()[idx(edge.b)] - solver.rest()[idx(edge.a)]);
  solver.solve(targets, stretched, 60, out);
  for (std::size_t i = 0; i < out.size(); ++i)
    EXPECT_LT(distance(out[i], rotated(solver.rest()[i], 0.7) + Point{3, 4}), 2e-2);
  if (zoe::test::kSanitized) return;
  const zoe::test::AllocationMeter meter;
  solver.solve(targets, stretched, 2, out);
  EXPECT_EQ(meter.allocations(), 0U);
}

TEST(PuppetFrames, TheDrawnPoseIsTheDrawing) {
  const CutOut found = cut(draw_person());
  const PuppetRig rig = find_rig(found.figure);
  Puppet puppet(found.figure, rig);
  PuppetPose pose;
  for (const PuppetBone& bone : puppet.bones()) pose.bones.push_back({rig.joints[idx(bone.from)].position});
  pose.depths.assign(puppet.parts().size(), 0);
  std::vector<std::vector<Point>> vertices;
  puppet.deform(pose, vertices);
  for (const bool pixel_art : {false, true}) {
    PuppetPainter painter(puppet, pixel_art);
    render::Picture out;
    painter.draw(vertices, puppet.draw_order(pose), {}, found.figure.width, found.figure.height, out);
    int wrong = 0;
    for (int y = 0; y < out.height; ++y) {
      for (int x = 0; x < out.width; ++x) {
        const std::uint8_t *a = out.pixel(x, y), *b = found.figure.pixel(x, y);
        bool same = std::abs(a[3] - b[3]) <= 3;
        for (int c = 0; c < 3 && b[3] > 0; ++c) same = same && std::abs(a[c] - b[c]) <= 3;
        wrong += same ? 0 : 1;
      }
    }
    // Layers meet in a few soft pixels; votes on the cut corners of enlarged pixel art move border pixels.
    EXPECT_LE(wrong, pixel_art ? 60 : 8) << "pixel art " << pixel_art;
  }
}

PuppetRequest walking(const render::Picture& drawing) {
  const synth::Body body = synth::make_body(BodyFamily::kBiped, Random(1));
  const synth::Clip clip = synth::make_clip(body, {.gait = synth::Gait::kWalk, .seconds = 1}, Random(1)).value();
  PuppetRequest request{.cut = cut(drawing)};
  request.rig = find_rig(request.cut.figure);
  auto motion = std::make_shared<const Motion>(clip.motion);
  request.clips.push_back({"walk", motion, analyse(*body.character->skeleton, {&clip.motion, 1}, body.character.get()),
                           even_exposures(*motion, 8, 0, false), false});
  return request;
}

TEST(PuppetFrames, LegsSwingAndBytesAreEqualAgain) {
  PuppetRequest request = walking(draw_person());
  request.size_px = 96;
  const FrameSet set = make_puppet(request).value(), again = make_puppet(request).value();
  ASSERT_EQ(set.frames.size(), request.clips[0].exposures.size());
  std::set<std::vector<std::uint8_t>> different;
  for (std::size_t i = 0; i < set.frames.size(); ++i) {
    EXPECT_EQ(set.frames[i].body.picture.rgba, again.frames[i].body.picture.rgba);
    different.insert(set.frames[i].body.picture.rgba);
    const Cel& cel = set.frames[i].body;
    EXPECT_GE(cel.x, 0);
    EXPECT_LE(cel.x + cel.picture.width, 96);
    EXPECT_LE(cel.y + cel.picture.height, 96);
    // The feet are near the pivot's height.
    EXPECT_NEAR(cel.y + cel.picture.height, set.pivot_y, 6);
  }
  EXPECT_GT(different.size(), 5U);
}

TEST(PuppetFrames, PixelArtKeepsItsColors) {
  render::Picture small = render::make_picture(50, 50, 0, 0, 0, 0);
  const render::Picture person = draw_person();
  for (int y = 0; y < 50; ++y)
    for (int x = 0; x < 50; ++x) std::copy_n(person.pixel(4 * x + 2, 4 * y + 2), 4, small.pixel(x, y));
  const PuppetRequest request = walking(small);
  ASSERT_TRUE(request.cut.pixel_art);
  const FrameSet set = make_puppet(request).value();
  ASSERT_EQ(set.palette.size(), 3U);
  for (const Frame& frame : set.frames) {
    const std::vector<std::uint8_t>& rgba = frame.body.picture.rgba;
    for (std::size_t i = 0; i < rgba.size(); i += 4) {
      if (rgba[i + 3] == 0) continue;
      ASSERT_EQ(rgba[i + 3], 255);
      const Rgb color{rgba[i], rgba[i + 1], rgba[i + 2]};
      EXPECT_NE(std::find(set.palette.begin(), set.palette.end(), color), set.palette.end());
    }
  }
  PuppetRequest tight = request;
  tight.size_px = 16;
  EXPECT_FALSE(make_puppet(tight));
}

// Share of drawings whose body is right and of whose joints four in five are within 12 % of the figure's size.
TEST(PuppetRig, JointsOfSharedDrawings) {
  ZOE_NEED_DATA(data);
  if (std::getenv("ZOE_SOURCE_DIR") == nullptr) GTEST_SKIP() << "run by ctest, or set ZOE_SOURCE_DIR";
  if (zoe::test::kSanitized) GTEST_SKIP() << "takes minutes with a sanitizer";
  std::ifstream file(std::filesystem::path(std::getenv("ZOE_SOURCE_DIR")) / "tests/sprite/data/puppet_truth.json");
  const nlohmann::json table = nlohmann::json::parse(file);
  int right = 0, total = 0, near = 0, joints = 0;
  for (const auto& [name, truth] : table["drawings"].items()) {
    const std::filesystem::path path = data / "assets/drawings" / name;
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is absent";
    const CutOut found = cut(render::read_picture(path).value());
    const PuppetRig rig = find_rig(found.figure);
    ++total;
    const bool body = to_string(rig.body) == truth["body"].get<std::string>();
    std::string missed = body ? "" : std::string(" body ") + to_string(rig.body);
    const double width = found.figure.width - 4, height = found.figure.height - 4, size = std::max(width, height);
    const auto place = [&](const PuppetJoint& joint) {
      Point p = joint.position;
      if (rig.flipped) p.x = found.figure.width - p.x;
      return p - Point{2, 2};
    };
    const bool in_pixels = truth.contains("pixels");  // clang 14 captures no structured binding.
    const auto wanted = [&](const nlohmann::json& value) {
      const Point p{value[0].get<double>(), value[1].get<double>()};
      if (in_pixels) return (p - Point{found.left, found.top}) * (1 / found.scale) - Point{2, 2};
      return Point{p.x / 100 * width, p.y / 100 * height};
    };
    int good = 0, count = 0;
    if (truth.contains("joints")) {
      for (const auto& [joint, value] : truth["joints"].items()) {
        ++count;
        const int index = rig.find(joint);
        const double apart = index < 0 ? 1e9 : distance(place(rig.joints[idx(index)]), wanted(value));
        if (apart <= 0.12 * size) {
          ++good;
        } else {
          missed += " " + joint;
        }
      }
    }
    if (truth.contains("feet")) {
      for (const auto& value : truth["feet"]) {
        ++count;
        double nearest = 1e9;
        for (const PuppetJoint& joint : rig.joints)
          if (joint.name.ends_with("_foot")) nearest = std::min(nearest, distance(place(joint), wanted(value)));
        good += nearest <= 0.12 * size ? 1 : 0;
      }
    }
    joints += count;
    near += good;
    const bool whole = body && 5 * good >= 4 * count;
    right += whole ? 1 : 0;
    if (!whole) std::printf("  wrong: %s:%s\n", name.c_str(), missed.c_str());
  }
  std::printf("  %d of %d drawings right, %d of %d joints\n", right, total, near, joints);
  EXPECT_GE(right * 100, 80 * total);
}

}  // namespace
}  // namespace zoe::sprite
