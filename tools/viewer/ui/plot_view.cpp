// SPDX-License-Identifier: MIT
#include "ui/plot_view.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "zoe/features/schema.h"

#include "plots.h"
#include "ui/theme.h"
#include "ui/widgets.h"

namespace zoe::viewer {
namespace {

using scene::InputEvent;

constexpr float kPlot_px = 58, kGap_px = 6;

// The lowest and highest of the values per pixel column, so that long clips keep their peaks.
void draw_line(ImDrawList& list, const std::vector<float>& values, double frames_a_value, const TimeAxis& axis,
               float top, float bottom, float low, float high, ImU32 color) {
  const auto y_of = [&](float value) {
    return bottom - (bottom - top) * std::clamp((value - low) / (high - low), 0.0F, 1.0F);
  };
  const auto x_of = [&](std::size_t i) { return axis.at(static_cast<double>(i) * frames_a_value); };
  if (values.size() < 2) return;
  const double pixels = static_cast<double>(x_of(values.size() - 1) - x_of(0));
  if (static_cast<double>(values.size()) < 2 * pixels) {
    for (std::size_t i = 0; i < values.size(); ++i) list.PathLineTo({x_of(i), y_of(values[i])});
    return list.PathStroke(color, 0, 1.5F * axis.scale);
  }
  const auto per_column = static_cast<std::size_t>(static_cast<double>(values.size()) / pixels) + 1;
  for (std::size_t i = 0; i < values.size(); i += per_column) {
    const auto end = values.begin() + static_cast<long>(std::min(i + per_column, values.size()));
    const auto [least, most] = std::minmax_element(values.begin() + static_cast<long>(i), end);
    list.AddLine({x_of(i), y_of(*least) + 0.5F}, {x_of(i), y_of(*most) - 0.5F}, color, 1.5F * axis.scale);
  }
}

void draw_bars(ImDrawList& list, const Plot& plot, double frames_a_value, const TimeAxis& axis, float top, float bottom,
               const Palette& colors) {
  const float row = (bottom - top) / static_cast<float>(std::max<std::size_t>(plot.lines.size(), 1));
  for (std::size_t k = 0; k < plot.lines.size(); ++k) {
    const std::vector<float>& on = plot.lines[k].values;
    const float y = top + row * static_cast<float>(k);
    for (std::size_t i = 0; i < on.size();) {
      std::size_t end = i;
      while (end < on.size() && (on[end] > 0.5F) == (on[i] > 0.5F)) ++end;
      if (on[i] > 0.5F) {
        list.AddRectFilled({axis.at(static_cast<double>(i) * frames_a_value), y + row * 0.18F},
                           {axis.at(static_cast<double>(end - 1) * frames_a_value) + 1, y + row * 0.82F},
                           colors.color(k), row * 0.15F);
      }
      i = end;
    }
  }
}

}  // namespace

void axis_scrub(Session& s, const TimeAxis& axis, bool drags, bool ends) {
  const auto button = static_cast<std::uint16_t>(Command::kScrub);
  if (drags) {
    s.requests.push_back(scene::axis_event(axis_of(Command::kScrub),
                                           static_cast<float>(std::lround(axis.frame_at(ImGui::GetIO().MousePos.x)))));
    s.requests.push_back({InputEvent::Kind::kButton, button, 1, 0});
  }
  if (ends) s.requests.push_back({InputEvent::Kind::kButton, button, 0, 0});
}

struct PlotView::Impl {
  bool wanted[std::size(kMeasures)] = {true, false, true, true, true, false, false};
  std::string preset = "locomotion", channel;
  std::vector<std::string> channels;

  // The source of `plots`.
  scene::Entity entity;
  const Motion* motion = nullptr;
  int joint = -2;
  float scale = 0;
  std::string made_for;
  std::vector<Plot> plots;

  void update(Session& session);
  void draw_one(Session& session, const Plot& plot, const TimeAxis& axis, float x, float y, double frames_a_value);
};

PlotView::PlotView() : impl_(std::make_unique<Impl>()) {}
PlotView::~PlotView() = default;

void PlotView::Impl::update(Session& s) {
  const StageItem* item = s.item();
  if (item == nullptr) return plots.clear();
  const auto& side = s.stage.scene().world().get<ShownClip>(item->entity);
  const Motion* shown = side.shows_mirrored && side.mirrored ? side.mirrored.get() : &item->motion();
  std::string curves = preset + channel;
  for (const bool on : wanted) curves += on ? '1' : '0';
  if (entity == item->entity && motion == shown && joint == s.joint && scale == item->scale && made_for == curves)
    return;
  const bool other = entity != item->entity || channels.empty();
  entity = item->entity;
  motion = shown;
  joint = s.joint;
  scale = item->scale;
  if (wanted[static_cast<std::size_t>(Measure::kFeatures)] && (other || channel.empty())) {
    channels = list_features(*item, preset).names;
    if (std::find(channels.begin(), channels.end(), channel) == channels.end())
      channel = channels.empty() ? "" : channels[0];
    curves = preset + channel;
    for (const bool on : wanted) curves += on ? '1' : '0';
  }
  made_for = curves;
  plots.clear();
  for (std::size_t i = 0; i < std::size(kMeasures); ++i) {
    if (!wanted[i]) continue;
    plots.push_back(kMeasures[i] == Measure::kFeatures ? measure_feature(*item, preset, channel)
                                                       : measure(kMeasures[i], *item, *shown, joint));
  }
}

void PlotView::draw_chooser(Session& session, float width) {
  if (ImGui::Button(session.settings.plots ? "Plots" : "Plots (hidden)", {width, 0})) ImGui::OpenPopup("plots");
  tip_of_last("What is plotted along the clip");
  if (!ImGui::BeginPopup("plots")) return;
  for (std::size_t i = 0; i < std::size(kMeasures); ++i) ImGui::Checkbox(to_string(kMeasures[i]), &impl_->wanted[i]);
  if (impl_->wanted[static_cast<std::size_t>(Measure::kFeatures)]) {
    ImGui::SetNextItemWidth(260);
    if (ImGui::BeginCombo("Schema", impl_->preset.c_str())) {
      for (const std::string& name : features::preset_names()) {
        if (ImGui::Selectable(name.c_str(), name == impl_->preset)) {
          impl_->preset = name;
          impl_->channel.clear();
        }
      }
      ImGui::EndCombo();
    }
    ImGui::SetNextItemWidth(260);
    if (ImGui::BeginCombo("Channel", impl_->channel.c_str(), ImGuiComboFlags_HeightLarge)) {
      for (const std::string& name : impl_->channels) {
        if (ImGui::Selectable(name.c_str(), name == impl_->channel)) impl_->channel = name;
      }
      ImGui::EndCombo();
    }
  }
  ImGui::Separator();
  ImGui::Checkbox("Show plots (P)", &session.settings.plots);
  ImGui::EndPopup();
}

void PlotView::Impl::draw_one(Session& s, const Plot& plot, const TimeAxis& axis, float x, float y,
                              double frames_a_value) {
  const Palette& colors = palette(s.settings.dark);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float bottom = y + kPlot_px * axis.scale;
  list.AddRectFilled({axis.x, y}, {axis.x + axis.width, bottom}, colors.track, 4);
  const Playback& p = s.stage.playback();
  const StageItem& item = *s.item();
  const auto value_at = [&](const PlotLine& line, double time_s) {
    const auto frame =
        static_cast<std::size_t>(std::lround(scene::clip_time_s(item.motion(), time_s) * item.motion().fps));
    return line.values.empty() ? 0.0F : line.values[std::min(frame, line.values.size() - 1)];
  };
  // Name and value now, left of the axis.
  list.AddText({x, y + 2 * axis.scale}, colors.text, plot.name.c_str());
  if (plot.lines.empty())
    list.AddText({axis.x + 8 * axis.scale, y + 6 * axis.scale}, colors.text_faint, "none for this body");
  if (plot.kind == Plot::Kind::kBars) {
    draw_bars(list, plot, frames_a_value, axis, y, bottom, colors);
  } else {
    if (plot.low < 0 && plot.high > 0) {
      const float zero = bottom - (bottom - y) * (0 - plot.low) / (plot.high - plot.low);
      list.AddLine({axis.x, zero}, {axis.x + axis.width, zero}, colors.line_faint);
    }
    for (std::size_t k = 0; k < plot.lines.size(); ++k) {
      draw_line(list, plot.lines[k].values, frames_a_value, axis, y + 3 * axis.scale, bottom - 3 * axis.scale, plot.low,
                plot.high, colors.color(k));
    }
  }
  const float letters = ImGui::GetFontSize();
  const auto rows = static_cast<std::size_t>(std::max((kPlot_px * axis.scale - letters) / letters, 1.0F));
  for (std::size_t k = 0; k < std::min(plot.lines.size(), rows); ++k) {
    const float line_y = y + letters * (1.1F + static_cast<float>(k) * 0.98F);
    const std::string value =
        plot.kind == Plot::Kind::kBars ? "" : fmt::format("{:.2f} {}", value_at(plot.lines[k], p.time_s), plot.unit);
    const bool on = plot.kind != Plot::Kind::kBars || value_at(plot.lines[k], p.time_s) > 0.5F;
    list.PushClipRect({x, y}, {axis.x - 6 * axis.scale, bottom}, true);
    const float value_x = axis.x - 10 * axis.scale - ImGui::CalcTextSize(value.c_str()).x;
    list.PushClipRect({x, y}, {value_x - 4 * axis.scale, bottom}, true);
    list.AddText({x, line_y}, on ? colors.color(k) : colors.text_faint, plot.lines[k].name.c_str());
    list.PopClipRect();
    list.AddText({value_x, line_y}, colors.text, value.c_str());
    list.PopClipRect();
  }

  ImGui::SetCursorScreenPos({axis.x, y});
  ImGui::PushID(&plot);
  ImGui::InvisibleButton("plot", {axis.width, kPlot_px * axis.scale});
  axis_scrub(s, axis, ImGui::IsItemActive(), ImGui::IsItemDeactivated());
  if (ImGui::IsItemHovered()) {
    const double frame = std::round(axis.frame_at(ImGui::GetIO().MousePos.x));
    list.AddLine({axis.at(frame), y}, {axis.at(frame), bottom}, colors.line);
    std::string words = fmt::format("frame {:.0f}", frame);
    for (const PlotLine& line : plot.lines)
      words += fmt::format("\n{}  {:.3f} {}", line.name, value_at(line, frame / p.fps), plot.unit);
    ImGui::SetTooltip("%s", words.c_str());
  }
  ImGui::PopID();
  const float head = axis.at(p.time_s * p.fps);
  list.AddLine({head, y}, {head, bottom}, colors.accent, 1.5F * axis.scale);
}

void PlotView::draw(Session& session, const TimeAxis& axis, float x, float y, float width, float height) {
  impl_->update(session);
  if (session.item() == nullptr) return;
  ImGui::SetCursorScreenPos({x, y});
  ImGui::BeginChild("plots", {width, height});
  // Frames of the time line are those of the first clip. This one may have its own rate.
  const double frames_a_value = session.stage.playback().fps / session.item()->motion().fps;
  const float top = ImGui::GetCursorScreenPos().y;
  for (std::size_t i = 0; i < impl_->plots.size(); ++i) {
    const float at = top + static_cast<float>(i) * (kPlot_px + kGap_px) * axis.scale;
    impl_->draw_one(session, impl_->plots[i], axis, x + 12 * axis.scale, at, frames_a_value);
  }
  ImGui::SetCursorScreenPos({x, top + static_cast<float>(impl_->plots.size()) * (kPlot_px + kGap_px) * axis.scale});
  ImGui::Dummy({1, 2});
  ImGui::EndChild();
}

}  // namespace zoe::viewer
