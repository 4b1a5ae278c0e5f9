// SPDX-License-Identifier: MIT
// Maps beside frames, and datasets: compared with what the bodies are known to do.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "zoe/render/picture_file.h"
#include "zoe/sprite/dataset.h"
#include "zoe/sprite/identity/captions.h"
#include "zoe/sprite/write_set.h"

#include "support.h"
#include "support/allocation.h"

namespace zoe::sprite {
namespace {

namespace id = identity;
namespace fs = std::filesystem;

Request with_maps(std::string_view action, int num_directions) {
  const id::Identity person = id::make_identity(id::draw_traits(166));
  const auto motion = std::make_shared<const Motion>(id::make_action(person, action).value());
  Request request{.character = person.character,
                  .body = person.body,
                  .num_directions = num_directions,
                  .size_px = 64,
                  .num_weapon_instances = person.num_weapon_instances};
  request.clips.push_back({std::string(action), motion, even_exposures(*motion, 12, 5, false), false});
  for (std::size_t k = 0; k < kNumMaps; ++k) request.maps.add(static_cast<MapKind>(k));
  return request;
}

const render::Picture& map_of(const Frame& frame, MapKind kind) {
  return frame.maps.pictures[static_cast<std::size_t>(kind)];
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Maps, CoverTheBodyAndPointAtTheViewer) {
  const FrameSet set = test::draw(with_maps("idle", 4));
  for (const Frame& frame : set.frames) {
    const render::Picture body = untrim(frame.body, set.width, set.height);
    const render::Picture &normal = map_of(frame, MapKind::kNormal), &part = map_of(frame, MapKind::kPart);
    int inside = 0, outside = 0, towards = 0;
    for (int y = 0; y < set.height; ++y) {
      for (int x = 0; x < set.width; ++x) {
        const std::uint8_t* n = normal.pixel(x, y);
        EXPECT_EQ(n[3], part.pixel(x, y)[3]);
        if (n[3] == 0) continue;
        (body.pixel(x, y)[3] > 0 ? inside : outside) += 1;
        towards += n[2] >= 118 ? 1 : 0;  // Surfaces that are seen do not face away.
        const double length = std::hypot(n[0] - 127.5, n[1] - 127.5, n[2] - 127.5) / 127.5;
        EXPECT_NEAR(length, 1, 0.03);
      }
    }
    EXPECT_GT(inside, 200);
    EXPECT_EQ(outside, 0);
    EXPECT_GT(towards, inside * 95 / 100);
  }
}

TEST(Maps, AllPartsAreThereAndKeypointsLieOnThem) {
  const FrameSet set = test::draw(with_maps("idle", 4));
  const Frame& front = set.frames[0];
  std::set<std::array<std::uint8_t, 3>> colors;
  const render::Picture& part = map_of(front, MapKind::kPart);
  for (int y = 0; y < set.height; ++y) {
    for (int x = 0; x < set.width; ++x) {
      const std::uint8_t* p = part.pixel(x, y);
      if (p[3] != 0) colors.insert({p[0], p[1], p[2]});
    }
  }
  for (const BodyPart wanted : {BodyPart::kTrunk, BodyPart::kHead, BodyPart::kLeftArm, BodyPart::kRightArm,
                                BodyPart::kLeftLeg, BodyPart::kRightLeg, BodyPart::kWeapon})
    EXPECT_TRUE(colors.contains(part_color(wanted))) << static_cast<int>(wanted);
  for (const Keypoint& point : front.maps.keypoints) EXPECT_TRUE(point.known);
  // Seen from the front the left side is on the right of the picture, and the nose is nearer than the neck.
  const auto& k = front.maps.keypoints;
  EXPECT_GT(k[5].x, k[2].x);
  EXPECT_GT(k[11].x, k[8].x);
  EXPECT_GT(k[0].depth, k[1].depth + 0.05F);
  EXPECT_LT(k[0].y, k[1].y);
  EXPECT_LT(k[1].y, k[8].y);
  EXPECT_LT(k[8].y, k[10].y);
  EXPECT_NEAR(front.maps.facing_cos, 1, 1e-5);
  // From behind the nose is hidden, and everything is mirrored.
  const Animation& north = *std::find_if(set.animations.begin(), set.animations.end(),
                                         [](const Animation& a) { return a.direction == "n"; });
  const FrameMaps& back = set.frames[static_cast<std::size_t>(north.first)].maps;
  EXPECT_FALSE(back.keypoints[0].visible);
  EXPECT_TRUE(k[0].visible);
  EXPECT_LT(back.keypoints[5].x, back.keypoints[2].x);
  EXPECT_NEAR(back.facing_cos, -1, 1e-5);
}

TEST(Maps, FlowFindsTheSameSurfaceInTheNextFrame) {
  // A body that is only carried along: every pixel moves by the travel of the root.
  Request request = with_maps("idle", 1);
  Motion carried = *request.clips[0].motion;
  const auto joints = static_cast<std::size_t>(carried.num_joints());
  for (int f = 0; f < carried.num_frames; ++f) {
    const auto row = static_cast<std::size_t>(f) * joints;
    std::copy_n(carried.rotations.begin(), joints, carried.rotations.begin() + static_cast<long>(row));
    std::copy_n(carried.translations.begin(), joints, carried.translations.begin() + static_cast<long>(row));
    carried.translations[row].z += 0.02F * static_cast<float>(f);
  }
  request.clips[0].motion = std::make_shared<const Motion>(carried);
  request.root = RootMotion::kKeep;
  request.turn_deg = 0;
  const FrameSet set = test::draw(request);
  const double travel_s = request.clips[0].exposures[1].time_s - request.clips[0].exposures[0].time_s;
  const double moved_px = travel_s * carried.fps * 0.02 * static_cast<double>(set.pixels_per_metre);
  const render::Picture& flow = map_of(set.frames[0], MapKind::kFlow);
  int count = 0;
  for (int y = 0; y < set.height; ++y) {
    for (int x = 0; x < set.width; ++x) {
      const std::uint8_t* p = flow.pixel(x, y);
      if (p[3] == 0) continue;
      ++count;
      EXPECT_NEAR((p[0] - 128) * set.width / 512.0, moved_px, 0.1);
      EXPECT_NEAR((p[1] - 128) * set.width / 512.0, 0, 0.1);
    }
  }
  EXPECT_GT(count, 200);
}

TEST(Maps, SheetsHaveTheRectanglesOfTheBody) {
  const FrameSet set = test::draw(with_maps("slash", 2));
  const fs::path folder = fs::path(testing::TempDir()) / "zoe_map_sheets";
  fs::remove_all(folder);
  ASSERT_TRUE(write_set(set, {.folder = folder, .title = "cat"}));
  const render::Picture sheet = render::read_picture(folder / "cat.png").value();
  for (const char* word : kMapWords) {
    const render::Picture map = render::read_picture(folder / (std::string("cat_") + word + ".png")).value();
    ASSERT_EQ(map.width, sheet.width);
    ASSERT_EQ(map.height, sheet.height);
    int lost = 0;
    for (std::size_t i = 3; i < map.rgba.size(); i += 4)
      lost += map.rgba[i] != 0 && sheet.rgba[i] == 0 && std::string(word) != "pose" ? 1 : 0;
    EXPECT_EQ(lost, 0) << word;
  }
  const auto joints = nlohmann::json::parse(text_of(folder / "cat_joints.json"));
  EXPECT_EQ(joints["frames"].size(), set.frames.size());
  EXPECT_EQ(joints["frames"][0]["points"].size(), kNumKeypoints);
}

DatasetOptions small_dataset(const fs::path& folder) {
  DatasetOptions options{.folder = folder, .num_identities = 3, .actions = {"walk", "slash"}};
  options.size_px = 32;
  options.num_frames = 4;
  options.maps.add(MapKind::kPose);
  return options;
}

TEST(Dataset, PartsTogetherAreTheWhole) {
  const fs::path root = fs::path(testing::TempDir()) / "zoe_dataset";
  fs::remove_all(root);
  ThreadPool pool(2);
  ASSERT_EQ(write_dataset(small_dataset(root / "whole"), pool).value().num_done, 6);
  std::map<int, nlohmann::json> whole, parts;
  std::set<std::pair<int, std::string>> pairs;
  std::istringstream lines(text_of(root / "whole/part_1_of_1.jsonl"));
  for (std::string line; std::getline(lines, line);) {
    const auto clip = nlohmann::json::parse(line);
    whole[clip["id"].get<int>()] = clip;
    pairs.emplace(clip["identity"].get<int>(), clip["action"].get<std::string>());
    EXPECT_EQ(clip["poses"].size(), 5U);
    const render::Picture strip = render::read_picture(root / "whole" / clip["file"].get<std::string>()).value();
    EXPECT_EQ(strip.width, 5 * 32);
    EXPECT_EQ(strip.height, 32);
    // Captions have the words of what is drawn.
    const std::string caption = clip["captions"][0].get<std::string>();
    EXPECT_NE(caption.find(id::gerund(clip["action"].get<std::string>())), std::string::npos) << caption;
  }
  EXPECT_EQ(pairs.size(), 6U);  // Every identity with every action.
  for (int part = 1; part <= 2; ++part) {
    DatasetOptions options = small_dataset(root / "parts");
    options.part = part;
    options.num_parts = 2;
    ASSERT_TRUE(write_dataset(options, pool));
    std::istringstream file(text_of(root / fmt::format("parts/part_{}_of_2.jsonl", part)));
    for (std::string line; std::getline(file, line);) {
      const auto clip = nlohmann::json::parse(line);
      parts[clip["id"].get<int>()] = clip;
      EXPECT_EQ(text_of(root / "parts" / clip["file"].get<std::string>()),
                text_of(root / "whole" / clip["file"].get<std::string>()));
    }
  }
  EXPECT_EQ(parts, whole);
}

TEST(Dataset, AnInterruptedRunGoesOn) {
  const fs::path root = fs::path(testing::TempDir()) / "zoe_dataset_resumed";
  fs::remove_all(root);
  ThreadPool pool(1);
  ASSERT_TRUE(write_dataset(small_dataset(root), pool));
  const std::string complete = text_of(root / "part_1_of_1.jsonl");
  // Torn within the third line, as by a power loss.
  std::size_t third = complete.find('\n', complete.find('\n') + 1) + 1;
  std::ofstream(root / "part_1_of_1.jsonl", std::ios::binary) << complete.substr(0, third + 50);
  fs::remove_all(root / "clips");
  const DatasetReport report = write_dataset(small_dataset(root), pool).value();
  EXPECT_EQ(report.num_before, 2);
  EXPECT_EQ(report.num_done, 4);
  EXPECT_EQ(text_of(root / "part_1_of_1.jsonl"), complete);
  DatasetOptions other = small_dataset(root);
  other.size_px = 48;
  EXPECT_FALSE(write_dataset(other, pool));
  other.folder = root / "bad";
  other.part = 3;
  EXPECT_FALSE(write_dataset(other, pool));
  EXPECT_FALSE(fs::exists(root / "bad"));
}

TEST(Dataset, CaptionsUseTheStatedVocabularyOnly) {
  std::set<std::string> known{"game", "character", "animation", "of", "a", "an", "with", "and", "style"};
  for (const auto& [category, list] : id::vocabulary()) {
    for (const std::string& phrase : list) {
      std::istringstream words(phrase);
      for (std::string word; words >> word;) known.insert(word);
    }
  }
  const int count = zoe::test::kSanitized ? 50 : 500;
  for (int seed = 0; seed < count; ++seed) {
    const id::Traits traits = id::draw_traits(static_cast<std::uint64_t>(seed));
    for (std::string caption : id::captions(traits, "cast", "se", "pixel")) {
      std::replace(caption.begin(), caption.end(), ',', ' ');
      std::istringstream words(caption);
      for (std::string word; words >> word;) EXPECT_TRUE(known.contains(word)) << word << " in " << caption;
    }
  }
}

}  // namespace
}  // namespace zoe::sprite
