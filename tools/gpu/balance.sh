#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Balance without assist over long clips on a machine with many cores: docs/physics.md, "10 s without assist".
#
#   tools/gpu/balance.sh ZOE DATA OUT SECONDS      e.g. build/gpu/bin/zoe data/balance runs/balance 800
#
# DATA: tune/ and held/ of tools/gpu/balance_data.sh. Needs no GPU but a build with physics, models/walker and
# models/dog, whose recordings go to DATA/made. OUT gets results.jsonl, one line per clip and method, written as clips
# end; balance.txz has all of it and is renewed every 60 s.
# PLANNERS: clips at the same time (default half of the cores). LENGTH: seconds of a short clip, for a trial. ONLY: an
# extended regular expression, clips whose names match.
set -uo pipefail
zoe=$1 data=$2 out=$3 seconds=$4
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mkdir -p "$data/made" "$out"
: >"$out/results.jsonl"
began=$(date +%s)
left() { echo $((seconds - ($(date +%s) - began) - ${1:-0})); }
planners=${PLANNERS:-$(($(nproc) / 2 > 1 ? $(nproc) / 2 : 1))}
length=${LENGTH:-10}
pack() { tar cJf "$out/.balance.txz" -C "$out" results.jsonl measure.log && mv "$out/.balance.txz" "$out/balance.txz"; }

record() { # name, path, speed, seed, controller
  [ -s "$data/made/$1.bvh" ] || "$zoe" play "$root/models/${5:-walker}" --path "$2" --speed "$3" --seed "${4:-1}" \
    --seconds "$((3 * length + 1))" --quiet -o "$data/made/$1.bvh" >>"$out/measure.log" 2>&1
}
record walk_straight straight 1.35
record walk_circle circle 1.35
record walk_square square 1.2
record run_straight straight 2.9
record run_circle circle 2.9
record run_slalom slalom 2.7
record stop_and_go stop_and_go 1.4
record dog_slalom slalom 1.2 1 dog
record dog_square square 1.5 1 dog
record dog_run straight 3 1 dog

measure() { # method, clip, arguments
  local method=$1 clip=$2 json
  shift 2
  [ "$(left)" -gt 5 ] || return 0
  json=$(timeout "$(left 2)" "$zoe" physics track "$clip" --json --quiet "$@" 2>>"$out/measure.log" | tr -d '\n') &&
    [ -n "$json" ] &&
    echo "{\"method\": \"$method\", \"set\": \"$(basename "$(dirname "$clip")")\", \"track\": $json}" >>"$out/results.jsonl"
}
export -f measure left
export zoe out seconds began ZOE_THREADS=1

{ while sleep 60; do pack; done; } &
packer=$!
shopt -s nullglob
clips=()
for clip in "$data"/{made,held}/*.bvh; do
  [[ $(basename "$clip") =~ ${ONLY:-.} ]] && clips+=("$clip")
done
for clip in "${clips[@]}" "$data"/tune/*.bvh; do measure none "$clip" --seconds "$length"; done &
simple=$!
plans="--balance 0.6 --plan-steps 2 --give-way 1"
{
  for clip in "${clips[@]}"; do printf '%s\n' "$length" "$plans" "$clip"; done
  # As long as they are.
  for clip in "${clips[@]}"; do
    [ "$(awk '/^Frames:/ { n = $2 } /^Frame Time/ { print (n * $3 > 11); exit }' "$clip")" = 0 ] ||
      printf '%s\n' $((3 * length)) "$plans" "$clip"
  done
  # Other settings on the clips that may choose them.
  for other in "$plans" "--balance 0.6 --plan-steps 4 --give-way 1" "$plans --plan-rounds 6" "$plans --plan-window 6" \
    "--balance 0.8 --plan-steps 2 --give-way 1" "--balance 0.6 --plan-steps 2"; do
    for clip in "$data"/tune/*.bvh; do printf '%s\n' "$length" "$other" "$clip"; done
  done
} | tr '\n' '\0' | xargs -0 -n 3 -P "$planners" nice -n 5 \
  bash -c 'measure "$0 $1" "$2" --seconds $0 $1'
wait "$simple"
kill "$packer"
pack
ls -l "$out/balance.txz"
wc -l "$out/results.jsonl"
tail -n 3 "$out/measure.log"
