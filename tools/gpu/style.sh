#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# On a CUDA machine: all models of docs/style.md side by side, each for the same time.
#
#   tools/gpu/style.sh ZOE BANDAI CMU OUT SECONDS      e.g. build/gpu/bin/zoe data/bandai_style data/cmu runs/style 600
#
# BANDAI, CMU: folders of clips (tools/gpu/compact_bvh.py makes small copies). Each run has OUT/NAME.log and OUT/NAME.
# At the end OUT/style.tar.aa, .ab, … (at most 15 MB each; `cat style.tar.* | tar x`) have the small files of all runs:
# networks, styles, settings, logs, metrics.
# A run that fails is started once more without recorded CUDA graphs, for what is left of the time.
# RUNS="ship_1 bandai_1": only these. EXTRA="--set train.precision=float32 --set train.batch=16": for a trial on a CPU.
set -uo pipefail
zoe=$1 bandai=$2 cmu=$3 out=$4 seconds=$5
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mkdir -p "$out"
began=$(date +%s)
timed=$("$zoe" train style --show-config 2>/dev/null | grep -c '^seconds')
common=(--set train.batch=256 --set train.threads=1 --set train.ema=0.999 --set train.precision=tf32
  --set train.checkpoint_every=4000 --set train.keep=1 --set model.content=32 --licence)
large=(--set model.hidden=256 --set model.embed=128 --set model.channels=128)
small=(--set model.hidden=224 --set model.embed=112)
# As published, less what Style-ERD lacks: no other critic, no moments, no code of the style.
erd=(--no-mirror --set model.recurrent=per_style --set loss.adversarial_dynamics.weight=0 --set loss.mismatch.weight=0
  --set loss.moments.weight=0 --set loss.moments.first_weight=0 --set loss.confusion.weight=0
  --set loss.divergence.weight=0 --set loss.same_style.weight=0 --set loss.style_cycle.weight=0 --set model.hidden=160)

limits() { # seconds left
  if [ "$timed" -gt 0 ]; then echo "--steps 400000 --set train.seconds=$1"; else echo "--steps $((seconds * 20))"; fi
}
train() { # name, arguments
  local name=$1 left
  shift
  if [ -n "${RUNS:-}" ] && [[ " $RUNS " != *" $name "* ]]; then return; fi
  # shellcheck disable=SC2046,SC2086
  if ! "$zoe" train style "$@" ${EXTRA:-} -o "$out/$name" $(limits "$seconds") >"$out/$name.log" 2>&1; then
    left=$((seconds - ($(date +%s) - began)))
    if [ "$left" -gt 60 ]; then
      rm -rf "${out:?}/$name"
      "$zoe" train style "$@" ${EXTRA:-} -o "$out/$name" --set train.cuda_graph=off $(limits "$left") >>"$out/$name.log" 2>&1
    fi
  fi
  rm -rf "$out/$name/tracks"
}

research=("${common[@]}" "CC BY-NC 4.0 data: research only" --data "$bandai")
for seed in 1 2 3; do train "bandai_$seed" "${research[@]}" "${large[@]}" --seed "$seed" & done
train lstm_1 "${research[@]}" "${large[@]}" --set model.recurrent=lstm &
train strong_1 "${research[@]}" "${large[@]}" --set loss.adversarial.weight=5 --set loss.adversarial_dynamics.weight=5 &
train pairs_1 "${research[@]}" "${large[@]}" --procedural 2 &
train erd_1 "${research[@]}" "${erd[@]}" &
train no_elderly "${research[@]}" "${large[@]}" --without elderly &
train no_elderly_pairs "${research[@]}" "${large[@]}" --without elderly --procedural 3 &
train no_raise "${research[@]}" "${large[@]}" --without-content raise-up-right-hand &
train ship_1 "${common[@]}" "CMU mocap terms: free for any use" "${small[@]}" --data "$cmu" \
  --labels "$root/models/style/labels.tsv" --held-out-takes 0 --procedural 3 &
wait
cd "$out" || exit 1
tar c --exclude=checkpoints --exclude=tracks --exclude='events*' --exclude=training/model.safetensors \
  --exclude=training/encoder.safetensors --exclude=report.html ./*.log ./*/ | split -b 15000000 - style.tar.
ls -l style.tar.*
