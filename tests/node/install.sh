#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the packages of package.json into a folder, unless they are there: other people's programs that tests and
# `zoe bench nn` compare with.
# usage: install.sh [BUILD_FOLDER [LIST_FOLDER]]    exit 77: cannot, with the reason on stdout
# LIST_FOLDER: where package.json is; default beside this script
set -eu
here=$(cd "${2:-$(dirname "$0")}" && pwd)
modules=${1:-$here/../../build/release/tests/node_packages}
for program in node npm; do
  command -v "$program" >/dev/null || { echo "skipped: $program is not installed (apt install nodejs npm)"; exit 77; }
done
mkdir -p "$modules"
if ! cmp -s "$here/package-lock.json" "$modules/installed"; then
  cp "$here/package.json" "$here/package-lock.json" "$modules"
  if ! (cd "$modules" && npm ci --ignore-scripts --no-audit --no-fund) >"$modules/npm.log" 2>&1; then
    cat "$modules/npm.log"
    grep -Eq 'ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|ENETUNREACH' "$modules/npm.log" || exit 1
    echo "skipped: npm cannot reach a registry"
    exit 77
  fi
  cp "$here/package-lock.json" "$modules/installed"
fi
