#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# On a CUDA machine: two seeds of the video transformer of docs/sprite.md side by side, and the judges of words.
#
#   tools/gpu/sprite_video.sh ZOE DATA OUT SECONDS      e.g. build/gpu/bin/zoe data/sprite_video runs/sprite_video 700
#
# DATA is what tools/gpu/sprite_video_data.sh makes, or has it as sprite_video.txz. Clips are drawn there by DATA/bundle:
# first those that words are learned from, which the first stage of the training needs; while it trains, clips of the
# critic, clips with painted guesses for the second stage, those of judges and of tests. A stage begins with the weights
# of the one before; it never begins before its clips are drawn. DATA/init/video_1 and so on are weights to go on with,
# with INCLUDED=1 video_1 is the included network where it is absent.
# DATA/init/critic is a critic (model.critic), which is trained here where there is none: it never sees the characters
# of the judges. DATA/init/class, look and action are judges that are trained already.
# OUT gets logs, NAME/ of each run (int8), eval*.txt, sheets, text/ and sprite_video.txz with all of it, which is written
# anew after each stage.
# A run that fails is continued from its newest checkpoint, up to three times, without recorded CUDA graphs. JUDGES=0:
# judges are not trained here. EVALS=0: nothing is measured here.
# FIRST=2000000: other characters. SEED=100: other seeds. CRITIC=1.5: the critic counts more.
# JOINTS=1: also a judge of poses.
# WORDS=60 CLIPS=30 LABELS=60 TESTS=2 TEXTS=2 VIDEO="--set model.width=40 --set model.heads=2 --set model.blocks=2"
# EXTRA="--set train.batch=2 --set train.precision=float32 --device cpu": a trial.
set -uo pipefail
zoe=$1 data=$2 out=$3 seconds=$4
mkdir -p "$data" "$out"
began=$(date +%s)
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/sprite_clips.sh"
for archive in "$data"/*.txz "$data"/*.tar.xz "$data.txz"; do
  [ -f "$archive" ] && tar -xJf "$archive" -C "$data"
done
say() { echo "$(($(date +%s) - began)) s: $*" | tee -a "$out/times.log"; }
run() { bash "$data/bundle/run" "$@"; }
painter="$data/painter/model.safetensors"
mkdir -p "$data/painter"
cp "$here/../../models/painter/model.safetensors" "$painter"
cp -r "$data/painter" "$data/bundle/share/zoe/models/"
if [ "${INCLUDED:-0}" = 1 ] && [ ! -d "$data/init/video_1" ]; then
  mkdir -p "$data/init/video_1"
  cp "$here/../../models/sprite_video/model.safetensors" "$data/init/video_1/"
fi
measuring=$((seconds / 7 + 10)) # Seconds at the end.
[ "${EVALS:-1}" = 1 ] || measuring=$((seconds / 25 + 22))
last=$((seconds - measuring)) # When the last stage ends.
first=$((last * ${WORDS_PART:-52} / 100)) critic_end=$((last * 45 / 100))

# The archive that comes back, as it is now. One at a time.
gather() {
  (
    flock 9
    for skip in nothing video_2; do
      tar -C "$out" --exclude "$skip/model.safetensors" --exclude '*.txz' -c . 2>/dev/null | xz -2 >"$data/back.part"
      [ "$(stat -c %s "$data/back.part")" -gt 14000000 ] || break
    done
    mv "$data/back.part" "$out/sprite_video.txz"
  ) 9>"$data/gather.lock"
}
train_judge() { # as train; its weights are there when it ends
  train "$@"
  wait
}
until_s() { echo $(($1 - ($(date +%s) - began))); } # Seconds until a moment of this script.
train() { # name, model, data arguments, the second of this script when it ends, arguments
  local name=$1 model=$2 from=$3 end=$4 work="$data/runs/$1" try
  mkdir -p "$out/$1"
  shift 4
  local time again=()
  time=$(until_s "$end")
  for try in auto off off off; do # Memory that others use may be free a little later.
    [ "$(until_s "$end")" -gt 8 ] || break
    # shellcheck disable=SC2086
    if "$zoe" train "$model" $from --set train.cuda_graph=$try --set train.steps=400000 --set train.seconds="$time" \
      "$@" ${EXTRA:-} "${again[@]}" -o "$work" >>"$out/$name.log" 2>&1; then break; fi
    say "$name failed ($try): $(tail -n 1 "$out/$name.log" | cut -c 1-150)"
    sleep 4
    again=(--resume) time=$((time - 12)) # Earlier seconds count; those since the checkpoint are lost.
    if ! ls "$work"/checkpoints/step_*.safetensors >/dev/null 2>&1; then
      rm -rf "$work"
      again=() time=$(until_s "$end")
    fi
  done
  if [ ! -f "$work/model.safetensors" ] && [ ${#again[@]} = 1 ]; then # No time is left: the newest weights.
    # shellcheck disable=SC2086
    "$zoe" train "$model" $from --set train.cuda_graph=off --set train.steps=400000 --set train.seconds=1 \
      --set train.log_every=1 "$@" ${EXTRA:-} --set train.log_every=1 --resume -o "$work" >>"$out/$name.log" 2>&1
  fi
  say "$name is trained: $(grep -c . "$work/metrics.jsonl") lines, $(tail -n 1 "$out/$name.log" | cut -c 1-150)"
  bring "$name" & # While the next stage begins.
}
bring() { # name: its weights for the way back
  mkdir -p "$out/$1"
  cp "$data/runs/$1/config.toml" "$data/runs/$1/metrics.jsonl" "$out/$1/" 2>/dev/null
  local error=20 # Judges may be small.
  [[ "$1" != *video_* && "$1" != *words_* ]] || error=2
  "$zoe" export "$data/runs/$1/model.safetensors" "$data/runs/$1/small.safetensors" --dtype int8 --samples 2 \
    --max-error $error >>"$out/$1.log" 2>&1 && mv "$data/runs/$1/small.safetensors" "$out/$1/model.safetensors"
  [[ "$1" != video_* ]] || rm -f "$out/stage/words_${1##*_}/model.safetensors" # What it continues.
  gather
}
common=(--set train.threads=1 --set train.precision=bf16 --set train.checkpoint_every=250 --set train.keep=1
  --set train.log_every=20 --set train.beta2=0.99)
judge=("${common[@]}" --set train.ema=0.998 --set train.rate=1e-3 --set train.warmup_steps=300 --set train.batch=128
  --set train.weight_decay=0.03 --set train.validate_every=500 --set train.validation_batches=12)
video=("${common[@]}" --set model.width=160 --set model.heads=5 --set model.blocks=6 --set train.validation_batches=2
  --set train.validate_every=600 --set train.ema=0.995 --set model.no_guess=0.1)
# shellcheck disable=SC2206
video+=(${VIDEO:-})
wait_for() { # pack, the second when to stop waiting
  until [ -f "$data/$1/clips.safetensors" ] || [ "$(until_s "$2")" -lt 20 ]; do sleep 0.5; done
  [ -f "$data/$1/clips.safetensors" ]
}
begin_with() { # network: `init`, the setting that begins with it, or none
  init=()
  if [ -f "$1" ]; then init=(--set "model.init=$1"); fi
}
critic_there() { # `critic`, the setting that trains with it, or none
  critic=()
  for file in "$data/init/critic/model.safetensors" "$data/runs/critic/model.safetensors"; do
    [ -f "$file" ] && critic=(--set "model.critic=$file" --set loss.critic.weight="${CRITIC:-1}")
  done
}
stages() { # seed
  local seed=$1 init critic newest="$data/init/video_$1/model.safetensors" from
  wait_for words "$first" || say "no words were drawn"
  begin_with "$newest"
  critic_there
  local rate=1.4e-3
  [ ${#init[@]} = 0 ] || rate=8e-4
  say "words of seed $seed: ${init[*]} ${critic[*]}"
  train "stage/words_$seed" sprite_video "--data $data/words" "$first" "${video[@]}" "${init[@]}" "${critic[@]}" \
    --set train.seed="$((${SEED:-0} + seed))" --set train.batch=160 --set model.frames=1 --set model.no_reference=0.9 \
    --set model.only_words=0.92 --set model.all_noise=0.7 --set model.keep_words=0.75 --set train.rate=$rate \
    --set train.min_rate=6e-4 --set train.warmup_steps=200
  [ -f "$data/runs/stage/words_$seed/model.safetensors" ] && newest="$data/runs/stage/words_$seed/model.safetensors"
  # Never the few drawings alone: a busy machine may still be drawing.
  wait_for clips_1 "$last" || { say "no clips were drawn for seed $seed" && return; }
  # The first names the network's metadata. Weights need not sum to 1.
  local half=1
  [ -f "$data/clips_2/clips.safetensors" ] && half=0.5
  from="--data $data/clips_1=$half"
  [ $half = 1 ] || from+=" --data $data/clips_2=0.5"
  half=1
  [ -f "$data/words_2/clips.safetensors" ] && half=0.5
  from+=" --data $data/words=$half"
  [ $half = 1 ] || from+=" --data $data/words_2=0.5"
  [ -f "$data/drawn_clips/clips.safetensors" ] && from+=" --data $data/drawn_clips=0.1"
  begin_with "$newest"
  critic_there
  say "clips of seed $seed: $from ${critic[*]}"
  train "video_$seed" sprite_video "$from" "$last" "${video[@]}" "${init[@]}" "${critic[@]}" \
    --set train.seed="$((${SEED:-0} + 10 + seed))" --set train.batch=40 --set model.frames=4 \
    --set model.no_reference=0.1 --set model.only_words=0.92 --set model.all_noise=0.7 --set model.keep_words=0.75 \
    --set model.recolor=0.35 --set model.flat=0.15 --set model.crisp=true --set train.rate=8e-4 \
    --set train.min_rate=1e-6 --set train.warmup_steps=100
  wait
  if [ ! -f "$out/video_$seed/model.safetensors" ] && [ -f "$out/stage/words_$seed/model.safetensors" ]; then
    say "seed $seed has no second stage"
  fi
}
draw() { # name, arguments
  local name=$1
  shift
  [ -f "$data/$name/clips.safetensors" ] && return
  if run sprite pack "$@" -o "$data/$name.part" >>"$out/pack.log" 2>&1; then mv "$data/$name.part" "$data/$name"; fi
  say "$name is drawn"
}
clips() { # number
  draw "clips_$1" --video --painter "$painter" --identities 60000 --clips "${CLIPS:-3500}" --frames 4 \
    --action "$actions" --no-species "$held" --style pixel,toon,lit --other-views 0.1 \
    --first-identity $((${FIRST:-0} + 100000 * $1))
}
trainings=()
for seed in ${SEEDS:-1 2}; do
  stages "$seed" &
  trainings+=($!)
done
words() { # name, first identity
  draw "$1" --video --no-guesses --identities 80000 --clips "${WORDS:-10000}" --frames 4 --action "$actions" \
    --no-species "$held" --style pixel,toon,lit --other-views 0.2 --weapon-changes 0.1 --first-identity "$2"
}
words words "${FIRST:-0}"
if [ ! -f "$data/init/critic/model.safetensors" ]; then
  draw looks_critic --labels --identities 60000 --first-identity 1500000 --clips "${LABELS:-14000}" --frames 2 \
    --style pixel,toon,lit --seed 8 --weapon-changes 0.1
  train_judge critic sprite_words "--data $data/looks_critic" "$critic_end" "${judge[@]}" --set train.seed=7 \
    --set model.questions=class,species,outfit,hat,weapon,color,skin --set model.frames=1 --set model.channels=20 \
    --set model.hidden=192 &
  trainings+=($!)
fi
clips 1
if [ "${JOINTS:-0}" = 1 ]; then
  draw poses --labels --identities 20000 --first-identity 500000 --clips "$((${LABELS:-14000} * 3 / 7))" --frames 8 \
    --style pixel,toon,lit,flat,ink --other-views 0 --seed 9
  train_judge joints sprite_judge "--data $data/poses" $((last * 6 / 10)) "${judge[@]}" --set train.batch=48 \
    --set model.channels=32 &
  trainings+=($!)
fi
words words_2 $((${FIRST:-0} + 300000))
judges=$((last - seconds / 20))
if [ -f "$data/init/class/model.safetensors" ]; then
  for name in class look action; do mkdir -p "$data/judges/$name" && cp "$data/init/$name/"* "$data/judges/$name/"; done
elif [ "${JUDGES:-1}" = 1 ]; then
  # Judges know all species and actions, and other characters. What classes wear and hold is asked beside them.
  draw looks --labels --identities 60000 --first-identity 500000 --clips "${LABELS:-24000}" --frames 2 \
    --style pixel,toon,lit --seed 5 --weapon-changes 0
  train_judge class sprite_words "--data $data/looks" "$judges" "${judge[@]}" \
    --set model.questions=class,species,outfit,hat,weapon --set model.frames=1 --set model.channels=24 \
    --set model.hidden=160 --set model.recolor=0.3 &
  trainings+=($!)
  train_judge look sprite_words "--data $data/looks" $((judges * 3 / 4)) "${judge[@]}" --set model.questions=color,skin \
    --set model.frames=1 --set model.channels=16 &
  trainings+=($!)
  draw acts --labels --identities 20000 --first-identity 600000 --clips "$((${LABELS:-24000} / 5))" --frames 8 \
    --style pixel,toon,lit --seed 6
  train_judge action sprite_words "--data $data/acts" $((judges * 3 / 4)) "${judge[@]}" --set model.questions=action \
    --set model.channels=16 &
  trainings+=($!)
fi
clips 2
[ "${EVALS:-1}" = 1 ] || TESTS=0
tests=${TESTS:-24}
truth=(--truth --frames 16 --other-views 0 --style)
if [ "$tests" -gt 0 ]; then
  draw species "${truth[@]}" pixel,toon,lit --identities 600 --first-identity 900000 --clips $((tests * 8)) \
    --species "$held" --action "$actions"
  draw identities "${truth[@]}" pixel,toon,lit --identities "$tests" --first-identity 700000 --clips "$tests" \
    --no-species "$held" --action "$actions"
  draw actions "${truth[@]}" pixel,toon,lit --identities "$tests" --first-identity 710000 --clips "$tests" \
    --no-species "$held" --action chop,kick,sneak,dance,bow
  draw styles "${truth[@]}" ink,flat --identities "$tests" --first-identity 720000 --clips "$tests" \
    --no-species "$held" --action "$actions"
fi
for pid in "${trainings[@]}"; do wait "$pid"; done
say "all is trained"
if [ "${EVALS:-1}" = 0 ]; then
  gather
  ls -l "$out/sprite_video.txz"
  exit
fi

rest() { local n; n=$(until_s $((seconds - 12))); echo $((n > 5 ? n : 5)); }
measured=()
measure() { # log, arguments
  local log=$1
  shift
  timeout "$(rest)" bash "$data/bundle/run" eval sprite "$@" >"$out/$log.txt" 2>&1 &
  measured+=($!)
}
networks=()
for seed in ${SEEDS:-1 2}; do
  [ -f "$out/video_$seed/model.safetensors" ] && networks+=("$out/video_$seed")
done
judged=()
for name in class look action; do
  for from in "$data/judges" "$out"; do
    [ -f "$from/$name/model.safetensors" ] && judged+=(--words "$from/$name") && break
  done
done
# What the judges say of true frames, of the networks' and of captions.
measure eval_species "${networks[@]}" "$painter" --painter "$painter" --data "$data/species" "${judged[@]}" \
  --sheet "$out/sheet_species.png" --sheet-clips 6
[ ${#judged[@]} = 0 ] || measure text "${networks[@]}" --painter "$painter" --text "${TEXTS:-60}" "${judged[@]}"
for split in identities actions styles drawn_test; do
  measure "eval_$split" "${networks[@]}" "$painter" --painter "$painter" --data "$data/$split" \
    --sheet "$out/sheet_$split.png" --sheet-clips 3
done
measure eval_species_4 "${networks[0]:-}" --painter "$painter" --steps 4 --flat --data "$data/species"
count=0
for text in "a fat green goblin with an axe, walking" "a knight with steel armor, a full helm and a sword, slashing" \
  "a wizard with a blue robe, a pointed hat and a staff, casting a spell" "an orange fox ranger with a bow, shooting" \
  "a skeleton pirate with a purple coat and a tricorne, running" "a giant red demon, jumping, toon"; do
  count=$((count + 1))
  timeout "$(rest)" bash "$data/bundle/run" sprite generate --text "$text" --painter video --model "${networks[0]:-}" \
    --frames 8 --name "text_$count" -o "$out/text/$count" >>"$out/text.log" 2>&1 &
  measured+=($!)
done
# The time of 16 frames in 8 steps with the trained weights, on the device.
timeout "$(rest)" "$zoe" train sprite_video --data "$data/clips_1" "${video[@]}" --set train.batch=4 \
  --set model.init="${networks[0]:-}/model.safetensors" \
  --set train.steps=2 --set train.cuda_graph=off --set model.timed_frames=16 --set train.validate_every=1 \
  ${EXTRA:-} -o "$data/runs/time" >"$out/time.log" 2>&1
grep -o '"clip_ms":[^,}]*' "$data/runs/time/metrics.jsonl" | tee "$out/clip_ms.txt"
gather
for pid in "${measured[@]}"; do wait "$pid"; done
say "all is measured"
cat "$out"/eval_*.txt "$out/text.txt"
gather
ls -l "$out/sprite_video.txz"
