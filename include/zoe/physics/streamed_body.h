// SPDX-License-Identifier: MIT
// Part of Zoetrope. A simulated body over a running character: its poses come in at any rate, simulated ones go out,
// and the character's root is asked to follow the body.
//
//   physics::StreamedBody body(model);
//   show(body.run(character.pose(), dt_s));
//   if (body.moves()) move(character, body.move()), body.take_move();   // Where the body was pushed, or where it lies.
#pragma once

#include "zoe/physics/reactive_body.h"

namespace zoe::physics {

struct StreamFigures {
  double seconds = 0, down_s = 0;
  double mean_error_m = 0;  // Of the bones' origins, while the body follows.
  double mean_assist_n = 0;
  int num_falls = 0, num_get_ups = 0, num_bad = 0;
  double largest_step_m = 0;  // Of the root between two ticks.
  // Of soles, as TrackReport has them; while the body follows.
  double penetration_m = 0, target_penetration_m = 0, slide_m_s = 0, target_slide_m_s = 0, slip_m_s = 0,
         target_slip_m_s = 0;
  std::uint64_t hash = 0;  // Of all states.
};

// Sized once; calls never allocate.
class StreamedBody {
 public:
  // ground_y_m: see BodyState::reset().
  explicit StreamedBody(BodyModelPtr model, const ReactionOptions& options = {.give_way_m_s = 1},
                        double ground_y_m = 0);
  ~StreamedBody();
  StreamedBody(StreamedBody&&) noexcept;
  StreamedBody& operator=(StreamedBody&&) noexcept;

  // The first pose is taken as it is. The result is valid until the next call. Times that are no ticks are kept for the
  // next call, at most a quarter of a second.
  PoseView run(const PoseView& pose, double dt_s);
  // A force on the root bone from the next tick on, world space.
  void push(Vec3d force_n, double seconds = 0.2);

  bool is_down() const;  // Falls, lies or gets up: the character should stand.
  // Where a point and a facing of the character belong, as of the last run().
  bool moves() const;
  Placement move() const;
  void take_move();

  Reaction reaction() const;
  const BodyState& state() const;
  StreamFigures figures() const;

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace zoe::physics
