#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs blender_compare.py inside Blender. usage: run_blender.sh FOLDER PATTERN…     exit 77: skipped, with the reason
set -eu
here=$(cd "$(dirname "$0")" && pwd)
command -v blender >/dev/null || { echo "skipped: blender is not installed (apt install blender python3-numpy)"; exit 77; }
exec blender -b --factory-startup --python "$here/blender_compare.py" -- "$@"
