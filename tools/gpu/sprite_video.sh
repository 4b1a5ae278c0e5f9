#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# On a CUDA machine: two seeds of the video transformer of docs/sprite.md side by side.
#
#   tools/gpu/sprite_video.sh ZOE DATA OUT SECONDS      e.g. build/gpu/bin/zoe data/sprite_video runs/sprite_video 480
#
# The clips are drawn there first, into DATA/train: by ZOE where it has a renderer, else by DATA/bundle/pack
# (tools/gpu/sprite_bundle.sh makes it; DATA/bundle.tar.gz is unpacked), else they are DATA/few_train. OUT gets
# pack.log, NAME.log, and for each run NAME/model.safetensors (bfloat16 of the first seed, int8 of the second),
# config.toml, metrics.jsonl. In the last 70 seconds the bundle measures both on held-out clips (OUT/eval*.txt, sheets)
# and paints sentences (OUT/text).
# A run that fails is started once more without recorded CUDA graphs, for what is left of the time.
# CLIPS=60 RUNS="video_1" EXTRA="--set model.width=48 --set train.batch=2 --set train.precision=float32": a trial.
set -uo pipefail
zoe=$1 data=$2 out=$3 seconds=$4
mkdir -p "$data" "$out"
began=$(date +%s)
. "$(dirname "${BASH_SOURCE[0]}")/sprite_clips.sh"
end=75  # Seconds for export and measures.
[ -f "$data/bundle.tar.gz" ] && tar -C "$data" -xzf "$data/bundle.tar.gz"
pack train --video --identities 20000 --clips "${CLIPS:-7500}" --frames 16 --action "$actions" \
  --no-species "$held" --style pixel,toon,lit --other-views 0.2
echo "packed after $(($(date +%s) - began)) s" >>"$out/pack.log"

train() { # name, type of the weights, arguments
  local name=$1 dtype=$2
  shift 2
  if [ -n "${RUNS:-}" ] && [[ " $RUNS " != *" $name "* ]]; then return; fi
  local work="$data/runs/$name" try
  for try in auto off; do
    [ "$(left $end)" -gt 15 ] || break
    rm -rf "$work"
    # shellcheck disable=SC2086
    if "$zoe" train sprite_video --data "$data/train" "$@" --set train.cuda_graph=$try --set train.steps=400000 \
      --set train.seconds="$(left $end)" ${EXTRA:-} -o "$work" >>"$out/$name.log" 2>&1; then break; fi
  done
  mkdir -p "$out/$name"
  cp "$work/config.toml" "$work/metrics.jsonl" "$out/$name/" 2>/dev/null
  "$zoe" export "$work/model.safetensors" "$out/$name/model.safetensors" --dtype "$dtype" --samples 2 \
    >>"$out/$name.log" 2>&1 || cp "$work/model.safetensors" "$out/$name/"
}
# Averages begin with the first weights: 0.998 over 720 steps kept a quarter of them. Fewer frames are more clips.
common=(--set train.batch=48 --set train.threads=1 --set train.ema=0.99 --set train.precision=bf16
  --set train.rate=7e-4 --set train.warmup_steps=200 --set train.validate_every=1000 --set train.validation_batches=4
  --set train.checkpoint_every=2000 --set train.keep=1 --set train.log_every=50 --set model.recolor=0.4
  --set model.no_reference=0.6 --set model.frames=4)
pids=()
train video_1 bf16 "${common[@]}" --set train.seed=1 &
pids+=($!)
train video_2 int8 "${common[@]}" --set train.seed=2 &
pids+=($!)
for pid in "${pids[@]}"; do wait "$pid"; done
ls -l "$out"/*/model.safetensors

[ -f "$data/bundle/run" ] || exit 0
run() { timeout "$(left 5)" bash "$data/bundle/run" "$@"; }
run sprite pack --truth --identities 600 --first-identity 900000 --clips 55 --frames 16 --species "$held" \
  --action "$actions" --style pixel,toon,lit --other-views 0 -o "$data/species" >>"$out/pack.log" 2>&1
run sprite pack --truth --identities 12 --first-identity 700000 --clips 12 --frames 16 --no-species "$held" \
  --action "$actions" --style pixel,toon,lit --other-views 0 -o "$data/identities" >>"$out/pack.log" 2>&1
run sprite pack --truth --identities 12 --first-identity 710000 --clips 12 --frames 16 --no-species "$held" \
  --action chop,kick,sneak,dance,bow --style pixel,toon,lit --other-views 0 -o "$data/actions" >>"$out/pack.log" 2>&1
count=0
paint() { # sentence, guidance
  count=$((count + 1))
  run sprite generate --text "$1" --painter video --model "$out/video_1" --frames 16 --steps 8 --guidance "$2" \
    --name "text_$count" -o "$out/text/$count" >>"$out/text.log" 2>&1 &
}
pids=()
for steps in 1 4; do
  run eval sprite "$out"/video_? --steps $steps --data "$data/species" "$data/identities" "$data/actions" \
    --sheet "$out/sheet_$steps.png" --sheet-clips 6 >"$out/eval_$steps.txt" 2>&1 &
  pids+=($!)
done
for text in "a fat green goblin with an axe, walking" "a knight with steel armor, a full helm and a sword, slashing" \
  "a wizard with a blue robe, a pointed hat and a staff, casting a spell" "an orange fox ranger with a bow, shooting" \
  "a skeleton pirate with a purple coat and a tricorne, running" "a giant red demon, jumping, toon" \
  "a chibi cook with white hair, waving, lit" "a black cat ninja, sneaking"; do
  paint "$text" 2
  pids+=($!)
done
paint "a fat green goblin with an axe, walking" 1
pids+=($!)
paint "a fat green goblin with an axe, walking" 4
pids+=($!)
for pid in "${pids[@]}"; do wait "$pid"; done
cat "$out"/eval_*.txt
