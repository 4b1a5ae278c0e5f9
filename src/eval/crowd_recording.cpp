// SPDX-License-Identifier: MIT
#include "zoe/eval/crowd_recording.h"

#include <fmt/format.h>

#include "zoe/io/npz_file.h"

namespace zoe::eval {

CrowdRecording::CrowdRecording(const control::Crowd& crowd, double fps)
    : fps_(fps), skeleton_(crowd.controller().skeleton()), num_characters_(static_cast<std::size_t>(crowd.size())) {}

void CrowdRecording::add(const control::Crowd& crowd) {
  ZOE_CHECK(static_cast<std::size_t>(crowd.size()) == num_characters_, "a recording is of one crowd");
  for (int i = 0; i < crowd.size(); ++i) {
    const control::ControllerState& state = crowd.state(i);
    const PlanarRoot& root = state.root();
    roots_.insert(roots_.end(), {root.position.x, root.position.y, root.position.z, root.facing_rad});
    const PoseView pose = state.pose();
    translations_.insert(translations_.end(), pose.translations.begin(), pose.translations.end());
    rotations_.insert(rotations_.end(), pose.rotations.begin(), pose.rotations.end());
    contacts_.insert(contacts_.end(), state.contacts().begin(), state.contacts().end());
    num_contacts_ = state.contacts().size();
  }
  ++num_frames_;
}

Result<void> CrowdRecording::write_npz(const std::filesystem::path& file) const {
  const std::size_t frames = num_frames_, n = num_characters_;
  const auto joints = static_cast<std::size_t>(skeleton_->num_joints());
  std::vector<std::string> names;
  for (std::size_t j = 0; j < joints; ++j) names.push_back(skeleton_->name(static_cast<int>(j)));
  const Array name_array = string_array(names);
  const std::vector<std::int32_t> parents(skeleton_->parents().begin(), skeleton_->parents().end());
  std::vector<float> positions, turns;
  positions.reserve(translations_.size() * 3);
  for (const Vec3& v : translations_) positions.insert(positions.end(), {v.x, v.y, v.z});
  turns.reserve(rotations_.size() * 4);
  for (const Quat& q : rotations_) turns.insert(turns.end(), {q.x, q.y, q.z, q.w});
  const std::vector<double> fps{fps_};
  const NamedArray arrays[] = {{"roots", view_of(roots_, {frames, n, 4})},
                               {"translations", view_of(positions, {frames, n, joints, 3})},
                               {"rotations", view_of(turns, {frames, n, joints, 4})},
                               {"contacts", view_of(contacts_, {frames, n, num_contacts_})},
                               {"parents", view_of(parents)},
                               {"joints", name_array.view()},
                               {"fps", view_of(fps)}};
  return io::write_npz(file, arrays, {.compression = 1});
}

Result<Motion> CrowdRecording::joined() const {
  const int joints = skeleton_->num_joints();
  std::vector<JointDesc> descs;
  for (std::size_t i = 0; i < num_characters_; ++i) {
    for (JointDesc desc : skeleton_->joints()) {
      desc.name = fmt::format("{}:{}", i, desc.name);
      if (desc.parent != kNoJoint) desc.parent += static_cast<int>(i) * joints;
      descs.push_back(std::move(desc));
    }
  }
  ZOE_TRY_ASSIGN(SkeletonPtr skeleton, Skeleton::create(std::move(descs)));
  Motion motion = make_motion(std::move(skeleton), "crowd", fps_, static_cast<int>(num_frames_), false);
  motion.translations = translations_;
  motion.rotations = rotations_;
  make_continuous(motion);
  return motion;
}

double recording_bytes(const control::Crowd& crowd, double num_frames) {
  return num_frames * crowd.size() * crowd.controller().skeleton()->num_joints() * (sizeof(Vec3) + sizeof(Quat));
}

}  // namespace zoe::eval
