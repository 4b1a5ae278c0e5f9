// SPDX-License-Identifier: MIT
// Part of Zoetrope. What links that carry packets share: subjects, sequence numbers, skeletons each second.
#pragma once

#include <chrono>
#include <map>

#include "zoe/stream/link.h"

namespace zoe::stream {

inline std::int64_t steady_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

class PacketSender : public PoseSender {
 public:
  Result<void> add(const Subject& subject) override {
    if (static_cast<std::uint32_t>(subject.skeleton->num_joints()) > kMaxPacketJoints)
      return Error{ErrorCode::kLimit, "more than 4096 joints do not fit into a packet", {}};
    subjects_[subject.id] = {.skeleton = skeleton_packet(subject), .hash = packet_hash(subject)};
    transmit(subjects_[subject.id].skeleton);
    return {};
  }

  void send(std::uint32_t subject, std::int64_t time_ns, const PoseView& pose) override {
    const auto found = subjects_.find(subject);
    if (found == subjects_.end()) return;
    Sent& sent = found->second;
    const std::int64_t now_ns = steady_ns();
    if (now_ns - sent.skeleton_ns > 1'000'000'000) {
      transmit(sent.skeleton);
      sent.skeleton_ns = now_ns;
    }
    write_pose_packet({.subject = subject,
                       .skeleton_hash = sent.hash,
                       .sequence = sent.sequence++,
                       .time_ns = time_ns,
                       .sent_ns = now_ns},
                      pose, packet_);
    transmit(packet_);
  }

  void end() override {
    for (const auto& [id, sent] : subjects_) {
      write_end_packet(id, packet_);
      transmit(packet_);
    }
  }

 protected:
  template <class Use>
  void for_each_skeleton(const Use& use) const {
    for (const auto& [id, sent] : subjects_) use(std::span<const std::byte>(sent.skeleton));
  }
  // To all receivers, without waiting.
  virtual void transmit(std::span<const std::byte> packet) = 0;

 private:
  struct Sent {
    std::vector<std::byte> skeleton;
    std::uint64_t hash = 0, sequence = 0;
    std::int64_t skeleton_ns = 0;
  };
  std::map<std::uint32_t, Sent> subjects_;
  std::vector<std::byte> packet_;
};

// Decodes what next_packet() brings.
class PacketReceiver : public PoseReceiver {
 public:
  Got receive(Frame& out, int wait_ms) override {
    const std::int64_t until_ns = steady_ns() + std::int64_t{wait_ms} * 1'000'000;
    for (;;) {
      const std::int64_t left_ms = (until_ns - steady_ns()) / 1'000'000;
      bool is_over = false;
      const std::span<const std::byte> packet = next_packet(static_cast<int>(left_ms > 0 ? left_ms : 0), is_over);
      if (packet.empty()) {
        if (is_over) return Got::kEnd;
        if (left_ms <= 0) return Got::kNothing;
        continue;
      }
      switch (decoder_.decode(packet, out)) {
        case PacketDecoder::Got::kPose:
          return Got::kPose;
        case PacketDecoder::Got::kEnd:
          return Got::kEnd;
        case PacketDecoder::Got::kNothing:
          break;
      }
    }
  }
  DecodeCounts counts() const override { return decoder_.counts(); }

 protected:
  // One whole packet, valid until the next call; empty after wait_ms. is_over: the sender is gone.
  virtual std::span<const std::byte> next_packet(int wait_ms, bool& is_over) = 0;

 private:
  PacketDecoder decoder_;
};

}  // namespace zoe::stream
