// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. What `zoe stream` sends: clips, controllers that follow a command, and recordings.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "zoe/character/pose.h"
#include "zoe/core/result.h"
#include "zoe/motion/motion.h"
#include "zoe/stream/packet_file.h"
#include "zoe/stream/subject.h"

#include "stream/style.h"

namespace zoe::cli {

struct StreamRequest {
  std::vector<std::string> sources;
  std::string to, from, output, clip, command = "move 0 1.2", token, peer;
  double seconds = 0, fps = 60, idle_s = 5;
  int actors = 1, receivers = 0;
  bool loop = false;
  StreamStyle style;
};

// Poses by time: a clip, or a character that follows a command.
struct StreamSource {
  stream::Subject subject;
  double seconds = 0;  // 0: without end.
  std::function<PoseView(double time_s)> pose_at;
};

// The bones and the T-pose of a person, from its skeleton and clips. `path` is for messages.
Result<std::shared_ptr<const stream::Humanoid>> humanoid_of(const SkeletonPtr& skeleton, std::vector<Motion> clips,
                                                            const std::string& path);

bool is_recording(const std::string& path);
// `id` is the subject's. needs_humanoid: for VTuber programs.
Result<StreamSource> open_source(const std::string& path, const StreamRequest& request, std::uint32_t id,
                                 bool needs_humanoid);

}  // namespace zoe::cli
