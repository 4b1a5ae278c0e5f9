// SPDX-License-Identifier: MIT
// Every scene against the picture that was kept of it. ZOE_UPDATE_GOLDEN=1 keeps new ones: look at
// each before committing.
#include <cstdlib>
#include <filesystem>

#include "zoe/render/picture_file.h"

#include "render/golden_scenes.h"
#include "render/picture_difference.h"

namespace zoe::test {
namespace {

class Golden : public GlTest, public ::testing::WithParamInterface<GoldenScene> {};

std::filesystem::path source_dir() {
  const char* folder = std::getenv("ZOE_SOURCE_DIR");
  return folder != nullptr ? folder : ".";
}

TEST_P(Golden, LooksAsKept) {
  const GoldenScene& golden = GetParam();
  render::Picture picture;
  {
    Scene scene(renderer());
    scene.frame.settings.width = 320;
    scene.frame.settings.height = 180;
    render::set_quality(scene.frame.settings, render::Quality::kMedium);
    golden.build(scene);
    const auto drawn = renderer().render(scene.frame);
    ASSERT_TRUE(drawn) << drawn.error().format();
    renderer().read_color(picture);
  }
  const std::filesystem::path kept_path = source_dir() / "tests/render/golden" / (std::string(golden.name) + ".png");
  if (std::getenv("ZOE_UPDATE_GOLDEN") != nullptr) {
    ASSERT_TRUE(render::write_png(kept_path, picture));
    return;
  }
  const auto kept = render::read_picture(kept_path);
  ASSERT_TRUE(kept) << kept.error().format();
  const PictureDifference difference = compare_pictures(*kept, picture);
  if (difference.is_small()) return;
  const std::filesystem::path folder = std::filesystem::path("golden_failures");
  ASSERT_TRUE(render::write_png(folder / (std::string(golden.name) + ".png"), picture));
  ASSERT_TRUE(render::write_png(folder / (std::string(golden.name) + ".difference.png"), difference.picture));
  ADD_FAILURE() << golden.name << " differs: mean " << difference.mean << " of 255, " << difference.share_visible * 100
                << " % of the pixels visibly; see " << std::filesystem::absolute(folder) << ". It should show "
                << golden.look_for;
}

INSTANTIATE_TEST_SUITE_P(Scenes, Golden, ::testing::ValuesIn(golden_scenes()),
                         [](const auto& one) { return std::string(one.param.name); });

// The guard itself: a body moved by a pixel, a missing shadow or another colour must be noticed,
// rounding must not.
TEST(PictureDifference, SeesWhatPeopleSee) {
  const auto kept = render::read_picture(source_dir() / "tests/render/golden/studio.png");
  ASSERT_TRUE(kept) << kept.error().format();
  render::Picture same = *kept;
  for (std::size_t i = 0; i < same.rgba.size(); i += 9)
    same.rgba[i] = static_cast<std::uint8_t>(std::min(255, same.rgba[i] + 1));
  EXPECT_TRUE(compare_pictures(*kept, same).is_small());
  render::Picture moved = *kept;
  render::paste(*kept, 2, 0, moved);
  EXPECT_FALSE(compare_pictures(*kept, moved).is_small());
  const auto kept_of = [](const std::string& name) {
    return render::read_picture(source_dir() / "tests/render/golden" / (name + ".png")).value();
  };
  EXPECT_FALSE(compare_pictures(*kept, kept_of("no_shadows")).is_small());
  EXPECT_FALSE(compare_pictures(*kept, kept_of("low")).is_small());
  EXPECT_FALSE(compare_pictures(kept_of("near"), kept_of("no_occlusion")).is_small());
  EXPECT_FALSE(compare_pictures(*kept, render::make_picture(3, 3, 0, 0, 0, 0)).is_small());
}

}  // namespace
}  // namespace zoe::test
