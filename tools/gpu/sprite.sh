#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# On a CUDA machine: the painters of docs/sprite.md side by side (five seeds, one with OpenPose's points only), and the
# judges of joints, actions, looks and drawings.
#
#   tools/gpu/sprite.sh ZOE DATA OUT SECONDS      e.g. build/gpu/bin/zoe data/sprite runs/sprite 480
#
# DATA is what tools/gpu/sprite_data.sh makes. The clips are drawn there first (DATA/train, DATA/judge). OUT gets
# NAME.log, and for each run NAME/model.safetensors (bfloat16 of the first seed and the judges, int8 of the others),
# config.toml, metrics.jsonl.
# A run that fails is started once more without recorded CUDA graphs, for what is left of the time.
# CLIPS=300 JUDGE_CLIPS=100 RUNS="sprite_1 judge" EXTRA="--set model.channels=8 --set train.precision=float32": a trial.
set -uo pipefail
zoe=$1 data=$2 out=$3 seconds=$4
mkdir -p "$data" "$out"
began=$(date +%s)
. "$(dirname "${BASH_SOURCE[0]}")/sprite_clips.sh"
for archive in "$data"/*.tar.xz; do
  if [ -f "$archive" ]; then tar -xJf "$archive" -C "$data"; fi
done
# Parts of the training data: hand-drawn figures beside rendered ones, where DATA has them.
mixed() { # weight of the drawn part, rendered, drawn
  if [ -d "$data/$3" ]; then
    echo "--data $data/$2=$(awk "BEGIN { print 1 - $1 }") --data $data/$3=$1"
  else
    echo "--data $data/$2"
  fi
}

train() { # name, model, data arguments, arguments
  local name=$1 model=$2 from=$3
  shift 3
  if [ -n "${RUNS:-}" ] && [[ " $RUNS " != *" $name "* ]]; then return; fi
  local work="$data/runs/$name" dtype=bf16 try
  for try in auto off; do
    [ "$(left 40)" -gt 20 ] || break
    rm -rf "$work"
    # shellcheck disable=SC2086
    if "$zoe" train "$model" $from --set train.cuda_graph=$try --set train.steps=400000 \
      --set train.seconds="$(left 35)" "$@" ${EXTRA:-} -o "$work" >>"$out/$name.log" 2>&1; then break; fi
  done
  [[ "$name" = sprite_[2-9] || "$name" = openpose ]] && dtype=int8
  mkdir -p "$out/$name"
  cp "$work/config.toml" "$work/metrics.jsonl" "$out/$name/" 2>/dev/null
  "$zoe" export "$work/model.safetensors" "$out/$name/model.safetensors" --dtype $dtype --samples 2 \
    >>"$out/$name.log" 2>&1
}
common=(--set train.threads=1 --set train.ema=0.999 --set train.precision=bf16 --set train.rate=1e-3
  --set train.warmup_steps=300 --set train.validate_every=2000 --set train.validation_batches=40
  --set train.checkpoint_every=5000 --set train.keep=1 --set train.log_every=100)
painter=("${common[@]}" --set train.batch=32 --set model.channels=44 --set model.pose_noise=0.004)
words=("${common[@]}" --set train.batch=64 --set train.weight_decay=0.01)

pids=()
judges() {
  pack judge --labels --identities 20000 --first-identity 500000 --clips "${JUDGE_CLIPS:-9000}" --frames 8 \
    --style pixel,toon,lit,flat,ink --other-views 0 --seed 5
  echo "judges packed after $(($(date +%s) - began)) s" >>"$out/pack.log"
  train judge sprite_judge "--data $data/judge" "${common[@]}" --set train.batch=16 --set model.channels=32 &
  train action sprite_words "--data $data/judge" "${words[@]}" --set model.questions=action &
  train look sprite_words "--data $data/judge" "${words[@]}" --set model.questions=species,class,color,skin \
    --set model.frames=1 --set model.channels=32 &
  train drawn sprite_words "$(mixed 0.4 judge drawn_train)" "${words[@]}" --set model.questions=drawn \
    --set model.frames=1 --set model.channels=12 --set train.seconds="$((seconds / 4))" &
  wait
}
judges &
pids+=($!)
pack train --identities 6000 --clips "${CLIPS:-10000}" --frames 8 --action "$actions" \
  --no-species "$held" --style pixel,toon,lit --other-views 0.1
echo "packed after $(($(date +%s) - began)) s" >>"$out/pack.log"
from=$(mixed 0.12 train bent_train)
for seed in 1 2 3 4 5; do
  train "sprite_$seed" sprite "$from" "${painter[@]}" --set train.seed=$seed &
  pids+=($!)
done
train openpose sprite "$from" "${painter[@]}" --set model.depth=false &
pids+=($!)
for pid in "${pids[@]}"; do wait "$pid"; done
ls -l "$out"/*/model.safetensors
