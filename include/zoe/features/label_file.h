// SPDX-License-Identifier: MIT
// Part of Zoetrope. Labels of parts of a clip: from a file beside it, or found in the motion; as
// tracks that frame rows take.
//
// A label file is lines of "start_s,end_s,label" (comments begin with #; a first line of words is a
// heading), sorted by start, in seconds since the file's first frame:
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

// From start_s on, before end_s.
struct LabelSpan {
  double start_s = 0, end_s = 0;
  std::string label;
  int line = 0;  // In its file; 0: in none.
};

// Words that may be used. Of styles only one holds at a time, and of actions; others may overlap.
struct LabelWords {
  std::vector<std::string> styles, actions, others;

  bool empty() const { return styles.empty() && actions.empty() && others.empty(); }
};

// walk.bvh → walk.labels.csv; of a file of several clips, by the clip's name: walk.CLIP.labels.csv.
std::filesystem::path label_file_of(const std::filesystem::path& motion_file, std::string_view clip = {});

// Errors name the file, the line and the remedy: no number, end before start, not sorted, out of
// the clip (by more than a frame), a word that is not in `words` (where these are empty, any is),
// two labels of a kind at the same time. `duration_s`: of the clip, first to last frame.
Result<std::vector<LabelSpan>> parse_labels(std::string_view text, const std::string& file, const LabelWords& words,
                                            double duration_s, double fps);

// What segment_actions() finds, as idle, walk, run, turn, jump, crouch, sit, lie, move.
Result<std::vector<LabelSpan>> find_action_labels(const Motion& clip, const SkeletonAnalysis& analysis);

// "turn_left" → "turn_right", as the mirrored clip shows; other words stay. Words are parts of the
// label between anything that is no letter.
std::string mirrored_label(std::string_view label);

// Values of each label for each frame of a clip or of a piece of it.
class LabelFrames {
 public:
  LabelFrames() = default;
  // `first_s`: when the piece starts, since the clip's first frame. `mirrored`: the piece is the
  // mirror image of what the spans tell of.
  LabelFrames(const std::vector<LabelSpan>& spans, const Motion& piece, double first_s, bool mirrored = false);

  // Labels that hold in a frame at least, in the order of their first span.
  const std::vector<std::string>& names() const { return names_; }
  // Of the label's frames, by the order of names().
  float share(std::size_t label) const;
  std::vector<LabelTrack> tracks() const;  // Views; valid while this lives.

 private:
  std::vector<std::string> names_;
  std::vector<std::vector<float>> values_;  // [names][frames]
};

}  // namespace zoe::features
