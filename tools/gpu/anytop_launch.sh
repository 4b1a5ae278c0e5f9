#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The weights of models/anytop on a CUDA machine: synthetic walkers beside the recorded motions of DATA/train, then
# training, and where DISTIL_S is set the distillation into four steps (docs/train.md, tools/gpu/anytop.sh).
#
#   tools/gpu/anytop_launch.sh ZOE DATA OUT SECONDS      OUT/anytop (and OUT/anytop_4): model, config, metrics
#
# DATA/init.safetensors, where it is there, is the network to begin with. Ends within SECONDS. SEED is that of the training.
# BASELINE=1 trains the published settings of docs/train.md beside it, on the same data and for the same time:
# OUT/anytop_published.
set -euo pipefail
zoe=$1 data=$2 out=$3 seconds=$4
[ -d "$data/h1/train" ] && data=$data/h1
begin=$(date +%s)
work=${WORK:-$data/work}
mkdir -p "$out" "$work"
# Bodies of all families with several gaits each. Files are named by the action alone: words of families and styles have
# other meanings there ("fish" is work, the gait "wave" a greeting).
for seed in $(seq 1 "${SYNTH_SEEDS:-6}"); do
  "$zoe" synth -o "$work/synth_$seed" --one-body --count "${SYNTH_COUNT:-63}" --seconds 4 --fps 30 --format bvh \
    --style neutral --course straight,turn_left,turn_right,weave --seed "$((seed + 100))" \
    --gait idle,walk,trot,pace,canter,gallop,run,tripod,ripple,jump,attack,fly,slither,sidewind,swim,dart -q
  (cd "$work/synth_$seed" && rm -f manifest.jsonl && for file in *.bvh; do
    gait=$(echo "$file" | cut -d_ -f3) number=${file%%_*}
    case $gait in
      pace | tripod | ripple | sidewind) gait=walk ;;
      dart) gait=swim ;;
    esac
    mv "$file" "${gait}_$number.bvh"
  done)
done > "$out/synth.log" 2>&1
"$zoe" dataset build "$data/train" "$work"/synth_* -o "$work/dataset" --schema anytop --skeletons each --mirror \
  --min-seconds 0.3 --validation 0.02 --test 0 -q \
  --licence "CC0 1.0; CMU Graphics Lab Motion Capture Database" > "$out/dataset.log" 2>&1
common=(--data "$work/dataset" --set "model.width=${WIDTH:-192}" --set "model.blocks=${BLOCKS:-4}" --set model.heads=6
  --set "train.tokens=${TOKENS:-32768}" --set train.steps=1000000 --set "train.precision=${PRECISION:-bf16}"
  --set train.weight_decay=1e-3 --set data.min_frames=12 --set data.max_frames=64 --set data.frame_sizes=2
  --set data.joint_sizes=5 --set data.variants=2 --set train.validate_every=1000000 --set train.checkpoint_every=1000000
  --set train.keep=1 --set train.log_every=100 --set model.reveal=0.45 --set model.path_reveal=0.2
  --set "train.seed=${SEED:-1}" ${MORE:-})
published=(--set model.schedule=cosine --set model.levels=100 --set model.width=128 --set model.heads=4
  --set model.word_drop=1 --set model.root_weight=1 --set model.reveal=0 --set model.path_reveal=0
  --set loss.velocity.weight=0 --set loss.contact.weight=0 --set loss.place.weight=0 --set loss.planted.weight=0
  --set loss.rotation.weight=2)
init=()
[ -f "$data/init.safetensors" ] && init=(--set "model.init=$data/init.safetensors")
left() { echo $((seconds - $(date +%s) + begin)); }
# Opening takes half a minute that train.seconds does not count, and so does writing.
train_s=$(($(left) - ${DISTIL_S:-0} - ${SPARE_S:-60}))
if [ "${BASELINE:-0}" = 1 ]; then
  "$zoe" train anytop -o "$work/anytop_published" "${common[@]}" "${published[@]}" --set "train.seconds=$train_s" \
    --set "train.rate=${RATE:-8e-4}" --set train.warmup_steps=300 --set train.ema=0.999 > "$out/published.log" 2>&1 &
  baseline=$!
fi
"$zoe" train anytop -o "$work/anytop" "${common[@]}" "${init[@]}" --set "train.seconds=$train_s" \
  --set "train.rate=${RATE:-8e-4}" --set train.warmup_steps=300 --set train.ema=0.999 > "$out/train.log" 2>&1
keep() {
  mkdir -p "$out/$1"
  cp "$work/$1"/{config.toml,metrics.jsonl,run.json} "$out/$1/"
  half "$work/$1/model.safetensors" "$out/$1/model.safetensors"
}
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
keep anytop
if [ "${BASELINE:-0}" = 1 ]; then
  wait "$baseline" && keep anytop_published
fi
if [ "${DISTIL_S:-0}" -gt 0 ]; then
  rest_s=$(($(left) - 35))
  "$zoe" train anytop -o "$work/anytop_4" "${common[@]}" --set "train.seconds=$((rest_s > 5 ? rest_s : 5))" \
    --set train.rate=2e-4 \
    --set train.warmup_steps=100 --set train.ema=0.995 --set "model.teacher=$work/anytop" \
    --set "model.guidance=${GUIDANCE:-2}" > "$out/distil.log" 2>&1
  keep anytop_4
fi
