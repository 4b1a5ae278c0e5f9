#!/bin/sh
# SPDX-License-Identifier: MIT
# Draws a set of sprites of a synthetic character. usage: write_set.sh ZOE CHARACTER_FOLDER SET_FOLDER
set -eu
rm -rf "$3"
for character in "$2"/*.glb; do
  "$1" sprite make --character "$character" --action attack,jump --pace arcade --directions 2 --size 48 --extrude 1 \
    --effects --name hero --export hash,pixi,godot,godot3,png -o "$3"
  exit
done
