// SPDX-License-Identifier: MIT
// Part of Zoetrope. From frame rows to a clip of a motion database.
#pragma once

#include "zoe/control/match/database.h"
#include "zoe/features/decode.h"

namespace zoe::control {

class ClipDecoder {
 public:
  static Result<ClipDecoder> create(const features::Layout& layout, const SkeletonPtr& skeleton);

  // Joints whose places are decoded: hips, and what hangs on no decoded joint.
  const std::vector<int>& moving_joints() const { return moving_joints_; }
  const std::vector<int>& contact_joints() const { return contact_joints_; }

  // Fails on no rows and on numbers that are not finite.
  Result<DatabaseClip> decode(const DatabaseSource& source);

 private:
  ClipDecoder(const features::Layout& layout, features::Decoder decoder);
  std::uint64_t tags_of(const float* row) const;

  const features::Layout* layout_;
  features::Decoder decoder_;
  features::DecodedFrame frame_;
  Pose pose_;
  std::vector<float> values_;
  std::vector<int> moving_joints_, contact_joints_;
  std::vector<int> tag_columns_;  // Of a row, by tag.
};

}  // namespace zoe::control
