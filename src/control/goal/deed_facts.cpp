// SPDX-License-Identifier: MIT
#include "zoe/control/deed_facts.h"

#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "zoe/control/config.h"
#include "zoe/control/parts.h"
#include "zoe/core/lines.h"

namespace zoe::control {
namespace {

Error wrong(std::string what) {
  return {ErrorCode::kInvalid, "what its data of deeds was like: " + std::move(what), {}};
}

template <typename Facts, typename Visit>
void for_ranges(Facts& facts, Visit&& visit) {
  visit("seat_height", facts.seat_height), visit("seat_width", facts.seat_width);
  visit("seat_depth", facts.seat_depth), visit("seat_back", facts.seat_back);
  visit("box_width", facts.box_width), visit("box_height", facts.box_height), visit("box_depth", facts.box_depth);
  visit("box_bottom", facts.box_bottom), visit("box_kg", facts.box_kg);
  visit("door_width", facts.door_width), visit("handle_height", facts.handle_height);
}

}  // namespace

std::string DeedFacts::to_text() const {
  std::string out = fmt::format("joints {} {} {}\nseated {:.6g} {:.6g} {:.6g}\n", hips, left_hand, right_hand, seated_m,
                                skate_cm_s, before_seat_m);
  for_ranges(*this, [&](const char* name, const Range& range) {
    out += fmt::format("{} {:.6g} {:.6g}\n", name, range[0], range[1]);
  });
  return out;
}

Result<DeedFacts> DeedFacts::parse(const std::string& text) {
  DeedFacts facts;
  int found = 0;
  for (const std::string& line : lines_of(text)) {
    const std::size_t space = line.find(' ');
    if (space == std::string::npos) continue;
    const std::string name = line.substr(0, space);
    std::array<float, 3> values{};
    std::size_t count = 0;
    for (const char *at = line.data() + space, *end = line.data() + line.size(); at < end;) {
      if (*at == ' ') {
        ++at;
        continue;
      }
      if (count == values.size()) return wrong("too many numbers for " + name);
      const auto [next, error] = std::from_chars(at, end, values[count]);
      if (error != std::errc() || !std::isfinite(values[count]) || std::abs(values[count]) > 1e4F)
        return wrong("not a number in range for " + name);
      ++count;
      at = next;
    }
    if (name == "joints" && count == 3) {
      facts.hips = static_cast<int>(values[0]), facts.left_hand = static_cast<int>(values[1]);
      facts.right_hand = static_cast<int>(values[2]);
      ++found;
    }
    if (name == "seated" && count >= 2) facts.seated_m = values[0], facts.skate_cm_s = values[1], ++found;
    if (name == "seated" && count == 3) facts.before_seat_m = values[2];  // Older files have two.
    for_ranges(facts, [&](const char* known, Range& range) {
      if (name == known && count == 2) range = {values[0], values[1]}, ++found;
    });
  }
  if (found < 13) return wrong("lines are missing");
  bool ordered = true;
  for_ranges(facts, [&](const char*, const Range& range) { ordered = ordered && range[0] <= range[1]; });
  if (!ordered) return wrong("a range ends before it begins");
  return facts;
}

std::string beyond_data(const DeedFacts& facts, const Prop& prop) {
  std::string out;
  const auto check = [&](const char* what, float value, const DeedFacts::Range& range) {
    // A twentieth more is no other prop.
    const float slack = 0.05F * range[1];
    if (range[1] <= 0 || (value >= range[0] - slack && value <= range[1] + slack)) return;
    out += fmt::format("{}the {} is {:.2f} m, the data has {:.2f} to {:.2f} m", out.empty() ? "" : "; ", what, value,
                       range[0], range[1]);
  };
  const Vec3 size = bounds_of(prop).size();
  if (prop.type == PropType::kSeat) {
    check("height of the seat", prop.seat_m.y, facts.seat_height);
    // Wider seats leave more room.
    check("width of the seat", std::min(2 * prop.seat_half_width_m, facts.seat_width[1]), facts.seat_width);
    check("depth of the seat", 2 * prop.seat_half_depth_m, facts.seat_depth);
  }
  if (prop.type == PropType::kBox) {
    check("width of the box", size.x, facts.box_width);
    check("height of the box", size.y, facts.box_height);
    check("depth of the box", size.z, facts.box_depth);
    check("height of the box above the floor", prop.position.y, facts.box_bottom);
  }
  if (prop.type == PropType::kDoor) {
    check("handle's distance from the hinge", prop.handle_m.x, facts.door_width);
    check("height of the handle", prop.handle_m.y, facts.handle_height);
  }
  return out;
}

Result<DeedFacts> load_deed_facts(const std::filesystem::path& run) {
  ZOE_TRY_ASSIGN(const ControllerParts parts, ControllerParts::open(run));
  ZOE_TRY_ASSIGN(const ControllerConfig config, parse_controller_config(parts.settings(), parts.settings_name()));
  ZOE_TRY_ASSIGN(const Safetensors file, parts.tensors(config.network));
  const auto text = file.metadata().find(kDeedFactsKey);
  if (text == file.metadata().end()) {
    return Error{ErrorCode::kInvalid,
                 fmt::format("a controller of the type {} uses no props; `zoe train controller --type nsm` makes one",
                             config.type),
                 {.file = run.string()}};
  }
  auto facts = DeedFacts::parse(text->second);
  if (!facts) return Error{facts.error().code, facts.error().message, {.file = file.file_name()}};
  return facts;
}

}  // namespace zoe::control
