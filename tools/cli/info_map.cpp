// SPDX-License-Identifier: MIT
#include "info_map.h"

#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/eval/motion_map.h"

#include "encoder_option.h"
#include "verb.h"

namespace zoe::cli {

int write_map(const MapRequest& request) {
  constexpr const char* kFormats[] = {".html", ".svg"};
  if (const Result<void> fits = check_output_file(request.output, kFormats); !fits) return print_error(fits.error());
  const Result<eval::MotionEncoder> encoder = load_encoder(request.encoder);
  if (!encoder) return print_error(encoder.error());
  const auto clips = describe_with_progress(request.inputs, {}, request.json);
  if (!clips) return print_error(clips.error());
  const auto map = eval::make_motion_map(
      *clips, *encoder,
      {.by = request.by, .max_points = static_cast<std::size_t>(request.max_points), .seed = request.seed});
  if (!map) return print_error(map.error());
  std::string title;
  for (const std::filesystem::path input : request.inputs) {
    title += (title.empty() ? "" : ", ") + (input.has_filename() ? input : input.parent_path()).filename().string();
  }
  if (const auto written = eval::write_motion_map(request.output, *map, *clips, title); !written)
    return print_error(written.error());
  if (request.json) {
    nlohmann::ordered_json out{{"map", request.output},
                               {"clips", clips->size()},
                               {"windows", map->num_windows},
                               {"points", map->points.size()},
                               {"by", map->by},
                               {"trustworthiness", map->trust},
                               {"trustworthiness_plane", map->plane_trust},
                               {"agreement", map->group_agreement}};
    out["clusters"] = nlohmann::ordered_json::array();
    for (const eval::MapCluster& cluster : map->clusters)
      out["clusters"].push_back({{"name", cluster.name}, {"windows", cluster.num_points}});
    fmt::print("{}\n", out.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    return kDone;
  }
  fmt::print("{}: {} of {} windows of {} clips, coloured by {} ({} values)\n", request.output, map->points.size(),
             map->num_windows, clips->size(), map->by, map->groups.size());
  fmt::print(
      "  neighbours kept {:.3f} (principal plane {:.3f}); the nearest window of another clip has the same {} for "
      "{:.0f} %\n",
      map->trust, map->plane_trust, map->by, 100 * map->group_agreement);
  for (const eval::MapCluster& cluster : map->clusters)
    fmt::print("  {:>5} windows  {}\n", cluster.num_points, cluster.name);
  return kDone;
}

}  // namespace zoe::cli
