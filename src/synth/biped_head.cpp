// SPDX-License-Identifier: MIT
// Part of Zoetrope. A person's head: skull, jaw, brow, nose, ears, eyes, mouth and hair.
#include "synth/biped.h"
#include "synth/flesh.h"

namespace zoe::synth {
namespace {

// Points of a face in head lengths: x left, y up from the chin's level, z forward.
struct Face {
  Plan& plan;
  Vec3 origin;
  float size;
  int head, jaw;

  Vec3 at(float x, float y, float z) const { return origin + Vec3{x, y, z} * size; }
  void blob(int joint, Vec3 a, float radius_a, Vec3 b, float radius_b, Vec3 stretch = {1, 1, 1}) const {
    plan.blob(joint, a, radius_a * size, b, radius_b * size, stretch);
  }
  void ball(Vec3 centre, float radius, Vec4 color) const { plan.balls.push_back({head, centre, radius * size, color}); }
};

void add_skull(const Face& f) {
  f.blob(f.head, f.at(0, 0.62F, -0.05F), 0.33F, f.at(0, 0.62F, -0.01F), 0.33F, {0.92F, 1.05F, 1.12F});
  f.blob(f.head, f.at(0, 0.42F, 0.08F), 0.24F, f.at(0, 0.28F, 0.17F), 0.18F, {1.04F, 1, 1});
  f.blob(f.jaw, f.at(0, 0.22F, 0.1F), 0.17F, f.at(0, 0.12F, 0.22F), 0.1F, {1.15F, 1, 1});
  f.blob(f.head, f.at(0, 0.52F, 0.35F), 0.035F, f.at(0, 0.39F, 0.42F), 0.05F, {0.9F, 1, 1});
  for (const float s : {1.0F, -1.0F}) {
    f.blob(f.head, f.at(s * 0.06F, 0.6F, 0.29F), 0.06F, f.at(s * 0.18F, 0.6F, 0.22F), 0.06F);
    f.blob(f.head, f.at(s * 0.15F, 0.4F, 0.2F), 0.1F, f.at(s * 0.12F, 0.26F, 0.13F), 0.1F);
    f.blob(f.head, f.at(s * 0.325F, 0.5F, -0.04F), 0.06F, f.at(s * 0.3F, 0.42F, -0.02F), 0.045F, {0.55F, 1.2F, 1});
  }
}

void add_hair(const Face& f, Hair style) {
  f.blob(f.head, f.at(0, 0.68F, -0.1F), 0.335F, f.at(0, 0.7F, -0.05F), 0.335F, {0.98F, 1.02F, 1.12F});
  f.blob(f.head, f.at(0, 0.48F, -0.2F), 0.22F, f.at(0, 0.38F, -0.21F), 0.15F, {1.15F, 1, 1});
  if (style == Hair::kShort) return;
  if (style == Hair::kBun) {
    f.blob(f.head, f.at(0, 0.82F, -0.43F), 0.14F, f.at(0, 0.83F, -0.44F), 0.14F);
    return;
  }
  const float down = style == Hair::kLong ? -0.1F : 0.22F;
  f.blob(f.head, f.at(0, 0.5F, -0.24F), 0.2F, f.at(0, down, -0.26F), 0.12F, {1.5F, 1, 0.9F});
  for (const float s : {1.0F, -1.0F})
    f.blob(f.head, f.at(s * 0.26F, 0.62F, -0.06F), 0.13F, f.at(s * 0.27F, down + 0.06F, -0.1F), 0.09F, {0.8F, 1, 1.3F});
}

// Eyes, brows and mouth lie on the finished skin.
void add_features(const Face& f, int layer, const Look& look) {
  std::vector<Blob> blobs;
  for (const Blob& blob : f.plan.blobs) {
    if (blob.layer == layer) blobs.push_back(blob);
  }
  FleshField field(blobs);
  const auto on_skin = [&](Vec3 p) {
    for (int i = 0; i < 3; ++i) field.gather(p), field.project(p, f.size);
    return p;
  };
  for (const float s : {1.0F, -1.0F}) {
    const Vec3 eye = on_skin(f.at(s * 0.135F, 0.515F, 0.32F)) - Vec3{-s * 0.008F, 0, 0.036F} * f.size;
    f.ball(eye, 0.058F, {0.8F, 0.79F, 0.77F, 1});
    f.ball(eye + Vec3{0, 0, 0.031F} * f.size, 0.0345F, look.iris);
    f.ball(eye + Vec3{0, 0, 0.05F} * f.size, 0.019F, {0.01F, 0.01F, 0.01F, 1});
    // The upper lid.
    f.ball(eye + Vec3{0, 0.034F, -0.002F} * f.size, 0.057F, look.skin);
    const Vec3 inner = on_skin(f.at(s * 0.065F, 0.632F, 0.36F)), middle = on_skin(f.at(s * 0.14F, 0.65F, 0.33F)),
               outer = on_skin(f.at(s * 0.215F, 0.625F, 0.27F));
    f.plan.tubes.push_back(
        {{{inner, 0.018F * f.size, f.head}, {middle, 0.018F * f.size, f.head}, {outer, 0.01F * f.size, f.head}},
         look.hair_color});
  }
  const Vec3 left = on_skin(f.at(0.085F, 0.255F, 0.3F)), right = on_skin(f.at(-0.085F, 0.255F, 0.3F)),
             middle = on_skin(f.at(0, 0.245F, 0.34F));
  f.plan.tubes.push_back(
      {{{left, 0.01F * f.size, f.head}, {middle, 0.02F * f.size, f.head}, {right, 0.01F * f.size, f.head}}, look.lips});
}

}  // namespace

void add_head_flesh(Plan& plan, const Build& b, const PersonLayers& layers, const Look& look) {
  const Body& body = plan.body;
  const Face face{plan, plan.at(body.head), b.head, body.head, body.jaw == kNoJoint ? body.head : body.jaw};
  plan.layer = layers.face;
  add_skull(face);
  plan.layer = layers.hair;
  add_hair(face, look.hair);
  plan.layer = 0;
  add_features(face, layers.face, look);
}

}  // namespace zoe::synth
