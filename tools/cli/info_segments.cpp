// SPDX-License-Identifier: MIT
#include "info_segments.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace zoe::cli {
namespace {

using Json = nlohmann::ordered_json;

double rounded(double value) { return std::round(value * 1e3) / 1e3 + 0.0; }
double degrees(double rad) { return rad * 180 / std::numbers::pi; }

}  // namespace

std::vector<ClipSegments> segment_file(const io::Asset& asset, const SkeletonAnalysis& body) {
  std::vector<ClipSegments> clips;
  for (const Motion& clip : asset.clips) {
    ClipSegments& out = clips.emplace_back();
    out.clip = &clip;
    Result<std::vector<ActionSegment>> segments = segment_actions(clip, body);
    if (segments) {
      out.segments = std::move(*segments);
    } else {
      out.error = segments.error().message;
    }
  }
  return clips;
}

Json segments_to_json(const std::string& file, const std::vector<ClipSegments>& clips) {
  Json out{{"file", file}, {"clips", Json::array()}};
  for (const ClipSegments& clip : clips) {
    Json entry{{"name", clip.clip->name}, {"frames", clip.clip->num_frames}, {"fps", clip.clip->fps}};
    if (!clip.error.empty()) entry["error"] = clip.error;
    entry["segments"] = Json::array();
    for (const ActionSegment& s : clip.segments) {
      entry["segments"].push_back({{"action", to_string(s.action)},
                                   {"first_frame", s.first_frame},
                                   {"last_frame", s.last_frame},
                                   {"confidence", rounded(s.confidence)},
                                   {"distance_m", rounded(s.distance_m)},
                                   {"mean_speed_m_s", rounded(s.mean_speed_m_s)},
                                   {"max_speed_m_s", rounded(s.max_speed_m_s)},
                                   {"turn_deg", rounded(degrees(s.turn_rad))},
                                   {"hip_height_m", rounded(s.hip_height_m)},
                                   {"hip_height_share", rounded(s.hip_height_share)}});
    }
    out["clips"].push_back(std::move(entry));
  }
  return out;
}

void print_segments(const std::string& file, const std::vector<ClipSegments>& clips) {
  fmt::print("{}\n", file);
  if (clips.empty()) fmt::print("  no clips\n");
  for (const ClipSegments& clip : clips) {
    fmt::print("  {}: {} frames at {:g} fps\n", clip.clip->name, clip.clip->num_frames, clip.clip->fps);
    if (!clip.error.empty()) fmt::print("    {}\n", clip.error);
    if (!clip.segments.empty())
      fmt::print("    {:<8}{:>14}{:>9}{:>8}{:>7}{:>8}{:>8}{:>6}\n", "action", "frames", "seconds", "m", "m/s", "turn",
                 "hips m", "sure");
    for (const ActionSegment& s : clip.segments) {
      fmt::print("    {:<8}{:>14}{:>9.2f}{:>8.2f}{:>7.2f}{:>7.0f}°{:>8.2f}{:>5.0f}%\n", to_string(s.action),
                 fmt::format("{}-{}", s.first_frame, s.last_frame), (s.last_frame - s.first_frame + 1) / clip.clip->fps,
                 s.distance_m, s.mean_speed_m_s, degrees(s.turn_rad), s.hip_height_m, 100 * s.confidence);
    }
  }
}

}  // namespace zoe::cli
