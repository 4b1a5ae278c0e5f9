#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs a script under node, or a program, with the packages of package.json, which go into the build folder.
# usage: run.sh BUILD_FOLDER SCRIPT.mjs|PROGRAM ARGUMENTS…     exit 77: skipped, with the reason on stdout
set -eu
here=$(cd "$(dirname "$0")" && pwd)
modules=$1
script=$2
shift 2
"$here/install.sh" "$modules"
case $script in
  *.mjs) exec node "$here/$script" "$modules" "$@" ;;
  *) exec "$script" "$@" ;;
esac
