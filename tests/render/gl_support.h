// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. One OpenGL context for a whole test program, watched for errors.
#pragma once

#include <memory>

#include <gtest/gtest.h>

#include "zoe/render/renderer.h"
#include "zoe/synth/clip.h"

namespace zoe::test {

// Skips where there is no OpenGL; else every test ends with a check that the driver had nothing to
// complain of.
class GlTest : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;
  render::Context& context() { return *context_; }
  // Shared by all tests, so that shaders compile once.
  render::Renderer& renderer() { return *renderer_; }

 private:
  static std::unique_ptr<render::Context> context_;
  static std::unique_ptr<render::Renderer> renderer_;
  std::size_t errors_before_ = 0;
};

// A made-up body in the pose of a clip's frame.
struct PosedBody {
  synth::Body body;
  synth::Clip clip;
  std::vector<Affine> model_from_joint;
  void set_frame(int frame);
};
PosedBody make_posed_body(BodyFamily family, synth::Gait gait, std::uint64_t seed);

// A unit cube around the origin, 24 vertices, flat sides.
Mesh make_cube();

}  // namespace zoe::test
