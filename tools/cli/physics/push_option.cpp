// SPDX-License-Identifier: MIT
#include "physics/push_option.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "zoe/core/suggest.h"
#include "zoe/physics/stiffen_bones.h"

namespace zoe::cli {

Result<physics::Push> parse_push(const std::string& text) {
  const Error wrong{ErrorCode::kUsage, fmt::format("--push {}: write FORCE@TIME or X,Y,Z@TIME, in N and s", text), {}};
  double numbers[4] = {};
  int count = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end && count < 4) {
    const auto [next, status] = std::from_chars(at, end, numbers[count]);
    if (status != std::errc() || !std::isfinite(numbers[count])) return wrong;
    ++count;
    if (next == end) {
      at = end;
      break;
    }
    const bool is_time = *next == '@';
    if (!is_time && *next != ',') return wrong;
    if (is_time != (count == 1 || count == 3)) {
      if (is_time || count >= 3) return wrong;
    }
    at = next + 1;
    if (at == end) return wrong;
  }
  if (at != end || (count != 2 && count != 4) || text.find('@') == std::string::npos) return wrong;
  physics::Push push{.time_s = numbers[count - 1]};
  push.force_n = count == 2 ? Vec3d{numbers[0], 0, 0} : Vec3d{numbers[0], numbers[1], numbers[2]};
  if (std::abs(push.force_n.x) + std::abs(push.force_n.y) + std::abs(push.force_n.z) > 1e6 || push.time_s < 0)
    return wrong;
  return push;
}

Result<void> keep_bones(physics::BodyPlan& plan, const std::string& words) {
  std::size_t at = 0;
  while (at < words.size()) {
    const std::size_t end = std::min(words.find(',', at), words.size());
    const std::string word = words.substr(at, end - at);
    at = end + 1;
    if (physics::stiffen_bones(plan, word) > 0) continue;
    std::vector<std::string> known = plan.names;
    for (const char* group : physics::kBoneGroups) known.emplace_back(group);
    return Error{ErrorCode::kUsage,
                 fmt::format("--keep: no bone is called '{}'{}; groups: head, hands, arms, trunk, legs, feet, tail",
                             word, did_you_mean(word, known)),
                 {}};
  }
  return {};
}

}  // namespace zoe::cli
