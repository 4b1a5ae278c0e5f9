#!/bin/sh
# SPDX-License-Identifier: MIT
# Assembles the walker's page of a build by run.py, and tests it: run_page.sh ZOE WORK. Exit status 77: skipped.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ -f "$2/wasm/web/zoe.wasm" ] || { echo "skipped: there is no build for WebAssembly; see portable.wasm"; exit 77; }
"$here/../../tools/dev/build_web.sh" "$1" "$2"
exec /usr/bin/python3 "$here/page_test.py" "$2"
