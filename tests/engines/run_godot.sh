#!/bin/sh
# SPDX-License-Identifier: MIT
# Opens a set of sprites in Debian's Godot 3. usage: run_godot.sh SET_FOLDER TITLE     exit 77: skipped, with the reason
set -eu
here=$(cd "$(dirname "$0")" && pwd)
command -v godot3-server >/dev/null || { echo "skipped: godot3-server is not installed"; exit 77; }
project=$(mktemp -d)
trap 'rm -rf "$project"' EXIT
cp -r "$1"/. "$project"
cp "$here/load_godot.gd" "$project"
printf 'config_version=4\n[application]\nconfig/name="sprites"\n' >"$project/project.godot"
touch "$project/frames/.gdignore"
# The editor imports the pictures; its settings go into the temporary folder.
export HOME="$project/home" XDG_DATA_HOME="$project/home" XDG_CONFIG_HOME="$project/home" XDG_CACHE_HOME="$project/home" LANG=en
mkdir -p "$HOME"
timeout 300 godot3-server --path "$project" --editor --quit >"$project/import.log" 2>&1 || { cat "$project/import.log"; exit 1; }
# A script that fails does not end the program.
timeout 300 godot3-server --path "$project" -s load_godot.gd "$2" 2>&1 | grep -v -e "Loaded resource as image" -e "core/image.cpp" >"$project/load.log" || true
cat "$project/load.log"
grep -q "frames agree" "$project/load.log"
