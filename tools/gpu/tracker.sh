#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# On a CUDA machine: learned trackers of docs/physics.md side by side, and the planner's balance on its CPU cores.
#
#   tools/gpu/tracker.sh ZOE DATA OUT SECONDS      e.g. build/gpu/bin/zoe data/tracker runs/tracker 450
#
# Needs a build with physics (tools/gpu/pack_headers.sh carries MuJoCo) and models/walker. DATA: a folder for clips,
# which are recorded there; DATA/cmu16/train and DATA/cmu16/held_out are optional clips of one subject, DATA/long are
# optional clips of 10 s and more, which the planner and the policy `walk` follow. OUT gets per policy
# NAME/{body.glb,model.safetensors}, NAME.log, NAME.metrics.jsonl, and results.jsonl: one line per held-out clip and
# method; tracker.txz has all of it. RUNS="walk all cmu16": which (default walk and all). PLANS=0: without the planner.
# THREADS: of the rollouts of each policy (default: a quarter of the cores). PLANNERS: at the same time (half).
# EXTRA="--set train.batch=16 --set train.precision=float32": for a trial on a CPU.
set -uo pipefail
zoe=$1 data=$2 out=$3 seconds=$4
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mkdir -p "$data/train" "$data/held_out" "$out"
began=$(date +%s)
left() { echo $((seconds - ($(date +%s) - began) - ${1:-0})); }
cores=$(nproc)
threads=${THREADS:-$((cores / 4 > 1 ? cores / 4 : 1))}
planners=${PLANNERS:-$((cores / 2))}
length=${LENGTH:-31}

record() { # folder/name, path, speed, seed
  [ -s "$data/$1.bvh" ] || "$zoe" play "$root/models/walker" --path "$2" --speed "$3" --seed "${4:-1}" \
    --seconds "$length" --quiet -o "$data/$1.bvh" >>"$out/record.log" 2>&1
}
# Other speeds, paths and seeds than the held-out ones.
record train/walk_straight straight 1.2
record train/walk_straight_2 straight 1.5
record train/walk_circle circle 1.2
record train/walk_slalom slalom 1.4
record train/walk_sticks_1 sticks 1.3 1
record train/walk_sticks_2 sticks 1.3 2
record train/run_straight straight 2.6
record train/run_straight_2 straight 3.2
record train/run_circle circle 2.6
record train/run_slalom slalom 3
record held_out/walk_straight straight 1.35
record held_out/walk_circle circle 1.35
record held_out/walk_square square 1.2
record held_out/walk_sticks sticks 1.3 11
record held_out/run_straight straight 2.9
record held_out/run_circle circle 2.9
record held_out/run_slalom slalom 2.7
record held_out/stop_and_go stop_and_go 1.4

measure() { # method, clip, arguments
  local method=$1 clip=$2 json
  shift 2
  [ "$(left)" -gt 2 ] || return 0
  json=$(timeout "$(left)" "$zoe" physics track "$clip" --json --quiet "$@" 2>>"$out/measure.log" | tr -d '\n') &&
    [ -n "$json" ] && echo "{\"method\": \"$method\", \"track\": $json}" >>"$out/results.jsonl"
}

learn() { # name, held-out clips (a folder), training clips
  local name=$1 held_out=$2 clip try
  shift 2
  [[ " ${RUNS:-walk all} " == *" $name "* ]] || return
  # Once more without recorded CUDA graphs where the first try fails early.
  for try in auto off; do
    [ "$(left 60)" -gt 20 ] || break
    rm -rf "$data/runs/$name"
    # shellcheck disable=SC2086
    if ZOE_THREADS=$threads "$zoe" physics learn "$@" -o "$data/runs/$name" --rounds "${ROUNDS:-6}" \
      --frames "${FRAMES:-60000}" --seconds "$(left 40)" --steps 1000000 --window "${WINDOW:-32}" \
      --set train.batch=512 --set train.rate=1e-3 --set turn.policy.rate_factor=0.5 --set train.threads=1 \
      --set train.precision=tf32 --set train.cuda_graph=$try ${EXTRA:-} >>"$out/$name.log" 2>&1; then break; fi
  done
  [ -s "$data/runs/$name/model.safetensors" ] || return
  mkdir -p "$out/$name"
  cp "$data/runs/$name/body.glb" "$out/$name/"
  "$zoe" export "$data/runs/$name/model.safetensors" "$out/$name/model.safetensors" --dtype bf16 --samples 2 \
    >>"$out/$name.log" 2>&1 || cp "$data/runs/$name/model.safetensors" "$out/$name/"
  cp "$data/runs/$name/training/metrics.jsonl" "$out/$name.metrics.jsonl"
  local clips=("$held_out"/*.bvh)
  if [ "$name" = walk ] && [ -d "$data/long" ]; then clips+=("$data"/long/*.bvh); fi
  for clip in "${clips[@]}"; do
    [ "$(left)" -gt 2 ] || break
    measure "$name" "$clip" --seconds 30 --policy "$data/runs/$name"
  done
}

pids=()
learn walk "$data/held_out" "$data"/train/walk_*.bvh &
pids+=($!)
learn all "$data/held_out" "$data"/train/*.bvh &
pids+=($!)
if [ -d "$data/cmu16/train" ]; then
  learn cmu16 "$data/cmu16/held_out" "$data"/cmu16/train/*.bvh &
  pids+=($!)
fi
clips=("$data"/held_out/*.bvh)
if [ -d "$data/long" ]; then clips+=("$data"/long/*.bvh); fi
for clip in "${clips[@]}"; do measure none "$clip" --seconds 30; done
if [ "${PLANS:-1}" = 1 ]; then
  export -f measure left
  export zoe out seconds began
  # 10 s of all clips, then 30 s while the time lasts.
  # shellcheck disable=SC2016
  {
    for clip in "${clips[@]}"; do printf '10\n%s\n' "$clip"; done
    for clip in "${clips[@]}"; do printf '30\n%s\n' "$clip"; done
  } | tr '\n' '\0' | xargs -0 -n 2 -P "$planners" nice -n 5 \
    bash -c 'measure "planner_$0" "$1" --balance 0.6 --seconds "$0"' &
  pids+=($!)
fi
for pid in "${pids[@]}"; do wait "$pid"; done
cd "$out" && tar cJf tracker.txz --exclude=tracker.txz -- * && ls -l tracker.txz && wc -l results.jsonl
