#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# On a CUDA machine: controllers of all types side by side, frame by frame, and their measures.
#
#   tools/gpu/controllers.sh ZOE DATA OUT SECONDS      e.g. build/gpu/bin/zoe data/controllers runs/controllers 1100
#
# DATA: folders of clips cmu, lafan1, terrain, styles (one folder for each style), and of held-out ones held/cmu,
# held/lafan1, held/terrain, or data.txz that contains them (tools/gpu/compact_bvh.py makes small copies). Synthetic
# clips are made here. Each run has OUT/NAME.log and OUT/NAME. A run that ends is measured at once, and the last part of
# the time is for measuring alone: OUT/NAME.json, NAME.table.md, styles_*.styles.md, terrain_*.md. OUT/table.md is the
# one table of types. OUT/controllers.txz has networks (int8), settings and measures of the runs that KEEP names, and
# measures of all; OUT/summary.txt is one line for each. A run that fails is started once more without recorded CUDA
# graphs, for what is left of the time. All are 20 trainings at once. RUNS="lafan1_lmp cmu_lmp": only these.
# EXTRA="--set model.hidden=32 --set train.precision=float32": for a trial on a CPU.
set -uo pipefail
zoe=$(realpath "$1") data=$2 out=$3 seconds=$4
here=$(dirname "$(realpath "$0")")
mkdir -p "$out"
out=$(realpath "$out")
began=$(date +%s)
left() { echo $((seconds - ($(date +%s) - began) - ${1:-0})); }
if [ -e "$data/data.txz" ]; then
  mkdir -p "$out/data"
  tar xJf "$data/data.txz" -C "$out/data"
  data=$out/data
fi
data=$(realpath "$data")
measuring=$((seconds / 4 < 210 ? seconds / 4 : 210))

# Several small networks share a GPU well through its multi-process service.
if command -v nvidia-cuda-mps-control >/dev/null && [ -z "${CUDA_MPS_PIPE_DIRECTORY:-}" ]; then
  export CUDA_MPS_PIPE_DIRECTORY=$out/mps CUDA_MPS_LOG_DIRECTORY=$out/mps_log
  mkdir -p "$CUDA_MPS_PIPE_DIRECTORY" "$CUDA_MPS_LOG_DIRECTORY"
  nvidia-cuda-mps-control -d >/dev/null 2>&1
  trap 'echo quit | nvidia-cuda-mps-control >/dev/null 2>&1' EXIT
fi

common=(--no-film -q --set train.threads=1 --set train.ema=0.999 --set train.precision=tf32 --set train.log_every=200
  --set train.validate_every=1000 --set train.checkpoint_every=10000 --set train.keep=1 --set train.steps=${STEPS:-60000})
frames=(--set model.hidden=256 --set train.batch=256 --set model.dropout=0.2)

wanted() { [ -z "${RUNS:-}" ] || [[ " $RUNS " == *" $1 "* ]]; }
train() { # name, type, time of training in parts of all, arguments
  local name=$1 type=$2 parts=$3 try limit
  shift 3
  for try in auto off; do
    limit=$(($(left $((measuring + 25))) / parts))
    [ "$type" != deepphase ] || limit=$((limit - 40)) # Its autoencoder comes first.
    [ "$type" != hybrid ] || limit=$((limit - 40))    # Its confidence comes last.
    [ "$limit" -gt 5 ] || break
    rm -rf "${out:?}/$name" "$out/$name.unfinished"
    # shellcheck disable=SC2086
    if "$zoe" train controller --type "$type" "$@" "${common[@]}" --set train.cuda_graph=$try \
      --set train.seconds="$limit" ${EXTRA:-} -o "$out/$name" >>"$out/$name.log" 2>&1; then return 0; fi
  done
  return 1
}
measure() { # name, arguments
  local limit name=$1
  shift
  limit=$(left 12)
  [ "$limit" -gt 5 ] || return
  timeout "$limit" "$zoe" eval controller "$out/$name" --table --seeds 3 "$@" -q -o "$out/$name.json" \
    >"$out/$name.table.md" 2>>"$out/$name.log"
}
# The same network with a root that gives way to its feet, and with other filters of the pose.
measure_settings() { # name
  local name=$1 feet follow to
  for feet in 0 0.4 0.8; do
    for follow in 0.55 0.8; do
      [ "$(left 25)" -gt 0 ] || return
      to=$out/settings/${name}_feet${feet}_follow$follow
      mkdir -p "$to"
      cp "$out/$name"/{body,model}.safetensors "$to/"
      sed -e "s/^feet = .*/feet = $feet/" -e "s/^follow = .*/follow = $follow/" "$out/$name/controller.toml" \
        >"$to/controller.toml"
      timeout "$(left 12)" "$zoe" eval controller "$to" --data "$out/$name/dataset" --no-held-out --seeds 3 -q --json \
        --paths straight,circle,slalom,square,stop_and_go,sticks,reversals >"$to.json" 2>>"$out/$name.log"
      rm -rf "$to"
    done
  done
}
pids=()
run() { # name, type, parts, data, arguments
  local name=$1 type=$2 parts=$3 from=$4
  shift 4
  wanted "$name" || return
  (train "$name" "$type" "$parts" --data "$data/$from" "$@" &&
    measure "$name" --held-out "$data/held/$from" --wild-minutes 5 --sticks-minutes 2
    case $name in *mm | *cxm | *hybrid) ;; *) measure_settings "$name" ;; esac) &
  pids+=($!)
}
own_of() { # Settings of a type.
  own=("${frames[@]}")
  case $1 in
    deepphase) own+=(--set pae:train.steps=1500) ;;
    cxm) own=(--set train.batch=256) ;;
    mm) own=() ;;
    lmm) own=() ;;
  esac
}

# 1. Data of another person. The control is without what keeps a pose from standing still: docs/quality.md.
for type in lmp mann pfnn deepphase cxm; do
  own_of $type
  run lafan1_$type $type 1 lafan1 "${own[@]}"
done
run lafan1_lmp_control lmp 1 lafan1 "${frames[@]}" --set model.shrink=0
run lafan1_lmp_15 lmp 1 lafan1 "${frames[@]}" --set model.shrink=0.15
# 2. All types on the same walks: the one table.
for type in mm lmm mann pfnn lmp deepphase cxm hybrid; do
  own_of $type
  parts=1
  [ $type != lmm ] || parts=3 # Three networks.
  run cmu_$type $type $parts cmu "${own[@]}"
done
# 3. Styles: eight of one person.
styles=$( (cd "$data/styles" 2>/dev/null && ls -d -- */ | tr -d / | paste -sd,) || true)
judged() { # name, type, parts, arguments
  wanted "$1" || return
  local name=$1
  (train "$@" --data "$data/styles" --own-bodies --styles "$styles" &&
    (measure "$name" --no-held-out &
      timeout "$(left 12)" python3 "$here/../dev/measure_style_mixes.py" "$zoe" "$out/$name" "$data/styles" --base normal \
        --json "$out/$name.styles.json" >"$out/$name.styles.md" 2>>"$out/$name.log" &
      wait)) &
  pids+=($!)
}
if [ -n "$styles" ]; then
  judged styles_lmp lmp 1 "${frames[@]}"
  judged styles_lmm lmm 3
fi
# 4. Ground: nothing, 36 heights, cells; synthetic clips on their own ground, and CMU's on fitted ones.
synth() { # folder, first seed, clips
  "$zoe" synth -o "$out/$1" --family biped --one-body --seed 5 --mesh off --names plain --gait walk --style neutral \
    --terrain stairs,platforms,gaps,rough,slope,beams --terrain-files --course "$2" --count "$3" --seconds 14 --fps 30 \
    -q >>"$out/synth.log" 2>&1
}
on_ground() { # name, clips, held out, arguments
  wanted "$1" || return
  local name=$1 held=$3 from=$2
  shift 3
  (train "$name" lmp 1 --data "$from" "${frames[@]}" "$@" && [ "$(left 12)" -gt 5 ] &&
    timeout "$(left 12)" "$zoe" eval terrain "$out/$name" --held-out "$held" -q -o "$out/$name.json" \
      >"$out/$name.terrain.md" 2>>"$out/$name.log") &
  pids+=($!)
}
for ground in blind grid; do on_ground terrain_cmu_$ground "$data/terrain" "$data/held/terrain" --terrain $ground; done
if wanted terrain_synth_blind || wanted terrain_synth_heights || wanted terrain_synth_grid; then
  # Bodies are drawn from the seed alone, so all clips have one. Every fifth clip is held out.
  synth synth_straight straight,wander "${CLIPS:-150}"
  mkdir -p "$out/synth_held"
  for clip in "$out"/synth_straight/*[49]_biped_*.glb; do
    case $clip in *.terrain.glb) continue ;; esac
    mv "$clip" "${clip%.glb}.terrain.glb" "$out/synth_held/"
  done
fi
for ground in blind heights grid; do
  on_ground terrain_synth_$ground "$out/synth_straight" "$out/synth_held" --own-bodies --terrain $ground
done
[ ${#pids[@]} = 0 ] || wait "${pids[@]}"

python3 - "$out" >"$out/summary.txt" <<'PY'
import glob, json, os, sys
print("run, foot skate / source, at speed / source, sticks cm/s, jerk / source, path error cm, response s, start s, artefacts per min")
for file in sorted(glob.glob(sys.argv[1] + "/*.json")):
    found = json.load(open(file))
    found = found[0] if isinstance(found, list) else found
    m = found.get("metrics", {}) if isinstance(found, dict) else {}
    if "foot_skate_cm_s" not in m:
        continue
    def ratio(key):
        return m[key]["mean"] / m[key]["reference"] if m.get(key, {}).get("reference") else float("nan")
    def mean(key):
        return m[key]["mean"] if key in m else float("nan")
    sticks = found.get("courses", {}).get("sticks", {}).get("foot_skate_cm_s", float("nan"))
    print(os.path.basename(file)[:-5], *(f"{x:.2f}" for x in (ratio("foot_skate_cm_s"), ratio("foot_skate_at_speed_cm_s"), sticks,
          ratio("jerk_m_s3"), mean("path_error_cm"), mean("response_s"), mean("start_s"), mean("artefacts_per_min"))), sep=", ")
PY
cd "$out" || exit 1
shopt -s nullglob
tables=(cmu_*.table.md lafan1_*.table.md styles_*.table.md)
[ ${#tables[@]} = 0 ] || (head -n 2 "${tables[0]}" && tail -q -n +3 "${tables[@]}") >table.md
cat summary.txt table.md ./*.styles.md 2>/dev/null
kept=()
for name in ${KEEP:-lafan1_lmp lafan1_mann cmu_lmp styles_lmp terrain_synth_grid}; do
  [ -e "$name/model.safetensors" ] || continue
  "$zoe" export "$name/model.safetensors" "$name/small.safetensors" --dtype int8 >/dev/null 2>&1 &&
    mv "$name/small.safetensors" "$name/model.safetensors"
  kept+=("$name/model.safetensors" "$name/body.safetensors" "$name/controller.toml")
done
tar cJf controllers.txz "${kept[@]}" ./*.json settings/*.json ./*.log ./*.md summary.txt ./*/network/config.toml ./*/network/metrics.jsonl \
  ./*/reliability.* 2>/dev/null
ls -l controllers.txz
