// SPDX-License-Identifier: MIT
// Part of Zoetrope's viewer. State shared by panels and picture: panels write tasks, App executes them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stage.h"
#include "window_session.h"

namespace zoe::viewer {

// Requests of panels that need files or the GPU; executed between frames.
struct Task {
  enum class Kind : std::uint8_t {
    kOpen,        // text: file; replaces everything on the stage.
    kAdd,         // text: file, beside the present ones.
    kChangeBody,  // item, text: file.
    kChangeClip,  // item, number.
    kScale,       // item, value.
    kRemove,      // item.
    kArrange,     // number: Arrangement.
    kSaveRange,   // item, text: file.
    kSavePose,    // item, text: file.
    kScreenshot,  // text: file.
    kFilm,        // text: file. Empty: ends it.
    kPoseTool,    // number: 1 on, 0 off.
    kResetPose,
    kLookAtAll,
    kDrop,  // text: file; the user is asked what to do with it.
  };
  Kind kind;
  std::size_t item = 0;
  std::string text;
  int number = 0;
  float value = 0;
};

struct Session : WindowSession {
  Stage stage;
  std::size_t selected = 0;      // Item.
  int joint = kNoJoint;          // Of the selected item: the joint of the plots.
  bool poses = false;            // The pose tool is on.
  bool limbs_only = false;       // Handles bend only their limb (FABRIK), not the whole body.
  std::filesystem::path folder;  // Folder of the browser.
  std::string driver;
  std::vector<Task> tasks;
  std::string dropped;        // A file that was dropped onto the picture; the user is asked until it is empty.
  float drop_answer[2] = {};  // Window pixels of "play on its body"; tests click there.
  char save_name[512] = "";   // Of "Save".

  const StageItem* item() const { return selected < stage.items().size() ? &stage.items()[selected] : nullptr; }
  // One line for all warnings of a file's reader; the terminal has them all.
  void note_warnings(const Warnings& warnings);
};

}  // namespace zoe::viewer
