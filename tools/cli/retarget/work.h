// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. The work of `zoe retarget` on one file, and its results.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include <nlohmann/json_fwd.hpp>

#include "zoe/author/retarget_source.h"
#include "zoe/io/asset.h"
#include "zoe/retarget/metrics.h"
#include "zoe/retarget/retarget.h"
#include "zoe/retarget/skin_stretch.h"

#include "clip_range.h"

namespace zoe::cli {

struct RetargetRequest {
  std::string clip;              // Name or number of the only one. Empty: all.
  std::string source_overrides;  // File of corrections; may be empty.
  double time_s = 0;             // .obj: time of the pose.
  ClipRange range;               // Frames of each clip to take.
  bool allow_torn = false;       // Write a result whose skin is torn.
  bool round_trip = false;       // Also retargets back and compares.
  bool draws = false;            // Keeps the source of each file as it was played, for pictures.
  // The map of joints from a file's body onto the target, or null: by roles.
  std::function<Result<JointMap>(const std::filesystem::path& input, const Skeleton& source)> map;
  RetargetOptions options;  // Reference poses are filled in, and the map.
};

// The target body; shared by all files of a folder.
struct RetargetCharacter {
  std::string file;
  CharacterPtr character;
  io::SourceInfo source;
  SkeletonAnalysis body;
  Pose reference;
  Warnings warnings;
  double allowed_stretch = 2;  // Of its skin; see allowed_stretch().
};
// reference: "auto", or "rest" or "bind" for that pose of the file, whichever pose the analysis prefers.
Result<RetargetCharacter> load_character(const std::string& file, const std::string& overrides,
                                         const std::string& reference = "auto");

struct RetargetedClip {
  std::string name;
  int num_frames = 0;
  double seconds = 0;  // Duration, without reading, analysis, measuring and writing.
  RetargetReport report;
  RetargetMetrics metrics;
  SkinStretch stretch;
  std::string stretch_joint, stretch_other;  // Names of the joints at the worst edge.
  std::optional<RoundTrip> round_trip;
  std::vector<std::string> joints;   // Names, for RoundTrip::joint_mean_deg.
  std::vector<std::string> lacking;  // Names of the joints that the round trip does not count.
  std::string step_joint;            // Name of the joint with the largest rotation.
};

struct RetargetedFile {
  std::filesystem::path input;
  std::vector<std::filesystem::path> written;
  std::vector<RetargetedClip> clips;
  Warnings warnings;
  std::shared_ptr<const io::Asset> played;  // With `draws`: the source's first clip, cut as it was retargeted.
};

// `input` is the file of `source`, for messages. `body` may be null: found here. An empty output: nothing is written. A
// format that holds one clip gets a file for each, named after the clips. `num_dropped` counts clips that lost
// calibration frames.
Result<RetargetedFile> retarget_file(const io::Asset& source, const std::filesystem::path& input,
                                     const std::filesystem::path& output, const RetargetCharacter& character,
                                     const RetargetRequest& request, const author::RetargetSource* body,
                                     std::atomic<int>& num_dropped);

// Above this multiple of the allowed stretch a skin is torn: the result is refused.
constexpr double kTorn = 2;

// A page DIR/index.html with the figures of all clips against their bars, and a sheet of poses of each file that was
// written: source above, result below. draw(file, picture) makes one.
using DrawSheet = std::function<void(const RetargetedFile&, const std::filesystem::path&)>;
Result<void> write_report(const std::filesystem::path& folder, const RetargetCharacter& character,
                          const std::vector<const RetargetedFile*>& files, const DrawSheet& draw);

nlohmann::ordered_json to_json(const RetargetedFile& file);
void print_clip(const RetargetedClip& clip);
// A line with the means and worst values of all clips, and the number of clips that miss each target.
void print_summary(const std::vector<const RetargetedClip*>& clips);

}  // namespace zoe::cli
