// SPDX-License-Identifier: MIT
#include "pose_tool.h"

#include <algorithm>
#include <cmath>

#include "zoe/render/debug_draw.h"
#include "zoe/scene/ik_target.h"

namespace zoe::viewer {
namespace {

using scene::InputEvent;

constexpr float kHitRadius_px = 14;

// A component of targets: their numbers in Command::kDrag.
struct PoseHandle {
  int number = 0;
};

// Ends of limbs, head and hips: the useful handles.
std::vector<int> handle_joints(const SkeletonAnalysis& body) {
  std::vector<int> joints = body.feet;
  joints.insert(joints.end(), body.hands.begin(), body.hands.end());
  for (const int joint : {body.head, body.hips}) {
    if (joint != kNoJoint) joints.push_back(joint);
  }
  if (!body.tail.empty()) joints.push_back(body.tail.back());
  std::sort(joints.begin(), joints.end());
  joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
  return joints;
}

// The joint that carries a limb's chain; the spine's first for the head.
int chain_start(const SkeletonAnalysis& body, int tip) {
  for (const Limb& limb : body.limbs) {
    if (std::find(limb.joints.begin(), limb.joints.end(), tip) != limb.joints.end()) return limb.joints.front();
  }
  if (tip == body.head && !body.spine.empty()) return body.spine.front();
  return body.tail.empty() || tip != body.tail.back() ? kNoJoint : body.tail.front();
}

}  // namespace

void add_drag_system(scene::Scene& scene) {
  using Scope = ecs::Scope<scene::LocalTransform, const PoseHandle, const scene::Input>;
  scene.fixed(scene::Phase::kControl)
      .add<scene::LocalTransform, const PoseHandle, const scene::Input>("drag handles", [](Scope& scope) {
        const auto& input = scope.resource<const scene::Input>();
        if (!input.button(static_cast<int>(Command::kDrag))) return;
        const int number = static_cast<int>(std::lround(input.axis(kDragAxes)));
        const Vec3 place{input.axis(kDragAxes + 1), input.axis(kDragAxes + 2), input.axis(kDragAxes + 3)};
        scope.query<scene::LocalTransform, const PoseHandle>().each(
            [&](scene::LocalTransform& local, const PoseHandle& handle) {
              if (handle.number == number) local.edit().translation = place;
            });
      });
}

void PoseTool::start(Session& session) {
  stop(session);
  const StageItem* item = session.item();
  if (item == nullptr) return;
  ecs::World& world = session.stage.scene().world();
  actor_ = item->entity;
  int number = 0;
  for (const int joint : handle_joints(*item->body)) {
    const int first = session.limbs_only ? chain_start(*item->body, joint) : kNoJoint;
    if (session.limbs_only && (first == kNoJoint || first == joint)) continue;
    const Result<scene::Entity> target = session.limbs_only ? scene::add_fabrik_target(world, actor_, first, joint)
                                                            : scene::add_full_body_target(world, actor_, joint);
    if (!target) continue;
    world.add(*target, PoseHandle{number++});
    handles_.push_back({*target, joint});
  }
  if (handles_.empty()) session.note("no hands, feet or head were found to drag", true);
  session.poses = !handles_.empty();
}

void PoseTool::stop(Session& session) {
  ecs::World& world = session.stage.scene().world();
  for (const Handle& handle : handles_) world.destroy(handle.target);
  if (world.alive(actor_) && world.has<scene::FullBodyIk>(actor_)) world.remove<scene::FullBodyIk>(actor_);
  handles_.clear();
  dragged_.reset();
  session.poses = false;
}

void PoseTool::reset(Session& session) {
  if (is_on()) start(session);
}

void PoseTool::add_to(const Session& session, render::RenderFrame& frame) {
  const ecs::World& world = const_cast<Session&>(session).stage.scene().world();
  for (std::size_t i = 0; i < handles_.size(); ++i) {
    Handle& handle = handles_[i];
    const auto* local = world.find<scene::LocalTransform>(handle.target);
    handle.on_screen = false;
    if (local == nullptr) continue;
    handle.place = local->get().translation;
    const std::optional<Vec2> at = render::project_to_pixels(frame, handle.place);
    if (!at) continue;
    handle.on_screen = true;
    handle.missing_m = world.get<scene::IkTarget>(handle.target).missing_m;
    handle.x = at->x + static_cast<float>(session.view.x);
    handle.y = at->y + static_cast<float>(session.view.y);
    // A ring with a dot, on the screen: always visible, always of one size.
    const bool held = dragged_ == i;
    const Vec4 color = held ? Vec4{1, 0.85F, 0.3F, 1} : Vec4{0.98F, 0.62F, 0.16F, 1};
    Vec3 last{at->x + 9, at->y, 0};
    for (int k = 1; k <= 20; ++k) {
      const float angle = static_cast<float>(k) * 0.31416F;
      const Vec3 next{at->x + 9 * std::cos(angle), at->y + 9 * std::sin(angle), 0};
      frame.overlay.line(last, next, color, held ? 3 : 2, render::LineSpace::kScreen);
      last = next;
    }
    frame.overlay.line({at->x, at->y, 0}, {at->x, at->y, 0}, color, held ? 8 : 6, render::LineSpace::kScreen);
  }
}

bool PoseTool::press(float x, float y) {
  float nearest = kHitRadius_px;
  for (std::size_t i = 0; i < handles_.size(); ++i) {
    const float away = std::hypot(handles_[i].x - x, handles_[i].y - y);
    if (!handles_[i].on_screen || away >= nearest) continue;
    nearest = away;
    dragged_ = i;
  }
  return dragged_.has_value();
}

// In the plane through the handle that faces the camera.
void PoseTool::move(const Session& session, const render::RenderFrame& frame, float x, float y,
                    std::vector<InputEvent>& events) {
  if (!dragged_) return;
  const Affine& camera = frame.camera.world_from_camera;
  const float depth = dot(camera.z, camera.t - handles_[*dragged_].place);
  const auto height = static_cast<float>(session.view.height);
  const float metres_a_pixel = 2 * depth * std::tan(frame.camera.fov_y_rad / 2) / height;
  const float right =
      (x - static_cast<float>(session.view.x) - static_cast<float>(session.view.width) / 2) * metres_a_pixel;
  const float up = (static_cast<float>(session.view.y) + height / 2 - y) * metres_a_pixel;
  const Vec3 place = camera.t + camera.x * right + camera.y * up - camera.z * depth;
  const float values[] = {static_cast<float>(*dragged_), place.x, place.y, place.z};
  for (int i = 0; i < 4; ++i) events.push_back(scene::axis_event(kDragAxes + i, values[i]));
  events.push_back({InputEvent::Kind::kButton, static_cast<std::uint16_t>(Command::kDrag), 1, 0});
}

std::vector<std::array<float, 3>> PoseTool::places() const {
  std::vector<std::array<float, 3>> places;
  for (const Handle& handle : handles_) {
    if (handle.on_screen)
      places.push_back({std::round(handle.x), std::round(handle.y), std::round(handle.missing_m * 1e3F) / 1e3F});
  }
  return places;
}

void PoseTool::release(std::vector<InputEvent>& events) {
  if (dragged_) events.push_back({InputEvent::Kind::kButton, static_cast<std::uint16_t>(Command::kDrag), 0, 0});
  dragged_.reset();
}

}  // namespace zoe::viewer
