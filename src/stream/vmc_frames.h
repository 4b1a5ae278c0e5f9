// SPDX-License-Identifier: MIT
// Part of Zoetrope. The messages of one VMC actor as frames. They come from a network.
#pragma once

#include <optional>

#include "zoe/stream/packet.h"

#include "stream/osc.h"

namespace zoe::stream {

class VmcFrames {
 public:
  explicit VmcFrames(std::uint32_t subject) : subject_(subject) {}
  // A datagram. now_ns: the time of frames whose sender states none.
  void add(std::span<const std::byte> datagram, std::int64_t now_ns);
  // True: `out` is the newest whole frame. A frame is whole when its time comes, or when a bone comes again. It is
  // delivered once two frames in a row have had the same bones, for the first may have begun in its middle.
  bool take(Frame& out);
  bool has_ended() const { return has_ended_; }
  const DecodeCounts& counts() const { return counts_; }

 private:
  struct Bone {
    bool is_known = false, is_fresh = false, was_fresh = false;
    Transform local;
  };
  void take_message(const OscMessage& message, std::int64_t now_ns);
  void finish_frame(std::int64_t time_ns);
  Result<SkeletonPtr> make_skeleton() const;

  std::uint32_t subject_;
  std::vector<Bone> bones_;
  Transform root_;
  bool has_ended_ = false, is_ready_ = false;
  Frame frame_;
  std::vector<int> joints_;  // Table's index of each joint after the root.
  DecodeCounts counts_;
};

}  // namespace zoe::stream
