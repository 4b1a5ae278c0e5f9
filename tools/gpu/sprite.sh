#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# On a CUDA machine: the painters of docs/sprite.md side by side (five seeds, one without depth), and the judge of poses.
#
#   tools/gpu/sprite.sh ZOE DATA OUT SECONDS      e.g. build/gpu/bin/zoe data/sprite runs/sprite 800
#
# The clips are drawn there first (DATA/train, DATA/judge). OUT gets NAME.log, and for each run NAME/model.safetensors
# (bfloat16 of the first seed and the judge, int8 of the others), config.toml, metrics.jsonl.
# A run that fails is started once more without recorded CUDA graphs, for what is left of the time.
# CLIPS=300 JUDGE_CLIPS=100 RUNS="sprite_1" EXTRA="--set model.channels=8 --set train.precision=float32": a trial.
set -uo pipefail
zoe=$1 data=$2 out=$3 seconds=$4
mkdir -p "$data" "$out"
began=$(date +%s)
left() { echo $((seconds - ($(date +%s) - began) - ${1:-0})); }
# Held out: four species, five actions (chop, kick, sneak, dance, bow), the styles ink and flat.
actions=idle,walk,run,jump,fall,crouch,dodge,slash,stab,punch,cast,shoot,throw,block,hit,death,cheer,wave,talk,sit
# Without a renderer there: DATA/bundle/pack is the same verb from another build, DATA/few_NAME are clips drawn before.
pack() { # name, arguments
  local name=$1
  shift
  "$zoe" sprite pack "$@" -o "$data/$name" >>"$out/pack.log" 2>&1 && return
  bash "$data/bundle/pack" "$@" -o "$data/$name" >>"$out/pack.log" 2>&1 && return
  echo "$name: the few clips that came along" >>"$out/pack.log"
  cp -r "$data/few_$name" "$data/$name" 2>>"$out/pack.log"
}
pack train --identities 6000 --clips "${CLIPS:-12000}" --frames 8 --action "$actions" \
  --no-species frog,robot,minotaur,mushroom --style pixel,toon,lit --other-views 0.2
echo "packed after $(($(date +%s) - began)) s" >>"$out/pack.log"

train() { # name, model, data, arguments
  local name=$1 model=$2 from=$3
  shift 3
  if [ -n "${RUNS:-}" ] && [[ " $RUNS " != *" $name "* ]]; then return; fi
  local work="$data/runs/$name" dtype=int8 try
  for try in auto off; do
    [ "$(left 40)" -gt 20 ] || break
    rm -rf "$work"
    # shellcheck disable=SC2086
    if "$zoe" train "$model" --data "$data/$from" "$@" --set train.cuda_graph=$try --set train.steps=400000 \
      --set train.seconds="$(left 35)" ${EXTRA:-} -o "$work" >>"$out/$name.log" 2>&1; then break; fi
  done
  [ "$name" = sprite_1 ] || [ "$name" = judge ] && dtype=bf16
  mkdir -p "$out/$name"
  cp "$work/config.toml" "$work/metrics.jsonl" "$out/$name/" 2>/dev/null
  "$zoe" export "$work/model.safetensors" "$out/$name/model.safetensors" --dtype $dtype --samples 2 \
    >>"$out/$name.log" 2>&1
}
common=(--set train.batch=64 --set train.threads=1 --set train.ema=0.999 --set train.precision=bf16
  --set train.rate=1e-3 --set train.warmup_steps=300 --set train.validate_every=2000 --set train.validation_batches=40
  --set train.checkpoint_every=5000 --set train.keep=1 --set train.log_every=100)
pids=()
for seed in 1 2 3 4 5; do
  train "sprite_$seed" sprite train "${common[@]}" --set model.channels=44 --set train.seed=$seed &
  pids+=($!)
done
train no_depth sprite train "${common[@]}" --set model.channels=44 --set model.depth=false &
pids+=($!)
judge() {
  pack judge --identities 3000 --first-identity 500000 --clips "${JUDGE_CLIPS:-2500}" --frames 8 \
    --style pixel,toon,lit,flat,ink --other-views 0 --seed 5
  train judge sprite_judge judge "${common[@]}" --set model.channels=32
}
judge &
pids+=($!)
for pid in "${pids[@]}"; do wait "$pid"; done
ls -l "$out"/*/model.safetensors
