// SPDX-License-Identifier: MIT
// Part of Zoetrope. A body that follows a stream of poses, falls when it is pushed too hard, and gets up again.
//
//   physics::ReactiveBody body(model);
//   body.reset(pose, ground_m);
//   body.tick(target, push_n);   // Every 1/60 s.
//   show(body.pose());
//
// A stream goes on while its body lies on the ground. The body gets up where it is, and follows the stream from there:
// the stream is moved and turned over the ground by placement(). Nothing is teleported.
#pragma once

#include "zoe/physics/tracking_policy.h"

namespace zoe::physics {

enum class Reaction : std::uint8_t { kFollow, kFall, kGetUp };
const char* to_string(Reaction reaction);

struct ReactionOptions {
  double assist_share = 1.2;  // Of the weight: limit of the assist while following.
  double get_up_share = 2;    // Likewise while getting up.
  double limp_scale = 0.06;   // Of the servos' gains while falling.
  double lost_share = 0.3;    // Of the height: a root farther from its target lets go and falls.
  double rest_m_s = 0.3;      // Slower bones, on average, lie still,
  double rest_s = 0.4;        // and after this time the body gets up,
  double longest_fall_s = 4;  // or after this time anyway.
  double get_up_s = 1.8;
  double slack_share = 0.06;      // Of the height: a body farther from its target while following moves the stream,
  double give_way_m_s = 0;        // at most this fast. 0: it is pulled back instead.
  TrackingPolicyPtr policy = {};  // A learned residual while following,
  double policy_share = 1;        // and the share of its offsets that is used.
};

// Where the stream's world lies in the body's: turned about +Y, then moved. Units of the skeleton.
struct Placement {
  Vec3 shift;
  float yaw_rad = 0;
};

struct ReactionReport {
  Reaction reaction = Reaction::kFollow;
  double assist_n = 0;
  bool went_bad = false;
};

// What a body of a world does in a tick. Valid until finish().
struct PreparedTick {
  PoseView target;
  TickOptions options;
};

// Sized once; ticks never allocate.
class ReactiveBody {
 public:
  explicit ReactiveBody(BodyModelPtr model, const ReactionOptions& options = {});
  // Over a body of a World, which outlives this one: prepare() all bodies, World::tick(), finish() all.
  ReactiveBody(BodyModelPtr model, BodyState& of_world, const ReactionOptions& options = {});
  ~ReactiveBody();
  ReactiveBody(ReactiveBody&&) noexcept;
  ReactiveBody& operator=(ReactiveBody&&) noexcept;

  void reset(const PoseView& pose, double ground_y_m = 0);
  // The same with the velocity from `pose` to `next` one tick later: a clip may begin in the middle of a run.
  void reset_moving(const PoseView& pose, const PoseView& next, double ground_y_m);
  // push_n: world space, on the root bone.
  ReactionReport tick(const PoseView& target, Vec3d push_n = {});
  // The two parts of a tick. `target` stays valid until finish().
  PreparedTick prepare(const PoseView& target, Vec3d push_n = {});
  ReactionReport finish(const TickReport& ticked);

  const Pose& pose() const;  // Simulated; local transforms.
  const BodyState& state() const;
  Reaction reaction() const;
  Placement placement() const;
  // The stream itself was moved by placement(): from the next tick on targets come from there.
  void take_placement();
  int num_falls() const;
  int num_get_ups() const;  // Completed.

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace zoe::physics
