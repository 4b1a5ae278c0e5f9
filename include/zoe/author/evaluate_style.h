// SPDX-License-Identifier: MIT
// Part of Zoetrope. Measures of style transfer by judges that no model was trained with: real clips first, then trivial
// methods, then a model.
#pragma once

#include "zoe/author/style_clips.h"
#include "zoe/author/style_judges.h"
#include "zoe/style/stylize.h"

namespace zoe::author {

// Means over judges of several seeds, and over windows.
struct StyleScores {
  std::string method;
  std::size_t num_clips = 0, num_windows = 0;
  std::array<double, 3> accuracy{};  // Content, style, style by dynamics alone; see kJudgeRoles.
  std::array<double, 3> lowest{};    // Of the seeds.
  std::array<double, 3> highest{};
  double frechet = 0;  // Of codes of the first judge of content, from real held-out clips of the target style; mean.
  double skate = 0;    // Fraction of frames with a low toe that is faster than 25 cm/s.
  double jerk = 0;     // Mean, m/s³.
  struct Part {
    std::array<double, 3> accuracy{};
    double skate = 0, jerk = 0;
    std::size_t num_windows = 0;
  };
  std::vector<Part> by_content, by_style;  // Of the source's content, and of the target style.
};

struct StyleReport {
  std::string judges_hash;
  std::vector<std::string> styles, contents;
  int num_training = 0, num_held_out = 0;
  StyleScores real;                  // Held-out clips as they are.
  std::vector<StyleScores> methods;  // All targets but the clip's own style.
  // Of a model.
  double identity_cm = 0;                 // Mean distance of joints from the clip, in its own style.
  int num_pairs = 0, num_violations = 0;  // Interpolation: pairs of styles, and steps back of more than 0.01.
  double worst_violation = 0;
  double left_out_style = 0, left_out_dynamics = 0, left_out_offset = 0;  // See EvaluateStyle::left_out.
  double us_a_frame = 0;  // Of the network alone, one row, microseconds of one core.
  static constexpr int kCrowd = 500;
  double crowd_tick_ms = 0;  // Best tick of kCrowd layers over clips, all threads; 16.7 is 60 Hz.
};

struct EvaluateStyle {
  std::vector<std::filesystem::path> data;
  std::filesystem::path judges;
  std::filesystem::path model;  // Empty: real clips and trivial methods only.
  StyleClipOptions clips;
  bool interpolation = true;
  bool trivial = true;   // Also the methods without a model.
  std::string left_out;  // A style that the model has not seen: it is taken from one clip.

  Result<StyleReport> run(const Listener& listener = {}) const;
};

// Fraction of (frame, toe) lower than 2.5 cm over the clip's floor and faster than 25 cm/s over the ground.
double skate_fraction(const Motion& motion, const style::RoleBody& body, double metres_per_unit);
// Mean length of the third difference of positions by role around the hips, m/s³.
double mean_jerk(std::span<const float> rows, const style::RoleBody& body, double metres_per_unit);

}  // namespace zoe::author
