// SPDX-License-Identifier: MIT
// Part of Zoetrope. Measures painters on clips whose true frames are known, beside two trivial methods: the reference
// copied into every frame, and a puppet with the true joints. The reference frame is never counted.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "zoe/core/executor.h"
#include "zoe/nn/network.h"
#include "zoe/paint/clip_file.h"
#include "zoe/paint/painter.h"
#include "zoe/paint/video_painter.h"
#include "zoe/render/picture.h"
#include "zoe/sprite/generate/drawn_judge.h"
#include "zoe/sprite/generate/video.h"

namespace zoe::sprite {

struct PaintScores {
  std::string method;
  int num_clips = 0, num_frames = 0;
  double psnr_db = 0;         // Mean over frames, composites on black and on white together.
  double figure_psnr_db = 0;  // The same within the union of both figures.
  double ssim = 0;            // Of brightness, on black and on white.
  double alpha_overlap = 0;   // Intersection over union of the figures.
  double exact_pixels = 0;    // Share of true figure pixels with the very index of the reduced palette.
  double stray_colors = 0;    // Share of painted pixels in a colour that the reference does not have.
  double color_distance = 0;  // Half the sum of differences of colour shares, painted against true, 0 to 1.
  double flicker = 0;         // Share of pixels that change between frames where the true ones do not.
  double motion_ratio = 0;    // Pixels that change between frames, over those that truly do.
  double loop_gap = 0;        // Loops: pixels that change from the last frame to the first, over the mean change.
  // With a judge; joints over known ones.
  double joint_error_px = 0, joints_right = 0;  // Within 5 % of the figure's height.
  double nearest_action = 0;                    // Nearest true clip of another identity, by the judge's joints.
  // With judges of `zoe train sprite_words`: share of clips whose answer is the label's, and clips with a label. Of
  // hand-drawn clips the rest of "drawn" is the leakage of the rendered look.
  std::array<double, paint::kNumQuestions> answers_right{};
  std::array<int, paint::kNumQuestions> num_answers{};
  // With a DrawnJudge: the share of frames that look drawn by hand (below 0: not judged), and how far they moved from
  // the true frames towards the look of renders: 0 none, 1 the whole distance of mean drawing and mean render.
  double looks_drawn = -1, leakage = 0;
};

struct EvaluatePainter {
  const paint::ClipFile* clips = nullptr;   // With truth.
  const paint::Painter* painter = nullptr;  // May be null.
  const nn::Network* judge = nullptr;       // Of `zoe train sprite_judge`; may be null.

  std::vector<const nn::Network*> words = {};  // Of `zoe train sprite_words`; of one question the last.

  const DrawnJudge* drawn = nullptr;  // May be null.

  bool only_painter = false;  // Without copy and puppet.
  // Also "puppet in the palette", what painters begin with, and what the best choice of a candidate for each pixel
  // reaches: "best bone", "best bone or puppet".
  bool oracles = false;
  const paint::VideoPainter* video = nullptr;  // May be null.
  VideoLook look = {};                         // How it paints; `first` where it begins with painted guesses.
  // Also "flat": the network with poses that lack depth and facing, as the drawing of OpenPose does.
  bool flat = false;

  // Rows "truth", "copy", "puppet", those of oracles, "painter", "video", "flat". Refuses clips without truth and sizes
  // that differ.
  Result<std::vector<PaintScores>> run(Executor& executor) const;
  // For people: of clips spread over the file the reference, then true, puppet's and painted frames (of painter and
  // video) below each other, on grey, three times as large.
  render::Picture sheet(int num_clips) const;
};

}  // namespace zoe::sprite
