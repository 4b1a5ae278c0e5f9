// SPDX-License-Identifier: MIT
// Names of columns for people: "position Hips x", "direction 0.5s z".
#include <fmt/format.h>

#include "zoe/core/index.h"
#include "zoe/features/layout.h"

#include "features/words.h"

namespace zoe::features {
namespace {

constexpr const char* kAxes[] = {"x", "y", "z"};

// Names of one part of a root or goal at one time.
std::vector<std::string> root_part(const Schema& schema, Group group, Part part) {
  const bool flat = group == Group::kRoot;
  switch (part) {
    case Part::kPosition:
    case Part::kDirection:
    case Part::kVelocity:
      return flat ? std::vector<std::string>{"x", "z"} : std::vector<std::string>{"x", "y", "z"};
    case Part::kStyle:
      return schema.styles;
    case Part::kAction:
      return schema.actions;
    case Part::kOwnVelocity:
      return {"x", "y", "z", "turn x", "turn y", "turn z"};
    default:
      return {""};
  }
}

// Names of the columns at one time. Empty: columns are numbered.
std::vector<std::string> at_one_time(const Layout& layout, const Channel& channel, const std::vector<int>& joints) {
  std::vector<std::string> out;
  const auto part_name = [](Part part) { return std::string(word_for(kPartWords, part)); };
  switch (channel.group) {
    case Group::kJoint:
      for (const int joint : joints)
        for (const Part part : channel.parts)
          for (int k = 0; k < part_width(part); ++k)
            out.push_back(part_name(part) + " " + layout.joint_names()[idx(joint)] +
                          (part_width(part) > 1 ? std::string(" ") + kAxes[k] : ""));
      break;
    case Group::kRoot:
    case Group::kGoal:
      for (const Part part : channel.parts)
        for (const std::string& name : root_part(layout.schema(), channel.group, part))
          out.push_back(std::string(word_for(kGroupWords, channel.group)) + " " + part_name(part) +
                        (name.empty() ? "" : " " + name));
      break;
    case Group::kRootDelta:
      out = {"root.delta x", "root.delta turn", "root.delta z"};
      break;
    case Group::kContact:
      for (const int joint : joints) out.push_back("contact " + layout.joint_names()[idx(joint)]);
      break;
    case Group::kPhaseLocal:
      for (const int joint : joints)
        for (const char* k : {"sin", "cos"})
          out.push_back(fmt::format("phase.local {} {}", layout.joint_names()[idx(joint)], k));
      break;
    case Group::kGuidance:
      for (const int joint : joints)
        for (const char* k : kAxes) out.push_back(fmt::format("guidance {} {}", layout.joint_names()[idx(joint)], k));
      break;
    case Group::kStyle:
    case Group::kAction: {
      const bool style = channel.group == Group::kStyle;
      for (const std::string& name : style ? layout.schema().styles : layout.schema().actions)
        out.push_back((style ? "style " : "action ") + name);
      break;
    }
    case Group::kTerrain:
      for (const double lateral : layout.schema().terrain_lateral_m)
        out.push_back(fmt::format("terrain {:g}m", lateral));
      break;
    case Group::kPhaseGlobal:
      out = {"phase.global"};
      break;
    case Group::kPhaseDelta:
      out = {"phase.delta"};
      break;
    default:
      break;
  }
  return out;
}

}  // namespace

std::vector<std::string> column_names(const Layout& layout, BlockKind kind) {
  std::vector<std::string> out;
  const auto& channels = layout.schema().block(kind).channels;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const Channel& channel = channels[i];
    const int count = channel.times.count, width = layout.columns(kind)[i].width / count;
    std::vector<std::string> names = at_one_time(layout, channel, layout.channel_joints(kind)[i]);
    if (names.size() != idx(width)) {
      const std::string title = channel.name.empty() ? std::string(word_for(kGroupWords, channel.group)) : channel.name;
      names.clear();
      for (int k = 0; k < width; ++k) names.push_back(fmt::format("{} {}", title, k));
    }
    for (int t = 0; t < count; ++t)
      for (const std::string& name : names)
        out.push_back(count > 1 ? fmt::format("{} {:.3g}s", name, channel.times.at(t)) : name);
  }
  return out;
}

}  // namespace zoe::features
