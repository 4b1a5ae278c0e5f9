// SPDX-License-Identifier: MIT
#include <cmath>

#include <fmt/format.h>

#include "zoe/io/npz_file.h"

#include "controller/crowd_watcher.h"
#include "controller/film.h"

namespace zoe::cli {
namespace {

constexpr double kMostBytes = 2e9;

class Recorder final : public CrowdWatcher {
 public:
  Recorder(const CrowdShot& shot, const control::Crowd& crowd)
      : output_(shot.output),
        fps_(shot.fps),
        skeleton_(crowd.controller().skeleton()),
        num_characters_(static_cast<std::size_t>(crowd.size())) {}

  Result<void> look(const control::Crowd& crowd, double /*time_s*/) override {
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
    return {};
  }

  Result<void> finish() override {
    if (output_.extension() == ".npz") return write_arrays();
    ZOE_TRY_ASSIGN(const Motion motion, everybody());
    return write_motion(motion, output_);
  }

 private:
  Result<void> write_arrays() const {
    const std::size_t frames = num_frames_, n = num_characters_;
    const auto joints = static_cast<std::size_t>(skeleton_->num_joints());
    std::vector<std::string> names;
    for (std::size_t j = 0; j < joints; ++j) names.push_back(skeleton_->name(static_cast<int>(j)));
    const Array name_array = string_array(names);
    const std::vector<std::int32_t> parents(skeleton_->parents().begin(), skeleton_->parents().end());
    std::vector<float> places, turns;
    places.reserve(translations_.size() * 3);
    for (const Vec3& v : translations_) places.insert(places.end(), {v.x, v.y, v.z});
    turns.reserve(rotations_.size() * 4);
    for (const Quat& q : rotations_) turns.insert(turns.end(), {q.x, q.y, q.z, q.w});
    const std::vector<double> fps{fps_};
    const NamedArray arrays[] = {{"roots", view_of(roots_, {frames, n, 4})},
                                 {"translations", view_of(places, {frames, n, joints, 3})},
                                 {"rotations", view_of(turns, {frames, n, joints, 4})},
                                 {"contacts", view_of(contacts_, {frames, n, num_contacts_})},
                                 {"parents", view_of(parents)},
                                 {"joints", name_array.view()},
                                 {"fps", view_of(fps)}};
    return io::write_npz(output_, arrays, {.compression = 1});
  }

  // Everybody's joints in one skeleton, each with the character's number before its name.
  Result<Motion> everybody() const {
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

  std::filesystem::path output_;
  double fps_;
  SkeletonPtr skeleton_;
  std::size_t num_characters_, num_contacts_ = 0, num_frames_ = 0;
  std::vector<float> roots_, contacts_;  // [frames × characters × 4], [… × contacts]
  std::vector<Vec3> translations_;       // [frames × characters × joints]
  std::vector<Quat> rotations_;
};

}  // namespace

Result<std::unique_ptr<CrowdWatcher>> record_crowd(const CrowdShot& shot, const control::Crowd& crowd) {
  const std::string extension = shot.output.extension().string();
  const auto refuse = [&](std::string why) {
    return Error{ErrorCode::kUsage, std::move(why), {.file = shot.output.string()}};
  };
  if (extension != ".npz" && extension != ".glb" && extension != ".gltf") {
    return refuse("a crowd is written as .npz, .glb, .mp4, .gif, .webp or .png");
  }
  if (crowd.size() == 0) return refuse("there is no character to write: --crowd 1 or more");
  const double bytes = shot.seconds * shot.fps * crowd.size() * crowd.controller().skeleton()->num_joints() *
                       (sizeof(Vec3) + sizeof(Quat));
  if (bytes > kMostBytes) {
    return refuse(fmt::format("{:.1f} GB of motion: fewer characters or --seconds, or a film", bytes * 1e-9));
  }
  return std::unique_ptr<CrowdWatcher>(std::make_unique<Recorder>(shot, crowd));
}

}  // namespace zoe::cli
