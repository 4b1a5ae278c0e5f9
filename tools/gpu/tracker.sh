#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# On a CUDA machine: learned residuals of docs/physics.md side by side, and the planner's balance on its CPU cores.
#
#   tools/gpu/tracker.sh ZOE DATA OUT SECONDS      e.g. build/gpu/bin/zoe data/tracker runs/tracker 1100
#
# Needs a build with physics (tools/gpu/pack_headers.sh carries MuJoCo), models/walker and models/dog. Clips of these
# controllers are recorded into DATA. Optional: DATA/human/{train,held_out} and DATA/long, clips of 10 s and more, which
# the planner follows too. OUT gets per residual NAME/{body.glb,model.safetensors}, NAME.log, NAME.metrics.jsonl, and
# results.jsonl: one line per held-out clip and method; tracker.txz has all of it.
# RUNS: which of human (half of the weight as assist), free (assist from 1 to 0), plans (learns the plans), dog (half).
# PLANS=0: without the planner. THREADS: of the rollouts of a residual (default 1; plans: twice that). PLANNERS: plans of
# clips at the same time (default a quarter of the cores). EXTRA="--set train.batch=16": for a trial on a CPU.
set -uo pipefail
zoe=$1 data=$2 out=$3 seconds=$4
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mkdir -p "$data/train" "$data/held_out" "$data/dog/train" "$data/dog/held_out" "$out"
rm -f "$out/results.jsonl"
began=$(date +%s)
left() { echo $((seconds - ($(date +%s) - began) - ${1:-0})); }
cores=$(nproc)
threads=${THREADS:-1}
planners=${PLANNERS:-$((cores / 4 > 1 ? cores / 4 : 1))}
length=${LENGTH:-31}

record() { # folder/name, path, speed, seed, controller
  [ -s "$data/$1.bvh" ] || "$zoe" play "$root/models/${5:-walker}" --path "$2" --speed "$3" --seed "${4:-1}" \
    --seconds "$length" --quiet -o "$data/$1.bvh" >>"$out/record.log" 2>&1
}
# Other speeds, paths and seeds than the held-out ones.
record train/walk_straight straight 1.2
record train/walk_straight_2 straight 1.5
record train/walk_circle circle 1.2
record train/walk_slalom slalom 1.4
record train/walk_sticks_1 sticks 1.3 1
record train/walk_sticks_2 sticks 1.3 2
record dog/train/straight straight 1 1 dog
record dog/train/straight_2 straight 2 1 dog
record dog/train/circle circle 1.2 1 dog
record dog/train/sticks sticks 1.4 1 dog
record dog/held_out/slalom slalom 1.2 1 dog
record dog/held_out/square square 1.5 1 dog
record dog/held_out/sticks sticks 1.2 11 dog
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

# With and without the residual on the same body, with assists of shares of its weight.
compare() { # name, clips
  local name=$1 run=$data/runs/$1 clip share weight
  shift
  for clip in "$@"; do
    [ "$(left)" -gt 4 ] || return 0
    weight=$("$zoe" physics track "$clip" --seconds 0.2 --json --quiet --policy "$run" 2>>"$out/measure.log" |
      awk -F'[:,]' '/"mass_kg"/ { print $2 * 9.81 }')
    [ -n "$weight" ] || continue
    for share in 0 0.5 1 1.5; do
      local force
      force=$(awk -v w="$weight" -v s="$share" 'BEGIN { print w * s }')
      measure "$name $share with" "$clip" --seconds 10 --assist "$force" --policy "$run"
      measure "$name $share without" "$clip" --seconds 10 --assist "$force" --policy "$run" --policy-share 0
    done
  done
}

learn() { # name, threads, options of learn, --, held-out clips, --, training clips
  local name=$1 used=$2 try options=() clips=()
  shift 2
  while [ "$1" != -- ]; do options+=("$1"); shift; done
  shift
  while [ "$1" != -- ]; do clips+=("$1"); shift; done
  shift
  [[ " ${RUNS:-human free plans dog} " == *" $name "* ]] || return
  # Once more without recorded CUDA graphs where the first try fails early.
  for try in auto off; do
    [ "$(left 90)" -gt 20 ] || break
    rm -rf "$data/runs/$name"
    # shellcheck disable=SC2086
    if ZOE_THREADS=$used timeout "$(left 30)" "$zoe" physics learn "$@" -o "$data/runs/$name" "${options[@]}" --seconds "$(left 90)" \
      --steps 1000000 --set train.batch=512 --set train.rate=1e-3 --set turn.policy.rate_factor=0.5 \
      --set train.threads=1 --set train.precision=tf32 --set train.cuda_graph=$try --set model.hidden=192,192 \
      ${EXTRA:-} >>"$out/$name.log" 2>&1; then break; fi
  done
  [ -s "$data/runs/$name/model.safetensors" ] || return
  mkdir -p "$out/$name"
  cp "$data/runs/$name/body.glb" "$out/$name/"
  "$zoe" export "$data/runs/$name/model.safetensors" "$out/$name/model.safetensors" --dtype bf16 --samples 2 \
    >>"$out/$name.log" 2>&1 || cp "$data/runs/$name/model.safetensors" "$out/$name/"
  cp "$data/runs/$name/training/metrics.jsonl" "$out/$name.metrics.jsonl"
  compare "$name" "${clips[@]}"
}

shopt -s nullglob
pids=()
frames=${FRAMES:-60000}
human=("$data"/human/train/*.bvh)
if [ ${#human[@]} -gt 0 ]; then
  learn human "$threads" --assist 0.5 --rounds 6 --frames "$frames" --window 16 -- \
    "$data"/human/held_out/*.bvh -- "${human[@]}" &
  pids+=($!)
  learn free "$threads" --assist 1 --last-assist 0 --rounds 10 --frames "$frames" --window 32 -- \
    "$data"/human/held_out/*.bvh -- "${human[@]}" &
  pids+=($!)
fi
learn plans $((2 * threads)) --plans 0.6 --rounds 5 --frames "${PLANNED:-3000}" --window 2 -- \
  "$data"/held_out/walk_*.bvh -- "$data"/train/walk_*.bvh &
pids+=($!)
learn dog "$threads" --assist 0.5 --rounds 6 --frames "$frames" --window 16 -- \
  "$data"/dog/held_out/*.bvh -- "$data"/dog/train/*.bvh &
pids+=($!)
clips=("$data"/held_out/*.bvh "$data"/dog/held_out/*.bvh "$data"/long/*.bvh)
for clip in "${clips[@]}"; do measure none "$clip" --seconds 30; done
if [ "${PLANS:-1}" = 1 ]; then
  export -f measure left
  export zoe out seconds began
  # 10 s of all clips with two ways to plan, then 30 s while the time lasts.
  # shellcheck disable=SC2016
  {
    for clip in "${clips[@]}"; do printf '%s\n' "10 --give-way 1" "$clip"; done
    for clip in "${clips[@]}"; do printf '%s\n' "10 --give-way 1 --plan-rounds 6" "$clip"; done
    for clip in "${clips[@]}"; do printf '%s\n' "30 --give-way 1 --plan-rounds 6" "$clip"; done
  } | tr '\n' '\0' | xargs -0 -n 2 -P "$planners" nice -n 5 \
    bash -c 'measure "planner $0" "$1" --balance 0.6 --plan-steps 2 --seconds $0' &
  pids+=($!)
fi
for pid in "${pids[@]}"; do wait "$pid"; done
cd "$out" && tar cJf tracker.txz --exclude=tracker.txz -- * && ls -l tracker.txz && wc -l results.jsonl
tail -n 2 ./*.log | head -40
