// SPDX-License-Identifier: MIT
// Sheets and engine files: read by an independent reader and put together again, they give the source frames.
#include "zoe/sprite/sheet.h"

#include <regex>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "zoe/core/random.h"
#include "zoe/sprite/engine_files.h"

#include "sprite/max_rects.h"

namespace zoe::sprite {
namespace {

// Frames of random content: some empty, some equal.
FrameSet random_set() {
  FrameSet set{.width = 40, .height = 30, .pivot_x = 20, .pivot_y = 28, .pixels_per_metre = 16};
  Random random(9);
  const auto number = [&](int below) { return static_cast<int>(random.uniform() * below); };
  for (int i = 0; i < 14; ++i) {
    render::Picture canvas = render::make_picture(set.width, set.height, 0, 0, 0, 0);
    const int left = number(30), top = number(20), width = 1 + number(9), height = 1 + number(9);
    for (int y = top; y < top + height && i != 5; ++y) {
      for (int x = left; x < left + width; ++x) {
        std::uint8_t* pixel = canvas.pixel(x, y);
        for (int k = 0; k < 4; ++k) pixel[k] = static_cast<std::uint8_t>(1 + number(255));
      }
    }
    Frame frame{.body = trim(canvas), .duration_ms = 40 + 10 * i};
    if (i == 8) frame.body = set.frames[2].body;  // The same cel elsewhere on the canvas.
    if (i == 8) frame.body.x = 3;
    if (i == 9) frame = set.frames[4];
    set.frames.push_back(std::move(frame));
  }
  set.animations = {{"walk_e", "walk", "e", 0, 6, true}, {"hit \"1\"_w", "hit", "w", 6, 8, false}};
  return set;
}

Sheet pack(const FrameSet& set, const SheetOptions& options = {}) {
  const std::vector<const Cel*> cels = body_cels(set);
  return pack_sheet(cels, set.width, set.height, options).value();
}

// A canvas from a rectangle of the sheet.
render::Picture assemble(const FrameSet& set, const Sheet& sheet, int x, int y, int w, int h, int to_x, int to_y) {
  render::Picture part = render::make_picture(w, h, 0, 0, 0, 0);
  render::paste(sheet.picture, -x, -y, part);
  render::Picture canvas = render::make_picture(set.width, set.height, 0, 0, 0, 0);
  render::paste(part, to_x, to_y, canvas);
  return canvas;
}

void expect_frame(const FrameSet& set, std::size_t frame, const render::Picture& canvas) {
  EXPECT_EQ(canvas.rgba, untrim(set.frames[frame].body, set.width, set.height).rgba) << "frame " << frame;
}

TEST(MaxRects, NothingOverlapsAndLittleIsWasted) {
  Random random(2);
  std::vector<Rect> rects;
  double area = 0;
  for (int i = 0; i < 300; ++i) {
    rects.push_back({0, 0, 5 + static_cast<int>(random.uniform() * 40), 5 + static_cast<int>(random.uniform() * 40)});
    area += rects.back().width * rects.back().height;
  }
  const std::optional<int> height = pack_rects(rects, 450, 4000);
  ASSERT_TRUE(height);
  std::vector<int> used(static_cast<std::size_t>(450 * *height));
  for (const Rect& rect : rects) {
    ASSERT_LE(rect.x + rect.width, 450);
    for (int y = rect.y; y < rect.y + rect.height; ++y) {
      for (int x = rect.x; x < rect.x + rect.width; ++x) ASSERT_EQ(used[static_cast<std::size_t>(y * 450 + x)]++, 0);
    }
  }
  EXPECT_GT(area / (450.0 * *height), 0.9);
  EXPECT_FALSE(pack_rects(rects, 450, 100));
}

TEST(Sheet, FramesComeBack) {
  const FrameSet set = random_set();
  for (const SheetOptions& options :
       {SheetOptions{}, SheetOptions{.padding_px = 0}, SheetOptions{.extrude_px = 2}, SheetOptions{.trim = false},
        SheetOptions{.share = false}, SheetOptions{.power_of_two = true}}) {
    const Sheet sheet = pack(set, options);
    ASSERT_EQ(sheet.frames.size(), set.frames.size());
    for (std::size_t i = 0; i < set.frames.size(); ++i) {
      const Placement& at = sheet.frames[i];
      expect_frame(set, i, assemble(set, sheet, at.x, at.y, at.width, at.height, at.canvas_x, at.canvas_y));
    }
    EXPECT_EQ(sheet.picture.rgba, pack(set, options).picture.rgba);
  }
}

TEST(Sheet, EqualCelsAreStoredOnceAndBordersAreRepeated) {
  const FrameSet set = random_set();
  EXPECT_EQ(pack(set).num_stored, 12);
  EXPECT_EQ(pack(set, {.share = false}).num_stored, 14);
  const Sheet sheet = pack(set, {.extrude_px = 1});
  const Placement& at = sheet.frames[0];
  EXPECT_TRUE(std::equal(sheet.picture.pixel(at.x, at.y), sheet.picture.pixel(at.x, at.y) + 4,
                         sheet.picture.pixel(at.x - 1, at.y - 1)));
  const Sheet power = pack(set, {.power_of_two = true});
  EXPECT_EQ(power.picture.width & (power.picture.width - 1), 0);
}

TEST(Sheet, TooManyPixelsAreRefused) {
  const FrameSet set = random_set();
  const std::vector<const Cel*> cels = body_cels(set);
  EXPECT_FALSE(pack_sheet(cels, set.width, set.height, {.max_size_px = 16}));
}

// One frame object of Aseprite and TexturePacker.
void expect_json_frame(const FrameSet& set, const Sheet& sheet, std::size_t frame, const nlohmann::json& object) {
  const nlohmann::json &at = object["frame"], &source = object["spriteSourceSize"];
  EXPECT_FALSE(object["rotated"].get<bool>());
  EXPECT_EQ(object["sourceSize"]["w"], set.width);
  EXPECT_EQ(object["sourceSize"]["h"], set.height);
  expect_frame(set, frame, assemble(set, sheet, at["x"], at["y"], at["w"], at["h"], source["x"], source["y"]));
}

TEST(EngineFiles, Aseprite) {
  const FrameSet set = random_set();
  const Sheet sheet = pack(set);
  const nlohmann::json array = nlohmann::json::parse(aseprite_array(set, sheet, {"kn\"ight", "knight.png"}));
  const nlohmann::json hash = nlohmann::json::parse(aseprite_hash(set, sheet, {"kn\"ight", "knight.png"}));
  ASSERT_EQ(array["frames"].size(), set.frames.size());
  for (std::size_t i = 0; i < set.frames.size(); ++i) {
    expect_json_frame(set, sheet, i, array["frames"][i]);
    expect_json_frame(set, sheet, i, hash["frames"][std::to_string(i)]);
    EXPECT_EQ(array["frames"][i]["duration"], set.frames[i].duration_ms);
    EXPECT_EQ(array["frames"][i]["filename"], std::to_string(i));
  }
  const nlohmann::json& meta = array["meta"];
  EXPECT_EQ(meta["image"], "knight.png");
  EXPECT_EQ(meta["scale"], "1");
  EXPECT_EQ(meta["frameTags"][1]["name"], "hit \"1\"_w");
  EXPECT_EQ(meta["frameTags"][1]["from"], 6);
  EXPECT_EQ(meta["frameTags"][1]["to"], 13);
  EXPECT_EQ(meta["slices"][0]["keys"][0]["pivot"]["x"], set.pivot_x);
  EXPECT_EQ(meta, hash["meta"]);
}

TEST(EngineFiles, TexturePacker) {
  const FrameSet set = random_set();
  const Sheet sheet = pack(set);
  const nlohmann::json file = nlohmann::json::parse(texture_packer(set, sheet, {"knight", "knight.png"}));
  for (const Animation& animation : set.animations) {
    const nlohmann::json& names = file["animations"][animation.name];
    ASSERT_EQ(static_cast<int>(names.size()), animation.count);
    for (int k = 0; k < animation.count; ++k) {
      const nlohmann::json& object = file["frames"][names[static_cast<std::size_t>(k)].get<std::string>()];
      expect_json_frame(set, sheet, static_cast<std::size_t>(animation.first + k), object);
      EXPECT_DOUBLE_EQ(object["anchor"]["x"].get<double>() * set.width, set.pivot_x);
      EXPECT_DOUBLE_EQ(object["pivot"]["y"].get<double>() * set.height, set.pivot_y);
    }
  }
}

// AtlasTextures of a .tres by their id: region and margin.
std::map<std::string, std::array<int, 8>> read_atlases(const std::string& text) {
  std::map<std::string, std::array<int, 8>> atlases;
  const std::regex pattern(
      "\\[sub_resource type=\"AtlasTexture\" id=\"?([a-z_0-9]+)\"?\\]\natlas = [^\n]+\nregion = Rect2\\((\\d+), "
      "(\\d+), "
      "(\\d+), (\\d+)\\)\nmargin = Rect2\\((\\d+), (\\d+), (\\d+), (\\d+)\\)");
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) {
    std::array<int, 8>& numbers = atlases[(*it)[1]];
    for (std::size_t k = 0; k < 8; ++k) numbers[k] = std::stoi((*it)[k + 2]);
  }
  return atlases;
}

void expect_atlas(const FrameSet& set, const Sheet& sheet, std::size_t frame, const std::array<int, 8>& at) {
  EXPECT_EQ(at[2] + at[6], set.width);
  EXPECT_EQ(at[3] + at[7], set.height);
  expect_frame(set, frame, assemble(set, sheet, at[0], at[1], at[2], at[3], at[4], at[5]));
}

TEST(EngineFiles, Godot4) {
  const FrameSet set = random_set();
  const Sheet sheet = pack(set);
  const std::string text = godot4(set, sheet, {"knight", "knight.png"});
  const auto atlases = read_atlases(text);
  const std::regex pattern("\"duration\": ([0-9.]+),\n\"texture\": SubResource\\(\"([a-z_0-9]+)\"\\)");
  std::size_t frame = 0;
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it, ++frame) {
    ASSERT_LT(frame, set.frames.size());
    expect_atlas(set, sheet, frame, atlases.at((*it)[2]));
    EXPECT_NEAR(std::stod((*it)[1]) / 60 * 1000, set.frames[frame].duration_ms, 1e-6);
  }
  EXPECT_EQ(frame, set.frames.size());
  EXPECT_NE(text.find("path=\"res://knight.png\""), std::string::npos);
  EXPECT_NE(text.find("load_steps=" + std::to_string(atlases.size() + 2) + " "), std::string::npos);
}

// Drawings are repeated for their time: the sum of the repetitions is the duration.
TEST(EngineFiles, Godot3) {
  const FrameSet set = random_set();
  const Sheet sheet = pack(set);
  const std::string text = godot3(set, sheet, {"knight", "knight.png"});
  const auto atlases = read_atlases(text);
  const std::size_t start = text.find("animations = [");
  const std::string list = text.substr(start);
  const std::regex pattern("SubResource\\( (\\d+) \\)");
  std::vector<std::string> shown;
  for (std::sregex_iterator it(list.begin(), list.end(), pattern), end; it != end; ++it) shown.push_back((*it)[1]);
  std::size_t at = 0;
  for (std::size_t i = 0; i < set.frames.size(); ++i) {
    const auto repeats = static_cast<std::size_t>(std::lround(set.frames[i].duration_ms * 60 / 1000.0));
    for (std::size_t r = 0; r < repeats; ++r, ++at) {
      ASSERT_LT(at, shown.size());
      expect_atlas(set, sheet, i, atlases.at(shown[at]));
    }
  }
  EXPECT_EQ(at, shown.size());
}

TEST(EngineFiles, Unity) {
  const FrameSet set = random_set();
  const Sheet sheet = pack(set);
  const std::string text = unity_meta(set, sheet, {"knight", "knight.png"});
  const std::regex pattern(
      "      rect:\n        serializedVersion: 2\n        x: (\\d+)\n        y: (\\d+)\n        width: (\\d+)\n        "
      "height: (\\d+)\n      alignment: 9\n      pivot: \\{x: ([-0-9.e]+), y: ([-0-9.e]+)\\}");
  std::size_t frame = 0;
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it, ++frame) {
    ASSERT_LT(frame, set.frames.size());
    const int x = std::stoi((*it)[1]), y = std::stoi((*it)[2]), w = std::stoi((*it)[3]), h = std::stoi((*it)[4]);
    // From the bottom left; the pivot says where the rectangle is on the canvas.
    const double left = set.pivot_x - std::stod((*it)[5]) * w, top = set.pivot_y - (1 - std::stod((*it)[6])) * h;
    expect_frame(set, frame,
                 assemble(set, sheet, x, sheet.picture.height - y - h, w, h, static_cast<int>(std::lround(left)),
                          static_cast<int>(std::lround(top))));
  }
  EXPECT_EQ(frame, set.frames.size());
  const std::string guid = unity_guid(text);
  EXPECT_EQ(guid.size(), 32U);
  // A guid that scenes refer to is kept.
  const std::string other = unity_meta(set, sheet, {"knight", "knight.png"}, "0123456789abcdef0123456789abcdef");
  EXPECT_EQ(unity_guid(other), "0123456789abcdef0123456789abcdef");
  EXPECT_EQ(unity_guid("guid: short"), "");
}

}  // namespace
}  // namespace zoe::sprite
