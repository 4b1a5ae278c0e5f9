#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs a script under node with the packages of package.json, which go into the build folder.
# usage: run.sh BUILD_FOLDER SCRIPT ARGUMENTS…     exit 77: skipped, with the reason on stdout
set -eu
here=$(cd "$(dirname "$0")" && pwd)
modules=$1
script=$2
shift 2
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
exec node "$here/$script" "$modules" "$@"
