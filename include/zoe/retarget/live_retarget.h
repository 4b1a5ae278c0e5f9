// SPDX-License-Identifier: MIT
// Part of Zoetrope. Retargets one pose at a time, for poses of a controller or a live source.
//
//   const LiveRetarget retarget = LiveRetarget::make(walker, walker_body, knight, knight_body).value();
//   Pose pose = make_pose(*knight);
//   retarget.run(state->pose(), scratch, pose);
//
// retarget() uses a whole clip and plants feet over time. This uses one pose: joints turn as their counterparts do, and
// legs reach for the source's feet, scaled by the length of the legs. A foot that is still in the source is still in
// the target.
#pragma once

#include <memory>

#include "zoe/retarget/retarget.h"

namespace zoe {

// Working memory of run(). One per thread; holds nothing between poses.
class LiveRetargetScratch {
 public:
  LiveRetargetScratch();
  ~LiveRetargetScratch();
  LiveRetargetScratch(LiveRetargetScratch&&) noexcept;
  LiveRetargetScratch& operator=(LiveRetargetScratch&&) noexcept;

 private:
  friend class LiveRetarget;
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// Immutable; may be used by several threads, each with its own scratch.
class LiveRetarget {
 public:
  // options: the reference poses, the standing pose and `ik` count. Fails as retarget() does.
  static Result<LiveRetarget> make(const SkeletonPtr& source, const SkeletonAnalysis& source_analysis,
                                   const SkeletonPtr& target, const SkeletonAnalysis& target_analysis,
                                   const RetargetOptions& options = {});
  LiveRetarget(LiveRetarget&&) noexcept;
  LiveRetarget& operator=(LiveRetarget&&) noexcept;
  ~LiveRetarget();

  LiveRetargetScratch make_scratch() const;
  // source: local transforms of the source's joints; joint 0 carries the body through the world. target: written in
  // full; sized by make_pose(). Allocates nothing.
  void run(const PoseView& source, LiveRetargetScratch& scratch, Pose& target) const;

  double scale() const;  // Target lengths over source lengths.

 private:
  struct Parts;
  explicit LiveRetarget(std::unique_ptr<const Parts> parts);
  std::unique_ptr<const Parts> parts_;
};

}  // namespace zoe
