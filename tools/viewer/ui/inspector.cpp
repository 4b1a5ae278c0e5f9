// SPDX-License-Identifier: MIT
// The bodies on the stage and the actions for the selected one.
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "ui/panels.h"
#include "ui/widgets.h"

namespace zoe::viewer {
namespace {

void draw_bodies(Session& s) {
  heading("Bodies");
  for (std::size_t i = 0; i < s.stage.items().size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::Selectable(s.stage.items()[i].clip.title.c_str(), i == s.selected)) {
      s.selected = i;
      s.joint = kNoJoint;
    }
    if (ImGui::BeginPopupContextItem()) {
      if (ImGui::MenuItem("Remove")) s.tasks.push_back({Task::Kind::kRemove, i});
      ImGui::EndPopup();
    }
    if (ImGui::BeginDragDropTarget()) {
      if (const ImGuiPayload* file = ImGui::AcceptDragDropPayload("file")) {
        s.tasks.push_back({Task::Kind::kChangeBody, i, static_cast<const char*>(file->Data)});
      }
      ImGui::EndDragDropTarget();
    }
    ImGui::PopID();
  }
  if (s.stage.items().empty()) ImGui::TextWrapped("Nothing is open. Select a file at the left, or drop one here.");
  if (s.stage.items().size() > 1) {
    const bool apart = s.stage.arrangement() == Arrangement::kSideBySide;
    if (ImGui::RadioButton("Side by side", apart))
      s.tasks.push_back({Task::Kind::kArrange, 0, "", static_cast<int>(Arrangement::kSideBySide)});
    ImGui::SameLine();
    if (ImGui::RadioButton("Overlaid", !apart))
      s.tasks.push_back({Task::Kind::kArrange, 0, "", static_cast<int>(Arrangement::kOverlaid)});
  }
}

void draw_body(Session& s, const StageItem& item) {
  const Motion& motion = item.motion();
  heading("Clip");
  const auto& clips = item.clip.asset->clips;
  if (clips.size() > 1) {
    ImGui::SetNextItemWidth(-1);
    if (ImGui::BeginCombo("##clip", motion.name.c_str(), ImGuiComboFlags_HeightLarge)) {
      for (std::size_t i = 0; i < clips.size(); ++i) {
        ImGui::PushID(static_cast<int>(i));
        if (ImGui::Selectable(clips[i].name.c_str(), clips[i].name == motion.name))
          s.tasks.push_back({Task::Kind::kChangeClip, s.selected, "", static_cast<int>(i)});
        ImGui::PopID();
      }
      ImGui::EndCombo();
    }
  }
  fact("Length", fmt::format("{:.2f} s, {} frames", motion.duration_s(), motion.num_frames));
  fact("Rate", fmt::format("{:g} fps", std::round(motion.fps * 100) / 100));
  fact("Body", fmt::format("{}, {} joints", to_string(item.body->family), motion.num_joints()));
  fact("Height", fmt::format("{:.2f} m", item.body->height_m * static_cast<double>(item.scale)));
  bool mirrored = s.stage.playback().mirrored;
  if (ImGui::Checkbox("Mirror", &mirrored)) append_key('M', s.requests);
  const auto& side = s.stage.scene().world().get<ShownClip>(item.entity);
  if (side.cannot_mirror) {
    ImGui::SameLine();
    ImGui::TextDisabled("no left and right found");
  }
  float scale = item.scale;
  ImGui::SetNextItemWidth(-60);
  if (ImGui::SliderFloat("Scale", &scale, 0.1F, 10, "%.2f", ImGuiSliderFlags_Logarithmic))
    s.tasks.push_back({Task::Kind::kScale, s.selected, "", 0, scale});
}

void draw_joint(Session& s, const StageItem& item) {
  heading("Joint");
  const Skeleton& skeleton = *item.motion().skeleton;
  const int joint = s.joint != kNoJoint && s.joint < skeleton.num_joints() ? s.joint
                    : item.body->hips != kNoJoint                          ? item.body->hips
                                                                           : 0;
  ImGui::SetNextItemWidth(-1);
  if (ImGui::BeginCombo("##joint", skeleton.name(joint).c_str(), ImGuiComboFlags_HeightLarge)) {
    for (int j = 0; j < skeleton.num_joints(); ++j) {
      ImGui::PushID(j);
      if (ImGui::Selectable(skeleton.name(j).c_str(), j == joint)) s.joint = j;
      ImGui::PopID();
    }
    ImGui::EndCombo();
  }
  tip_of_last("Joint of the plots; a click on the body selects it too");
  const auto& actor = s.stage.scene().world().get<scene::Actor>(item.entity);
  const Vec3 at = item.world_from_model().apply_point(actor.model_from_joint[static_cast<std::size_t>(joint)].t);
  const float speed = length(scene::joint_velocity_model(actor, joint, s.stage.scene().time().step_s)) * item.unit_m();
  fact("Position", fmt::format("{:.2f}  {:.2f}  {:.2f} m", at.x, at.y, at.z));
  fact("Speed", fmt::format("{:.2f} m/s", speed));
}

void draw_tools(Session& s) {
  heading("Pose");
  if (ImGui::Button(s.poses ? "End posing" : "Drag the body", {-1, 0}))
    s.tasks.push_back({Task::Kind::kPoseTool, 0, "", s.poses ? 0 : 1});
  tip_of_last("Handles on hands, feet, head and hips; the whole body follows (J)");
  bool changed = ImGui::RadioButton("Whole body", !s.limbs_only) && std::exchange(s.limbs_only, false);
  ImGui::SameLine();
  changed |= ImGui::RadioButton("Limb", s.limbs_only) && !std::exchange(s.limbs_only, true);
  tip_of_last("What follows a handle: the whole body, or only its limb (FABRIK)");
  if (changed && s.poses) s.tasks.push_back({Task::Kind::kResetPose});
  if (s.poses && ImGui::Button("Back to the clip", {-1, 0})) s.tasks.push_back({Task::Kind::kResetPose});
  heading("Save");
  char* file = s.save_name;
  ImGui::SetNextItemWidth(-1);
  ImGui::InputText("##file", file, sizeof s.save_name);
  tip_of_last("The extension selects the format: .glb .gltf .bvh .npz .fbx; a pose also .obj");
  const float half = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2;
  if (ImGui::Button("Range", {half, 0})) s.tasks.push_back({Task::Kind::kSaveRange, s.selected, file});
  tip_of_last("The frames of the range, as displayed (Ctrl S)");
  ImGui::SameLine();
  if (ImGui::Button("Pose", {half, 0})) s.tasks.push_back({Task::Kind::kSavePose, s.selected, file});
  tip_of_last("The displayed pose");
}

}  // namespace

void draw_inspector(Session& session, const PanelPlace& place) {
  begin_panel("inspector", place);
  draw_bodies(session);
  if (const StageItem* item = session.item()) {
    draw_body(session, *item);
    draw_joint(session, *item);
    draw_tools(session);
  }
  ImGui::Dummy({0, 6});
  ImGui::TextDisabled("%.0f frames/s, %s", session.frame_ms > 0 ? 1000 / session.frame_ms : 0,
                      session.driver.substr(session.driver.find(',') + 2).substr(0, 28).c_str());
  ImGui::End();
}

}  // namespace zoe::viewer
