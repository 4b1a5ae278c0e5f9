// SPDX-License-Identifier: MIT
// The asset browser: files below a folder, searched by words, opened by a click, dragged onto the picture.
#include <algorithm>
#include <chrono>
#include <future>

#include <fmt/format.h>

#include "zoe/io/convert.h"

#include "ui/panels.h"
#include "ui/widgets.h"

namespace zoe::viewer {
namespace {

namespace fs = std::filesystem;

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return text;
}

// Every word of the search must occur, in any order.
bool matches(const std::string& name, const std::string& search) {
  for (std::size_t begin = 0; begin < search.size();) {
    const std::size_t end = std::min(search.find(' ', begin), search.size());
    if (end > begin && name.find(search.substr(begin, end - begin)) == std::string::npos) return false;
    begin = end + 1;
  }
  return true;
}

}  // namespace

struct Browser::Impl {
  struct Entry {
    std::string path, name, searched;  // Name: below the folder.
  };
  fs::path folder;
  std::future<Result<std::vector<fs::path>>> scan;
  std::vector<Entry> entries;
  std::vector<std::size_t> found;
  std::string error;
  char search[128] = "";
  std::string searched = "\x01";  // No search yet.

  void follow(const fs::path& wanted);
  void find();
};

Browser::Browser() : impl_(std::make_unique<Impl>()) {}
Browser::~Browser() = default;

// Large folders take a while: they are read in the background.
void Browser::Impl::follow(const fs::path& wanted) {
  if (wanted != folder) {
    folder = wanted;
    entries.clear();
    found.clear();
    error.clear();
    scan = std::async(std::launch::async, [wanted] { return io::list_assets(wanted); });
  }
  if (!scan.valid() || scan.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
  const Result<std::vector<fs::path>> files = scan.get();
  if (!files) {
    error = files.error().format();
    return;
  }
  for (const fs::path& file : *files) {
    std::string name = fs::relative(file, folder).string();
    entries.push_back({file.string(), name, lower(name)});
  }
  searched = "\x01";
}

void Browser::Impl::find() {
  const std::string wanted = lower(search);
  if (wanted == searched) return;
  searched = wanted;
  found.clear();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (matches(entries[i].searched, wanted)) found.push_back(i);
  }
}

void Browser::draw(Session& session, const PanelPlace& place) {
  impl_->follow(session.folder);
  impl_->find();
  begin_panel("browser", place);
  const bool dark = session.settings.dark;
  ImGui::SetNextItemWidth(-1);
  ImGui::InputTextWithHint("##search", "Search files", impl_->search, sizeof impl_->search);
  const std::string folder =
      session.folder.filename().empty() ? session.folder.string() : session.folder.filename().string();
  if (ImGui::SmallButton("..")) session.folder = fs::absolute(session.folder).lexically_normal().parent_path();
  tip_of_last("The folder above");
  ImGui::SameLine();
  ImGui::TextDisabled(
      "%s: %s", folder.c_str(),
      impl_->scan.valid() ? "reading" : fmt::format("{} of {}", impl_->found.size(), impl_->entries.size()).c_str());
  if (!impl_->error.empty()) ImGui::TextWrapped("%s", impl_->error.c_str());
  ImGui::BeginChild("files");
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(impl_->found.size()));
  while (clipper.Step()) {
    for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row) {
      const Impl::Entry& entry = impl_->entries[impl_->found[static_cast<std::size_t>(row)]];
      const auto& items = session.stage.items();
      const bool open =
          std::any_of(items.begin(), items.end(), [&](const StageItem& item) { return item.clip.file == entry.path; });
      ImGui::PushID(row);
      if (ImGui::Selectable("##file", open)) {
        session.tasks.push_back({ImGui::GetIO().KeyCtrl ? Task::Kind::kAdd : Task::Kind::kOpen, 0, entry.path});
      }
      if (ImGui::BeginDragDropSource()) {
        ImGui::SetDragDropPayload("file", entry.path.c_str(), entry.path.size() + 1);
        ImGui::TextUnformatted(entry.name.c_str());
        ImGui::EndDragDropSource();
      }
      if (ImGui::BeginPopupContextItem()) {
        if (ImGui::MenuItem("Show")) session.tasks.push_back({Task::Kind::kOpen, 0, entry.path});
        if (ImGui::MenuItem("Add beside")) session.tasks.push_back({Task::Kind::kAdd, 0, entry.path});
        if (ImGui::MenuItem("Play the selected clip on this body", nullptr, false, session.item() != nullptr)) {
          session.tasks.push_back({Task::Kind::kChangeBody, session.selected, entry.path});
        }
        ImGui::EndPopup();
      } else {
        tip_of_last(
            fmt::format("{}\nClick: open. Ctrl click: add beside. Drag it onto the picture.", entry.name).c_str());
      }
      // The file's name counts more than its folder.
      const std::size_t slash = entry.name.rfind('/');
      ImGui::SameLine(2 * place.scale);
      ImGui::TextUnformatted(slash == std::string::npos ? entry.name.c_str() : entry.name.c_str() + slash + 1);
      if (slash != std::string::npos) {
        ImGui::SameLine();
        ImGui::PushStyleColor(ImGuiCol_Text, palette(dark).text_faint);
        ImGui::TextUnformatted(entry.name.substr(0, slash).c_str());
        ImGui::PopStyleColor();
      }
      ImGui::PopID();
    }
  }
  ImGui::EndChild();
  ImGui::End();
}

}  // namespace zoe::viewer
