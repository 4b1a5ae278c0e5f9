// SPDX-License-Identifier: MIT
#include "stage.h"

#include <algorithm>
#include <cmath>

#include "zoe/anatomy/foot_contacts.h"
#include "zoe/scene/clip_actor.h"
#include "zoe/scene/skinned_mesh.h"

namespace zoe::viewer {
namespace {

void add_playback_system(scene::Scene& scene) {
  using Scope =
      ecs::Scope<Playback, scene::MotionPlayer, ShownClip, const scene::Actor, const scene::Input, const scene::Time>;
  scene.fixed(scene::Phase::kControl)
      .add<Playback, scene::MotionPlayer, ShownClip, const scene::Actor, const scene::Input, const scene::Time>(
          "playback", [](Scope& scope) {
            auto& playback = scope.resource<Playback>();
            playback.step(scope.resource<const scene::Input>(), scope.resource<const scene::Time>().step_s);
            scope.query<scene::MotionPlayer, ShownClip, const scene::Actor>().each(
                [&](scene::MotionPlayer& player, ShownClip& clip, const scene::Actor& actor) {
                  choose_side(playback.mirrored, actor.skeleton(), clip, player);
                  player.seek(scene::clip_time_s(*player.motion(), playback.time_s));
                });
          });
}

}  // namespace

Affine StageItem::world_from_model() const {
  const float s = unit_m();
  return {{s, 0, 0}, {0, s, 0}, {0, 0, s}, offset_m};
}

Stage::Stage() {
  scene_.world().set_resource(Playback{});
  add_playback_system(scene_);
}

void Stage::set_renderer(render::Renderer* renderer) {
  renderer_ = renderer;
  scene::add_draw_systems(scene_);
}

void Stage::hash_every_step() {
  scene_.fixed(scene::Phase::kFinish).add<const scene::Actor>("hash", [this](ecs::Scope<const scene::Actor>&) {
    hash_ = HashBuilder().add(hash_).add(scene::hash_poses(scene_.world())).finish();
  });
}

Result<StageItem> Stage::make_item(cli::LoadedClip clip) {
  StageItem item{.clip = std::move(clip)};
  ZOE_TRY_ASSIGN(SkeletonAnalysis body, cli::analyse_clip(item.clip));
  item.body = std::make_shared<const SkeletonAnalysis>(std::move(body));
  item.root = find_root(item.motion(), *item.body);
  if (Result<Contacts> found = find_foot_contacts(item.motion(), *item.body)) item.contacts = std::move(found).value();
  item.size_m = scene::measure_joints_m(item.motion(), item.unit_m());
  ZOE_TRY(add_entity(item));
  return item;
}

Result<void> Stage::add_entity(StageItem& item) {
  ecs::World& world = scene_.world();
  scene::ClipOnBody clip = cli::to_displayed(item.clip);
  clip.body = item.body;
  clip.metres_per_unit = item.unit_m();
  if (renderer_ != nullptr) {
    ZOE_TRY_ASSIGN(item.entity, scene::add_clip_actor(world, clip, *renderer_, {}, warnings_));
    auto& display = world.get<scene::ClipDisplay>(item.entity);
    display.contacts = item.contacts;
    display.feet = item.body->feet;
    item.is_drawn = true;
    world.get<scene::SkinnedMesh>(item.entity).visible = visible_;
  } else {
    item.entity = scene::add_actor(world, clip.character);
    ZOE_TRY(scene::play_motion(world, item.entity, clip.motion));
    world.get<scene::MotionPlayer>(item.entity).set_paused(true);
  }
  world.add(item.entity, ShownClip{.plain = clip.motion, .body = item.body});
  return {};
}

Result<void> Stage::add(const std::string& file, const cli::ClipOptions& options) {
  ZOE_TRY_ASSIGN(cli::LoadedClip clip, cli::load_clip(file, options, warnings_));
  ZOE_TRY_ASSIGN(StageItem item, make_item(std::move(clip)));
  items_.push_back(std::move(item));
  arrange(arrangement_);
  measure_time();
  return {};
}

void Stage::remove(std::size_t item) {
  scene::destroy_tree(scene_.world(), items_[item].entity);
  items_.erase(items_.begin() + static_cast<long>(item));
  arrange(arrangement_);
  measure_time();
}

void Stage::clear() {
  for (const StageItem& item : items_) scene::destroy_tree(scene_.world(), item.entity);
  items_.clear();
  measure_time();
}

// The item does not change where the clip cannot be displayed.
Result<void> Stage::replace(std::size_t index, cli::LoadedClip clip) {
  ZOE_TRY_ASSIGN(StageItem item, make_item(std::move(clip)));
  item.scale = items_[index].scale;
  scene::destroy_tree(scene_.world(), items_[index].entity);
  items_[index] = std::move(item);
  arrange(arrangement_);
  measure_time();
  return {};
}

Result<void> Stage::change_body(std::size_t index, const std::string& character_file) {
  cli::LoadedClip clip = items_[index].clip;
  ZOE_TRY(cli::change_body(clip, character_file));
  clip.title =
      std::filesystem::path(clip.file).stem().string() + " on " + std::filesystem::path(character_file).stem().string();
  return replace(index, std::move(clip));
}

Result<void> Stage::change_clip(std::size_t index, std::size_t clip_index) {
  cli::LoadedClip clip = items_[index].clip;
  ZOE_CHECK(clip_index < clip.asset->clips.size(), "no such clip");
  clip.motion = clip.asset->clips[clip_index];
  clip.title = std::filesystem::path(clip.file).stem().string() + ": " + clip.motion.name;
  if (clip.motion.num_frames < 1)
    return Error{ErrorCode::kInvalid, "the clip has no frames: there is nothing to draw", {.file = clip.file}};
  return replace(index, std::move(clip));
}

void Stage::set_scale(std::size_t item, float scale) {
  items_[item].scale = scale;
  arrange(arrangement_);
}

// Side by side along X, centred, a body's own size apart.
void Stage::arrange(Arrangement arrangement) {
  arrangement_ = arrangement;
  const bool apart = arrangement == Arrangement::kSideBySide;
  float width = 0;
  for (const StageItem& item : items_) width += item.size_m * item.scale * 0.75F;
  float at = -width / 2;
  for (StageItem& item : items_) {
    const float own = item.size_m * item.scale * 0.75F;
    item.offset_m = {};
    if (apart && items_.size() > 1) {
      // Clips of one capture session begin at any position. Here they begin beside each other.
      const Vec3 start = item.root.roots.empty() ? Vec3{} : item.root.roots[0].position * item.unit_m();
      item.offset_m = Vec3{at + own / 2, 0, 0} - Vec3{start.x, 0, start.z};
    }
    at += own;
    place(item);
  }
}

void Stage::place(StageItem& item) {
  const float s = item.unit_m();
  auto& local = scene_.world().get<scene::LocalTransform>(item.entity);
  if (item.is_drawn)
    scene::scale_extent(scene_.world().get<scene::ClipDisplay>(item.entity).extent, s / local.get().scale.x);
  local.set({item.offset_m, {}, {s, s, s}});
}

void Stage::measure_time() {
  double longest_s = 0;
  for (const StageItem& item : items_) longest_s = std::max(longest_s, item.motion().duration_s());
  const double fps = items_.empty() ? 30 : items_[0].motion().fps;
  const int frames = static_cast<int>(std::lround(longest_s * fps)) + 1;
  Playback& p = playback();
  if (frames != p.num_frames || fps != p.fps) p.set_length(frames, fps);
}

void Stage::set_bodies_visible(bool visible) {
  visible_ = visible;
  for (const StageItem& item : items_) scene_.world().get<scene::SkinnedMesh>(item.entity).visible = visible;
}

void Stage::match_side(std::size_t index, const scene::MotionPtr& motion) {
  StageItem& item = items_[index];
  if (item.side == motion) return;
  item.side = motion;
  auto& display = scene_.world().get<scene::ClipDisplay>(item.entity);
  if (display.contacts.num_joints == 0) return;
  Result<Contacts> found = find_foot_contacts(motion != nullptr ? *motion : item.motion(), *item.body);
  display.contacts = found ? std::move(found).value() : Contacts{};
}

Stage::Room Stage::room() const {
  Room room{0, 0, 0, 0};
  float low = 1e30F, high = -1e30F;
  for (const StageItem& item : items_) {
    if (!item.is_drawn) continue;
    const scene::BodyExtent& extent = scene_.world().get<scene::ClipDisplay>(item.entity).extent;
    const Vec3 size = extent.samples[0].max - extent.samples[0].min;
    const float wide = std::max(size.x, size.z);
    room.width_m = arrangement_ == Arrangement::kSideBySide ? room.width_m + wide : std::max(room.width_m, wide);
    room.depth_m = std::max(room.depth_m, wide);
    low = std::min(low, extent.samples[0].min.y);
    for (const auto& sample : extent.samples) high = std::max(high, sample.max.y);
  }
  if (low > high) return {};
  return {room.width_m, high - low, low, room.depth_m};
}

Affine Stage::root_place(std::size_t index) const {
  const StageItem& item = items_[index];
  if (item.root.roots.empty()) return item.world_from_model();
  PlanarRoot root = root_at(item.root, scene::clip_time_s(item.motion(), playback().time_s));
  if (playback().mirrored) {  // Mirroring swaps left and right, which are +X and -X.
    root.position.x = -root.position.x;
    root.facing_rad = -root.facing_rad;
  }
  Affine place = to_affine(rotation_of(root));
  place.t = item.world_from_model().apply_point(root.position);
  return place;
}

}  // namespace zoe::viewer
