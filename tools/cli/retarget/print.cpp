// SPDX-License-Identifier: MIT
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "retarget/work.h"

namespace zoe::cli {
namespace {

using Json = nlohmann::ordered_json;

double five_decimals(double x) { return std::round(x * 1e5) / 1e5; }

}  // namespace

Json to_json(const RetargetedFile& file) {
  Json out{{"file", file.input.string()}, {"written", Json::array()}, {"clips", Json::array()}};
  for (const auto& path : file.written) out["written"].push_back(path.string());
  for (const RetargetedClip& clip : file.clips) {
    const RetargetMetrics& m = clip.metrics;
    Json one{{"name", clip.name},
             {"frames", clip.num_frames},
             {"frames_per_s", clip.seconds > 0 ? std::round(clip.num_frames / clip.seconds) : 0.0},
             {"scale", five_decimals(clip.report.scale)},
             {"hips_lowered_m", five_decimals(clip.report.worst_hip_drop_m)},
             {"lifted_m", five_decimals(clip.report.worst_lift_m)},
             {"detached_feet", clip.report.num_detached_feet},
             {"matched_joints", clip.report.num_matched_joints},
             {"legs", m.num_legs},
             {"arms", m.num_arms},
             {"source_slide", five_decimals(m.source_slide)},
             {"slide", five_decimals(m.slide)},
             {"contact_share", five_decimals(m.contact_share)},
             {"foot_error", five_decimals(m.mean_foot_error)},
             {"worst_foot_error", five_decimals(m.worst_foot_error)},
             {"contact_height_error", five_decimals(m.contact_height_error)},
             {"hand_error", five_decimals(m.mean_hand_error)},
             {"worst_hand_error", five_decimals(m.worst_hand_error)},
             {"end_error", five_decimals(m.mean_end_error)},
             {"source_step_deg", five_decimals(m.source_step_deg)},
             {"step_deg", five_decimals(m.step_deg)},
             {"step_joint", clip.step_joint},
             {"step_frame", m.step_frame},
             {"flips", m.num_flips},
             {"sunk", five_decimals(m.sunk)},
             {"loose_parts", clip.report.num_loose_parts},
             {"stretch", five_decimals(clip.stretch.p995)},
             {"worst_stretch", five_decimals(clip.stretch.worst)},
             {"stretch_joints", {clip.stretch_joint, clip.stretch_other}}};
    if (clip.round_trip) {
      one["round_trip_deg"] = five_decimals(clip.round_trip->mean_deg);
      one["round_trip_worst_deg"] = five_decimals(clip.round_trip->worst_deg);
      one["round_trip_joints"] = clip.round_trip->num_joints;
      one["round_trip_lacking"] = clip.lacking;
      one["round_trip_joint_deg"] = Json::object();
      for (std::size_t j = 0; j < clip.joints.size(); ++j) {
        const double angle = clip.round_trip->joint_mean_deg[j];
        if (angle > 0) one["round_trip_joint_deg"][clip.joints[j]] = five_decimals(angle);
      }
    }
    out["clips"].push_back(std::move(one));
  }
  return out;
}

void print_clip(const RetargetedClip& clip) {
  const RetargetMetrics& m = clip.metrics;
  fmt::print(
      "{}: {} joints, {} legs and {} arms matched, scale {:.4g}; feet off by {:.1f} % of the leg "
      "(worst {:.0f} %), hands "
      "{:.1f} % ({:.0f} %); slide {:.3f} legs/s (source {:.3f}); largest turn {:.0f} deg a frame "
      "({:.0f}), {} flips",
      clip.name, clip.report.num_matched_joints, m.num_legs, m.num_arms, clip.report.scale, 100 * m.mean_foot_error,
      100 * m.worst_foot_error, 100 * m.mean_hand_error, 100 * m.worst_hand_error, m.slide, m.source_slide, m.step_deg,
      m.source_step_deg, m.num_flips);
  if (clip.round_trip) {
    fmt::print("; round trip {:.2f} deg on average, {:.0f} at worst, {} joints, without {}", clip.round_trip->mean_deg,
               clip.round_trip->worst_deg, clip.round_trip->num_joints, clip.lacking.size());
  }
  fmt::print("\n");
}

void print_summary(const std::vector<const RetargetedClip*>& clips) {
  if (clips.empty()) return;
  double foot = 0, hand = 0, slide = 0, source_slide = 0, trip = 0, seconds = 0;
  int frames = 0, flips = 0, trips = 0, bad_slide = 0, bad_foot = 0, bad_hand = 0, bad_flip = 0, bad_trip = 0;
  for (const RetargetedClip* clip : clips) {
    const RetargetMetrics& m = clip->metrics;
    foot += m.mean_foot_error;
    hand += m.mean_hand_error;
    slide += m.slide;
    source_slide += m.source_slide;
    flips += m.num_flips;
    frames += clip->num_frames;
    seconds += clip->seconds;
    bad_slide += m.slide > 1.2 * m.source_slide ? 1 : 0;
    bad_foot += m.mean_foot_error > 0.05 ? 1 : 0;
    bad_hand += m.mean_hand_error > 0.05 ? 1 : 0;
    bad_flip += m.num_flips > 0 ? 1 : 0;
    if (!clip->round_trip) continue;
    ++trips;
    trip += clip->round_trip->mean_deg;
    bad_trip += clip->round_trip->mean_deg > 2 ? 1 : 0;
  }
  const auto n = static_cast<double>(clips.size());
  fmt::print("{} clips, {} frames, {:.0f} frames/s of one thread\n", clips.size(), frames,
             seconds > 0 ? frames / seconds : 0.0);
  fmt::print("  slide {:.3f} legs/s, source {:.3f}; {} clips over 1.2 times the source's\n", slide / n,
             source_slide / n, bad_slide);
  fmt::print("  feet off by {:.2f} % of the leg, {} clips over 5 %; hands {:.2f} % of the arm, {} clips\n",
             100 * foot / n, bad_foot, 100 * hand / n, bad_hand);
  fmt::print("  {} flips in {} clips\n", flips, bad_flip);
  if (trips > 0) fmt::print("  round trip: {:.2f} degrees, {} clips over 2\n", trip / trips, bad_trip);
}

}  // namespace zoe::cli
