// SPDX-License-Identifier: MIT
// Part of Zoetrope. Folders of motion files, datasets and runs as windows of motion, with their names and labels: what
// distances and maps are made of.
#pragma once

#include <filesystem>
#include <functional>
#include <span>

#include "zoe/eval/frechet.h"
#include "zoe/eval/motion_encoder.h"

namespace zoe::eval {

struct DescribedClip {
  std::string source;  // "FOLDER/below/walk.bvh", and FILE:CLIP for one of several clips of a file.
  std::string folder;  // Name of the folder of the file.
  // Of the clip: its name in a file of several clips, else the words of the file's name without numbers ("walk_happy"
  // of "walk_happy_012"), else its folder. A dataset's own labels count first.
  std::string label;
  BodyFamily family = BodyFamily::kOther;
  double seconds = 0;
  std::vector<MotionWindows> versions;  // One, unless DescribeOptions says otherwise.
};

// `source` identifies the clip, for random numbers that do not depend on the other clips.
using DescribeClip = std::function<Result<std::vector<MotionWindows>>(const Motion& clip, const SkeletonAnalysis& body,
                                                                      const std::string& source)>;

struct DescribeOptions {
  double hop_s = 1;
  DescribeClip describe;                                  // Null: describe_windows(). Called from several threads.
  std::function<bool(const std::string& source)> accept;  // Null: every file. By the name of the file.
  std::function<void(std::size_t num_files)> on_start;    // Before the first file, if any.
  std::function<void()> on_file;                          // After each file. Called from several threads.
};

// Inputs are motion files, folders of them with their subfolders, datasets, and runs of `zoe train controller`: a run
// gives the clips of its dataset and the motion of its controller on every course (folder "controller"). Clips without
// windows are left out. Files that cannot be read are warnings. Fails on an input that does not exist, and where
// nothing is left. Files are read by all threads; the result does not depend on their number.
Result<std::vector<DescribedClip>> describe_clips(std::span<const std::filesystem::path> inputs,
                                                  const DescribeOptions& options, Warnings& warnings);

// Codes of one version of all clips. Without an encoder: the columns of the windows themselves.
CodeSet encode_clips(std::span<const DescribedClip> clips, const MotionEncoder* encoder, std::size_t version = 0);

}  // namespace zoe::eval
