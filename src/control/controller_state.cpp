// SPDX-License-Identifier: MIT
// Saving, restoring and hashing of states: see StateArchive.
#include "zoe/control/controller.h"

#include "control/grounding.h"
#include "control/sound_frame.h"
#include "control/stand.h"

namespace zoe::control {
namespace {

// A character can be restarted from these: they are valid for any bytes.
void describe(StateArchive& archive, PlanarRoot& root) {
  static_assert(sizeof(PlanarRoot) == 4 * sizeof(float), "only floats, and every one of them");
  archive.finite(root);
}

void describe(StateArchive& archive, CharacterFrame& frame) {
  describe(archive, frame.root);
  archive.finite(std::span(frame.pose.translations));
  archive.unit(std::span(frame.pose.rotations), kUnitTolerance);
  archive.finite(std::span(frame.pose.scales));
  archive.finite(std::span(frame.contacts));
}

void describe(StateArchive& archive, std::optional<WantedPlace>& goal) {
  WantedPlace place = goal.value_or(WantedPlace{});
  bool has_goal = goal.has_value(), has_facing = place.facing_rad.has_value();
  float facing_rad = place.facing_rad.value_or(0.0F);
  archive.flag(has_goal);
  archive.finite(place.position);
  archive.flag(has_facing);
  archive.finite(facing_rad);
  if (!archive.reads()) return;
  place.facing_rad.reset();  // It may be of another goal.
  if (has_facing) place.facing_rad = facing_rad;
  goal.reset();
  if (has_goal) goal = place;
}

}  // namespace

ControllerState::ControllerState() = default;
ControllerState::~ControllerState() = default;

std::int64_t ControllerState::num_steps_without_ground() const {
  return grounding_ != nullptr ? grounding_->num_steps_without_ground : 0;
}

PlacedGround ControllerState::ground_now() const noexcept {
  if (grounding_ == nullptr) return {};  // A state that is stepped without a controller.
  const Vec3 at = world_from_model_.position;
  return {ground_.get(), {at.x, grounding_->height_m.value, at.z}, world_from_model_.facing_rad, proportions_.legs};
}

PlacedGround ControllerState::ground_after(const PlanarRoot& after, float dt_s) const noexcept {
  if (ground_ == nullptr || grounding_ == nullptr) return ground_now();
  const Spring<float> plane =
      grounding_->plane_after(*ground_, world_from_model_, proportions_.legs, leg_length_m_, before_.root, after, dt_s);
  const Vec3 at = world_from_model_.position;
  return {ground_.get(), {at.x, plane.value, at.z}, world_from_model_.facing_rad, proportions_.legs};
}

std::size_t ControllerState::props_now(std::span<Prop, kMaxProps> out) const noexcept {
  std::size_t count = 0;
  const float scale = 1 / proportions_.legs, floor_m = grounding_ != nullptr ? grounding_->height_m.value : 0;
  const Vec3 origin{world_from_model_.position.x, floor_m, world_from_model_.position.z};
  const Quat model_from_world = conjugate(rotation_of(world_from_model_));
  for (const Prop& prop : props_) {
    if (count == out.size()) break;
    if (!is_finite(prop)) continue;
    Prop& seen = out[count++];
    seen = prop;
    seen.position = rotate(model_from_world, prop.position - origin) * scale;
    seen.facing_rad = prop.facing_rad - world_from_model_.facing_rad;
    if (scale == 1) continue;
    for (PropPart& part : seen.parts) part.centre_m *= scale, part.half_m *= scale;
    seen.seat_m *= scale, seen.handle_m *= scale;
    seen.seat_half_width_m *= scale, seen.seat_half_depth_m *= scale;
  }
  return count;
}

void ControllerState::visit(StateArchive& archive, bool with_header) {
  if (with_header) archive.bits(header_);
  control::describe(archive, before_);
  control::describe(archive, now_);
  control::describe(archive, world_from_model_);
  archive.number(proportions_.legs, kMinProportion, kMaxProportion);
  archive.number(proportions_.upper, kMinProportion, kMaxProportion);
  grounding_->describe(archive);
  archive.number(ahead_s_, 0, Controller::kMaxTick_s);
  archive.finite(speed_mps_);
  archive.finite(stuck_s_);
  archive.finite(no_nearer_s_);
  archive.finite(nearest_m_);
  control::describe(archive, watched_goal_);
  archive.choice(progress_, Progress::kRecovered);
  archive.number(num_steps_, 0, std::int64_t{1} << 60);
  archive.number(num_recoveries_, 0, 1 << 30);
  if (stand_) stand_->describe(archive);
  describe(archive);
}

std::uint64_t ControllerState::hash() const {
  StateArchive archive = StateArchive::hashing();
  visit(archive, true);
  return archive.hash();
}

std::size_t Controller::state_bytes(const ControllerState& state) const {
  check_own(state);
  StateArchive archive = StateArchive::measuring();
  state.visit(archive, true);
  return archive.num_bytes();
}

void Controller::save_state(const ControllerState& state, std::span<std::byte> out) const {
  ZOE_CHECK(out.size() == state_bytes(state), "save_state: the buffer must have state_bytes()");
  StateArchive archive = StateArchive::writing(out);
  state.visit(archive, true);
}

std::vector<std::byte> Controller::save_state(const ControllerState& state) const {
  std::vector<std::byte> bytes(state_bytes(state));
  save_state(state, bytes);
  return bytes;
}

Result<void> Controller::restore_state(ControllerState& state, std::span<const std::byte> bytes) const {
  ZOE_TRY(check_header(state.header_, state_bytes(state), bytes));
  StateArchive check = StateArchive::checking(bytes);
  state.visit(check, true);
  if (check.problem() != nullptr) {
    return Error{ErrorCode::kInvalid,
                 std::string("saved state: ") + check.problem(),
                 {.byte_offset = static_cast<std::int64_t>(check.problem_at())}};
  }
  StateArchive archive = StateArchive::reading(bytes);
  state.visit(archive, true);
  display(state);
  return {};
}

void Controller::check_own(const ControllerState& state) const {
  ZOE_CHECK(state.header_.fingerprint == fingerprint_ && state.header_.type_name() == std::string_view(type()),
            "the state was made by another controller");
}

}  // namespace zoe::control
