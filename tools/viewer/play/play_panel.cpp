// SPDX-License-Identifier: MIT
#include "play/play_panel.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/widgets.h"

namespace zoe::viewer {
namespace {

void draw_state(const PlaySession& s, const PlayStage& stage) {
  const control::Controller& controller = stage.controller();
  const control::ControllerState& state = stage.state();
  heading("Controller");
  fact("Type", fmt::format("{}, {:g} steps/s", controller.type(), controller.rate_hz()));
  fact("Body", fmt::format("{} joints, {:.2f} m", stage.num_joints(), stage.height_m()));
  fact("Model", fmt::format("{:.1f} MB", static_cast<double>(controller.model_bytes()) / 1e6));
  fact("Tick", fmt::format("{:.0f} µs", stage.controlled().tick_us()));

  heading("Character");
  const bool trouble = state.progress() > control::Progress::kMoving;
  if (trouble) ImGui::PushStyleColor(ImGuiCol_Text, palette(s.settings.dark).error);
  fact("State", s.paused ? "paused" : control::to_string(state.progress()));
  if (trouble) ImGui::PopStyleColor();
  fact("Speed", fmt::format("{:.2f} of {:.2f} m/s", state.speed_mps() * stage.scale(),
                            length(stage.intent().velocity_at(0)) * stage.scale()));
  const PlanarRoot root = stage.root_drawn();
  fact("Position", fmt::format("{:.2f}  {:.2f} m", root.position.x, root.position.z));
  fact("Facing", fmt::format("{:.0f}°", std::remainder(root.facing_rad * 57.29578F, 360.0F)));
  fact("Input", stage.driver().name());
  if (const stream::IntentPort* port = stage.driver().port()) {
    const stream::PortCounts counts = port->counts();
    fact("Port", fmt::format("{}: {} connected", port->port(), counts.clients));
    fact("", fmt::format("{} commands, {} refused", counts.accepted, counts.refused));
  }
  if (state.num_recoveries() > 0) fact("Restarts", fmt::format("{}", state.num_recoveries()));
}

// One of a model's labels, or none.
void draw_choice(const char* title, std::span<const std::string> labels, int chosen, SteerCommand command,
                 PlaySession& s) {
  if (labels.empty()) return;
  heading(title);
  ImGui::PushID(title);
  if (ImGui::RadioButton("none", chosen < 0)) append_choice(command, -1, s.requests);
  for (int i = 0; i < static_cast<int>(labels.size()); ++i) {
    ImGui::PushID(i);
    if (ImGui::RadioButton(labels[static_cast<std::size_t>(i)].c_str(), chosen == i))
      append_choice(command, i, s.requests);
    ImGui::PopID();
  }
  ImGui::PopID();
}

// A slider for each named style. Their sum is one point in the model's space of styles. Motion matching takes those of
// at least 0.5.
void draw_styles(const PlayStage& stage, PlaySession& s, float scale) {
  const std::span<const std::string> names = stage.controller().styles();
  if (names.empty()) return;
  heading("Style");
  constexpr std::size_t kWithoutScrolling = 8;
  const bool scrolls = names.size() > kWithoutScrolling;
  if (scrolls) ImGui::BeginChild("styles", {0, 200 * scale});
  control::StyleMix mix = stage.steering().styles();
  bool changed = false;
  for (std::size_t i = 0; i < std::min(names.size(), mix.size()); ++i) {
    ImGui::PushID(static_cast<int>(i));
    ImGui::SetNextItemWidth(0.55F * ImGui::GetContentRegionAvail().x);
    changed |= ImGui::SliderFloat(names[i].c_str(), &mix[i], control::kLeastStyle, control::kMostStyle, "%.2f");
    ImGui::PopID();
  }
  if (scrolls) ImGui::EndChild();
  if (ImGui::SmallButton("No style")) {
    mix = {};
    changed = true;
  }
  tip_of_last("Below 0 and above 1 a style is exaggerated");
  if (changed) append_mix(mix, s.requests);
}

// A slider for each style of the model over the controller.
void draw_moods(MoodMixer* mood, float scale) {
  if (mood == nullptr) return;
  heading("Mood");
  constexpr std::size_t kWithoutScrolling = 8;
  const bool scrolls = mood->size() > kWithoutScrolling;
  if (scrolls) ImGui::BeginChild("moods", {0, 200 * scale});
  for (std::size_t i = 0; i < mood->size(); ++i) {
    float weight = mood->weight(i);
    ImGui::PushID(static_cast<int>(i));
    ImGui::SetNextItemWidth(0.55F * ImGui::GetContentRegionAvail().x);
    if (ImGui::SliderFloat(mood->name(i).c_str(), &weight, 0, MoodMixer::kMostStyle, "%.2f"))
      mood->set_weight(i, weight);
    ImGui::PopID();
  }
  if (scrolls) ImGui::EndChild();
}

void draw_looks(PlaySession& s) {
  heading("Display");
  Shown& shown = s.settings.shown;
  ImGui::Checkbox("Trajectory: past and desired", &shown.trajectory);
  ImGui::Checkbox("Contacts", &shown.contacts);
  ImGui::Checkbox("Skeleton", &shown.skeleton);
  constexpr ViewCamera::Mode kModes[] = {ViewCamera::Mode::kOrbit, ViewCamera::Mode::kFollow, ViewCamera::Mode::kFixed};
  for (const ViewCamera::Mode mode : kModes) {
    if (toggle_button(to_string(mode), s.camera.mode() == mode, s.settings.dark)) s.camera.set_mode(mode);
    ImGui::SameLine();
  }
  ImGui::NewLine();
}

}  // namespace

float play_panel_width(float scale) { return 250 * scale; }

void draw_play_panel(PlaySession& s, PlayStage& stage, const PanelPlace& place) {
  begin_panel("play", place);
  draw_state(s, stage);
  draw_styles(stage, s, place.scale);
  draw_choice("Action", stage.controller().actions(), stage.steering().action(), SteerCommand::kAction, s);
  draw_moods(stage.mood(), place.scale);
  draw_looks(s);
  heading("");
  const float half = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2;
  if (ImGui::Button("Start again", {half, 0})) append_reset(s.requests);
  tip_of_last("Resets everything but the position (Backspace)");
  ImGui::SameLine();
  if (ImGui::Button(s.paused ? "Go on" : "Pause", {half, 0})) s.paused = !s.paused;
  tip_of_last("Space");
  ImGui::Dummy({0, 4});
  ImGui::TextDisabled("W A S D  move, Shift  run, C  slow");
  ImGui::TextDisabled("Q E  turn, Alt  keep the facing");
  ImGui::TextDisabled("click  go there, drag  look, F1  help");
  ImGui::TextDisabled("%.0f frames/s", s.frame_ms > 0 ? 1000 / s.frame_ms : 0);
  ImGui::End();
}

// docs/viewer.md has the same table.
const std::vector<HelpGroup>& play_help() {
  static const std::vector<HelpGroup> groups{
      {"Character",
       {{"W A S D, arrows", "move, relative to the camera"},
        {"Shift", "run"},
        {"C", "slowly"},
        {"Q E", "turn"},
        {"Alt", "keep the facing: strafe"},
        {"Click", "go there"},
        {"Backspace", "restart in place"},
        {"P", "push it, with --physics"},
        {"Space", "pause"}}},
      {"Camera",
       {{"1 3 4", "orbit, follow, fixed"},
        {"Drag", "turn"},
        {"Shift drag, middle", "pan"},
        {"Wheel", "nearer, farther"}}},
      {"Gamepad",
       {{"Left stick", "go"},
        {"A, right trigger", "run"},
        {"Left trigger", "slowly"},
        {"Right stick", "turn the camera"},
        {"Left bumper", "with it: face that direction"}}},
      window_help(),
  };
  return groups;
}

}  // namespace zoe::viewer
