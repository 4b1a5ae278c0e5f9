// SPDX-License-Identifier: MIT
// Motion before the beginning and after the end of a clip.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "zoe/core/index.h"
#include "zoe/generate/continue_motion.h"
#include "zoe/generate/ground_move.h"
#include "zoe/generate/seam.h"

#include "edit/edit.h"

namespace zoe::cli {
namespace {

// [frames] Not 0 in the clip's own frames.
std::vector<std::uint8_t> own_frames(const Motion& motion, int before, int after) {
  std::vector<std::uint8_t> known(idx(before + motion.num_frames + after), 0);
  std::fill_n(known.begin() + before, motion.num_frames, 1);
  return known;
}

using generate::Gap;
using Json = nlohmann::ordered_json;

// Model-space positions of two motions, one after the other, are compared at one known frame.
void lay_onto(Motion& made, const Motion& known, int frame) {
  std::vector<Vec3> both;
  for (const Motion* motion : {&std::as_const(made), &known}) {
    const int one[] = {frame};
    const std::vector<Vec3> positions = generate::all_positions(generate::take_frames(*motion, one));
    both.insert(both.end(), positions.begin(), positions.end());
  }
  const generate::Alignment fit = generate::align_frames(both, made.num_joints(), 0, 1, 0, 0);
  generate::move_frames(made, 0, made.num_frames - 1, fit.move);
}

Result<EditedMotion> lengthen_by_model(const EditRequest& request, const MetricBody& body, const Motion& motion,
                                       int before, int after) {
  std::vector<int> order(idx(before), 0);
  for (int f = 0; f < motion.num_frames; ++f) order.push_back(f);
  order.resize(order.size() + idx(after), motion.num_frames - 1);
  Motion held = generate::take_frames(motion, order);
  held.start_time_s = motion.start_time_s - before / motion.fps;
  std::vector<Gap> gaps;
  if (before > 0) gaps.push_back({0, before - 1});
  if (after > 0) gaps.push_back({before + motion.num_frames, held.num_frames - 1});
  ZOE_TRY_ASSIGN(const Motion made, made_by_model(request, body, held, gaps, {}));
  Motion out = held;
  std::vector<int> seams;
  for (const Gap& gap : gaps) {
    // The network's path from the held frames is arbitrary: it continues from the border.
    const int border = gap.first == 0 ? gap.last + 1 : gap.first - 1;
    Motion placed = made;
    lay_onto(placed, held, border);
    ZOE_TRY_ASSIGN(out, generate::fit_between(out, gap, placed));
    seams.push_back(border);
  }
  generate::SoftSeams soft = generate::soften_seams(motion, out, seams, own_frames(motion, before, after));
  Json facts{{"method", request.model}, {"seam_ratio", soft.seam_ratio}};
  return EditedMotion{std::move(soft.motion), std::move(facts)};
}

}  // namespace

Result<EditedMotion> lengthen(const EditRequest& request, const MetricBody& body, const Motion& motion) {
  const auto frames_of = [&](const std::optional<double>& seconds) {
    return seconds ? std::max(1, static_cast<int>(std::lround(*seconds * motion.fps))) : 0;
  };
  const int before = frames_of(request.prefix_s), after = frames_of(request.suffix_s);
  EditedMotion out{motion, {}};
  if (!request.model.empty()) {
    ZOE_TRY_ASSIGN(out, lengthen_by_model(request, body, motion, before, after));
  } else {
    out.facts = {{"method", "the nearest moments of the clip"}};
    std::vector<int> seams;
    if (before > 0) {
      ZOE_TRY_ASSIGN(generate::Continuation added, generate::continue_before(motion, body.analysis, before));
      out.motion = std::move(added.motion);
      out.facts["prefix"] = {{"from_frame", added.match_frame}, {"distance_m", added.distance_m}};
      for (int seam = before; seam > 0; seam -= added.match_frame) seams.push_back(seam);
    }
    if (after > 0) {
      ZOE_TRY_ASSIGN(const generate::Continuation added, generate::continue_after(motion, body.analysis, after));
      // Only what is new: the clip with its prefix is there.
      Motion longer = std::move(out.motion);
      std::vector<int> order(idx(before + motion.num_frames));
      std::iota(order.begin(), order.end(), 0);
      order.resize(order.size() + idx(after), 0);
      out.motion = generate::take_frames(longer, order);
      generate::copy_frames(added.motion, motion.num_frames, after, out.motion, before + motion.num_frames);
      make_continuous(out.motion);
      out.facts["suffix"] = {{"from_frame", added.match_frame}, {"distance_m", added.distance_m}};
      for (int seam = motion.num_frames - 1; seam < motion.num_frames - 1 + after;
           seam += motion.num_frames - 1 - added.match_frame)
        seams.push_back(before + seam);
    }
    out.facts["seam_ratio"] = generate::seam_ratio(motion, out.motion, seams, own_frames(motion, before, after));
  }
  out.facts["kept"] = {before, before + motion.num_frames - 1};
  return out;
}

}  // namespace zoe::cli
