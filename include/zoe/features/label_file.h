// SPDX-License-Identifier: MIT
// Part of Zoetrope. Labels of parts of a clip, from a file beside it or detected in the motion, as tracks for frame
// rows.
//
// A label file has lines of "start_s,end_s,label" (comments begin with #; a first line of words is a heading), sorted
// by start, in seconds since the file's first frame:
//
//   start_s,end_s,label
//   0,2.4,walk
//   2.4,3.1,jump
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "zoe/anatomy/analysis.h"
#include "zoe/core/result.h"
#include "zoe/features/frame_rows.h"

namespace zoe::features {

// From start_s (included) to end_s (excluded).
struct LabelSpan {
  double start_s = 0, end_s = 0;
  std::string label;
  int line = 0;  // Line in its file. 0: none.
};

// Allowed words. Only one style holds at a time, and only one action. Others may overlap.
struct LabelWords {
  std::vector<std::string> styles, actions, others;

  bool empty() const { return styles.empty() && actions.empty() && others.empty(); }
};

// walk.bvh → walk.labels.csv. For a file of several clips, with the clip's name: walk.CLIP.labels.csv.
std::filesystem::path label_file_of(const std::filesystem::path& motion_file, std::string_view clip = {});

// Errors name the file, the line and the remedy: no number, end before start, not sorted, outside the clip (by more
// than a frame), a word that is not in `words` (empty: any word is allowed), two labels of a type at the same time.
// `duration_s`: of the clip, first to last frame.
Result<std::vector<LabelSpan>> parse_labels(std::string_view text, const std::string& file, const LabelWords& words,
                                            double duration_s, double fps);

// The result of segment_actions() as idle, walk, run, turn, jump, crouch, sit, lie, move.
Result<std::vector<LabelSpan>> find_action_labels(const Motion& clip, const SkeletonAnalysis& analysis);

// "turn_left" → "turn_right", for the mirrored clip; other words stay. Words are parts of the label separated by
// non-letters.
std::string mirrored_label(std::string_view label);

// Values of each label for each frame of a clip or of a piece of it.
class LabelFrames {
 public:
  LabelFrames() = default;
  // `first_s`: start of the piece, since the clip's first frame. `mirrored`: the piece is the mirror image of the clip
  // of the spans.
  LabelFrames(const std::vector<LabelSpan>& spans, const Motion& piece, double first_s, bool mirrored = false);

  // Labels that hold in at least one frame, in the order of their first span.
  const std::vector<std::string>& names() const { return names_; }
  // Fraction of frames with the label, in the order of names().
  float share(std::size_t label) const;
  std::vector<LabelTrack> tracks() const;  // Views; valid while this object exists.

 private:
  std::vector<std::string> names_;
  std::vector<std::vector<float>> values_;  // [names][frames]
};

}  // namespace zoe::features
