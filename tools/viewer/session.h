// SPDX-License-Identifier: MIT
// Part of Zoetrope's viewer. What panels and the picture share: plain state; panels write wishes, App fulfils them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stage.h"
#include "window_session.h"

namespace zoe::viewer {

// Things that panels ask for and that need files or the GPU; done between frames.
struct Wish {
  enum class Kind : std::uint8_t {
    kOpen,        // text: file; the stage shows nothing else.
    kAdd,         // text: file, beside what is there.
    kChangeBody,  // item, text: file.
    kChangeClip,  // item, number.
    kScale,       // item, value.
    kRemove,      // item.
    kArrange,     // number: Arrangement.
    kSaveRange,   // item, text: file.
    kSavePose,    // item, text: file.
    kScreenshot,  // text: file.
    kFilm,        // text: file; empty: ends it.
    kPoseTool,    // number: 1 on, 0 off.
    kResetPose,
    kLookAtAll,
    kDrop,  // text: file; asks what to do with it.
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
  int joint = kNoJoint;          // Of the selected item: what plots show.
  bool poses = false;            // The pose tool is on.
  bool limbs_only = false;       // Handles bend their limb alone (FABRIK), not the whole body.
  std::filesystem::path folder;  // That the browser shows.
  std::string driver;
  std::vector<Wish> wishes;
  std::string dropped;        // A file that was dropped onto the picture; asked about until it is empty.
  float drop_answer[2] = {};  // Window pixels of "play on its body"; tests click there.
  char save_name[512] = "";   // Of "Save".

  const StageItem* item() const { return selected < stage.items().size() ? &stage.items()[selected] : nullptr; }
  // One line for all that a file's reader found odd; the terminal has them all.
  void note_warnings(const Warnings& warnings);
};

}  // namespace zoe::viewer
