#!/bin/sh
# SPDX-License-Identifier: MIT
# Opens a set of sprites with a game engine in Chromium, without a display.
# usage: run_browser.sh PACKAGES_FOLDER phaser|pixi SET_FOLDER TITLE     exit 77: skipped, with the reason on stdout
set -eu
here=$(cd "$(dirname "$0")" && pwd)
command -v chromium >/dev/null || { echo "skipped: chromium is not installed (apt install chromium)"; exit 77; }
"$here/../node/install.sh" "$1" "$here"
exec node "$here/load_in_browser.mjs" "$@"
