// SPDX-License-Identifier: MIT
// Props beside clips: what is written is read, and damaged files do no harm.
#include "zoe/dataset/prop_track.h"

#include <gtest/gtest.h>

#include "zoe/core/file.h"

#include "support/data.h"
#include "support/mutate.h"

namespace zoe::dataset {
namespace {

PropTrack some_track() {
  PropTrack track;
  track.fps = 30;
  track.deeds = {"idle", "sit"};
  track.num_props = 2;
  for (int f = 0; f < 5; ++f) {
    Prop door = make_door({}, {1, 0, 2}, 0.4F);
    door.open_rad = 0.2F * static_cast<float>(f);
    track.props.push_back(make_seat({.height_m = 0.5F}, {0.1F * static_cast<float>(f), 0, 1}, -1));
    track.props.push_back(door);
    track.deed.push_back(f % 2);
    track.goals.push_back({1, {0, 0, static_cast<float>(f)}, 0.3F});
  }
  return track;
}

TEST(PropTrack, IsReadAsWritten) {
  const std::filesystem::path folder = test::temporary_dir("props");
  const auto path = prop_track_beside(folder / "walk.glb");
  EXPECT_EQ(path.filename(), "walk.props.safetensors");
  const PropTrack track = some_track();
  ASSERT_TRUE(write_prop_track(path, track));
  const auto back = read_prop_track(path);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->deeds, track.deeds);
  EXPECT_EQ(back->deed, track.deed);
  ASSERT_EQ(back->props.size(), track.props.size());
  for (std::size_t i = 0; i < track.props.size(); ++i) {
    EXPECT_EQ(back->props[i].type, track.props[i].type);
    EXPECT_EQ(back->props[i].position, track.props[i].position);
    EXPECT_EQ(back->props[i].open_rad, track.props[i].open_rad);
    // The same solid.
    for (const Vec3 p : {Vec3{0, 0.3F, 1}, Vec3{1.3F, 1, 2.1F}, Vec3{0.4F, 0.5F, 0.6F}})
      EXPECT_EQ(signed_distance(back->props[i], p), signed_distance(track.props[i], p));
  }
  EXPECT_EQ(back->goals[3].position.z, 3);
}

TEST(PropTrack, RefusesWhatDoesNotFit) {
  const std::filesystem::path folder = test::temporary_dir("props");
  const auto path = folder / "a.props.safetensors";
  PropTrack track = some_track();
  track.deed[2] = 7;
  ASSERT_TRUE(write_prop_track(path, track));
  EXPECT_FALSE(read_prop_track(path));
  track = some_track();
  track.deeds.clear();
  ASSERT_TRUE(write_prop_track(path, track));
  EXPECT_FALSE(read_prop_track(path));
  EXPECT_FALSE(read_prop_track(folder / "none.props.safetensors"));
}

TEST(PropTrack, SurvivesDamage) {
  const std::filesystem::path folder = test::temporary_dir("props");
  const auto path = folder / "a.props.safetensors";
  ASSERT_TRUE(write_prop_track(path, some_track()));
  const MappedFile bytes = MappedFile::open(path).value();
  test::expect_survives_damage("props", bytes.bytes(), [](std::span<const std::byte> damaged) {
    if (const auto file = Safetensors::from_bytes(damaged)) (void)read_prop_track(*file);
  });
}

}  // namespace
}  // namespace zoe::dataset
