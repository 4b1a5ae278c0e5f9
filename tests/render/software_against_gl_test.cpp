// SPDX-License-Identifier: MIT
// The software rasteriser draws what OpenGL draws, without occlusion and bloom.
#include <cmath>

#include "zoe/render/character_model.h"

#include "render/gl_support.h"

namespace zoe::test {
namespace {

class SoftwareAgainstGl : public GlTest {};

TEST_F(SoftwareAgainstGl, WalkersLookTheSame) {
  PosedBody posed = make_posed_body(BodyFamily::kBiped, synth::Gait::kWalk, 3);
  posed.set_frame(10);
  const auto software = render::Renderer::create_software();
  for (const bool dual : {false, true}) {
    render::Picture pictures[2];
    for (const bool cpu : {false, true}) {
      render::Renderer& drawn_by = cpu ? *software : renderer();
      Warnings warnings;
      const auto model = render::CharacterModel::create(drawn_by, posed.body.character, "", warnings);
      render::CharacterBody body(model);
      body.set_pose(posed.model_from_joint);
      render::RenderFrame frame;
      frame.settings.width = 320;
      frame.settings.height = 180;
      frame.settings.supersampling = 2;
      frame.settings.ambient_occlusion = frame.settings.bloom = frame.settings.fxaa = false;
      frame.camera = render::look_at({1.5F, 1.4F, 4}, {0, 0.9F, 0});
      body.add_to(frame, {}, 7, {1, 1, 1, 1}, dual ? render::Skinning::kDualQuaternion : render::Skinning::kLinear);
      frame.cones.push_back({.start_m = {1, 0.2F, 0}, .end_m = {1, 0.9F, 0.2F}, .start_radius_m = 0.2F});
      frame.overlay.text(8, 20, "words", 10, {0, 0, 0, 1});
      frame.overlay.line({-1, 0.02F, 1}, {1, 0.02F, 1}, {0.9F, 0.2F, 0.1F, 1}, 3);
      ASSERT_TRUE(drawn_by.render(frame));
      drawn_by.read_color(pictures[cpu ? 1 : 0]);
    }
    ASSERT_EQ(pictures[0].rgba.size(), pictures[1].rgba.size());
    double sum = 0;
    int visible = 0;
    for (std::size_t i = 0; i < pictures[0].rgba.size(); ++i) {
      const int difference = std::abs(int{pictures[0].rgba[i]} - int{pictures[1].rgba[i]});
      sum += difference;
      visible += difference > 24;
    }
    const auto count = static_cast<double>(pictures[0].rgba.size());
    EXPECT_LT(sum / count, 1.5);       // Of 255.
    EXPECT_LT(visible / count, 0.01);  // Edges of shadows and thin lines of the grid.
  }
}

TEST_F(SoftwareAgainstGl, OpenGlRefusesStyles) {
  render::RenderFrame frame;
  frame.settings.width = frame.settings.height = 16;
  frame.settings.style = render::DrawStyle::kInk;
  const Result<void> drawn = renderer().render(frame);
  ASSERT_FALSE(drawn);
  EXPECT_EQ(drawn.error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace zoe::test
