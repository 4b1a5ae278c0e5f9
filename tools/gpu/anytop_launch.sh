#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The weights of models/anytop on a CUDA machine: synthetic walkers beside the recorded motions of DATA, then two
# training seeds and the published baseline side by side, the distillation of both seeds into four steps, and the table
# of the held-out species on the machine's own cores (docs/train.md, docs/generate.md).
#
#   tools/gpu/anytop_launch.sh ZOE DATA OUT SECONDS      OUT/anytop.txz: weights, configs, metrics, tables, logs
#
# DATA has anytop.txz of tools/gpu/anytop_data.sh, or its folder anytop. The first seed begins with INIT, the included
# weights by default; the second begins with nothing. Ends within SECONDS. A part that fails does not end the others.
#
# Environment: INIT, WORK (scratch), TRAIN_S, BASELINE_S, DISTIL_S (seconds of the parts; default shares of SECONDS),
# SEEDS (default "1 2"), EVAL_SEEDS, EVAL_ACTIONS, GUIDANCE, TOKENS, PRECISION, RATE, MORE (further --set words).
set -uo pipefail
zoe=$1 data=$2 out=$3 seconds=$4
begin=$(date +%s)
left() { echo $((seconds - $(date +%s) + begin)); }
for folder in "$data/h1" "$data/anytop_data"; do [ -e "$folder" ] && data=$folder; done
first=${INIT:-$(dirname "${BASH_SOURCE[0]}")/../../models/anytop/model.safetensors}
mkdir -p "$out"
work=${WORK:-$(mktemp -d)} results=$out/anytop_results
mkdir -p "$work" "$results"
if [ -f "$data/anytop.txz" ]; then
  tar -xJf "$data/anytop.txz" -C "$work"
  data=$work/anytop
else
  data=$data/anytop
fi
# Bodies of all families with several gaits each. Files are named by the action alone: words of families and styles have
# other meanings there ("fish" is work, the gait "wave" a greeting).
for seed in $(seq 1 "${SYNTH_SEEDS:-6}"); do
  (
    "$zoe" synth -o "$work/synth_$seed" --one-body --count "${SYNTH_COUNT:-63}" --seconds 4 --fps 30 --format bvh \
      --style neutral --course straight,turn_left,turn_right,weave --seed "$((seed + 100))" \
      --gait idle,walk,trot,pace,canter,gallop,run,tripod,ripple,jump,attack,fly,slither,sidewind,swim,dart -q
    cd "$work/synth_$seed" && rm -f manifest.jsonl && for file in *.bvh; do
      gait=$(echo "$file" | cut -d_ -f3) number=${file%%_*}
      case $gait in
        pace | tripod | ripple | sidewind) gait=walk ;;
        dart) gait=swim ;;
      esac
      mv "$file" "${gait}_$number.bvh"
    done
  ) &
done > "$results/synth.log" 2>&1
wait
# Toys of one maker have the same bones and clips: three of them are enough. The judge of actions has them all.
mapfile -t trained < <(find "$data/train" -mindepth 1 -maxdepth 1 ! -name 'character-*male-[bcd].glb' | sort)
"$zoe" dataset build "${trained[@]}" "$work"/synth_* -o "$work/dataset" --schema anytop --skeletons each --mirror \
  --min-seconds 0.3 --validation 0.02 --test 0 -q \
  --licence "CC0 1.0; CMU Graphics Lab Motion Capture Database" > "$results/dataset.log" 2>&1
echo "data: $(($(date +%s) - begin)) s"
common=(--data "$work/dataset" --set "model.width=${WIDTH:-192}" --set "model.blocks=${BLOCKS:-4}"
  --set "model.heads=${HEADS:-6}" --set "train.tokens=${TOKENS:-32768}" --set train.steps=1000000
  --set "train.precision=${PRECISION:-bf16}" --set train.weight_decay=1e-3 --set data.min_frames=12
  --set data.max_frames=64 --set data.frame_sizes=2 --set data.joint_sizes=5 --set "data.variants=${VARIANTS:-8}"
  --set train.validate_every=1000000 --set train.checkpoint_every=1000000 --set train.keep=1 --set train.log_every=100
  --set model.reveal=0.45 --set model.path_reveal=0.2 --set model.name_drop=0.3 ${MORE:-})
published=(--set model.schedule=cosine --set model.levels=100 --set model.width=128 --set model.heads=4
  --set model.word_drop=1 --set model.root_weight=1 --set model.reveal=0 --set model.path_reveal=0
  --set loss.velocity.weight=0 --set loss.contact.weight=0 --set loss.place.weight=0 --set loss.planted.weight=0
  --set loss.rotation.weight=2)
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
# What a request of these seconds costs on the device (a motion of 60 joints and 120 frames), from the last samples.
device_time() {
  python3 - "$work/$1/samples" << 'END' 2> /dev/null
import glob, json, struct, sys
file = sorted(glob.glob(sys.argv[1] + "/*.safetensors"))[-1]
whole = open(file, "rb").read()
size = struct.unpack("<Q", whole[:8])[0]
first = json.loads(whole[8 : 8 + size])["milliseconds"]["data_offsets"][0]
print("60 joints x 120 frames on the device: %.1f ms" % struct.unpack_from("<f", whole, 8 + size + first)[0])
END
}
measure() { # TABLE ACTIONS WORDS…
  local table=$1 actions=$2
  shift 2
  timeout "$(($(left) > 25 ? $(left) - 15 : 10))" "$zoe" eval generate "$@" --against "$data/held" \
    --train "$data/train"/*.glb --frechet --seconds 2.1 \
    --actions "$actions" --seeds "${EVAL_SEEDS:-5}" --baseline-steps "${BASELINE_STEPS:-100}" --no-sheets \
    -o "$results/$table.json" > "$results/$table.md" 2> "$results/$table.log"
  sed -n '/^| *species/p;/^| split/p' "$results/$table.md" | cut -c 1-260 | head -6
}
# Opening and writing take seconds that train.seconds does not count.
rest_s=$(($(left) - 60))
distil_s=${DISTIL_S:-$((rest_s * 21 / 100))}
train_s=${TRAIN_S:-$((rest_s * 68 / 100))}
baseline_s=${BASELINE_S:-$((rest_s * 36 / 100))}
one_seed() {
  local name=anytop_$1 init=()
  [ "$1" = 1 ] && [ -f "$first" ] && init=(--set "model.init=$first")
  "$zoe" train anytop -o "$work/$name" "${common[@]}" "${rate[@]}" "${init[@]}" --set "train.seed=$1" \
    --set "train.seconds=$train_s" > "$results/$name.log" 2>&1 || return 1
  "$zoe" train anytop -o "$work/${name}_4" "${common[@]}" --set "train.seed=$1" --set "train.seconds=$distil_s" \
    --set train.rate=2e-4 --set train.warmup_steps=100 --set train.ema=0.995 --set "model.teacher=$work/$name" \
    --set "model.guidance=${GUIDANCE:-2}" > "$results/${name}_4.log" 2>&1
  tail -1 "$work/$name/metrics.jsonl" > "$results/$name.last.json"
  keep "${name}_4"
  device_time "${name}_4"
}
for seed in ${SEEDS:-1 2}; do one_seed "$seed" & done
if [ "$baseline_s" -gt 0 ]; then
  "$zoe" train anytop -o "$work/published" "${common[@]}" "${published[@]}" "${rate[@]}" --set train.seed=1 \
    --set "train.seconds=$baseline_s" > "$results/published.log" 2>&1
  keep published
  # A hundred steps are slow: while the others train.
  measure table_published "${EVAL_ACTIONS:-6}" --baseline "$results/published"
fi
wait
made=()
for seed in ${SEEDS:-1 2}; do
  [ -f "$results/anytop_${seed}_4/model.safetensors" ] && made+=(--model "$results/anytop_${seed}_4")
done
[ ${#made[@]} -gt 0 ] && measure table "${EVAL_ACTIONS:-6}" "${made[@]}"
for file in "$results"/*.log; do tail -c 3000 "$file" > "$file.short" && mv "$file.short" "$file"; done
tar -cJf "$out/anytop.txz" -C "$out" anytop_results
echo "anytop: $(($(date +%s) - begin)) s, $(du -h "$out/anytop.txz" | cut -f 1)"
