// SPDX-License-Identifier: MIT
// Shaders from a folder in place of our own.
#include <fstream>

#include "render/gl_support.h"
#include "support/data.h"

namespace zoe::test {
namespace {

class Shaders : public GlTest {
 protected:
  // What render() says with this file in place of ours.
  Result<void> render_with(const std::string& name, const std::string& text, render::Picture* picture = nullptr) {
    folder_ = temporary_dir("shaders");
    std::ofstream(folder_ / name) << text;
    auto own = render::Renderer::create(context(), {.shader_folder = folder_});
    if (!own) return own.error();
    render::RenderFrame frame;
    frame.settings.width = frame.settings.height = 32;
    ZOE_TRY((*own)->render(frame));
    if (picture != nullptr) (*own)->read_color(*picture);
    return {};
  }
  std::filesystem::path folder_;
};

TEST_F(Shaders, AFolderReplacesThem) {
  render::Picture picture;
  const auto result = render_with(
      "finish.frag.glsl", "layout(location = 0) out vec4 c;\nvoid main() { c = vec4(1, 0, 1, 1); }\n", &picture);
  ASSERT_TRUE(result) << result.error().format();
  EXPECT_EQ(picture.pixel(5, 5)[0], 255);
  EXPECT_EQ(picture.pixel(5, 5)[1], 0);
}

TEST_F(Shaders, AnErrorNamesFileAndLine) {
  const auto result = render_with("tone.glsl", "// one\n// two\nvec3 tone_map(vec3 c) { return c * nonsense; }\n");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().where.file, (folder_ / "tone.glsl").string());
  EXPECT_EQ(result.error().where.line, 3);
  EXPECT_NE(result.error().message.find("nonsense"), std::string::npos) << result.error().format();
}

TEST_F(Shaders, AMissingIncludeNamesTheLine) {
  const auto result = render_with("sky.glsl", "\n#include \"clouds.glsl\"\n");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().where.line, 2);
  EXPECT_NE(result.error().message.find("clouds.glsl"), std::string::npos);
}

TEST_F(Shaders, AMisspeltNameIsAskedAbout) {
  const auto result = render_with("lightning.frag.glsl", "");
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("lighting.frag.glsl"), std::string::npos) << result.error().format();
}

TEST_F(Shaders, AMissingFolderIsAnError) {
  const auto own = render::Renderer::create(context(), {.shader_folder = "/no/such/folder"});
  ASSERT_FALSE(own);
  EXPECT_NE(own.error().format().find("/no/such/folder"), std::string::npos);
}

}  // namespace
}  // namespace zoe::test
