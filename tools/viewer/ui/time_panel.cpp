// SPDX-License-Identifier: MIT
// Buttons, ruler with range and contacts, and plots below it, all on one time axis.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/panels.h"
#include "ui/plot_view.h"
#include "ui/widgets.h"

namespace zoe::viewer {
namespace {

using scene::InputEvent;

constexpr float kLeft_px = 150, kRight_px = 18, kRuler_px = 34;  // Names are left of the axis.

// Frames between marks, so that labels do not touch.
int mark_step(double pixels_a_frame, double fps) {
  for (const double step :
       {1.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0, 10000.0, 50000.0, 100000.0}) {
    if (step * pixels_a_frame > 64) return static_cast<int>(step);
  }
  return static_cast<int>(fps * 3600);
}

void command(Session& s, Command command, float value) { append_command(command, value, s.requests); }

void draw_buttons(Session& s, float scale) {
  const Playback& p = s.stage.playback();
  const bool dark = s.settings.dark;
  const float size = ImGui::GetFrameHeight() * 1.08F;
  const auto key_button = [&](const char* name, Icon icon, int key, bool lit, const char* tip) {
    if (icon_button(name, icon, size, lit, dark, tip)) append_key(key, s.requests);
    ImGui::SameLine(0, 4 * scale);
  };
  key_button("first", Icon::kFirst, static_cast<int>(scene::Key::kHome), false, "Start of the range (Home)");
  key_button("back", Icon::kBack, static_cast<int>(scene::Key::kLeft), false, "One frame back (Left)");
  key_button("play", p.playing ? Icon::kPause : Icon::kPlay, ' ', true, "Play or pause (Space)");
  key_button("on", Icon::kOn, static_cast<int>(scene::Key::kRight), false, "One frame forward (Right)");
  key_button("last", Icon::kLast, static_cast<int>(scene::Key::kEnd), false, "End of the range (End)");
  key_button("loop", Icon::kLoop, 'L', p.loop, "Loop (L)");
  ImGui::SameLine(0, 14 * scale);
  float speed = p.speed;
  ImGui::SetNextItemWidth(110 * scale);
  if (ImGui::SliderFloat("##speed", &speed, 0.1F, 4, "%.2f x", ImGuiSliderFlags_Logarithmic))
    command(s, Command::kSetSpeed, speed);
  tip_of_last("Speed (+ and -); Ctrl click to type");
  ImGui::SameLine(0, 14 * scale);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(fmt::format("{:>5}", p.frame()).c_str());
  ImGui::SameLine(0, 4 * scale);
  ImGui::TextDisabled("/ %d", p.num_frames - 1);
  ImGui::SameLine(0, 14 * scale);
  ImGui::TextUnformatted(fmt::format("{:.2f} s", p.time_s).c_str());
  if (p.first > 0 || p.last < p.num_frames - 1) {
    ImGui::SameLine(0, 14 * scale);
    ImGui::TextDisabled("range %d to %d", p.first, p.last);
    ImGui::SameLine();
    if (ImGui::SmallButton("all")) append_key('\\', s.requests);
  }
}

}  // namespace

struct TimePanel::Impl {
  PlotView plots;
  enum class Drag : unsigned char { kNone, kScrub, kFirst, kLast } drag = Drag::kNone;

  void draw_ruler(Session& session, const TimeAxis& axis, float y, float height);
};

TimePanel::TimePanel() : impl_(std::make_unique<Impl>()) {}
TimePanel::~TimePanel() = default;

void TimePanel::Impl::draw_ruler(Session& s, const TimeAxis& axis, float y, float height) {
  const Playback& p = s.stage.playback();
  const Palette& colors = palette(s.settings.dark);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float bottom = y + height;
  list.AddRectFilled({axis.x, y}, {axis.x + axis.width, bottom}, colors.track, 4);
  const int step = mark_step(axis.width / std::max(p.num_frames - 1, 1), p.fps);
  for (int frame = 0; frame < p.num_frames; frame += step) {
    const float x = axis.at(frame);
    list.AddLine({x, bottom - 9 * axis.scale}, {x, bottom}, colors.line);
    if (x < axis.x + axis.width - 30 * axis.scale)
      list.AddText({x + 4 * axis.scale, y + 2 * axis.scale}, colors.text_faint, fmt::format("{}", frame).c_str());
    for (int k = 1; k < 5 && step >= 5; ++k) {
      const float minor = axis.at(frame + step * k / 5.0);
      if (minor < axis.x + axis.width)
        list.AddLine({minor, bottom - 4 * axis.scale}, {minor, bottom}, colors.line_faint);
    }
  }
  // The part outside of the range is dimmed. The ends of the range can be dragged.
  const float first = axis.at(p.first), last = axis.at(p.last), grip = 5 * axis.scale;
  if (p.first > 0) list.AddRectFilled({axis.x, y}, {first, bottom}, colors.range, 4);
  if (p.last < p.num_frames - 1) list.AddRectFilled({last, y}, {axis.x + axis.width, bottom}, colors.range, 4);
  for (const float x : {first, last})
    list.AddRectFilled({x - grip / 2, y}, {x + grip / 2, bottom}, colors.accent_soft, 2);

  ImGui::SetCursorScreenPos({axis.x - grip, y});
  ImGui::InvisibleButton("ruler", {axis.width + 2 * grip, height});
  const float pointer = ImGui::GetIO().MousePos.x;
  const auto frame = static_cast<float>(std::lround(axis.frame_at(pointer)));
  const bool on_first = std::abs(pointer - first) < grip && p.first != p.frame(),
             on_last = std::abs(pointer - last) < grip && p.last != p.frame();
  if (ImGui::IsItemActivated())
    drag = ImGui::GetIO().KeyShift || !(on_first || on_last) ? Drag::kScrub : on_first ? Drag::kFirst : Drag::kLast;
  if (ImGui::IsItemHovered() && (on_first || on_last)) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (ImGui::IsItemHovered() && drag == Drag::kNone)
    ImGui::SetTooltip("frame %d, %.2f s", static_cast<int>(frame), static_cast<double>(frame) / p.fps);
  if (drag == Drag::kFirst) command(s, Command::kSetFirst, frame);
  if (drag == Drag::kLast) command(s, Command::kSetLast, frame);
  axis_scrub(s, axis, drag == Drag::kScrub, ImGui::IsItemDeactivated());
  if (!ImGui::IsItemActive()) drag = Drag::kNone;
}

void TimePanel::draw(Session& session, const PanelPlace& place) {
  begin_panel("time", place, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  const float s = place.scale;
  draw_buttons(session, s);
  const TimeAxis axis{place.x + kLeft_px * s, place.width - (kLeft_px + kRight_px) * s,
                      session.stage.playback().num_frames, s};
  const float ruler_y = place.y + bar_height(s) - (kRuler_px + 8) * s;
  ImGui::SetCursorScreenPos({place.x + 12 * s, ruler_y});
  impl_->plots.draw_chooser(session, (kLeft_px - 24) * s);
  impl_->draw_ruler(session, axis, ruler_y, kRuler_px * s);
  const float plots_y = place.y + bar_height(s);
  if (session.settings.plots && place.height > bar_height(s) + 20 * s) {
    impl_->plots.draw(session, axis, place.x, plots_y, place.width, place.y + place.height - plots_y);
  }
  // The play head, across all tracks.
  const Playback& p = session.stage.playback();
  const float x = axis.at(p.time_s * p.fps);
  const ImU32 accent = palette(session.settings.dark).accent;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddLine({x, ruler_y}, {x, ruler_y + kRuler_px * s}, accent, 2 * s);
  list.AddTriangleFilled({x - 6 * s, ruler_y}, {x + 6 * s, ruler_y}, {x, ruler_y + 9 * s}, accent);
  ImGui::End();
}

}  // namespace zoe::viewer
