#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Learned residuals of docs/physics.md with several seeds side by side, each on one core, beside none on the same body.
#
#   tools/gpu/tracker.sh ZOE DATA OUT SECONDS      e.g. build/gpu/bin/zoe data/tracker runs/tracker 600
#
# Needs a build with physics and models/walker. DATA/human/{train,held_out} of tools/gpu/tracker_data.sh; recordings of
# models/walker go to DATA/made/{train,held_out}. OUT gets per residual NAME/{body.glb,model.safetensors}, NAME.log,
# NAME.metrics.jsonl, and results.jsonl: one line per held-out clip, assist and method; tracker.txz has all of it and is
# renewed every 60 s.
# RUNS: names of a set and a seed (default "human_2 human_3 made_1"). DEVICE: default cpu; the networks are small, and
# the memory of a shared GPU was full once. FRAMES: of a round, fewer for a trial.
set -uo pipefail
zoe=$1 data=$2 out=$3 seconds=$4
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mkdir -p "$data"/{human,made}/{train,held_out} "$data/runs" "$out"
: >"$out/results.jsonl"
began=$(date +%s)
left() { echo $((seconds - ($(date +%s) - began) - ${1:-0})); }
pack() {
  (cd "$out" && tar cJf .tracker.txz --exclude='*.txz' -- * && mv .tracker.txz tracker.txz)
}

record() { # folder/name, path, speed, seed
  [ -s "$data/made/$1.bvh" ] || "$zoe" play "$root/models/walker" --path "$2" --speed "$3" --seed "${4:-1}" \
    --seconds 16 --quiet -o "$data/made/$1.bvh" >>"$out/record.log" 2>&1
}
# Other speeds, paths and seeds than the held-out ones.
record train/straight straight 1.2
record train/straight_2 straight 1.6
record train/run straight 2.6
record train/circle circle 1.2
record train/slalom slalom 1.4
record train/stop_and_go stop_and_go 1.2
record train/sticks_1 sticks 1.3 1
record train/sticks_2 sticks 1.6 2
record train/sticks_3 sticks 2.2 3
record held_out/straight straight 1.4
record held_out/run straight 2.9
record held_out/circle circle 1.5
record held_out/square square 1.2
record held_out/slalom slalom 1.7
record held_out/sticks_11 sticks 1.3 11
record held_out/sticks_12 sticks 2 12
record held_out/stop_and_go stop_and_go 1.5

# With and without the residual on the same body, with assists of shares of its weight.
compare() { # name, clips
  local name=$1 run=$data/runs/$1 clip share weight part json
  shift
  for clip in "$@"; do
    [ "$(left)" -gt 4 ] || return 0
    weight=$("$zoe" physics track "$clip" --seconds 0.2 --json --quiet --policy "$run" 2>>"$out/measure.log" |
      awk -F'[:,]' '/"mass_kg"/ { print $2 * 9.81 }')
    [ -n "$weight" ] || continue
    for share in 0 0.5 1 1.5; do
      for part in 0 0.5 1; do
        json=$("$zoe" physics track "$clip" --seconds 10 --json --quiet --policy "$run" --policy-share $part --assist \
          "$(awk -v w="$weight" -v s="$share" 'BEGIN { print w * s }')" 2>>"$out/measure.log" | tr -d '\n')
        [ -n "$json" ] && echo "{\"run\": \"$name\", \"assist\": $share, \"part\": $part, \"track\": $json}" \
          >>"$out/results.jsonl"
      done
    done
  done
}

learn() { # name: set_seed
  local name=$1 set=${1%_*} seed=${1##*_}
  ZOE_THREADS=1 timeout "$(left 60)" "$zoe" physics learn "$data/$set"/train/*.bvh -o "$data/runs/$name" --seed "$seed" \
    --assist 0.5 --rounds 2 --frames "${FRAMES:-20000}" --window 12 --seconds "$(left 140)" --steps 1000000 \
    --set train.batch=64 --set train.rate=1e-3 --set turn.policy.rate_factor=0.5 --set model.hidden=128,128 \
    --set model.world_hidden=256,256 --set train.threads=1 --set train.precision=float32 --set train.seed="$seed" \
    --device "${DEVICE:-cpu}" >>"$out/$name.log" 2>&1
  [ -s "$data/runs/$name/model.safetensors" ] || return
  mkdir -p "$out/$name"
  cp "$data/runs/$name/body.glb" "$out/$name/"
  "$zoe" export "$data/runs/$name/model.safetensors" "$out/$name/model.safetensors" --dtype bf16 --samples 2 \
    >>"$out/$name.log" 2>&1 || cp "$data/runs/$name/model.safetensors" "$out/$name/"
  cp "$data/runs/$name/training/metrics.jsonl" "$out/$name.metrics.jsonl"
  compare "$name" "$data/$set"/held_out/*.bvh
}

{ while sleep 60; do pack; done; } &
packer=$!
pids=()
for name in ${RUNS:-human_2 human_3 made_1}; do
  rm -rf "$data/runs/$name"
  learn "$name" &
  pids+=($!)
done
for pid in "${pids[@]}"; do wait "$pid"; done
kill "$packer"
pack
ls -l "$out/tracker.txz"
wc -l "$out/results.jsonl"
tail -n 2 "$out"/*.log | head -40
