// SPDX-License-Identifier: MIT
#include "sprite/draw_maps.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace zoe::sprite {
namespace {

constexpr float kFlowSteps = 512;  // Of one canvas: flow reaches a quarter of it each way.

std::uint8_t to_byte(float value) { return value > 0 ? static_cast<std::uint8_t>(std::min(value + 0.5F, 255.0F)) : 0; }

// The part of each joint: that of the limb which carries it.
std::vector<BodyPart> parts_of_joints(const Skeleton& skeleton, const SkeletonAnalysis& body) {
  std::vector<BodyPart> parts(static_cast<std::size_t>(skeleton.num_joints()), BodyPart::kNothing);
  const auto set = [&](int joint, BodyPart part) {
    if (joint != kNoJoint) parts[static_cast<std::size_t>(joint)] = part;
  };
  for (const int joint : body.spine) set(joint, BodyPart::kTrunk);
  set(body.hips, BodyPart::kTrunk);
  set(body.root, BodyPart::kTrunk);
  set(body.head, BodyPart::kHead);
  for (const int joint : body.tail) set(joint, BodyPart::kOther);
  for (const Limb& limb : body.limbs) {
    const bool left = limb.side == Side::kLeft;
    const BodyPart part = limb.kind == LimbKind::kLeg   ? (left ? BodyPart::kLeftLeg : BodyPart::kRightLeg)
                          : limb.kind == LimbKind::kArm ? (left ? BodyPart::kLeftArm : BodyPart::kRightArm)
                                                        : BodyPart::kOther;
    for (const int joint : limb.joints) set(joint, part);
  }
  for (int joint = 0; joint < skeleton.num_joints(); ++joint) {
    BodyPart& part = parts[static_cast<std::size_t>(joint)];
    if (part != BodyPart::kNothing) continue;
    const int parent = skeleton.parent(joint);
    part = parent != kNoJoint ? parts[static_cast<std::size_t>(parent)] : BodyPart::kTrunk;
  }
  return parts;
}

// The joints of a limb around its hand or foot: [end, the one before, the one before that].
std::array<int, 3> chain_of(const Limb& limb, std::span<const int> ends) {
  std::array<int, 3> chain{kNoJoint, kNoJoint, kNoJoint};
  for (std::size_t i = 0; i < limb.joints.size(); ++i) {
    if (std::find(ends.begin(), ends.end(), limb.joints[i]) == ends.end()) continue;
    for (std::size_t k = 0; k < 3 && k <= i; ++k) chain[k] = limb.joints[i - k];
  }
  return chain;
}

}  // namespace

std::optional<MapKind> map_from(std::string_view word) {
  for (std::size_t i = 0; i < kNumMaps; ++i) {
    if (word == kMapWords[i]) return static_cast<MapKind>(i);
  }
  return std::nullopt;
}

bool MapSet::any() const {
  return std::any_of(kinds.begin(), kinds.end(), [](bool kind) { return kind; });
}

std::array<std::uint8_t, 3> part_color(BodyPart part) {
  constexpr std::array<std::array<std::uint8_t, 3>, kNumParts> kColors{{{0, 0, 0},
                                                                        {200, 200, 200},
                                                                        {255, 210, 60},
                                                                        {60, 160, 255},
                                                                        {255, 80, 80},
                                                                        {40, 90, 200},
                                                                        {190, 40, 90},
                                                                        {120, 220, 120},
                                                                        {240, 140, 255}}};
  return kColors[static_cast<std::size_t>(part)];
}

MapMaker::MapMaker(const render::SoftwareModel& model, const SkeletonAnalysis& body, int num_weapons) : model_(model) {
  const Character& character = model.character();
  const std::vector<BodyPart> parts = parts_of_joints(*character.skeleton, body);
  const std::size_t first_weapon = character.instances.size() - static_cast<std::size_t>(num_weapons);
  std::vector<BodyPart> of_vertex(model.num_vertices(), BodyPart::kTrunk);
  for (std::size_t i = 0; i < character.instances.size(); ++i) {
    const MeshInstance& instance = character.instances[i];
    const Mesh& mesh = character.meshes[static_cast<std::size_t>(instance.mesh)];
    for (std::size_t v = 0; v < mesh.num_vertices(); ++v) {
      BodyPart part = instance.joint >= 0 ? parts[static_cast<std::size_t>(instance.joint)] : BodyPart::kTrunk;
      if (instance.skin >= 0 && mesh.influences_per_vertex > 0) {
        const Skin& skin = character.skins[static_cast<std::size_t>(instance.skin)];
        const std::uint16_t heaviest = mesh.influence_joints[v * static_cast<std::size_t>(mesh.influences_per_vertex)];
        part = parts[static_cast<std::size_t>(skin.joints[heaviest])];
      }
      of_vertex[model.first_vertex(i) + v] = i >= first_weapon ? BodyPart::kWeapon : part;
    }
  }
  for (const render::SoftwareModel::Triangle& triangle : model.triangles())
    part_of_triangle_.push_back(of_vertex[triangle.vertices[0]]);
  find_keypoints(body);
}

void MapMaker::find_keypoints(const SkeletonAnalysis& body) {
  const Skeleton& skeleton = *model_.character().skeleton;
  joint_.fill(kNoJoint);
  for (const Limb& limb : body.limbs) {
    const bool arm = limb.kind == LimbKind::kArm, left = limb.side == Side::kLeft;
    if (!arm && limb.kind != LimbKind::kLeg) continue;
    const std::array<int, 3> chain = chain_of(limb, arm ? body.hands : body.feet);
    const std::size_t first = arm ? (left ? 5U : 2U) : (left ? 11U : 8U);
    for (std::size_t k = 0; k < 3; ++k) joint_[first + k] = chain[2 - k];
  }
  // Between the shoulders.
  const int neck = !body.spine.empty() ? body.spine.back() : body.head;
  joint_[1] = neck;
  if (neck != kNoJoint && joint_[2] != kNoJoint && joint_[5] != kNoJoint) {
    const auto at = [&](int joint) { return skeleton.rest_model()[static_cast<std::size_t>(joint)].t; };
    offset_[1] = inverse(skeleton.rest_model()[static_cast<std::size_t>(neck)])
                     .apply_point((at(joint_[2]) + at(joint_[5])) * 0.5F);
  }
  if (body.head == kNoJoint) return;
  // The face is at fixed places of the head's surface; medians, because of hats and hair.
  const Affine& head = skeleton.rest_model()[static_cast<std::size_t>(body.head)];
  const Vec3 left = normalized(cross(body.up, body.forward), Vec3{1, 0, 0});
  render::PosedVertices rest;
  render::pose_vertices(model_, skeleton.rest_model(), {}, rest);
  std::vector<Vec3> places;  // Left, up, forwards of the head's joint.
  for (std::size_t i = 0; i < part_of_triangle_.size(); ++i) {
    if (part_of_triangle_[i] != BodyPart::kHead) continue;
    const Vec3 p = rest.positions[model_.triangles()[i].vertices[0]] - head.t;
    places.push_back({dot(p, left), dot(p, body.up), dot(p, body.forward)});
  }
  if (places.empty()) return;
  const auto quantile = [&](std::size_t axis, std::size_t percent) {
    const auto at = places.begin() + static_cast<long>((places.size() - 1) * percent / 100);
    std::nth_element(places.begin(), at, places.end(), [&](Vec3 a, Vec3 b) { return a[axis] < b[axis]; });
    return (*at)[axis];
  };
  const float up = quantile(1, 50), high = quantile(1, 80) - up, front = quantile(2, 88), side = quantile(0, 88);
  const auto at = [&](float x, float y, float z) { return head.t + left * x + body.up * y + body.forward * z; };
  const std::array<Vec3, 5> face{at(0, up - 0.2F * high, front), at(-0.45F * side, up + 0.1F * high, front * 0.9F),
                                 at(0.45F * side, up + 0.1F * high, front * 0.9F), at(-side, up, 0), at(side, up, 0)};
  constexpr std::array<std::size_t, 5> kFace{0, 14, 15, 16, 17};
  for (std::size_t k = 0; k < 5; ++k) {
    joint_[kFace[k]] = body.head;
    offset_[kFace[k]] = inverse(head).apply_point(face[k]);
  }
}

FrameMaps MapMaker::draw(const MapSet& kinds, const render::SurfaceBuffer& surfaces, int samples, float height,
                         const Moment& now, const Moment& next) const {
  FrameMaps maps;
  const int width = surfaces.width / samples, rows = surfaces.height / samples;
  const auto scale = static_cast<float>(samples);
  const auto project = [&](const Moment& moment, Vec3 point) {
    const Vec3 p = moment.view.view_from_model.apply_point(point);
    return Vec3{(moment.view.origin_x + p.x * moment.view.samples_per_unit) / scale,
                (moment.view.origin_y - p.y * moment.view.samples_per_unit) / scale, p.z};
  };
  for (std::size_t k = 0; k < kNumMaps; ++k) {
    const bool pose = static_cast<MapKind>(k) == MapKind::kPose;
    if (kinds.kinds[k]) maps.pictures[k] = render::make_picture(width, rows, 0, 0, 0, pose ? 255 : 0);
  }
  const auto put = [&](MapKind kind, int x, int y, std::array<std::uint8_t, 3> color) {
    render::Picture& picture = maps.pictures[static_cast<std::size_t>(kind)];
    if (picture.width == 0) return;
    std::uint8_t* pixel = picture.pixel(x, y);
    std::copy(color.begin(), color.end(), pixel);
    pixel[3] = 255;
  };
  const int all = samples * samples;
  for (int y = surfaces.top / samples; y * samples < surfaces.bottom; ++y) {
    for (int x = surfaces.left / samples; x * samples < surfaces.right; ++x) {
      int covered = 0, best_x = 0, best_y = 0;
      Vec3 normal{};
      float nearest = render::Surfel::kNothing, depth = 0;
      for (int k = 0; k < all; ++k) {
        const int sx = x * samples + k % samples, sy = y * samples + k / samples;
        const render::Surfel& surfel = surfaces.at(sx, sy);
        if (!surfel.is_drawn()) continue;
        ++covered;
        normal += Vec3{static_cast<float>(surfel.normal[0]), static_cast<float>(surfel.normal[1]),
                       static_cast<float>(surfel.normal[2])};
        depth += surfel.depth;
        if (surfel.depth > nearest) {
          nearest = surfel.depth;
          best_x = sx;
          best_y = sy;
        }
      }
      if (2 * covered < all) continue;
      normal = normalized(normal, Vec3{0, 0, 1});
      put(MapKind::kNormal, x, y,
          {to_byte(127.5F + 127.5F * normal.x), to_byte(127.5F + 127.5F * normal.y),
           to_byte(127.5F + 127.5F * normal.z)});
      const std::uint8_t grey = to_byte(127.5F + 127.5F * depth / static_cast<float>(covered) / height);
      put(MapKind::kDepth, x, y, {grey, grey, grey});
      const std::size_t sample = static_cast<std::size_t>(best_y) * static_cast<std::size_t>(surfaces.width) +
                                 static_cast<std::size_t>(best_x);
      const std::uint32_t number = surfaces.triangle[sample] - 1;
      put(MapKind::kPart, x, y, part_color(part_of_triangle_[number]));
      if (!kinds.has(MapKind::kFlow)) continue;
      // The same point of the triangle in the next frame.
      const render::SoftwareModel::Triangle& t = model_.triangles()[number];
      std::array<Vec3, 3> here, there;
      for (std::size_t k = 0; k < 3; ++k) {
        here[k] = project(now, now.vertices->positions[t.vertices[k]]);
        there[k] = project(next, next.vertices->positions[t.vertices[k]]);
      }
      const Vec3 u = here[1] - here[0], v = here[2] - here[0];
      const float area = u.x * v.y - u.y * v.x;
      const float px = (static_cast<float>(best_x) + 0.5F) / scale - here[0].x,
                  py = (static_cast<float>(best_y) + 0.5F) / scale - here[0].y;
      const float b = area != 0 ? std::clamp((px * v.y - py * v.x) / area, 0.0F, 1.0F) : 0.0F;
      const float c = area != 0 ? std::clamp((u.x * py - u.y * px) / area, 0.0F, 1 - b) : 0.0F;
      const Vec3 move = (there[0] - here[0]) * (1 - b - c) + (there[1] - here[1]) * b + (there[2] - here[2]) * c;
      const float step = kFlowSteps / static_cast<float>(width);
      put(MapKind::kFlow, x, y, {to_byte(128 + move.x * step), to_byte(128 + move.y * step), 128});
    }
  }
  for (std::size_t k = 0; k < kNumKeypoints; ++k) {
    if (joint_[k] == kNoJoint) continue;
    const Vec3 p = project(now, now.joints[static_cast<std::size_t>(joint_[k])].apply_point(offset_[k]));
    if (!(std::abs(p.x) < 1e5F && std::abs(p.y) < 1e5F)) continue;
    const int sx = static_cast<int>(p.x * scale), sy = static_cast<int>(p.y * scale);
    const bool inside = sx >= 0 && sy >= 0 && sx < surfaces.width && sy < surfaces.height;
    // Joints are inside of limbs: hidden is what is deeper than a limb's thickness.
    const bool hidden = inside && surfaces.at(sx, sy).is_drawn() && surfaces.at(sx, sy).depth > p.z + 0.12F * height;
    maps.keypoints[k] = {p.x, p.y, p.z / height, true, !hidden};
  }
  if (kinds.has(MapKind::kPose)) draw_pose(maps.keypoints, maps.pictures[static_cast<std::size_t>(MapKind::kPose)]);
  return maps;
}

void draw_pose(std::span<const Keypoint, kNumKeypoints> points, render::Picture& canvas) {
  // Pairs of OpenPose's list, from 1, and hues in steps of 85 (of 255) from red.
  constexpr std::array<std::array<int, 2>, 17> kLimbs{{{2, 3},
                                                       {2, 6},
                                                       {3, 4},
                                                       {4, 5},
                                                       {6, 7},
                                                       {7, 8},
                                                       {2, 9},
                                                       {9, 10},
                                                       {10, 11},
                                                       {2, 12},
                                                       {12, 13},
                                                       {13, 14},
                                                       {2, 1},
                                                       {1, 15},
                                                       {15, 17},
                                                       {1, 16},
                                                       {16, 18}}};
  constexpr std::array<std::array<std::uint8_t, 3>, 18> kHues{{{255, 0, 0},
                                                               {255, 85, 0},
                                                               {255, 170, 0},
                                                               {255, 255, 0},
                                                               {170, 255, 0},
                                                               {85, 255, 0},
                                                               {0, 255, 0},
                                                               {0, 255, 85},
                                                               {0, 255, 170},
                                                               {0, 255, 255},
                                                               {0, 170, 255},
                                                               {0, 85, 255},
                                                               {0, 0, 255},
                                                               {85, 0, 255},
                                                               {170, 0, 255},
                                                               {255, 0, 255},
                                                               {255, 0, 170},
                                                               {255, 0, 85}}};
  const float radius = std::max(0.7F, static_cast<float>(canvas.width) / 128);
  const auto stroke = [&](float x0, float y0, float x1, float y1, float r, std::array<std::uint8_t, 3> color,
                          float light) {
    const int left = std::max(0, static_cast<int>(std::min(x0, x1) - r)),
              right = std::min(canvas.width, static_cast<int>(std::max(x0, x1) + r) + 2);
    const int top = std::max(0, static_cast<int>(std::min(y0, y1) - r)),
              bottom = std::min(canvas.height, static_cast<int>(std::max(y0, y1) + r) + 2);
    const float dx = x1 - x0, dy = y1 - y0, length = dx * dx + dy * dy;
    for (int y = top; y < bottom; ++y) {
      for (int x = left; x < right; ++x) {
        const float px = static_cast<float>(x) + 0.5F - x0, py = static_cast<float>(y) + 0.5F - y0;
        const float t = length > 0 ? std::clamp((px * dx + py * dy) / length, 0.0F, 1.0F) : 0.0F;
        const float ex = px - t * dx, ey = py - t * dy;
        if (ex * ex + ey * ey > r * r) continue;
        for (std::size_t k = 0; k < 3; ++k) canvas.pixel(x, y)[k] = to_byte(static_cast<float>(color[k]) * light);
      }
    }
  };
  for (std::size_t i = 0; i < kLimbs.size(); ++i) {
    const Keypoint &a = points[static_cast<std::size_t>(kLimbs[i][0] - 1)],
                   &b = points[static_cast<std::size_t>(kLimbs[i][1] - 1)];
    if (a.known && b.known) stroke(a.x, a.y, b.x, b.y, radius, kHues[i], 0.6F);
  }
  for (std::size_t k = 0; k < kNumKeypoints; ++k) {
    if (points[k].known) stroke(points[k].x, points[k].y, points[k].x, points[k].y, radius, kHues[k], 1);
  }
}

}  // namespace zoe::sprite
