// SPDX-License-Identifier: MIT
#include "camera_option.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "zoe/core/suggest.h"

namespace zoe::cli {

Result<scene::CameraPlacement> parse_camera(const std::string& text) {
  struct Named {
    const char* name;
    scene::CameraPlacement placement;
  };
  static const Named kNamed[] = {{"auto", {}},
                                 {"front", {0, 4}},
                                 {"back", {180, 8}},
                                 {"left", {90, 4}},
                                 {"right", {-90, 4}},
                                 {"top", {0, 85}},
                                 {"iso", {45, 35.26F, 0, true}}};
  for (const Named& named : kNamed) {
    if (text == named.name) return named.placement;
  }
  std::vector<std::string> names;
  for (const Named& named : kNamed) names.emplace_back(named.name);
  scene::CameraPlacement placement;
  float* const fields[] = {&placement.yaw_deg, &placement.pitch_deg, &placement.distance_m};
  std::size_t begin = 0, count = 0;
  for (; count < 3 && begin <= text.size(); ++count) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const auto [stop, failed] = std::from_chars(text.data() + begin, text.data() + end, *fields[count]);
    if (failed != std::errc{} || stop != text.data() + end) break;
    begin = end + 1;
  }
  if (count < 2 || begin <= text.size() || !(std::abs(placement.yaw_deg) <= 3600) ||
      !(std::abs(placement.pitch_deg) <= 89) || !(placement.distance_m >= 0 && placement.distance_m <= 1e4F)) {
    return Error{ErrorCode::kUsage,
                 fmt::format("--camera '{}'{}: auto, front, back, left, right, top, iso, or YAW,PITCH[,DISTANCE] in "
                             "degrees (PITCH -89 to 89) and metres (0 to 10000)",
                             text, did_you_mean(text, names))};
  }
  return placement;
}

}  // namespace zoe::cli
