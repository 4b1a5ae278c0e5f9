// SPDX-License-Identifier: MIT
#include "author/engine/columns.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "zoe/control/phase_signals.h"
#include "zoe/core/index.h"

namespace zoe::author {
namespace {

using features::BlockKind;
using features::Channel;
using features::Group;
using features::Layout;
using features::Part;

// Of one column.
struct Meaning {
  int joint = kNoJoint;
  const char* unit = "1";
};

struct PartWords {
  Part part;
  const char* word;
  const char* unit;
};
constexpr PartWords kJointParts[] = {{Part::kPosition, "position", "m"},
                                     {Part::kXAxis, "x_axis", "1"},
                                     {Part::kYAxis, "y_axis", "1"},
                                     {Part::kZAxis, "z_axis", "1"},
                                     {Part::kVelocity, "velocity", "m/s"}};
constexpr PartWords kRootParts[] = {{Part::kPosition, "position", "m"},   {Part::kDirection, "direction", "1"},
                                    {Part::kVelocity, "velocity", "m/s"}, {Part::kSpeed, "speed", "m/s"},
                                    {Part::kStyle, "style", "weight"},    {Part::kAction, "action", "weight"}};

const PartWords* find(std::span<const PartWords> table, Part part) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const PartWords& row) { return row.part == part; });
  return found != table.end() ? &*found : nullptr;
}

class ChannelWriter {
 public:
  ChannelWriter(const Layout& layout, BlockKind kind, const Channel& channel, std::span<const int> joints)
      : layout_(layout), kind_(kind), channel_(channel), joints_(joints) {}

  // The channel's own words into `out`, and the columns at one time. Empty: the step does not have this channel.
  std::vector<Meaning> write(Json& out) {
    switch (channel_.group) {
      case Group::kJoint:
        return write_joints(out);
      case Group::kRoot:
        return write_root(out);
      case Group::kPhaseLocal:
        out["group"] = "phase_local";
        return of_joints(out, 2, "amplitude");
      case Group::kSignal:
        return write_signal(out);
      case Group::kRootDelta:
        return kind_ == BlockKind::kOutput ? write_delta(out) : std::vector<Meaning>{};
      case Group::kContact:
        out["group"] = "contact";
        return kind_ == BlockKind::kOutput ? of_joints(out, 1, "probability") : std::vector<Meaning>{};
      case Group::kPhaseDelta:
        out["group"] = "phase_delta";
        return kind_ == BlockKind::kOutput ? std::vector<Meaning>{{kNoJoint, "turns"}} : std::vector<Meaning>{};
      default:
        return {};
    }
  }

  const char* space() const {
    if (channel_.group == Group::kRootDelta) return "root before the step";
    if (channel_.group != Group::kJoint && channel_.group != Group::kRoot) return "none";
    return kind_ == BlockKind::kInput ? "root now" : "root after the step";
  }

 private:
  std::vector<Meaning> of_joints(Json& out, int width, const char* unit) const {
    out["joints"] = joints_;
    std::vector<Meaning> columns;
    for (const int joint : joints_) columns.insert(columns.end(), idx(width), Meaning{joint, unit});
    return columns;
  }

  std::vector<Meaning> write_joints(Json& out) const {
    out["group"] = "joint";
    out["joints"] = joints_;
    const bool is_now = channel_.times.count == 1 && channel_.times.start_s == 0;
    if (channel_.space != features::Space::kRoot || !is_now) return {};
    for (const Part part : channel_.parts) {
      const PartWords* words = find(kJointParts, part);
      if (words == nullptr) return {};
      out["parts"].push_back(words->word);
    }
    std::vector<Meaning> columns;
    for (const int joint : joints_) {
      for (const Part part : channel_.parts) columns.insert(columns.end(), 3, {joint, find(kJointParts, part)->unit});
    }
    return columns;
  }

  std::vector<Meaning> write_root(Json& out) const {
    out["group"] = "root";
    std::vector<Meaning> columns;
    for (const Part part : channel_.parts) {
      const PartWords* words = find(kRootParts, part);
      if (words == nullptr || channel_.space != features::Space::kRoot) return {};
      out["parts"].push_back(words->word);
      const std::size_t width = part == Part::kSpeed    ? 1
                                : part == Part::kStyle  ? layout_.schema().styles.size()
                                : part == Part::kAction ? layout_.schema().actions.size()
                                                        : 2;
      columns.insert(columns.end(), width, {kNoJoint, words->unit});
    }
    return columns;
  }

  std::vector<Meaning> write_signal(Json& out) const {
    out["group"] = "signal";
    out["name"] = channel_.name;
    const bool is_phase = channel_.name == control::kPhaseSignal, is_rhythm = channel_.name == control::kRhythmSignal;
    if (!is_phase && !(is_rhythm && kind_ == BlockKind::kOutput)) return {};
    std::vector<Meaning> columns;
    for (int i = 0; i < channel_.width; ++i)
      columns.push_back({kNoJoint, is_rhythm && i % 2 == 1 ? "Hz" : "amplitude"});
    return columns;
  }

  std::vector<Meaning> write_delta(Json& out) const {
    const double step_s = channel_.per_second ? 1 / layout_.fps() : 1;
    out["group"] = "root_delta";
    out["metres"] = step_s;  // Factors to metres and radians in a step.
    out["radians"] = channel_.degrees ? step_s * std::numbers::pi / 180 : step_s;
    const char* metres = channel_.per_second ? "m/s" : "m";
    const char* turn =
        channel_.degrees ? (channel_.per_second ? "degrees/s" : "degrees") : (channel_.per_second ? "rad/s" : "rad");
    return {{kNoJoint, metres}, {kNoJoint, turn}, {kNoJoint, metres}};
  }

  const Layout& layout_;
  BlockKind kind_;
  const Channel& channel_;
  std::span<const int> joints_;
};

Error refuse(const Channel& channel, const char* why) {
  return {ErrorCode::kUnsupported,
          fmt::format("the channel '{}' of its features {}: the exported step cannot express it",
                      features::to_text(channel), why),
          {}};
}

}  // namespace

Result<Json> describe_block(const Layout& layout, BlockKind kind, const std::string& port,
                            const ColumnNumbers& numbers) {
  const features::Block& block = layout.schema().block(kind);
  const std::vector<std::string> names = features::column_names(layout, kind);
  Json out{{"name", port}, {"frames", block.steps.count}, {"width", layout.width(kind)}};
  Json channels = Json::array(), columns = Json::array();
  const auto of = [](const std::vector<float>& values, std::size_t i) {
    return values.empty() ? Json() : Json(number(values[i % values.size()]));
  };
  for (std::size_t c = 0; c < block.channels.size(); ++c) {
    const Channel& channel = block.channels[c];
    const std::vector<int>& joints = layout.channel_joints(kind)[c];
    Json words{{"text", features::to_text(channel)}, {"first", layout.columns(kind)[c].begin}};
    ChannelWriter writer(layout, kind, channel, joints);
    const std::vector<Meaning> meanings = writer.write(words);
    if (meanings.empty()) return refuse(channel, "is of a type that controllers do not use");
    if (meanings.size() * idx(channel.times.count) != idx(layout.columns(kind)[c].width)) {
      return refuse(channel, "has another width than its parts");
    }
    for (int t = 0; t < channel.times.count; ++t) {
      const double time_s = channel.times.at(t), frame = time_s * layout.fps();
      if (std::abs(frame - std::round(frame)) > 1e-3) return refuse(channel, "has times between frames");
      words["frames"].push_back(std::lround(frame));
      words["times_s"].push_back(time_s);
      for (const Meaning& meaning : meanings) {
        const std::size_t i = columns.size();
        columns.push_back(
            {{"name", names[i]},
             {"joint", meaning.joint == kNoJoint ? Json() : Json(layout.joint_names()[idx(meaning.joint)])},
             {"space", writer.space()},
             {"unit", meaning.unit},
             {"time_s", time_s},
             {"mean", of(numbers.means, i)},
             {"deviation", of(numbers.deviations, i)},
             {"low", of(numbers.range.low, i)},
             {"high", of(numbers.range.high, i)}});
      }
    }
    channels.push_back(std::move(words));
  }
  out["channels"] = std::move(channels);
  out["columns"] = std::move(columns);
  return out;
}

}  // namespace zoe::author
