// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "zoe/eval/crowd_recording.h"

#include "controller/crowd_output.h"
#include "film.h"

namespace zoe::cli {

Result<CrowdOutput> record_crowd(const CrowdShot& shot, const control::Crowd& crowd) {
  constexpr double kMostBytes = 2e9;
  const std::string extension = shot.output.extension().string();
  const auto refuse = [&](std::string why) {
    return Error{ErrorCode::kUsage, std::move(why), {.file = shot.output.string()}};
  };
  if (extension != ".npz" && extension != ".glb" && extension != ".gltf") {
    return refuse("a crowd is written as .npz, .glb, .mp4, .gif, .webp or .png");
  }
  if (crowd.size() == 0) return refuse("there is no character to write: --crowd 1 or more");
  const double bytes = eval::recording_bytes(crowd, shot.seconds * shot.fps);
  if (bytes > kMostBytes) {
    return refuse(
        fmt::format("{:.1f} GB of motion: use fewer characters, fewer --seconds, or write a film", bytes * 1e-9));
  }
  const auto recording = std::make_shared<eval::CrowdRecording>(crowd, shot.fps);
  return CrowdOutput{.look = [recording](const control::Crowd& now, double) -> Result<void> {
                       recording->add(now);
                       return {};
                     },
                     .finish = [recording, output = shot.output, extension]() -> Result<void> {
                       if (extension == ".npz") return recording->write_npz(output);
                       ZOE_TRY_ASSIGN(const Motion motion, recording->joined());
                       return write_motion(motion, output);
                     }};
}

}  // namespace zoe::cli
