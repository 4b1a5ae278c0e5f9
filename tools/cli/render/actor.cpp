// SPDX-License-Identifier: MIT
#include "render/actor.h"

#include <algorithm>
#include <cmath>

#include "zoe/anatomy/foot_contacts.h"
#include "zoe/character/deform.h"
#include "zoe/character/local_to_model_job.h"
#include "zoe/motion/sample.h"
#include "zoe/render/debug_draw.h"

namespace zoe::cli {
namespace {

constexpr int kMeasuredPoses = 24;
constexpr double kMeasuredEvery_s = 0.25;
constexpr float kHeldReach = 0.3F;  // How far beyond the body, in its sizes, what it holds belongs to the picture.
constexpr Vec3 kGhost{0.55F, 0.72F, 0.95F};  // A cool tint tells ghosts from the body.

void add_point(Vec3 p, Vec3& min, Vec3& max) {
  min = {std::min(min.x, p.x), std::min(min.y, p.y), std::min(min.z, p.z)};
  max = {std::max(max.x, p.x), std::max(max.y, p.y), std::max(max.z, p.z)};
}

// Bones of people get a skull; other families' heads are long enough to be seen.
int head_of_person(const LoadedClip& clip, const SkeletonAnalysis* body) {
  Result<SkeletonAnalysis> found = body != nullptr ? Result<SkeletonAnalysis>(*body) : analyse_clip(clip);
  return found && found->family == BodyFamily::kBiped ? found->head : kNoJoint;
}

}  // namespace

Result<std::unique_ptr<Actor>> Actor::load(render::Renderer& renderer, const std::string& file,
                                           const ActorOptions& options, Warnings& warnings) {
  ZOE_TRY_ASSIGN(LoadedClip clip, load_clip(file, options, warnings));
  return create(renderer, std::move(clip), options, nullptr, warnings);
}

Result<std::unique_ptr<Actor>> Actor::create(render::Renderer& renderer, LoadedClip clip, const ActorOptions& options,
                                             const SkeletonAnalysis* body, Warnings& warnings) {
  auto actor = std::make_unique<Actor>();
  actor->clip_ = std::move(clip);
  if (options.show.contacts) ZOE_TRY(actor->find_contacts(body));
  actor->set_scale(1);
  actor->show_ = options.show;
  actor->skinning_ = options.dual_quaternions ? render::Skinning::kDualQuaternion : render::Skinning::kLinear;

  const Motion& motion = actor->clip_.motion;
  actor->pose_ = make_pose(*motion.skeleton);
  actor->morph_weights_.resize(static_cast<std::size_t>(motion.num_morph_weights));
  actor->model_from_joint_.resize(static_cast<std::size_t>(motion.num_joints()));
  actor->pose_at(0);
  if (actor->clip_.has_mesh() && !options.skeleton) {
    actor->model_ = std::make_shared<const render::CharacterModel>(
        render::CharacterModel::create(renderer, actor->clip_.character(), actor->clip_.image_folder, warnings));
  } else {
    actor->bones_.emplace(*motion.skeleton, actor->model_from_joint_, head_of_person(actor->clip_, body));
  }
  actor->measure();
  return actor;
}

void Actor::show_motion(std::shared_ptr<const Motion> motion, const SkeletonAnalysis& body) {
  other_ = std::move(motion);
  if (contacts_.num_joints > 0 && !find_contacts(&body)) contacts_ = {};
}

void Actor::set_scale(float scale) {
  const float s = clip_.metres_per_unit() * scale, change = s / world_from_model_.x.x;
  world_from_model_ = {{s, 0, 0}, {0, s, 0}, {0, 0, s}, {}};
  extent_.size_m *= change;
  extent_.lowest_m *= change;
  for (ActorExtent::Sample& sample : extent_.samples) {
    sample.min *= change;
    sample.max *= change;
  }
}

void Actor::pose_at(double time_s) {
  SampleJob{.motion = &shown(),
            .time_s = shown().start_time_s + time_s,
            .wrap = Wrap::kLoop,
            .translations = pose_.translations,
            .rotations = pose_.rotations,
            .scales = pose_.scales,
            .morph_weights = morph_weights_}
      .run();
  LocalToModelJob{.skeleton = clip_.motion.skeleton.get(), .pose = pose_.view(), .model_from_joint = model_from_joint_}
      .run();
}

// The places of a body that lie farthest in 26 directions, the axes and what is between them.
class Outline {
 public:
  Outline() {
    for (int i = 0; i < 27; ++i) {
      if (i != 13)
        directions_.push_back(normalized(
            Vec3{static_cast<float>(i % 3 - 1), static_cast<float>(i / 3 % 3 - 1), static_cast<float>(i / 9 - 1)}));
    }
    places_.resize(directions_.size());
    reach_.assign(directions_.size(), -1e30F);
  }
  void add(Vec3 p) {
    for (std::size_t i = 0; i < directions_.size(); ++i) {
      const float reach = dot(p, directions_[i]);
      if (reach <= reach_[i]) continue;
      reach_[i] = reach;
      places_[i] = p;
    }
  }
  std::vector<Vec3> places() const { return reach_[0] > -1e30F ? places_ : std::vector<Vec3>{{}}; }

 private:
  std::vector<Vec3> directions_, places_;
  std::vector<float> reach_;
};

// Whether the skinned meshes reach as high as the joints do: else rigid ones are limbs, not tools.
bool is_skin_the_body(const Character& character, std::span<const Affine> model_from_joint) {
  Vec3 min{1e30F, 1e30F, 1e30F}, max = -min, joint_min = min, joint_max = max;
  for (std::size_t k = 0; k < character.instances.size(); ++k) {
    if (character.instances[k].skin < 0) continue;
    for (const Vec3 p : deform_instance(character, k, model_from_joint).positions) add_point(p, min, max);
  }
  for (const Affine& joint : model_from_joint) add_point(joint.t, joint_min, joint_max);
  return max.y - min.y > 0.7F * (joint_max.y - joint_min.y);
}

// Meshes by their vertices, skeletons by the balls at their joints. What a skinned body holds (rigid meshes: swords,
// hats) counts only near it: a picture is of the body, and its feet say where the ground is.
void Actor::measure() {
  // Between poses far apart in time the camera would lose the body, and stand back to be safe. Poses of bones cost
  // little.
  const int wanted = static_cast<int>(duration_s() / kMeasuredEvery_s);
  const int most = std::clamp(wanted, kMeasuredPoses, (model_ ? 4 : 40) * kMeasuredPoses);
  const int count = std::clamp(clip_.motion.num_frames, 1, most);
  std::vector<float> lowest;
  std::vector<Vec3> held;
  bool skin_is_body = false;
  extent_.size_m = 1e-3F;
  for (int i = 0; i < count; ++i) {
    const double time_s = count > 1 ? duration_s() * i / (count - 1) : 0;
    // The last moment of a clip is the first of the next round; stay inside.
    pose_at(std::min(time_s, duration_s() - 1e-4));
    Vec3 min{1e30F, 1e30F, 1e30F}, max{-1e30F, -1e30F, -1e30F};
    Outline outline;
    held.clear();
    if (model_) {
      const Character& character = *clip_.character();
      if (i == 0) skin_is_body = is_skin_the_body(character, model_from_joint_);
      for (std::size_t k = 0; k < character.instances.size(); ++k) {
        const DeformedMesh mesh = deform_instance(character, k, model_from_joint_, morph_weights_);
        const bool is_held = skin_is_body && character.instances[k].skin < 0;
        for (const Vec3 p : mesh.positions) {
          const Vec3 place = world_from_model_.apply_point(p);
          if (is_held) {
            held.push_back(place);
          } else {
            outline.add(place);
            add_point(place, min, max);
          }
        }
      }
    } else {
      for (std::size_t j = 0; j < model_from_joint_.size(); ++j) {
        if (!bones_->is_drawn(static_cast<int>(j))) continue;
        const Vec3 p = world_from_model_.apply_point(model_from_joint_[j].t);
        const float flesh = bones_->joint_radius(static_cast<int>(j)) * world_from_model_.x.x;
        for (int corner = 0; corner < 8; ++corner) {
          const Vec3 place = p + Vec3{(corner & 1) != 0 ? flesh : -flesh, (corner & 2) != 0 ? flesh : -flesh,
                                      (corner & 4) != 0 ? flesh : -flesh};
          outline.add(place);
          add_point(place, min, max);
        }
      }
    }
    if (min.x > max.x) min = max = {};
    lowest.push_back(min.y);
    const float near = kHeldReach * std::max({max.x - min.x, max.y - min.y, max.z - min.z});
    const Vec3 low = min - Vec3{near, 0, near}, high = max + Vec3{near, near, near};
    for (const Vec3 p : held) {
      const Vec3 place{std::clamp(p.x, low.x, high.x), std::clamp(p.y, low.y, high.y), std::clamp(p.z, low.z, high.z)};
      outline.add(place);
      add_point(place, min, max);
    }
    extent_.samples.push_back({time_s, min, max, outline.places()});
    extent_.size_m = std::max({extent_.size_m, max.x - min.x, max.y - min.y, max.z - min.z});
  }
  // Captures dip below their ground now and then: the lowest fifth says where it is.
  std::nth_element(lowest.begin(), lowest.begin() + static_cast<long>(lowest.size() / 5), lowest.end());
  extent_.lowest_m = lowest[lowest.size() / 5];
}

// The analysis knows the feet of any body.
Result<void> Actor::find_contacts(const SkeletonAnalysis* body) {
  SkeletonAnalysis found_body;
  if (body == nullptr) {
    ZOE_TRY_ASSIGN(found_body, analyse_clip(clip_));
    body = &found_body;
  }
  Result<Contacts> found = find_foot_contacts(shown(), *body);
  if (!found) return Error{found.error().code, found.error().message, {.file = clip_.file}};
  feet_ = body->feet;
  contacts_ = std::move(found).value();
  return {};
}

void Actor::add_signs(render::RenderFrame& frame, double time_s, Vec3 offset_m) {
  Affine world = world_from_model_;
  world.t += offset_m;
  const auto place = [&](std::size_t joint) { return world.apply_point(model_from_joint_[joint].t); };
  const float size = extent_.size_m;
  std::size_t root = 0;  // The first joint that moves: markers of the place do not count.
  while (root + 1 < model_from_joint_.size() && clip_.motion.skeleton->kind(static_cast<int>(root)) == JointKind::kNode)
    ++root;
  if (show_.trajectory) {
    places_.clear();
    for (int i = -12; i <= 12; ++i) {
      const double t = time_s + 0.08 * i;
      if (t < 0 || t > duration_s()) continue;
      pose_at(std::min(t, duration_s() - 1e-4));
      places_.push_back({place(root).x, frame.environment.ground_height_m + 0.006F * size, place(root).z});
    }
    render::draw_trajectory(frame, places_, {}, {0.95F, 0.50F, 0.08F, 1}, 0.009F * size);
  }
  if (show_.velocities) {
    constexpr double kStep_s = 1.0 / 60;
    const double before = std::max(time_s - kStep_s, 0.0),
                 after = std::min(time_s + kStep_s, std::max(duration_s() - 1e-4, 1e-4));
    pose_at(before);
    places_.resize(model_from_joint_.size());
    velocities_.resize(places_.size());
    for (std::size_t j = 0; j < places_.size(); ++j) velocities_[j] = place(j);
    pose_at(after);
    for (std::size_t j = 0; j < places_.size(); ++j)
      velocities_[j] = (place(j) - velocities_[j]) / static_cast<float>(after - before);
    pose_at(time_s);
    for (std::size_t j = 0; j < places_.size(); ++j) places_[j] = place(j);
    render::draw_velocities(frame, places_, velocities_, {0.10F, 0.55F, 0.85F, 1}, 0.1F, 0.05F * size);
  }
  pose_at(time_s);
  if (show_.contacts && contacts_.num_joints > 0) {
    const double wrapped = duration_s() > 0 ? std::fmod(time_s, duration_s()) : 0;
    const int row = std::clamp(static_cast<int>(std::lround(wrapped * clip_.motion.fps)), 0, contacts_.num_frames - 1);
    places_.clear();
    for (const int foot : feet_) places_.push_back(place(static_cast<std::size_t>(foot)));
    const auto weights =
        std::span(contacts_.weights).subspan(static_cast<std::size_t>(row * contacts_.num_joints), feet_.size());
    render::draw_contacts(frame, places_, weights, frame.environment.ground_height_m, 0.05F * size);
  }
  if (show_.names) {
    for (std::size_t j = 0; j < model_from_joint_.size(); ++j) {
      const std::string& name = clip_.motion.skeleton->name(static_cast<int>(j));
      render::draw_label(frame, place(j), std::string_view(name).substr(name.rfind(':') + 1),
                         0.014F * static_cast<float>(frame.settings.height), {0.05F, 0.06F, 0.08F, 0.9F});
    }
  }
}

void Actor::add_to(render::RenderFrame& frame, double time_s, std::size_t slot, Vec3 offset_m, float alpha) {
  pose_at(time_s);
  Affine world = world_from_model_;
  world.t += offset_m;
  if (!model_) {
    render::SkeletonColors colors;
    if (alpha < 1)
      colors = {.bone = {kGhost.x, kGhost.y, kGhost.z, alpha}, .joint = {kGhost.x, kGhost.y, kGhost.z, alpha}};
    bones_->add_to(frame, model_from_joint_, world, 1, colors);
    return;
  }
  while (bodies_.size() <= slot) bodies_.emplace_back(*model_);
  bodies_[slot].set_pose(model_from_joint_, morph_weights_);
  bodies_[slot].add_to(frame, world, 1, alpha < 1 ? Vec4{kGhost.x, kGhost.y, kGhost.z, alpha} : Vec4{1, 1, 1, 1},
                       skinning_);
}

}  // namespace zoe::cli
