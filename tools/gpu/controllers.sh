#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# On a CUDA machine: controllers of all types side by side, frame by frame and with rollouts, and their measures.
#
#   tools/gpu/controllers.sh ZOE DATA OUT SECONDS      e.g. build/gpu/bin/zoe data/controllers runs/controllers 480
#
# DATA: folders of clips cmu, lafan1, terrain, and of held-out ones held/cmu, held/lafan1, held/terrain, or data.txz
# that contains them (tools/gpu/compact_bvh.py makes small copies). Each run has OUT/NAME.log and OUT/NAME. The last
# part of the time measures every run on 16 cores: OUT/NAME.json, OUT/terrain.json. OUT/controllers.txz has networks
# (bfloat16), settings, curves and measures of the runs that KEEP names (all); OUT/summary.txt is one line for each.
# A run that fails is started once more without recorded CUDA graphs, for what is left of the time.
# All are 22 trainings at once. RUNS="lafan1_lmp_8 cmu_lmp": only these.
# EXTRA="--set model.hidden=32 --set train.precision=float32": for a trial on a CPU.
set -uo pipefail
zoe=$1 data=$2 out=$3 seconds=$4
mkdir -p "$out"
began=$(date +%s)
left() { echo $((seconds - ($(date +%s) - began) - ${1:-0})); }
if [ -e "$data/data.txz" ]; then
  mkdir -p "$out/data"
  tar xJf "$data/data.txz" -C "$out/data"
  data=$out/data
fi
measuring=$((seconds / 4 < 130 ? seconds / 4 : 130))

# Several small networks share a GPU well through its multi-process service.
if command -v nvidia-cuda-mps-control >/dev/null && [ -z "${CUDA_MPS_PIPE_DIRECTORY:-}" ]; then
  export CUDA_MPS_PIPE_DIRECTORY=$out/mps CUDA_MPS_LOG_DIRECTORY=$out/mps_log
  mkdir -p "$CUDA_MPS_PIPE_DIRECTORY" "$CUDA_MPS_LOG_DIRECTORY"
  nvidia-cuda-mps-control -d >/dev/null 2>&1
  trap 'echo quit | nvidia-cuda-mps-control >/dev/null 2>&1' EXIT
fi

common=(--no-film -q --set train.threads=1 --set train.ema=0.999 --set train.precision=tf32 --set train.log_every=100
  --set train.validate_every=500 --set train.checkpoint_every=4000 --set train.keep=1 --set train.steps=400000)
frames=(--set model.hidden=256 --set train.batch=256)
# Eight frames of the model's own outputs in a row, 128 rows of them in a batch.
rollout() { rolled=("${frames[@]}" --set "train.batch=$((128 * $1))" --set "model.rollout=$1"); }

wanted() { [ -z "${RUNS:-}" ] || [[ " $RUNS " == *" $1 "* ]]; }
train() { # name, type, time of training in parts of all, arguments
  local name=$1 type=$2 parts=$3 try limit
  shift 3
  for try in auto off; do
    limit=$(($(left $((measuring + 35))) / parts))
    [ "$type" != deepphase ] || limit=$((limit - 30)) # Its autoencoder comes first.
    [ "$limit" -gt 5 ] || break
    rm -rf "${out:?}/$name" "$out/$name.unfinished"
    # shellcheck disable=SC2086
    if "$zoe" train controller --type "$type" "$@" "${common[@]}" --set train.cuda_graph=$try \
      --set train.seconds="$limit" ${EXTRA:-} -o "$out/$name" >>"$out/$name.log" 2>&1; then return 0; fi
  done
  return 1
}
measure() { # name, folder of held-out clips
  local limit
  limit=$(left 12)
  [ "$limit" -gt 5 ] || return
  timeout "$limit" "$zoe" eval controller "$out/$1" --table --seeds 2 --held-out "$2" --wild-minutes 2 \
    --sticks-minutes 1 -q -o "$out/$1.json" >"$out/$1.table.md" 2>>"$out/$1.log"
}
pids=()
run() { # name, type, parts, data, arguments
  local name=$1 type=$2 parts=$3 from=$4
  shift 4
  wanted "$name" || return
  (train "$name" "$type" "$parts" --data "$data/$from" "$@" && measure "$name" "$data/held/$from") &
  pids+=($!)
}

# 1. Data of another person: what do rollouts change? The number at the end is their length, 1: frame by frame.
for type in lmp mann pfnn deepphase; do
  own=()
  [ $type = deepphase ] && own=(--set pae:train.steps=800)
  case $type in lmp | mann) run lafan1_${type}_1 $type 1 lafan1 "${frames[@]}" ;; esac
  rollout 8
  run lafan1_${type}_8 $type 1 lafan1 "${rolled[@]}" "${own[@]}"
done
rollout 16
run lafan1_lmp_16 lmp 1 lafan1 "${rolled[@]}"
rollout 8
run lafan1_lmp_8_slide lmp 1 lafan1 "${rolled[@]}" --set model.slide=0.05
run lafan1_lmp_8_clean lmp 1 lafan1 "${rolled[@]}" --set model.speed_noise=0 --set model.pose_noise=0
run lafan1_cxm cxm 1 lafan1 --set train.batch=256
# 2. All types on the same walks.
for type in lmp mann pfnn deepphase; do
  own=()
  [ $type = deepphase ] && own=(--set pae:train.steps=800)
  run cmu_$type $type 1 cmu "${rolled[@]}" "${own[@]}"
done
run cmu_cxm cxm 1 cmu --set train.batch=256
run cmu_lmm lmm 3 cmu # Three networks.
run cmu_mm mm 1 cmu
# 3. Styles, of synthetic people: one body, a folder for each style.
styles=neutral,tired,sneaky,proud,injured
styled() { # name, type, parts, arguments
  wanted "$1" || return
  (train "$1" "$2" "$3" --data "$out/styles" --own-bodies --styles "$styles" "${@:4}" &&
    timeout "$(left 12)" "$zoe" eval controller "$out/$1" --table --seeds 1 --no-held-out -q >"$out/$1.table.md" \
      2>>"$out/$1.log") &
  pids+=($!)
}
if wanted styles_lmm || wanted styles_lmp; then
  synths=()
  for style in ${styles//,/ }; do
    "$zoe" synth -o "$out/styles/$style" --family biped --one-body --seed 7 --mesh off --format bvh --style "$style" \
      --names plain --gait walk --course straight,turn_left,turn_right,wander --count 16 --seconds 10 -q \
      >>"$out/styles.log" 2>&1 &
    synths+=($!)
  done
  wait "${synths[@]}"
fi
styled styles_lmm lmm 3
styled styles_lmp lmp 1 "${rolled[@]}" --set model.hidden=192
# 4. Ground: nothing, 36 heights, cells.
for ground in blind heights grid; do
  wanted terrain_$ground || continue
  (train terrain_$ground lmp 1 --data "$data/terrain" "${rolled[@]}" --set model.hidden=192 --terrain $ground) &
  pids+=($!)
done
[ ${#pids[@]} = 0 ] || wait "${pids[@]}"

terrains=()
for ground in blind heights grid; do [ ! -e "$out/terrain_$ground/model.safetensors" ] || terrains+=("$out/terrain_$ground"); done
if [ ${#terrains[@]} -gt 0 ] && [ "$(left 12)" -gt 5 ]; then
  for run in "${terrains[@]}"; do
    timeout "$(left 12)" "$zoe" eval terrain "$run" --held-out "$data/held/terrain" -q -o "$run.json" >>"$run.log" 2>&1 &
    pids+=($!)
  done
  wait
fi

python3 - "$out" >"$out/summary.txt" <<'EOF'
import glob, json, os, sys
print("run, foot skate / source, at speed / source, jerk / source, path error cm, response s, start s, artefacts per min")
for file in sorted(glob.glob(sys.argv[1] + "/*.json")):
    found = json.load(open(file))
    found = found[0] if isinstance(found, list) else found
    m = found.get("metrics", {})
    if "foot_skate_cm_s" not in m:
        continue
    def ratio(key):
        return m[key]["mean"] / m[key]["reference"] if m.get(key, {}).get("reference") else float("nan")
    def mean(key):
        return m[key]["mean"] if key in m else float("nan")
    print(os.path.basename(file)[:-5], *(f"{x:.2f}" for x in (ratio("foot_skate_cm_s"), ratio("foot_skate_at_speed_cm_s"),
          ratio("jerk_m_s3"), mean("path_error_cm"), mean("response_s"), mean("start_s"), mean("artefacts_per_min"))), sep=", ")
EOF
cat "$out/summary.txt" "$out"/*.table.md
echo "measured with: zoe eval controller RUN --seeds 2 --held-out HELD --wild-minutes 2 --sticks-minutes 1 --table; again with more seeds:"
for run in "$out"/*/controller.toml; do echo "  zoe eval controller $(dirname "$run") --seeds 5 --held-out $data/held/… -o table.html"; done
cd "$out" || exit 1
shopt -s nullglob
kept=()
for name in */; do
  name=${name%/}
  [ -e "$name/controller.toml" ] || continue
  if [ -n "${KEEP:-}" ] && [[ " $KEEP " != *" $name "* ]]; then continue; fi
  if [ -e "$name/model.safetensors" ]; then
    "$zoe" export "$name/model.safetensors" "$name/small.safetensors" --dtype bf16 >/dev/null 2>&1 &&
      mv "$name/small.safetensors" "$name/model.safetensors"
  fi
  kept+=("$name")
done
tar cJ --exclude=checkpoints --exclude=dataset --exclude='events*' --exclude=report.html --exclude=tracks \
  --exclude='network/*.safetensors' --exclude='pae/*.safetensors' --exclude='*/decompressor/*.safetensors' \
  --exclude='*/stepper/*.safetensors' --exclude='*/projector/*.safetensors' --exclude=database.safetensors \
  "${kept[@]}" ./*.json ./*.log ./*.table.md summary.txt -f controllers.txz
ls -l controllers.txz
