// SPDX-License-Identifier: MIT
// Part of Zoetrope. The C interface: controllers.
#include "zoe/control/load.h"

#include "common.h"

using namespace zoe::capi;

namespace {

zoe_controller* new_controller(zoe::control::ControllerPtr ptr) { return new zoe_controller{std::move(ptr)}; }

const zoe::Skeleton* skeleton_of(const zoe_controller* controller) {
  return controller != nullptr ? controller->ptr->skeleton().get() : nullptr;
}
bool is_joint(const zoe_controller* controller, int32_t joint) {
  return controller != nullptr && joint >= 0 && joint < skeleton_of(controller)->num_joints();
}

template <typename Span>
int32_t count_of(const Span& span) {
  return static_cast<int32_t>(span.size());
}
const char* label(std::span<const std::string> labels, int32_t index) {
  return index >= 0 && index < count_of(labels) ? labels[static_cast<std::size_t>(index)].c_str() : nullptr;
}

}  // namespace

zoe_status zoe_controller_load(const char* path, zoe_controller** out) {
  if (path == nullptr || out == nullptr) return refuse_null("zoe_controller_load: path and out must not be null");
  return guarded([&] { return give(zoe::control::load_controller(path), out, new_controller); });
}

zoe_status zoe_controller_load_bytes(const void* bytes, size_t num_bytes, const char* name, zoe_controller** out) {
  if (bytes == nullptr || out == nullptr)
    return refuse_null("zoe_controller_load_bytes: bytes and out must not be null");
  return guarded([&] {
    const std::span<const std::byte> span{static_cast<const std::byte*>(bytes), num_bytes};
    return give(zoe::control::load_controller(span, name != nullptr ? name : "bytes"), out, new_controller);
  });
}

void zoe_controller_free(zoe_controller* controller) { delete controller; }

const char* zoe_controller_type(const zoe_controller* controller) {
  return controller != nullptr ? controller->ptr->type() : nullptr;
}
double zoe_controller_rate_hz(const zoe_controller* controller) {
  return controller != nullptr ? controller->ptr->rate_hz() : 0;
}
float zoe_controller_pace_mps(const zoe_controller* controller) {
  return controller != nullptr ? controller->ptr->motion_range().pace_mps : 0;
}
uint64_t zoe_controller_fingerprint(const zoe_controller* controller) {
  return controller != nullptr ? controller->ptr->fingerprint() : 0;
}
int32_t zoe_controller_num_joints(const zoe_controller* controller) {
  return controller != nullptr ? skeleton_of(controller)->num_joints() : 0;
}
const char* zoe_controller_joint_name(const zoe_controller* controller, int32_t joint) {
  return is_joint(controller, joint) ? skeleton_of(controller)->name(joint).c_str() : nullptr;
}
int32_t zoe_controller_joint_parent(const zoe_controller* controller, int32_t joint) {
  return is_joint(controller, joint) ? skeleton_of(controller)->parent(joint) : -2;
}

zoe_status zoe_controller_joint_rest(const zoe_controller* controller, int32_t joint, float out[10]) {
  if (!is_joint(controller, joint) || out == nullptr) {
    return refuse_null("zoe_controller_joint_rest: no such joint, or null");
  }
  const zoe::Transform& rest = skeleton_of(controller)->rest_local(joint);
  const float values[10] = {rest.translation.x, rest.translation.y, rest.translation.z, rest.rotation.x,
                            rest.rotation.y,    rest.rotation.z,    rest.rotation.w,    rest.scale.x,
                            rest.scale.y,       rest.scale.z};
  std::copy(std::begin(values), std::end(values), out);
  return ZOE_OK;
}

int32_t zoe_controller_num_contacts(const zoe_controller* controller) {
  return controller != nullptr ? count_of(controller->ptr->contact_joints()) : 0;
}
int32_t zoe_controller_contact_joint(const zoe_controller* controller, int32_t contact) {
  if (contact < 0 || contact >= zoe_controller_num_contacts(controller)) return -1;
  return controller->ptr->contact_joints()[static_cast<std::size_t>(contact)];
}
int32_t zoe_controller_num_styles(const zoe_controller* controller) {
  return controller != nullptr ? count_of(controller->ptr->styles()) : 0;
}
const char* zoe_controller_style(const zoe_controller* controller, int32_t style) {
  return controller != nullptr ? label(controller->ptr->styles(), style) : nullptr;
}
int32_t zoe_controller_num_actions(const zoe_controller* controller) {
  return controller != nullptr ? count_of(controller->ptr->actions()) : 0;
}
const char* zoe_controller_action(const zoe_controller* controller, int32_t action) {
  return controller != nullptr ? label(controller->ptr->actions(), action) : nullptr;
}
