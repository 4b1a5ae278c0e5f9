#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# On a CUDA machine: all models of docs/style.md side by side, each for the same time, and their measures.
#
#   tools/gpu/style.sh ZOE BANDAI CMU OUT SECONDS      e.g. build/gpu/bin/zoe data/bandai_style data/cmu runs/style 600
#
# BANDAI, CMU: folders of clips (tools/gpu/compact_bvh.py makes small copies). Each run has OUT/NAME.log and OUT/NAME.
# JUDGES=DIR: judges of BANDAI; the last sixth of the time (at most 120 s) then measures each model: OUT/NAME.json.
# At the end OUT/style.txz has networks, styles, settings and metrics of the runs that KEEP names (all).
# A run that fails is started once more without recorded CUDA graphs, for what is left of the time.
# RUNS="ship_1 bandai_1": only these. EXTRA="--set train.precision=float32 --set train.batch=16": for a trial on a CPU.
set -uo pipefail
zoe=$1 bandai=$2 cmu=$3 out=$4 seconds=$5
labels=${LABELS:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/models/style/labels.tsv}
mkdir -p "$out"
began=$(date +%s)
measuring=0
if [ -n "${JUDGES:-}" ]; then measuring=$((seconds / 6 < 120 ? seconds / 6 : 120)); fi
training=$((seconds - measuring - 15)) # Reading and exports take seconds.
common=(--set train.batch=256 --set train.threads=1 --set train.ema=0.999 --set train.precision=tf32
  --set train.checkpoint_every=4000 --set train.keep=1 --set model.content=32 --licence)
large=(--set model.hidden=256 --set model.embed=128 --set model.channels=128)
small=(--set model.hidden=224 --set model.embed=112)
# As published, less what Style-ERD lacks: no other critic, no moments, no code of the style.
erd=(--no-mirror --set model.recurrent=per_style --set loss.adversarial_dynamics.weight=0 --set loss.mismatch.weight=0
  --set loss.moments.weight=0 --set loss.moments.first_weight=0 --set loss.confusion.weight=0 --set loss.timing.weight=0
  --set loss.divergence.weight=0 --set loss.same_style.weight=0 --set loss.style_cycle.weight=0 --set model.hidden=160)

wanted() { [ -z "${RUNS:-}" ] || [[ " $RUNS " == *" $1 "* ]]; }
train() { # name, arguments
  local name=$1 left
  shift
  # shellcheck disable=SC2086
  if ! "$zoe" train style "$@" ${EXTRA:-} -o "$out/$name" --steps 400000 --set train.seconds="$training" \
    >"$out/$name.log" 2>&1; then
    left=$((training - ($(date +%s) - began)))
    if [ "$left" -gt 60 ]; then
      rm -rf "${out:?}/$name"
      # shellcheck disable=SC2086
      "$zoe" train style "$@" ${EXTRA:-} -o "$out/$name" --steps 400000 --set train.cuda_graph=off \
        --set train.seconds="$left" >>"$out/$name.log" 2>&1
    fi
  fi
  rm -rf "$out/$name/tracks"
}
measure() { # name, arguments
  local name=$1 left=$((seconds - ($(date +%s) - began)))
  shift
  if [ "$measuring" -gt 0 ] && [ "$left" -gt 5 ]; then
    timeout "$left" "$zoe" eval style "$out/$name" "$@" --json \
      >"$out/$name.json" 2>"$out/$name.eval.log"
  fi
}
run() { # name, arguments of the measure, --train, arguments of the training
  local name=$1 of_measure=()
  shift
  wanted "$name" || return
  while [ "$1" != --train ]; do of_measure+=("$1") && shift; done
  shift
  (train "$name" "$@" && measure "$name" "${of_measure[@]}") &
  jobs_of+=($!)
}

jobs_of=()
research=("${common[@]}" "CC BY-NC 4.0 data: research only" --data "$bandai")
judged=(--data "$bandai" --judges "${JUDGES:-}")
for seed in 1 2 3; do run "bandai_$seed" "${judged[@]}" --no-trivial --train "${research[@]}" "${large[@]}" --seed "$seed"; done
run lstm_1 "${judged[@]}" --no-trivial --train "${research[@]}" "${large[@]}" --set model.recurrent=lstm
run erd_1 "${judged[@]}" --no-trivial --train "${research[@]}" "${erd[@]}"
run no_elderly "${judged[@]}" --left-out elderly --train "${research[@]}" "${large[@]}" --without elderly \
  --procedural 6 --random-styles 48 --set model.code=16
run no_turn "${judged[@]}" --no-trivial --no-interpolation --train "${research[@]}" "${large[@]}" \
  --without-content walk-turn-left
of_ship=(--data "$cmu" --labels "$labels" --held-out-takes 2)
if wanted ship_1 && [ "$measuring" -gt 0 ]; then
  "$zoe" train judges "${of_ship[@]}" --by-rule 4 -o "$out/ship_judges" >"$out/ship_judges.log" 2>&1 &
  jobs_of+=($!)
fi
run ship_1 "${of_ship[@]}" --by-rule 4 --judges "$out/ship_judges" --no-trivial --no-interpolation --train \
  "${common[@]}" "CMU mocap terms: free for any use" "${small[@]}" "${of_ship[@]}" --procedural 6 --random-styles 48 \
  --set model.code=16
wait "${jobs_of[@]}"
cd "$out" || exit 1
rm -rf ship_judges/full ship_judges/dynamics ship_judges/training
kept=()
for name in */; do
  if [ -z "${KEEP:-}" ] || [[ " $KEEP " == *" ${name%/} "* ]]; then kept+=("$name"); fi
done
tar cJ --exclude=checkpoints --exclude=tracks --exclude='events*' --exclude=training/model.safetensors \
  --exclude=training/encoder.safetensors --exclude=report.html "${kept[@]}" -f style.txz
ls -l style.txz
