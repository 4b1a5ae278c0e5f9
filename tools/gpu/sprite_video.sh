#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# On a CUDA machine: two seeds of the video transformer of docs/sprite.md side by side, and the judges of words.
#
#   tools/gpu/sprite_video.sh ZOE DATA OUT SECONDS      e.g. build/gpu/bin/zoe data/sprite_video runs/sprite_video 1150
#
# DATA is what tools/gpu/sprite_video_data.sh makes. Clips are drawn there: by ZOE where it has a renderer, else by
# DATA/bundle. First stills for words, which the first part of the training needs; while it trains, the clips with
# painted guesses of the second part, and those of judges and tests. In the last part all is measured on the CPU.
# OUT gets logs, NAME/ of each run (int8), eval*.txt, sheets, text/ and sprite_video.txz with all of it, below 15 MB.
# A run that fails is started up to three times more without recorded CUDA graphs, for what is left of the time.
# STILLS=60 CLIPS=30 LABELS=60 TESTS=2 TEXTS=2 VIDEO="--set model.width=40 --set model.blocks=2"
# EXTRA="--set train.batch=2 --set train.precision=float32 --device cpu": a trial.
set -uo pipefail
zoe=$1 data=$2 out=$3 seconds=$4
mkdir -p "$data" "$out"
began=$(date +%s)
. "$(dirname "${BASH_SOURCE[0]}")/sprite_clips.sh"
for archive in "$data"/*.tar.xz; do
  [ -f "$archive" ] && tar -xJf "$archive" -C "$data"
done
words=$((seconds * 40 / 100)) # End of the first part; the second waits for its clips.
end=$((seconds / 8 + 15))     # For export and measures.
say() { echo "$(($(date +%s) - began)) s: $*" | tee -a "$out/times.log"; }
run() { bash "$data/bundle/run" "$@"; }
painter="$data/bundle/share/zoe/models/painter/model.safetensors"

train() { # name, model, data arguments, seconds, arguments
  local name=$1 model=$2 from=$3 time=$4 work="$data/runs/$1" try start
  shift 4
  start=$(date +%s)
  for try in auto off off off; do # Memory that others use may be free a little later.
    time=$((time - ($(date +%s) - start)))
    [ "$time" -gt 5 ] || break
    rm -rf "$work"
    # shellcheck disable=SC2086
    if "$zoe" train "$model" $from --set train.cuda_graph=$try --set train.steps=400000 --set train.seconds="$time" \
      "$@" ${EXTRA:-} -o "$work" >>"$out/$name.log" 2>&1; then break; fi
    sleep 15
  done
  mkdir -p "$out/$name"
  cp "$work/config.toml" "$work/metrics.jsonl" "$out/$name/" 2>/dev/null
  "$zoe" export "$work/model.safetensors" "$out/$name/model.safetensors" --dtype int8 --samples 2 \
    >>"$out/$name.log" 2>&1
  say "$name is trained"
}
common=(--set train.threads=1 --set train.precision=bf16 --set train.checkpoint_every=20000 --set train.keep=1
  --set train.log_every=100 --set train.beta2=0.99)
video=("${common[@]}" --set model.width=160 --set model.heads=5 --set train.validation_batches=4
  --set train.validate_every=1000)
# shellcheck disable=SC2206
video+=(${VIDEO:-})
# Two parts. Words are learned from stills: many characters, one frame each. Clips begin with those weights.
both_parts() { # seed
  local from="" part weight=0.31
  train "stills_$1" sprite_video "--data $data/stills" $((words - ($(date +%s) - began))) "${video[@]}" \
    --set train.seed="$1" --set train.batch=192 --set model.frames=1 --set model.no_reference=0.85 \
    --set model.recolor=0.1 --set model.no_guess=0.3 --set model.all_noise=0.3 --set train.rate=1e-3 \
    --set train.warmup_steps=300 --set train.ema=0.99
  # Never the few drawings alone: a busy machine may still be drawing.
  until [ -f "$data/clips_1/clips.safetensors" ] || [ "$(left $end)" -lt $((seconds / 5)) ]; do sleep 1; done
  if [ -f "$data/drawn_clips/clips.safetensors" ]; then from="--data $data/drawn_clips=0.06"; fi
  for part in 3 2 1; do # The first names the network's metadata.
    if [ -f "$data/clips_$part/clips.safetensors" ]; then from="--data $data/clips_$part=$weight $from"; fi
  done
  [ -f "$data/clips_1/clips.safetensors" ] || from="--data $data/stills"
  local init=("--set" "model.init=$data/runs/stills_$1/model.safetensors")
  [ -f "$data/runs/stills_$1/model.safetensors" ] || init=()
  train "video_$1" sprite_video "$from" "$(left $end)" "${video[@]}" "${init[@]}" --set train.seed="$1" \
    --set train.batch=48 --set model.frames=4 --set model.no_reference=0.35 --set model.recolor=0.35 \
    --set model.no_guess=0.1 --set model.all_noise=0.5 --set model.flat=0.15 --set train.rate=7e-4 \
    --set train.warmup_steps=150 --set train.ema=0.995
  rm -rf "$out/stills_$1/model.safetensors"
}
pack stills --video --identities 60000 --clips "${STILLS:-36000}" --frames 2 --action "$actions" --no-species "$held" \
  --style pixel,toon,lit --other-views 0.2
say "stills are drawn"
trainings=()
for seed in ${SEEDS:-1 2}; do
  both_parts "$seed" &
  trainings+=($!)
done

# Clips of the second part, in three files, so that those which are ready are used.
draw() { # name, arguments
  local name=$1
  shift
  [ -f "$data/$name/clips.safetensors" ] || run sprite pack "$@" -o "$data/$name.part" >>"$out/pack.log" 2>&1 &&
    mv "$data/$name.part" "$data/$name"
  say "$name is drawn"
}
clips() { # number
  draw "clips_$1" --video --painter "$painter" --identities 60000 --clips "${CLIPS:-5000}" --frames 6 \
    --action "$actions" --no-species "$held" --style pixel,toon,lit --other-views 0.2 --first-identity $((100000 * $1))
}
clips 1
# Judges know all species and actions, and other characters.
pack looks --labels --identities 60000 --first-identity 500000 --clips "${LABELS:-28000}" --frames 2 \
  --style pixel,toon,lit,flat,ink --seed 5
pack actions_seen --labels --identities 20000 --first-identity 600000 --clips "$((${LABELS:-28000} / 4))" --frames 8 \
  --style pixel,toon,lit,flat,ink --seed 6
say "clips of judges are drawn"
judge=("${common[@]}" --set train.ema=0.998 --set train.rate=1e-3 --set train.warmup_steps=300 --set train.batch=96
  --set train.weight_decay=0.03 --set train.validate_every=1000 --set train.validation_batches=20)
judges=$(($(left $end) - 10))
train class sprite_words "--data $data/looks=0.8 --data $data/actions_seen=0.2" "$judges" "${judge[@]}" \
  --set model.questions=class,species --set model.frames=1 --set model.channels=36 --set model.hidden=192 \
  --set model.recolor=0.3 --set loss.species.weight=0.3 &
trainings+=($!)
train look sprite_words "--data $data/looks=0.8 --data $data/actions_seen=0.2" $((judges * 2 / 3)) "${judge[@]}" \
  --set model.questions=color,skin --set model.frames=1 --set model.channels=24 &
trainings+=($!)
train action sprite_words "--data $data/actions_seen" $((judges / 2)) "${judge[@]}" --set model.questions=action &
trainings+=($!)

for part in 2 3; do
  [ $(($(date +%s) - began)) -lt $((words * 3 / 4)) ] || break
  clips "$part"
done
tests=${TESTS:-28}
truth=(--truth --frames 16 --style pixel,toon,lit --other-views 0)
draw species "${truth[@]}" --identities 600 --first-identity 900000 --clips $((tests * 5)) --species "$held" \
  --action "$actions"
draw identities "${truth[@]}" --identities "$tests" --first-identity 700000 --clips "$tests" --no-species "$held" \
  --action "$actions"
draw actions "${truth[@]}" --identities "$tests" --first-identity 710000 --clips "$tests" --no-species "$held" \
  --action chop,kick,sneak,dance,bow
draw styles --truth --frames 16 --style ink,flat --other-views 0 --identities "$tests" --first-identity 720000 \
  --clips "$tests" --no-species "$held" --action "$actions"
for pid in "${trainings[@]}"; do wait "$pid"; done
say "all is trained"

rest() { local n; n=$(left 8); echo $((n > 5 ? n : 5)); }
measured=()
measure() { # log, arguments
  local log=$1
  shift
  timeout "$(rest)" bash "$data/bundle/run" eval sprite "$@" >"$out/$log.txt" 2>&1 &
  measured+=($!)
}
networks=()
for seed in ${SEEDS:-1 2}; do networks+=("$out/video_$seed"); done
judged=(--words "$out/class" --words "$out/look" --words "$out/action")
measure eval_species "${networks[@]}" "$painter" --painter "$painter" --steps 1 --flat --data "$data/species" \
  --sheet "$out/sheet_species.png" --sheet-clips 6
for split in identities actions styles drawn_test; do
  measure "eval_$split" "${networks[@]}" "$painter" --painter "$painter" --steps 1 --data "$data/$split" \
    --sheet "$out/sheet_$split.png" --sheet-clips 4
done
# What the judges say of true frames and of the first network's.
for split in species identities; do
  measure "judged_$split" "${networks[0]}" --painter "$painter" --steps 1 --data "$data/$split" "${judged[@]}"
done
measure eval_species_4 "${networks[0]}" --painter "$painter" --steps 4 --data "$data/species"
measure text "${networks[0]}" --painter "$painter" --text "${TEXTS:-60}" "${judged[@]}"
# The time of 16 frames in 8 steps, on the device.
timeout "$(rest)" "$zoe" train sprite_video --data "$data/clips_1" "${video[@]}" --set train.batch=4 \
  --set train.steps=2 --set train.cuda_graph=off --set model.timed_frames=16 --set train.validate_every=1 \
  --set train.validation_batches=2 ${EXTRA:-} -o "$data/runs/time" >"$out/time.log" 2>&1
grep -o '"clip_ms":[^,}]*' "$data/runs/time/metrics.jsonl" | tee "$out/clip_ms.txt"
count=0
for text in "a fat green goblin with an axe, walking" "a knight with steel armor, a full helm and a sword, slashing" \
  "a wizard with a blue robe, a pointed hat and a staff, casting a spell" "an orange fox ranger with a bow, shooting" \
  "a skeleton pirate with a purple coat and a tricorne, running" "a giant red demon, jumping, toon"; do
  count=$((count + 1))
  timeout "$(rest)" bash "$data/bundle/run" sprite generate --text "$text" --painter video --model "${networks[0]}" \
    --frames 8 --name "text_$count" -o "$out/text/$count" >>"$out/text.log" 2>&1 &
  measured+=($!)
done
for pid in "${measured[@]}"; do wait "$pid"; done
say "all is measured"
cat "$out"/eval_*.txt "$out"/judged_*.txt "$out/text.txt"
# The second seed's weights are the first to stay behind.
for skip in nothing video_2 look; do
  tar -C "$out" --exclude "$skip/model.safetensors" --exclude sprite_video.txz -c . | xz -3 >"$data/sprite_video.txz"
  [ "$(stat -c %s "$data/sprite_video.txz")" -gt 15000000 ] || break
done
mv "$data/sprite_video.txz" "$out/"
ls -l "$out/sprite_video.txz"
