#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The weights of models/anytop on a CUDA machine: synthetic walkers and retargeted clips beside the recorded motions of
# DATA, then training seeds and the published baseline side by side, the distillation of the seeds into four steps, and
# tables of the held-out species on the machine's own cores (docs/train.md, docs/generate.md).
#
#   tools/gpu/anytop_launch.sh ZOE DATA OUT SECONDS      OUT/anytop.txz: weights, configs, metrics, tables, logs
#
# DATA has anytop.txz of tools/gpu/anytop_data.sh, or its folder anytop. Seed N begins with DATA's anytop/init_N
# (model.safetensors of an earlier part); without it the first seed begins with INIT, the included weights by default,
# and the others with nothing. Ends within SECONDS. A part that fails does not end the others. The archive is written
# again every two minutes. `tools/gpu/anytop_time.sh` measures the time of a motion before anything else runs.
#
# Environment: INIT, WORK (scratch), SPREAD_S, TRAIN_S, BASELINE_S, DISTIL_S (seconds of the parts; 0: not at all),
# DISTIL_PERCENT, SEEDS (default 1), EVAL_SEEDS, EVAL_ACTIONS, EVAL_S, STUDY (1: tables of samplers), GUIDANCE,
# TEACHER_STEPS, TOKENS, PRECISION, RATE (RATE_N: of seed N), REVEAL, PATH_REVEAL, MORE (further --set words).
set -uo pipefail
zoe=$1 data=$2 out=$3 seconds=$4
begin=$(date +%s)
left() { echo $((seconds - $(date +%s) + begin)); }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
for folder in "$data/h1" "$data/anytop_data"; do [ -e "$folder" ] && data=$folder; done
included=${INIT:-$here/../../models/anytop/model.safetensors}
mkdir -p "$out"
work=${WORK:-$(mktemp -d)} results=$out/anytop_results
mkdir -p "$work" "$results"
if [ -f "$data/anytop.txz" ]; then
  tar -xJf "$data/anytop.txz" -C "$work"
  data=$work/anytop
else
  data=$data/anytop
fi
pack() { # Of the seeds after the first only what was distilled.
  tar -cJf "$out/.anytop.txz" --exclude='*.tmp' --exclude='anytop_results/anytop_[2-9]/model.safetensors' \
    -C "$out" anytop_results && mv "$out/.anytop.txz" "$out/anytop.txz"
}
(
  while sleep 120; do pack; done
) &
packer=$!
trap 'kill $packer 2> /dev/null' EXIT
# Bodies of all families with several gaits each. Files are named by the action alone: words of families and styles have
# other meanings there ("fish" is work, the gait "wave" a greeting). One file of each body is a body for retargeting.
mkdir -p "$work/synth_bodies"
synths=()
for seed in $(seq 1 "${SYNTH_SEEDS:-10}"); do
  (
    "$zoe" synth -o "$work/synth_$seed" --one-body --count "${SYNTH_COUNT:-63}" --seconds 4 --fps 30 --format bvh \
      --style neutral --course straight,turn_left,turn_right,weave --seed "$((seed + 100))" \
      --gait idle,walk,trot,pace,canter,gallop,run,tripod,ripple,jump,attack,fly,slither,sidewind,swim,dart -q
    cd "$work/synth_$seed" && rm -f manifest.jsonl && for file in *.bvh; do
      family=$(echo "$file" | cut -d_ -f2) gait=$(echo "$file" | cut -d_ -f3) number=${file%%_*}
      [ -e "$work/synth_bodies/${family}_$seed.bvh" ] || cp "$file" "$work/synth_bodies/${family}_$seed.bvh"
      case $gait in
        pace | tripod | ripple | sidewind) gait=walk ;;
        dart) gait=swim ;;
      esac
      mv "$file" "${gait}_$number.bvh"
    done
  ) &
  synths+=($!)
done > "$results/synth.log" 2>&1
wait "${synths[@]}"
echo "synth: $(($(date +%s) - begin)) s"
# Toys of one maker have the same bones and clips: three of them are enough. The judge of actions has them all.
mapfile -t trained < <(find "$data/train" -mindepth 1 -maxdepth 1 ! -name 'character-*male-[bcd].glb' | sort)
# Recorded clips on other bodies: those of training, rigs without clips, and synthetic ones.
mapfile -t rigs < <(find "$data/train" -mindepth 1 -maxdepth 1 -name '*.glb' ! -name 'character-*male-[bcd].glb' | sort)
# Trained rigs get fewer, so that their own clips stay a good part of what they do.
spread=()
if [ "${SPREAD_S:-120}" -gt 0 ]; then
  spread_to() { # FOLDER SOURCES WORDS…
    local folder=$1 each=$2
    shift 2
    python3 "$here/spread_motions.py" "$zoe" "$work/$folder" --seconds "${SPREAD_S:-120}" --each "$each" --jobs 8 \
      --people "$data/train" --captures "$((2 * each))" --clips "${rigs[@]}" "$@" > "$results/$folder.log" 2>&1
    echo "$folder: $(tail -1 "$results/$folder.log"), $(($(date +%s) - begin)) s"
  }
  spread_to spread_rigs 3 --bodies "${rigs[@]}" &
  rigs_done=$!
  spread_to spread_bodies "${SPREAD_EACH:-7}" --bodies "$data"/bodies/*.glb "$work"/synth_bodies/*.bvh
  wait $rigs_done
  mapfile -t spread < <(find "$work"/spread_* -mindepth 1 -maxdepth 1 -name 'body_*' | sort)
fi
"$zoe" dataset build "${trained[@]}" "$work"/synth_[0-9]* "${spread[@]}" -o "$work/dataset" --schema anytop \
  --skeletons each --mirror --min-seconds 0.3 --validation 0.02 --test 0 -q \
  --licence "CC0 1.0; CMU Graphics Lab Motion Capture Database" > "$results/dataset.log" 2>&1
echo "data: $(($(date +%s) - begin)) s"
common=(--data "$work/dataset" --set "model.width=${WIDTH:-192}" --set "model.blocks=${BLOCKS:-4}"
  --set "model.heads=${HEADS:-6}" --set "train.tokens=${TOKENS:-32768}" --set train.steps=1000000
  --set "train.precision=${PRECISION:-bf16}" --set train.weight_decay=1e-3 --set data.min_frames=12
  --set data.max_frames=64 --set data.frame_sizes=2 --set data.joint_sizes=5 --set data.size_multiple=8
  --set "data.variants=${VARIANTS:-2}"
  --set train.validate_every=1000000 --set train.checkpoint_every=1000000 --set train.keep=1 --set train.log_every=100
  --set "model.reveal=${REVEAL:-0.3}" --set "model.path_reveal=${PATH_REVEAL:-0.15}" --set model.name_drop=0.3 ${MORE:-})
published=(--set model.schedule=cosine --set model.levels=100 --set model.width=128 --set model.heads=4
  --set model.word_drop=1 --set model.root_weight=1 --set model.reveal=0 --set model.path_reveal=0
  --set loss.velocity.weight=0 --set loss.contact.weight=0 --set loss.place.weight=0 --set loss.planted.weight=0
  --set loss.rotation.weight=2)
# A rate of 8e-4 again on trained weights undoes thousands of steps before it falls: RATE_1=2e-4 for a seed that goes on.
rate=(--set "train.rate=${RATE:-8e-4}" --set train.warmup_steps=300 --set train.ema=0.999)
# Matrices in bf16: half of the bytes to bring back. `zoe export` would measure the error as well, which takes a while.
half() {
  python3 - "$1" "$2" << 'END' || cp "$1" "$2"
import array, json, struct, sys
whole = open(sys.argv[1], "rb").read()
size = struct.unpack("<Q", whole[:8])[0]
header, body = json.loads(whole[8 : 8 + size]), whole[8 + size :]
metadata = header.pop("__metadata__")
metadata.pop("zoe.checksum", None)
out, data = {"__metadata__": metadata}, bytearray()
for name, item in sorted(header.items(), key=lambda one: one[1]["data_offsets"][0]):
    first, last = item["data_offsets"]
    raw, dtype = body[first:last], item["dtype"]
    if dtype == "F32" and len(item["shape"]) == 2 and "waves" not in name:
        bits = array.array("I")
        bits.frombytes(raw)
        raw = array.array("H", [(x + 0x7FFF + (x >> 16 & 1)) >> 16 & 0xFFFF for x in bits]).tobytes()
        dtype = "BF16"
    out[name] = {"dtype": dtype, "shape": item["shape"], "data_offsets": [len(data), len(data) + len(raw)]}
    data += raw
text = json.dumps(out).encode()
text += b" " * (-len(text) % 8)
open(sys.argv[2], "wb").write(struct.pack("<Q", len(text)) + text + data)
END
}
keep() {
  mkdir -p "$results/$1"
  cp "$work/$1"/{config.toml,metrics.jsonl,run.json} "$results/$1/" 2> /dev/null
  half "$work/$1/model.safetensors" "$results/$1/model.safetensors"
  echo "$1: $(tail -1 "$results/$1/metrics.jsonl" | cut -c 1-300)"
}
device_time() { python3 "$here/sampling_time.py" "$work/$1" 2>&1 | tee -a "$results/device_time.txt"; }
# Bodies of training on which settings may be chosen; the judge and the copies do not know them.
tuning='/(Wolf|Trex|Pigeon|Armabee|Ninja|Fish1|Spider|Ghost)\.glb$'
mapfile -t tune < <(printf '%s\n' "$data/train"/*.glb | grep -E "$tuning")
mapfile -t not_tune < <(printf '%s\n' "$data/train"/*.glb | grep -vE "$tuning")
measure() { # TABLE held|tune WORDS…
  local table=$1 against=("$data/held") train=("$data/train"/*.glb)
  [ "$2" = tune ] && against=("${tune[@]}") train=("${not_tune[@]}")
  shift 2
  timeout "$(($(left) > 25 ? $(left) - 12 : 12))" "$zoe" eval generate "$@" --against "${against[@]}" \
    --train "${train[@]}" --frechet --seconds 2.1 --actions "${EVAL_ACTIONS:-6}" --seeds "${EVAL_SEEDS:-5}" \
    --baseline-steps "${BASELINE_STEPS:-100}" --no-sheets \
    -o "$results/$table.json" > "$results/$table.md" 2> "$results/$table.log"
  echo "$table: $(($(date +%s) - begin)) s"
  sed -n '/^| *species/p;/^| split/p' "$results/$table.md" | cut -c 1-260 | head -6
}
# Opening and writing take seconds that train.seconds does not count.
rest_s=$(($(left) - ${EVAL_S:-140}))
distil_s=${DISTIL_S:-$((rest_s * ${DISTIL_PERCENT:-27} / 100))}
train_s=${TRAIN_S:-$((rest_s - distil_s))}
baseline_s=${BASELINE_S:-$((rest_s * 50 / 100))}
one_seed() {
  local name=anytop_$1 init=()
  if [ -f "$data/init_$1/model.safetensors" ]; then
    init=(--set "model.init=$data/init_$1/model.safetensors")
  elif [ "$1" = 1 ] && [ -f "$included" ]; then
    init=(--set "model.init=$included")
  fi
  local own_rate=RATE_$1
  "$zoe" train anytop -o "$work/$name" "${common[@]}" "${rate[@]}" "${init[@]}" --set "train.seed=$1" \
    --set "train.rate=${!own_rate:-${RATE:-8e-4}}" --set "train.seconds=$train_s" > "$results/$name.log" 2>&1 || return 1
  keep "$name"
  device_time "$name"
  [ "$distil_s" -gt 0 ] || return 0
  EVAL_SEEDS=2 measure "tune_$name" tune --model "$results/$name" --guidance "${GUIDANCE:-2}" &
  "$zoe" train anytop -o "$work/${name}_4" "${common[@]}" --set "train.seed=$1" --set "train.seconds=$distil_s" \
    --set train.rate=2e-4 --set train.warmup_steps=100 --set train.ema=0.995 --set "model.teacher=$work/$name" \
    --set "model.teacher_steps=${TEACHER_STEPS:-16}" --set "model.guidance=${GUIDANCE:-2}" > "$results/${name}_4.log" 2>&1 || return 1
  keep "${name}_4"
  device_time "${name}_4"
}
# Guidance, steps and samplers of the weights that training begins with, on otherwise idle cores.
study() {
  local network=(--model "$1")
  export EVAL_SEEDS=2
  for guidance in 1 2 3 4; do measure "study_guidance_$guidance" tune "${network[@]}" --guidance "$guidance"; done
  for steps in 16 64; do measure "study_steps_$steps" tune "${network[@]}" --guidance 2 --steps "$steps"; done
  BASELINE_STEPS=64 measure study_ddpm_64 tune --baseline "$1" --guidance 2
}
if [ "${STUDY:-0}" = 1 ] && [ -f "$data/init_1/model.safetensors" ]; then
  (renice -n 15 "$BASHPID" && study "$data/init_1") > "$results/study.log" 2>&1 &
fi
parts=()
for seed in ${SEEDS:-1}; do
  one_seed "$seed" &
  parts+=($!)
done
if [ "$baseline_s" -gt 0 ]; then
  (
    "$zoe" train anytop -o "$work/published" "${common[@]}" "${published[@]}" "${rate[@]}" --set train.seed=1 \
      --set "train.seconds=$baseline_s" > "$results/published.log" 2>&1
    keep published
    # A hundred steps are slow: while the others train.
    measure table_published held --baseline "$results/published"
  ) &
  parts+=($!)
fi
[ ${#parts[@]} = 0 ] || wait "${parts[@]}"
pack
# The student as the command uses it too, the run before distillation, and the included weights beside.
students=() made=()
for seed in ${SEEDS:-1}; do
  [ -f "$results/anytop_${seed}_4/model.safetensors" ] && students+=(--model "$results/anytop_${seed}_4")
  [ -f "$results/anytop_$seed/model.safetensors" ] && made+=(--model "$results/anytop_$seed")
done
if [ ${#students[@]} -gt 0 ]; then
  measure table held "${students[@]}" --source auto
  pack
  [ "$(left)" -gt 25 ] && EVAL_SEEDS=2 measure tune tune "${students[@]}"
fi
[ ${#made[@]} -gt 0 ] && [ "$(left)" -gt 40 ] && measure table_before held "${made[@]}"
[ -f "$included" ] && [ "$(left)" -gt 40 ] && measure table_included held --model "$(dirname "$included")" --source auto
for file in "$results"/*.log; do tail -c 3000 "$file" > "$file.short" && mv "$file.short" "$file"; done
kill $packer 2> /dev/null
pack
echo "anytop: $(($(date +%s) - begin)) s, $(du -h "$out/anytop.txz" | cut -f 1)"
