#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Balance without assist over long clips on a machine with many cores: docs/physics.md, "10 s without assist".
#
#   tools/gpu/balance.sh ZOE DATA OUT SECONDS      e.g. build/gpu/bin/zoe data/balance runs/balance 700
#
# DATA: held/ and looped/ of tools/gpu/balance_data.sh, or an archive with them in it. Needs no GPU but a build with
# physics, models/walker and models/dog, whose recordings go to OUT/made. OUT gets results.jsonl, one line per clip,
# written as clips end; balance.txz has it and is renewed every 40 s. First clips of 10 s, then those of 30 s; their
# lines have what happened in the first 10 s too (fall_s).
# PLANNERS: clips at the same time (default half of the cores). SHORT, LONG: seconds of a clip, for a trial. ONLY, NOT:
# extended regular expressions of "10 NAME" and "30 NAME". DATA/done.jsonl: results.jsonl of an earlier run; its clips
# are left out.
set -uo pipefail
zoe=$1 data=$2 out=$3 seconds=$4
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mkdir -p "$out/made"
: >"$out/results.jsonl"
: >"$out/measure.log"
began=$(date +%s)
left() { echo $((seconds - ($(date +%s) - began) - ${1:-0})); }
planners=${PLANNERS:-$(($(nproc) / 2 > 1 ? $(nproc) / 2 : 1))}
short=${SHORT:-10} long=${LONG:-30}
pack() { tar cJf "$out/.balance.txz" -C "$out" results.jsonl measure.log && mv "$out/.balance.txz" "$out/balance.txz"; }
# An archive, or the folder that it was unpacked to or lies in.
for archive in "$data" "$data/balance.txz"; do
  if [ -f "$archive" ]; then mkdir -p "$out/data" && tar xJf "$archive" -C "$out/data" && data=$out/data; fi
done
[ -d "$data/balance" ] && data=$data/balance

record() { # name, path, speed, controller, seconds
  "$zoe" play "$root/models/$4" --path "$2" --speed "$3" --seed 1 --seconds "${5:-$((long + 1))}" --quiet \
    -o "$out/made/$1.bvh" >>"$out/measure.log" 2>&1
}
record walk_straight straight 1.35 walker &
record walk_circle circle 1.35 walker &
record walk_square square 1.2 walker &
record run_straight straight 2.9 walker &
record run_circle circle 2.9 walker &
record run_slalom slalom 2.7 walker &
record stop_and_go stop_and_go 1.4 walker &
record dog_slalom slalom 1.2 dog "$short" &
record dog_square square 1.5 dog "$short" &
record dog_run straight 3 dog "$short" &
wait

measure() { # 10 or 30, clip
  local name json cpu
  name=$(basename "$2" .bvh)
  # A long clip that would not end is not begun.
  [ "$(left)" -gt $(($1 > 10 && seconds > 300 ? 260 : 4)) ] || return 0
  TIMEFORMAT=%U
  { time json=$(timeout "$(left 2)" "$zoe" physics track "$2" --balance auto --plan-steps 2 --give-way 1 --json --quiet \
    --seconds "$(($1 == 10 ? short : long))" 2>>"$out/measure.log" | tr -d '\n'); } 2>"$out/.cpu.$1.$name"
  cpu=$(tail -n 1 "$out/.cpu.$1.$name")
  [ -n "$json" ] &&
    echo "{\"wanted_s\": $1, \"set\": \"$(basename "$(dirname "$2")")\", \"cpu_s\": ${cpu:-0}, \"track\": $json}" \
      >>"$out/results.jsonl"
}
export -f measure left
export zoe out seconds began short long ZOE_THREADS=1

shopt -s nullglob
is_long() { awk '/^Frames:/ { n = $2 } /^Frame Time/ { exit !(n * $3 > 11) }' "$1"; }
is_done() { grep -qs "\"wanted_s\": $1,.*/$2.bvh\"" "$data/done.jsonl"; }
list() { # 10 or 30, clips
  local length=$1 clip name
  shift
  for clip in "$@"; do
    name=$(basename "$clip" .bvh)
    [[ "$length $name" =~ ${ONLY:-.} ]] || continue
    [ -n "${NOT:-}" ] && [[ "$length $name" =~ $NOT ]] && continue
    is_done "$length" "$name" || printf '%s\n' "$length" "$clip"
  done
}
ten=() thirty=()
for clip in "$data"/held/*.bvh "$data"/looped/*.bvh "$out"/made/*.bvh; do
  if is_long "$clip"; then thirty+=("$clip"); else ten+=("$clip"); fi
done
{ while sleep 40; do pack; done; } &
packer=$!
{
  list 10 "${ten[@]}"
  list 30 "${thirty[@]}"
} | tr '\n' '\0' | xargs -0 -n 2 -P "$planners" nice -n 5 bash -c 'measure "$0" "$1"'
kill "$packer"
pack
ls -l "$out/balance.txz"
wc -l "$out/results.jsonl"
tail -n 3 "$out/measure.log"
