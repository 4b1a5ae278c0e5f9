// SPDX-License-Identifier: MIT
// Part of Zoetrope. State of one character of motion matching between steps.
#pragma once

#include "control/match/steering.h"

namespace zoe::control {

class MatchState final : public SteeredState {
 public:
  MatchState(const Body& body, const FeatureSpace& space, const MatchOptions& options, int num_frames)
      : SteeredState(body, space, options), current(query), num_frames_(num_frames) {}

  int frame = 0;  // The playing frame.
  MatchReport report;
  int last_match = -1;
  std::uint64_t searched_all_of = 0, searched_none_of = 0;  // Tags at the last search.
  std::vector<float> current;                               // [dims]

 protected:
  // `current` is computed by each search.
  void describe(StateArchive& archive) override {
    SteeredState::describe(archive);
    archive.number(frame, 0, num_frames_ - 1);
    archive.number(last_match, -1, num_frames_ - 1);
    archive.bits(searched_all_of);
    archive.bits(searched_none_of);
    describe_report(archive);
  }

 private:
  void describe_report(StateArchive& archive) {
    MatchQuery& asked = report.query;
    archive.number(report.frame, 0, num_frames_ - 1);
    archive.number(report.num_searches, 0, std::int64_t{1} << 60);
    archive.number(report.num_switches, 0, std::int64_t{1} << 60);
    archive.bits(report.cost);
    archive.bits(asked.all_of);
    archive.bits(asked.none_of);
    archive.bits(asked.skip_begin);
    archive.bits(asked.skip_end);
    archive.bits(asked.max_cost);
    archive.bits(std::span(asked.hints));
    bool has_asked = !asked.features.empty();
    archive.flag(has_asked);
    if (archive.reads()) asked.features = has_asked ? std::span<const float>(query) : std::span<const float>();
  }

  int num_frames_;
};

// A character that another model moved so far. Poses are in the root's space, velocities in its axes.
struct MatchBegin {
  int frame = 0;  // Of the database. It plays next.
  const Pose* shown = nullptr;
  const Pose* shown_before = nullptr;  // One step of the database's rate before.
  PlanarRoot root;
  Vec3 velocity_mps;
  float turn_speed_rad_s = 0;
  const FootLockState* feet = nullptr;
};
// Continues from there: the pose blends into the frame, and feet stay locked. `controller` must be motion matching.
void begin_match(const Controller& controller, ControllerState& state, const MatchBegin& begin) noexcept;

}  // namespace zoe::control
