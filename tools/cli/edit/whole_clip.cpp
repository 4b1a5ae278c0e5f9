// SPDX-License-Identifier: MIT
// Edits of a whole clip: a cycle of it, another path for it.
#include <algorithm>

#include <fmt/format.h>

#include "zoe/anatomy/find_root.h"
#include "zoe/eval/path_file.h"
#include "zoe/generate/cycle.h"
#include "zoe/generate/follow_path.h"

#include "edit/edit.h"
#include "verb.h"

namespace zoe::cli {

using Json = nlohmann::ordered_json;

Result<EditedMotion> close_to_cycle(const EditRequest& request, const MetricBody& body, const Motion& motion) {
  ZOE_TRY_ASSIGN(generate::Cycle cycle,
                 generate::make_cycle(motion, body.analysis, {.plant_feet = !request.keep_feet}));
  const generate::CycleRange& range = cycle.range;
  if (range.distance_share > 0.1 || cycle.seam_ratio > 1.2)
    print_warnings(
        {{fmt::format("the ends of the best cycle differ by {:.2f} m ({:.0f} % of the body's size): the clip does "
                      "not repeat, and its end is blended visibly",
                      range.distance_m, 100 * range.distance_share),
          {.file = request.file}}});
  const int last = cycle.motion.num_frames - 1;
  Json facts{{"method", range.whole         ? "the clip is a cycle"
                        : range.gait_hz > 0 ? "gait"
                                            : "the part that fits best"},
             {"loop", {range.begin, range.end}},
             {"seconds", cycle.motion.duration_s()},
             {"distance_m", range.distance_m},
             {"travel_m", length(range.move.shift)},
             {"turn_rad", range.move.turn_rad},
             {"kept", {cycle.window, last - cycle.window}},
             {"foot_skate_m_s", cycle.skate_m_s},
             {"own_foot_skate_m_s", cycle.own_skate},
             {"seam_ratio", cycle.seam_ratio}};
  return EditedMotion{std::move(cycle.motion), std::move(facts)};
}

Result<GroundPath> read_ground_path(const std::string& file) {
  if (eval::is_path_file(file)) {
    ZOE_TRY_ASSIGN(const control::Path path, eval::read_path(file));
    return GroundPath{{path.places().begin(), path.places().end()}, path.closed()};
  }
  ZOE_TRY_ASSIGN(const MetricBody other, load_metric_body(file));
  if (other.clips.empty())
    return Error{ErrorCode::kUsage, "it contains no clip whose path could be followed", {.file = file}};
  GroundPath path;
  for (const PlanarRoot& root : find_root(other.clips[0], other.analysis).roots)
    path.positions.push_back(root.position);
  return path;
}

Result<EditedMotion> follow_trajectory(const EditRequest& request, const MetricBody& body, const Motion& motion) {
  ZOE_TRY_ASSIGN(const GroundPath path, read_ground_path(request.trajectory));
  Result<generate::FollowedPath> followed =
      generate::follow_path(motion, body.analysis, path.positions, path.closed,
                            {.plant_feet = !request.keep_feet, .speed_m_s = request.speed_m_s});
  if (!followed) return Error{followed.error().code, followed.error().message, {.file = request.file}};
  const generate::FollowedPath& f = *followed;
  if (f.cut)
    print_warnings(
        {{fmt::format("the path has {:.2f} m, the clip goes {:.2f} m: it ends with the path", f.path_m, f.own_m),
          {.file = request.trajectory}}});
  if (!path.closed && f.covered_m < 0.98 * f.path_m)
    print_warnings({{fmt::format("the path has {:.2f} m, the clip goes {:.2f} m: it stops there", f.path_m, f.own_m),
                     {.file = request.trajectory}}});
  // No frame is a border; the usual jump of the result beside that of the clip says the same.
  Json facts{{"method", "the path is bent, feet are planted again"},
             {"path_m", f.path_m},
             {"own_m", f.own_m},
             {"covered_m", f.covered_m},
             {"copies", f.copies},
             {"was_in_place", f.was_in_place},
             {"mean_error_m", f.mean_error_m},
             {"max_error_m", f.max_error_m},
             {"foot_skate_m_s", f.skate_m_s},
             {"own_foot_skate_m_s", f.own_skate_m_s},
             {"seam_ratio", f.jump_ratio}};
  return EditedMotion{std::move(followed->motion), std::move(facts)};
}

}  // namespace zoe::cli
