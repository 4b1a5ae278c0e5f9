# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Sourced by sprite_data.sh and sprite_video_data.sh: `trained` and `tested`, the hand-drawn figures below $assets that
# painters learn from, and the collections that they never have.
trained=("$assets"/drawings/kenney_toon/*/*.png "$assets"/drawings/kenney_platformer/{alien*,frog*,mouse}.png
  "$assets"/drawings/superpowers_pixel/*.png "$assets"/drawings/kenney_round_animals/*.png
  "$assets"/sheets/pixel_sheets/{bevy_rpg,caverman}/*.png "$assets"/sheets/godot/sprites3d/textures/*.png)
tested=("$assets"/drawings/{gdquest_battlers,kaplay_sprites}/*.png "$assets"/sheets/unity_meta/enemy.png
  "$assets"/sheets/pixel_sheets/{mage,tyrannosaurus}/*.png "$assets"/sheets/godot/dodge_the_creeps/art/*.png
  "$assets"/sheets/aseprite_json/excalibur/*.png)
