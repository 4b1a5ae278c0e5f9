// SPDX-License-Identifier: MIT
#include "author/terrain/terrain_clips.h"

#include <algorithm>
#include <cmath>

#include "zoe/anatomy/analysis.h"
#include "zoe/control/ground_plane.h"
#include "zoe/core/index.h"
#include "zoe/eval/grounds.h"
#include "zoe/features/ground_signals.h"
#include "zoe/features/layout.h"
#include "zoe/motion/contacts.h"

#include "author/percentile.h"

namespace zoe::author {
namespace {

// The trajectory ahead at the moments that controllers have it.
constexpr features::SampleTimes kWayTimes{0, 2.0 / 3, 5};

// Bones from the first joint of the leg that carries `foot` down to it.
float leg_bones(const Skeleton& skeleton, const SkeletonAnalysis& analysis, int foot) {
  for (const Limb& limb : analysis.limbs) {
    if (limb.kind != LimbKind::kLeg || std::find(limb.joints.begin(), limb.joints.end(), foot) == limb.joints.end())
      continue;
    float sum = 0;
    for (int j = foot; j != limb.joints[0] && j != kNoJoint; j = skeleton.parent(j))
      sum += length(skeleton.rest_local(j).translation);
    return sum;
  }
  return 0;
}

}  // namespace

Result<TerrainBody> terrain_body(const features::Schema& schema, const Motion& clip) {
  const SkeletonAnalysis analysis = analyse(*clip.skeleton, {&clip, 1});
  ZOE_TRY_ASSIGN(const features::Layout layout, features::Layout::compile(schema, *clip.skeleton, analysis));
  TerrainBody body;
  body.skeleton = clip.skeleton;
  const auto& channels = schema.block(features::BlockKind::kOutput).channels;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    if (channels[i].group == features::Group::kContact)
      body.contact_joints = layout.channel_joints(features::BlockKind::kOutput)[i];
  }
  if (body.contact_joints.empty() || analysis.feet.empty())
    return Error{ErrorCode::kInvalid, "a body without feet does not walk on terrain", {}};
  for (const int joint : body.contact_joints) {
    int image = joint;
    for (const JointPair& pair : analysis.pairs) {
      if (pair.left == joint) image = pair.right;
      if (pair.right == joint) image = pair.left;
    }
    const auto found = std::find(body.contact_joints.begin(), body.contact_joints.end(), image);
    const auto own = std::find(body.contact_joints.begin(), body.contact_joints.end(), joint);
    body.mirrored.push_back(
        static_cast<int>((found == body.contact_joints.end() ? own : found) - body.contact_joints.begin()));
    const float height_m = analysis.reference_positions[idx(joint)].y - static_cast<float>(analysis.ground_height);
    body.standing_m.push_back(std::clamp(height_m, 0.0F, 0.2F));
  }
  body.root_joints = layout.root_joints();
  body.root_options = layout.root_options();
  body.leg_length_m = std::max(leg_bones(*clip.skeleton, analysis, analysis.feet[0]), 0.05F);
  return body;
}

Result<FootTracks> track_feet(const TerrainBody& body, const Motion& motion) {
  ContactOptions options;
  options.height_enter = 1e4F;  // The ground is not known yet: only speeds count.
  options.height_leave = 2e4F;
  options.in_place = false;
  ZOE_TRY_ASSIGN(const Contacts contacts, find_contacts(motion, body.contact_joints, options));
  FootTracks feet;
  feet.contacts.assign(contacts.touching.begin(), contacts.touching.end());
  std::vector<Affine> models(idx(motion.num_joints()));
  for (int f = 0; f < motion.num_frames; ++f) {
    compute_model_from_joint(*motion.skeleton, motion.frame(f), models);
    for (const int joint : body.contact_joints) feet.places.push_back(models[idx(joint)].t);
  }
  return feet;
}

FootMarks foot_marks(const TerrainBody& body, const FootTracks& feet) {
  FootMarks marks;
  const std::size_t joints = body.contact_joints.size(), frames = feet.contacts.size() / joints;
  for (std::size_t k = 0; k < joints; ++k) {
    const auto sole = [&](std::size_t f) {
      const Vec3 p = feet.places[f * joints + k];
      return Vec3{p.x, p.y - body.standing_m[k], p.z};
    };
    for (std::size_t f = 0; f < frames;) {
      if (feet.contacts[f * joints + k] < 0.5F) {
        if (f % 4 == 0) marks.swings.push_back(sole(f));
        ++f;
        continue;
      }
      std::size_t end = f;
      std::vector<float> x, y, z;
      for (; end < frames && feet.contacts[end * joints + k] >= 0.5F; ++end) {
        const Vec3 p = sole(end);
        x.push_back(p.x);
        y.push_back(p.y);
        z.push_back(p.z);
      }
      // The lowest third: a heel rises while its toes still stand.
      marks.stances.push_back({percentile(x, 0.5), percentile(y, 0.3), percentile(z, 0.5)});
      f = end;
    }
  }
  return marks;
}

Result<TerrainClip> put_on_ground(const TerrainBody& body, const Motion& motion, const FootTracks& feet,
                                  GroundPtr ground) {
  TerrainClip clip;
  ZOE_TRY_ASSIGN(RootTrajectory roots, extract_root(motion, body.root_joints, body.root_options));
  clip.roots = std::move(roots.roots);
  clip.fps = motion.fps;
  clip.start_time_s = motion.start_time_s;
  clip.contacts = feet.contacts;
  clip.contact_places = feet.places;
  const auto dt_s = static_cast<float>(1 / motion.fps);
  Spring<float> plane;
  for (std::size_t f = 0; f < clip.roots.size(); ++f) {
    const PlanarRoot& now = clip.roots[f];
    const Vec3 step = f > 0 ? now.position - clip.roots[f - 1].position : Vec3{};
    const Vec3 at = now.position + step * control::GroundPlane::steps_ahead(dt_s);
    const Vec3 reach = rotate(rotation_of(now), Vec3{0, 0, control::GroundPlane::kSampleDistance * body.leg_length_m});
    plane = control::GroundPlane::after(plane, *ground, at, reach, f > 0 ? dt_s : 0.0F);
    clip.plane_m.push_back(plane.value);
  }
  clip.ground = std::move(ground);
  return clip;
}

void subtract_plane(const TerrainClip& clip, Motion& motion) {
  const std::size_t joints = idx(motion.num_joints());
  for (std::size_t i = 0; i < motion.translations.size(); ++i) {
    if (motion.skeleton->parent(static_cast<int>(i % joints)) == kNoJoint)
      motion.translations[i].y -= clip.plane_m[i / joints];
  }
}

std::vector<dataset::ClipSignal> ground_signals_of(const TerrainBody& body, const TerrainClip& clip,
                                                   const Motion& piece, bool mirrored, bool heights, bool grid) {
  const std::size_t joints = body.contact_joints.size(), frames = idx(piece.num_frames), last = clip.roots.size() - 1;
  const auto first = static_cast<std::size_t>(
      std::max(std::lround((piece.start_time_s - clip.start_time_s) * clip.fps), std::lround(0.0)));
  std::vector<float> seen(heights ? frames * idx(features::kGroundHeightsWidth) : 0),
      cells(grid ? frames * idx(features::kGroundGridWidth) : 0), underfoot(frames * joints), contacts(frames * joints);
  features::ControlSeries way = features::ControlSeries::standing(kWayTimes, {});
  for (std::size_t i = 0; i < frames; ++i) {
    const std::size_t f = std::min(first + i, last);
    const PlacedGround ground(clip.ground.get(), {0, clip.plane_m[f], 0}, 0, 1);
    for (int t = 0; t < kWayTimes.count; ++t) {
      const double at = static_cast<double>(f) + kWayTimes.at(t) * clip.fps;
      const auto a = std::min(static_cast<std::size_t>(at), last), b = std::min(a + 1, last);
      const auto share = static_cast<float>(at - std::floor(at));
      way.roots[idx(t)] = {lerp(clip.roots[a].position, clip.roots[b].position, share),
                           clip.roots[a].facing_rad + (clip.roots[b].facing_rad - clip.roots[a].facing_rad) * share};
    }
    if (heights) {
      const auto out =
          std::span(seen).subspan(i * idx(features::kGroundHeightsWidth), idx(features::kGroundHeightsWidth));
      features::write_ground_heights(ground, way, out);
      if (mirrored) features::mirror_ground_heights(out);
    }
    if (grid) {
      const auto out = std::span(cells).subspan(i * idx(features::kGroundGridWidth), idx(features::kGroundGridWidth));
      features::write_ground_grid(ground, way, out);
      if (mirrored) features::mirror_ground_grid(out);
    }
    for (std::size_t k = 0; k < joints; ++k) {
      const std::size_t from = f * joints + (mirrored ? idx(body.mirrored[k]) : k);
      const Vec3 p = clip.contact_places[from];
      underfoot[i * joints + k] = ground.height(p.x, p.z);
      contacts[i * joints + k] = clip.contacts[from];
    }
  }
  std::vector<dataset::ClipSignal> out;
  if (heights) out.push_back({std::string(features::kGroundHeightsSignal), std::move(seen)});
  if (grid) out.push_back({std::string(features::kGroundGridSignal), std::move(cells)});
  out.push_back({std::string(features::kUnderfootSignal), std::move(underfoot)});
  out.push_back({std::string(features::kContactSignal), std::move(contacts)});
  return out;
}

bool is_ground_file(const std::filesystem::path& file) { return file.stem().extension() == ".terrain"; }

Result<GroundPtr> ground_beside(const std::filesystem::path& motion_file) {
  std::filesystem::path file = motion_file;
  file.replace_extension(".terrain.glb");
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return GroundPtr();
  return eval::make_ground(file.string());
}

GroundPtr ground_at_contacts(const GroundPtr& ground, const FootMarks& marks) {
  std::vector<float> offsets;
  for (const Vec3& p : marks.stances) offsets.push_back(p.y - ground->height(p.x, p.z));
  if (offsets.empty()) return {};
  const float offset_m = percentile(offsets, 0.5);
  for (float& offset : offsets) offset = std::abs(offset - offset_m);
  if (percentile(offsets, 0.5) > 0.06F) return {};
  return Ground::function([ground, offset_m](float x, float z) { return ground->height(x, z) + offset_m; },
                          [ground](float x, float z) { return ground->normal(x, z); });
}

}  // namespace zoe::author
