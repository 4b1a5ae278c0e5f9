// SPDX-License-Identifier: MIT
#include "ui/gui.h"

#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

#include "ui/theme.h"

namespace zoe::viewer {

Gui::Gui(Window& window, const std::filesystem::path& config_folder) {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  if (!config_folder.empty()) ini_file_ = (config_folder / "viewer_layout.ini").string();
  io.IniFilename = ini_file_.empty() ? nullptr : ini_file_.c_str();
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  scale_ = window.scale();
  load_fonts(scale_);
  ImGui_ImplGlfw_InitForOpenGL(window.handle(), true);
  ImGui_ImplOpenGL3_Init("#version 450 core");
}

Gui::~Gui() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
}

void Gui::begin(bool dark) {
  if (!themed_ || dark_ != dark) {
    dark_ = dark;
    themed_ = true;
    apply_theme(dark_, scale_);
  }
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  ImGui::NewFrame();
}

void Gui::end() { ImGui::Render(); }
void Gui::paint() { ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData()); }
bool Gui::wants_pointer() const { return ImGui::GetIO().WantCaptureMouse; }
bool Gui::wants_keys() const { return ImGui::GetIO().WantTextInput; }
bool Gui::is_busy() const { return ImGui::IsAnyItemActive(); }

}  // namespace zoe::viewer
