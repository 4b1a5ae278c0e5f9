// SPDX-License-Identifier: MIT
#include "render/gl_support.h"

#include "zoe/character/pose.h"

namespace zoe::test {

std::unique_ptr<render::Context> GlTest::context_;
std::unique_ptr<render::Renderer> GlTest::renderer_;

void GlTest::SetUp() {
  if (!context_) {
    auto made = render::create_headless_context({.debug = true});
    if (!made) GTEST_SKIP() << made.error().format();
    context_ = std::move(made).value();
    auto renderer = render::Renderer::create(*context_);
    ASSERT_TRUE(renderer) << renderer.error().format();
    renderer_ = std::move(renderer).value();
  }
  context_->make_current();
  errors_before_ = context_->num_errors();
}

void GlTest::TearDown() {
  if (!context_) return;
  EXPECT_EQ(context_->num_errors(), errors_before_) << "OpenGL complained, see the log";
}

void PosedBody::set_frame(int frame) {
  compute_model_from_joint(*body.skeleton, clip.motion.frame(frame), model_from_joint);
}

PosedBody make_posed_body(BodyFamily family, synth::Gait gait, std::uint64_t seed) {
  PosedBody posed{synth::make_body(family, Random(seed)), {}, {}};
  posed.clip = synth::make_clip(posed.body, {.gait = gait, .seconds = 2}, Random(seed)).value();
  posed.model_from_joint.resize(static_cast<std::size_t>(posed.body.skeleton->num_joints()));
  posed.set_frame(0);
  return posed;
}

Mesh make_cube() {
  Mesh mesh;
  for (int side = 0; side < 6; ++side) {
    const int axis = side / 2;
    const float sign = side % 2 == 0 ? 0.5F : -0.5F;
    const auto base = static_cast<std::uint32_t>(mesh.positions.size());
    Vec3 n{}, u{}, v{};
    n[static_cast<std::size_t>(axis)] = sign;
    u[static_cast<std::size_t>((axis + 1) % 3)] = 0.5F;
    v = cross(n, u) * 2.0F;
    for (const auto& [a, b] :
         {std::pair{-1.0F, -1.0F}, std::pair{1.0F, -1.0F}, std::pair{1.0F, 1.0F}, std::pair{-1.0F, 1.0F}}) {
      mesh.positions.push_back(n + u * a + v * b);
      mesh.normals.push_back(n * 2.0F);
    }
    for (const std::uint32_t i : {0U, 1U, 2U, 0U, 2U, 3U}) mesh.indices.push_back(base + i);
  }
  mesh.submeshes.push_back({0, static_cast<std::uint32_t>(mesh.indices.size()), -1});
  return mesh;
}

}  // namespace zoe::test
