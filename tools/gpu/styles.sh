#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# On a CUDA machine: controllers with continuous styles (docs/control.md) side by side, and their judgement.
#
#   tools/gpu/styles.sh ZOE DATA OUT SECONDS      e.g. build/gpu/bin/zoe data/styles runs/styles 800
#
# DATA has real.txz and cmu.txz (tools/gpu/styles_data.sh): recorded styles of one person, real_*, and of several, who
# are retargeted to one body, cmu_*. Nine synthetic styles of one body are generated here, synth_*; every fifth clip is
# held out. Judges of those are trained on held-out clips only. OUT gets
# NAME.log, NAME (the run), NAME.styles.md and .json (tools/dev/measure_style_mixes.py) and NAME.table.md. OUT/styles.txz,
# written again every two minutes, has measures of all and the networks (int8) of those that KEEP names. A run that fails
# is started once more without recorded CUDA graphs. RUNS="synth_lmp_1 real_lmm_1": only these; the last number is the
# seed. JOBS threads judge each run. CLIPS=2 PLAYS=4 EXTRA="--set model.hidden=32 --set train.precision=float32 --set
# train.batch=32": a trial on a CPU.
set -uo pipefail
zoe=$(realpath "$1") data=$(realpath "$2") out=$3 seconds=$4
here=$(dirname "$(realpath "$0")")
mkdir -p "$out"
out=$(realpath "$out")
began=$(date +%s)
left() { echo $((seconds - ($(date +%s) - began) - ${1:-0})); }
runs=${RUNS:-synth_lmp_1 synth_lmm_1 real_lmp_1 real_lmm_1}
measuring=${MEASURING:-$((seconds / 4 < 200 ? seconds / 4 : 200))}

pack() {
  cd "$out" || return
  shopt -s nullglob
  local kept=() name
  for name in ${KEEP:-synth_lmp_1 real_lmp_1}; do
    [ -e "$name/model.safetensors" ] || continue
    [ -e "$name/small.safetensors" ] ||
      "$zoe" export "$name/model.safetensors" "$name/small.safetensors" --dtype int8 >/dev/null 2>&1
    kept+=("$name/small.safetensors" "$name/body.safetensors" "$name/controller.toml")
  done
  tar cJf styles.unfinished "${kept[@]}" ./*.json ./*.md ./*.log ./*/weights.md ./*/*/metrics.jsonl \
    2>/dev/null
  mv styles.unfinished styles.txz
}

for set in real cmu; do
  [ -e "$data/$set.txz" ] && [[ "$runs" == *${set}_* ]] || continue
  mkdir -p "$out/$set/all"
  tar xJf "$data/$set.txz" -C "$out/$set"
  for part in train held; do
    for style in "$out/$set/$part"/*/; do
      mkdir -p "$out/$set/all/$(basename "$style")"
      for clip in "$style"*; do cp "$clip" "$out/$set/all/$(basename "$style")/${part}_$(basename "$clip")"; done
    done
  done
  cp -r "$out/$set"/bent/* "$out/$set/train/" # Copies along arcs are for training only.
done
if [[ "$runs" == *synth* ]]; then
  # One folder for each style. Bodies are drawn from the seed alone, so all clips have one.
  for style in neutral tired sneaky proud injured happy angry old heavy; do
    "$zoe" synth -o "$out/drawn/$style" --family biped --one-body --seed 5 --mesh off --names plain --gait walk \
      --style $style --course wander,straight,wander --count "${CLIPS:-20}" --seconds "${CLIP_SECONDS:-14}" --fps 30 --jobs 4 \
      -q >>"$out/synth.log" 2>&1 &
  done
  wait
  for folder in "$out"/drawn/*/; do
    style=$(basename "$folder")
    mkdir -p "$out/synth/train/$style" "$out/synth/held/$style"
    i=0
    for clip in "$folder"*.glb; do
      part=train
      [ $((i++ % 5)) = 1 ] && part=held
      mv "$clip" "$out/synth/$part/$style/"
    done
  done
fi
echo "data after $(($(date +%s) - began)) s"

train() { # name, data, type, seed
  local name=$1 from=$2 type=$3 seed=$4 try limit parts=1 own=() styles
  styles=$(cd "$from/train" && ls -d -- */ | tr -d / | paste -sd,)
  case $type in
    lmm) parts=3 ;; # Three networks.
    *) # Recordings are minutes.
      own=(--set model.hidden=256 --set train.batch=256 --set model.dropout=0.3)
      [[ $name != synth_* ]] || own+=(--set model.dropout=0.1)
      ;;
  esac
  [[ $name == cmu_* ]] || own+=(--own-bodies)
  # A limp has a side: mirrored copies of the synthetic one would average it away.
  [[ $name == synth_* ]] && own+=(--no-mirror --licence CC0-1.0)
  for try in auto off; do
    limit=$(($(left $((measuring + 20))) / parts))
    [ "$limit" -gt 5 ] || break
    rm -rf "${out:?}/$name" "$out/$name.unfinished"
    # shellcheck disable=SC2086
    if "$zoe" train controller --type "$type" --data "$from/train" --styles "$styles" --no-film -q \
      --set train.threads=1 --set train.ema=0.999 --set train.precision=tf32 --set train.log_every=200 \
      --set train.validate_every=1000 --set train.checkpoint_every=10000 --set train.keep=1 --set train.steps=400000 \
      --set train.seed="$seed" "${own[@]}" --set train.cuda_graph=$try --set train.seconds="$limit" ${EXTRA:-} \
      -o "$out/$name" >>"$out/$name.log" 2>&1; then return 0; fi
  done
  return 1
}
judge() { # name, data, base
  [ "$(left 15)" -gt 5 ] || return
  # Recorded clips that are held out are too few to train a judge on: it learns from all.
  local clips=("$2/train" --held-out "$2/held")
  [ ! -d "$2/all" ] || clips=("$2/all")
  timeout "$(left 10)" "${PYTHON:-python3}" "$here/../dev/measure_style_mixes.py" "$zoe" "$out/$1" "${clips[@]}" --base "$3" --jobs "${JOBS:-4}" --seconds "${PLAYS:-12}" --json "$out/$1.styles.json" >"$out/$1.styles.md" 2>>"$out/$1.log"
}
pids=()
for name in $runs; do
  IFS=_ read -r set type seed <<<"$name"
  base=normal
  [ "$set" = synth ] && base=neutral
  (train "$name" "$out/$set" "$type" "$seed" && judge "$name" "$out/$set" "$base") &
  pids+=($!)
done
(while sleep "${PACK_EVERY:-120}"; do pack; done) &
packer=$!
wait "${pids[@]}"
kill "$packer" 2>/dev/null
wait "$packer" 2>/dev/null
cat "$out"/*.styles.md
pack
ls -l "$out/styles.txz"
