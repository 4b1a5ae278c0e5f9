// SPDX-License-Identifier: MIT
// Part of Zoetrope. Descriptions of a sheet for game engines, as text. All are functions of their arguments alone, so
// that a rerun gives the same bytes. docs/sprite.md has a table of them.
#pragma once

#include <string>

#include "zoe/sprite/sheet.h"

namespace zoe::sprite {

// What the files state beside the frames.
struct SheetNames {
  std::string title;  // "knight": the beginning of frame names.
  std::string image;  // File name of the sheet's picture, without a folder.
};

// Aseprite's export, as a list or as an object. Frames are named by their number (Aseprite's name format "{frame}"),
// as Phaser's createFromAseprite needs.
std::string aseprite_array(const FrameSet& set, const Sheet& sheet, const SheetNames& names);
std::string aseprite_hash(const FrameSet& set, const Sheet& sheet, const SheetNames& names);

// TexturePacker's JSON hash with Pixi's animations and anchors. Frames are named "walk_e_00". Phaser loads it as an
// atlas. Durations are in "durations", which engines ignore.
std::string texture_packer(const FrameSet& set, const Sheet& sheet, const SheetNames& names);

// SpriteFrames of Godot. The picture is expected at res://IMAGE.
std::string godot4(const FrameSet& set, const Sheet& sheet, const SheetNames& names);
std::string godot3(const FrameSet& set, const Sheet& sheet, const SheetNames& names);

// IMAGE.meta of Unity. guid: 32 hexadecimal digits of a file that exists already, or empty: derived from the names.
std::string unity_meta(const FrameSet& set, const Sheet& sheet, const SheetNames& names, const std::string& guid = {});
// The guid of a .meta file's text; empty where there is none.
std::string unity_guid(std::string_view meta);

// "walk_e_03": clip, direction, number in the animation, with as many digits as the longest animation needs.
std::string frame_name(const FrameSet& set, int frame);

}  // namespace zoe::sprite
