// SPDX-License-Identifier: MIT
// Part of Zoetrope. People to VTuber programs by the Virtual Motion Capture Protocol. Actor n goes to port + n: the
// protocol has no place for its name.
#include <fmt/format.h>
#include <sys/socket.h>

#include "zoe/core/index.h"

#include "stream/links.h"
#include "stream/osc.h"
#include "stream/pieces.h"
#include "stream/sockets.h"
#include "stream/vmc_bones.h"

namespace zoe::stream {
namespace {

// Unity's space is left-handed: x is mirrored.
OscText& append_transform(OscText& message, Vec3 p, Quat q) {
  for (const float value : {-p.x, p.y, p.z, q.x, -q.y, -q.z, q.w}) message.number(value);
  return message;
}

// The poses of one person as bones whose rotations are those from the T-pose that looks along +Z, which is how
// characters of VRM 0.x lie in memory.
class VmcActor {
 public:
  VmcActor(const Subject& subject, Socket socket) : skeleton_(subject.skeleton), socket_(std::move(socket)) {
    std::vector<int> at(vmc_bones().size(), -1);  // Index in bones_.
    std::vector<int> joint_of(vmc_bones().size(), kNoJoint);
    for (const HumanBone& bone : subject.humanoid->bones)
      if (const int index = find_vrm_bone(bone.name); index >= 0) joint_of[idx(index)] = bone.joint;
    for (std::size_t i = 0; i < joint_of.size(); ++i) {
      if (joint_of[i] == kNoJoint) continue;
      int above = vmc_bones()[i].parent;
      while (above >= 0 && at[idx(above)] < 0) above = vmc_bones()[idx(above)].parent;
      at[i] = static_cast<int>(bones_.size());
      bones_.push_back({.name = vmc_bones()[i].vmc,
                        .joint = joint_of[i],
                        .parent = above < 0 ? -1 : at[idx(above)],
                        .to_t_pose = conjugate(subject.humanoid->t_pose[idx(joint_of[i])])});
    }
    model_.resize(idx(skeleton_->num_joints()));
    rotations_.resize(model_.size());
  }

  void send(std::int64_t time_ns, const PoseView& pose, LinkCounts& counts) {
    compute_model_from_joint(*skeleton_, pose, model_);
    for (int j = 0; j < skeleton_->num_joints(); ++j) {
      const int parent = skeleton_->parent(j);
      const Quat above = parent == kNoJoint ? Quat{} : rotations_[idx(parent)];
      rotations_[idx(j)] = normalized(above * pose.rotations[idx(j)]);
    }
    bool is_sent = true;
    OscBundles bundles(kDatagramBytes, [&](std::span<const std::byte> datagram) { is_sent &= transmit(datagram); });
    bundles.add(OscText("/VMC/Ext/OK").integer(1).bytes());
    bundles.add(append_transform(OscText("/VMC/Ext/Root/Pos").text("root"), {}, {}).bytes());
    for (const Bone& bone : bones_) {
      const Quat turned = normalized(rotations_[idx(bone.joint)] * bone.to_t_pose);
      Vec3 position = model_[idx(bone.joint)].t;
      Quat rotation = turned;
      if (bone.parent >= 0) {
        const Bone& above = bones_[idx(bone.parent)];
        const Quat back = conjugate(normalized(rotations_[idx(above.joint)] * above.to_t_pose));
        position = rotate(back, position - model_[idx(above.joint)].t);
        rotation = normalized(back * turned);
      }
      bundles.add(append_transform(OscText("/VMC/Ext/Bone/Pos").text(bone.name), position, rotation).bytes());
    }
    // Last: it ends the frame.
    bundles.add(OscText("/VMC/Ext/T").number(static_cast<float>(static_cast<double>(time_ns) * 1e-9)).bytes());
    bundles.flush();
    ++(is_sent ? counts.sent : counts.dropped);
  }

  void end() { transmit(OscText("/VMC/Ext/OK").integer(0).bytes()); }

 private:
  struct Bone {
    std::string name;
    int joint = kNoJoint, parent = -1;  // Parent: in bones_.
    Quat to_t_pose;
  };
  bool transmit(std::span<const std::byte> datagram) {
    // Without a listener send() reports the error of an earlier datagram: try once more.
    for (int attempt = 0; attempt < 2; ++attempt)
      if (::send(socket_.fd(), datagram.data(), datagram.size(), MSG_DONTWAIT | MSG_NOSIGNAL) >= 0) return true;
    return false;
  }

  SkeletonPtr skeleton_;
  Socket socket_;
  std::vector<Bone> bones_;
  std::vector<Affine> model_;
  std::vector<Quat> rotations_;  // Model space.
};

class VmcSender : public PoseSender {
 public:
  explicit VmcSender(LinkAddress address) : address_(std::move(address)) {}

  Result<void> add(const Subject& subject) override {
    if (subject.humanoid == nullptr || subject.humanoid->bones.empty()) {
      return Error{ErrorCode::kUnsupported,
                   fmt::format("vmc:// carries people, and no bones of one were found in '{}'", subject.name),
                   {}};
    }
    ZOE_CHECK(subject.humanoid->t_pose.size() == idx(subject.skeleton->num_joints()), "one T-pose rotation a joint");
    LinkAddress to = address_;
    to.port += static_cast<int>(actors_.size());
    if (to.port > 65535) return Error{ErrorCode::kUsage, "more actors than ports", {}};
    ZOE_TRY_ASSIGN(Socket socket, udp_sender(to));
    actors_.erase(subject.id);
    actors_.emplace(subject.id, VmcActor(subject, std::move(socket)));
    return {};
  }
  void send(std::uint32_t subject, std::int64_t time_ns, const PoseView& pose) override {
    if (const auto found = actors_.find(subject); found != actors_.end()) found->second.send(time_ns, pose, counts_);
  }
  void end() override {
    for (auto& [id, actor] : actors_) actor.end();
  }
  LinkCounts counts() const override { return counts_; }

 private:
  LinkAddress address_;
  std::map<std::uint32_t, VmcActor> actors_;
  LinkCounts counts_;
};

}  // namespace

Result<std::unique_ptr<PoseSender>> open_vmc_sender(const LinkAddress& address) {
  if (address.port == 0) return Error{ErrorCode::kUsage, "vmc:// sends to a port; programs listen on 39539", {}};
  return std::unique_ptr<PoseSender>(std::make_unique<VmcSender>(address));
}

}  // namespace zoe::stream
