// SPDX-License-Identifier: MIT
#include "stream/port_text.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace zoe::stream {
namespace {

void append_quoted(std::string_view text, std::string& out) {
  out += '"';
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20 || code == '"' || code == '\\') {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", code);
    } else {
      out += c;
    }
  }
  out += '"';
}

template <class Range, class Append>
void append_list(const Range& range, std::string& out, Append&& append) {
  out += '[';
  bool first = true;
  for (const auto& item : range) {
    if (!first) out += ',';
    first = false;
    append(item);
  }
  out += ']';
}

}  // namespace

std::string greeting_text(const control::Controller& controller) {
  const Skeleton& skeleton = *controller.skeleton();
  std::string out = "{\"zoe\":\"play\",\"version\":1,\"kind\":";
  append_quoted(controller.type(), out);
  const auto quoted = [&](const std::string& text) { append_quoted(text, out); };
  const auto number = [&](int value) { fmt::format_to(std::back_inserter(out), "{}", value); };
  out += ",\"joints\":[";
  for (int j = 0; j < skeleton.num_joints(); ++j) {
    if (j > 0) out += ',';
    append_quoted(skeleton.name(j), out);
  }
  out += "],\"parents\":";
  append_list(skeleton.parents(), out, number);
  out += ",\"contact_joints\":";
  append_list(controller.contact_joints(), out, number);
  out += ",\"styles\":";
  append_list(controller.styles(), out, quoted);
  out += ",\"actions\":";
  append_list(controller.actions(), out, quoted);
  out += "}\n";
  return out;
}

void write_frame_text(const control::ControllerState& state, std::uint64_t tick, double time_s, std::string& out) {
  constexpr float kDegrees = 57.29578F;
  const PlanarRoot& root = state.root();
  const PoseView pose = state.pose();
  out.clear();
  const auto at = std::back_inserter(out);
  fmt::format_to(at,
                 "{{\"tick\":{},\"time_s\":{:.4f},\"root\":[{:.4f},{:.4f},{:.3f}],\"speed\":{:.3f},\"progress\":\"{}\","
                 "\"contacts\":",
                 tick, time_s, root.position.x, root.position.z, root.facing_rad * kDegrees, state.speed_mps(),
                 control::to_string(state.progress()));
  append_list(state.contacts(), out, [&](float weight) { fmt::format_to(at, "{:.3f}", weight); });
  out += ",\"pose\":[";
  for (std::size_t j = 0; j < pose.rotations.size(); ++j) {
    const Vec3& t = pose.translations[j];
    const Quat& q = pose.rotations[j];
    fmt::format_to(at, "{}[{:.5f},{:.5f},{:.5f},{:.6f},{:.6f},{:.6f},{:.6f}]", j > 0 ? "," : "", t.x, t.y, t.z, q.x,
                   q.y, q.z, q.w);
  }
  out += "]}\n";
}

void write_refusal_text(const std::string& why, std::string& out) {
  out = "{\"refused\":";
  const std::size_t begin = out.size();
  append_quoted(why, out);
  // It may quote the input, which may be invalid UTF-8.
  std::replace_if(
      out.begin() + static_cast<std::ptrdiff_t>(begin), out.end(),
      [](char c) { return static_cast<unsigned char>(c) >= 0x80; }, '?');
  out += "}\n";
}

}  // namespace zoe::stream
