#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# On a CUDA machine: controllers of all types on the same data, and their measures.
#
#   tools/gpu/controllers.sh ZOE DATA OUT SECONDS      e.g. build/gpu/bin/zoe data/controllers runs/controllers 700
#
# DATA: folders of clips cmu, lafan1 and of held-out ones held/cmu, held/lafan1 (tools/gpu/compact_bvh.py makes small
# copies), or controllers.txz (a file, or in the folder) that contains them. Synthetic clips on terrain are made here.
#
# JOBS (5) trainings run side by side; each place takes one run after the other, and each run has an equal part of the
# time. A run that ends is measured at once. Each has OUT/NAME.log, OUT/NAME.json, NAME.table.md or NAME.terrain.md, and
# OUT/NAME_weights.md (which weights were chosen). OUT/table.md is the one table of types. OUT/controllers.txz has the
# networks that KEEP names (int8; KEEP=all: of all runs) and all measures; it is written every 100 s. A run that fails
# is started once more without recorded CUDA graphs. RUNS="lafan1_lmp terrain_grid": only these. PLACES="a b|c": the
# runs of each place. VARIANTS=1: networks of LAFAN1 and terrain are measured with other settings of the run time as
# well. EXTRA="--set model.hidden=32": for a trial on a CPU.
set -uo pipefail
zoe=$(realpath "$1") data=$2 out=$3 seconds=$4
mkdir -p "$out"
out=$(realpath "$out")
began=$(date +%s)
left() { echo $((seconds - ($(date +%s) - began) - ${1:-0})); }
for pack in "$data" "$data/controllers.txz" "$data/data.txz"; do
  [ -f "$pack" ] || continue
  mkdir -p "$out/data"
  tar xJf "$pack" -C "$out/data"
  data=$out/data
  break
done
data=$(realpath "$data")
measuring=$((seconds / 5 < 120 ? seconds / 5 : 120)) # At the end, for measuring alone.

# Several small networks share a GPU well through its multi-process service.
if command -v nvidia-cuda-mps-control >/dev/null && [ -z "${CUDA_MPS_PIPE_DIRECTORY:-}" ]; then
  export CUDA_MPS_PIPE_DIRECTORY=$out/mps CUDA_MPS_LOG_DIRECTORY=$out/mps_log
  mkdir -p "$CUDA_MPS_PIPE_DIRECTORY" "$CUDA_MPS_LOG_DIRECTORY"
  nvidia-cuda-mps-control -d >/dev/null 2>&1
  trap 'echo quit | nvidia-cuda-mps-control >/dev/null 2>&1' EXIT
fi

common=(--no-film -q --set train.threads=1 --set train.ema=0.999 --set train.precision=tf32 --set train.log_every=200
  --set train.validate_every=2000 --set train.checkpoint_every=${EVERY:-2000} --set train.keep=1
  --set train.steps=${STEPS:-200000})
frames=(--set model.hidden=256 --set train.batch=256)
all="lafan1_lmp lafan1_mann lafan1_pfnn lafan1_deepphase lafan1_cxm cmu_mm cmu_lmm cmu_mann cmu_pfnn cmu_lmp
  cmu_deepphase cmu_cxm cmu_hybrid terrain_blind terrain_heights terrain_grid"
runs=(${RUNS:-$all})
jobs=${JOBS:-5}
if [ -n "${PLACES:-}" ]; then
  IFS='|' read -ra places <<<"$PLACES"
  runs=(${PLACES//|/ }) jobs=${#places[@]}
fi

# Clips on terrain, of one body: bodies are drawn from the seed alone. Every fifth clip is held out.
make_clips() { # Seed, folder, terrains.
  "$zoe" synth -o "$out/$2" --family biped --one-body --seed "$1" --mesh off --names plain --gait walk --style neutral \
    --terrain "${3:-stairs,platforms,gaps,rough,slope,beams}" --terrain-files --course straight,wander --count "${CLIPS:-300}" \
    --seconds 14 --fps 30 -q >>"$out/synth.log" 2>&1
  mkdir -p "$out/$2_held"
  for clip in "$out/$2"/*[49]_biped_*.glb; do
    case $clip in *.terrain.glb) continue ;; esac
    mv "$clip" "${clip%.glb}.terrain.glb" "$out/$2_held/"
  done
}
# The first body has 55 joints, 30 of them fingers; the other one 23, none of them fingers.
[[ " ${runs[*]} " != *" terrain_"* ]] || make_clips 5 terrain
[[ " ${runs[*]} " != *" plain_"* ]] || make_clips 2 plain
# What walks without terrain learns from as many clips on level ground: plain_blind_flat.
[[ " ${runs[*]} " != *_flat* ]] || make_clips 2 plain_flat flat

percent() { printf '%d.%02d' $(($1 / 100)) $(($1 % 100)); }
settings_of() { # Name: sets type, from, own.
  local name=$1
  type=${name#*_} from=$data/${name%%_*} own=("${frames[@]}" --set model.dropout=0.2)
  case $name in
    terrain_* | plain_*)
      local ground=${name#*_}
      type=${TERRAIN_TYPE:-lmp} from=$out/${name%%_*}
      own=("${frames[@]}" --own-bodies --terrain "${ground%%_*}" --set model.dropout=0.2)
      local word
      for word in ${ground//_/ }; do # terrain_grid_d5_s10_r8: dropout 0.05, shrink 0.1, rollouts of 8.
        case $word in
          flat) from=${from}_flat ;; # Clips on level ground.
          c[0-9]*) own+=(--set "train.candidates=${word#c}") ;;
          d[0-9]*) own+=(--set "model.dropout=$(percent "${word#d}")") ;;
          s[0-9]*) own+=(--set "model.shrink=$(percent "${word#s}")") ;;
          v[0-9]*) own+=(--set "model.speed_noise=$(percent "${word#v}")") ;;
          r[0-9]*) own+=(--set "model.rollout=${word#r}" --set "train.batch=$((128 * ${word#r}))") ;;
          w[0-9]*) own+=(--set "model.hidden=${word#w}") ;;
          x[0-9]*) own+=(--set "train.seed=${word#x}") ;;
        esac
      done
      return ;;
    *_deepphase) own+=(--set pae:train.steps=1500) ;;
    *_cxm) own=(--set train.batch=256) ;;
    *_mm | *_lmm) own=() ;;
  esac
  type=${type%%-*} # NAME-2 is a second run of a type.
  case $name in *-s2) own+=(--set train.seed=2) ;; *-s3) own+=(--set train.seed=3) ;; esac
}
train() { # Name, seconds.
  local name=$1 limit=$2 try
  settings_of "$name"
  case $type in
    lmm) limit=$((limit / 3)) ;;       # Three networks.
    deepphase) limit=$((limit - 35)) ;; # Its autoencoder comes first.
    hybrid) limit=$((limit - 40)) ;;    # Its confidence comes last.
  esac
  [ "$limit" -gt 3 ] || limit=3
  for try in auto off; do
    rm -rf "${out:?}/$name" "$out/$name.unfinished"
    # shellcheck disable=SC2086
    if "$zoe" train controller --type "$type" --data "$from" "${own[@]}" "${common[@]}" --set train.cuda_graph=$try \
      --set train.seconds="$limit" ${EXTRA:-} -o "$out/$name" >>"$out/$name.log" 2>&1; then return 0; fi
    limit=$((limit / 2))
  done
  return 1
}
# The same network with other settings of the run time: NAME=KEY:VALUE,KEY:VALUE
variants="free=back_mps:100,side_mps:100,turning_mps:0,max_turn_speed_rad_s:6.3 lift3=step_lift:0.3 lift6=step_lift:0.6
  follow4=follow:0.4 follow8=follow:0.8 feet4=feet:0.4 feet8=feet:0.8 arc0=turning_mps:0 share3=share:0.3
  short=release_s:0.2 tear3=tear_m:0.3 own6=own_way_now:0.6"
copy_with() { # Name, KEY:VALUE,…, folder.
  local key_value
  mkdir -p "$3"
  cp "$out/$1"/*.safetensors "$3/"
  cp "$out/$1/controller.toml" "$3/"
  for key_value in ${2//,/ }; do
    sed -i "s/^${key_value%%:*} = .*/${key_value%%:*} = ${key_value##*:}/" "$3/controller.toml"
  done
}
measure_variants() { # Name.
  local name=$1 variant to
  for variant in $variants; do
    [ "$(left 25)" -gt 0 ] || return
    to=$out/variants/${name}_${variant%%=*}
    copy_with "$name" "${variant#*=}" "$to"
    timeout "$(left 12)" "$zoe" eval controller "$to" --data "$out/$name/dataset" --no-held-out --seeds 3 -q --json \
      --paths straight,circle,slalom,square,stop_and_go,sticks,reversals >"$to.json" 2>>"$out/$name.log"
    rm -rf "$to"
  done
}
measure() { # Name.
  local name=$1 follow
  cp "$out/$name/weights.md" "$out/${name}_weights.md" 2>/dev/null
  [ "$(left 12)" -gt 5 ] || return
  case $name in
    terrain_* | plain_*)
      timeout "$(left 12)" "$zoe" eval terrain "$out/$name" --held-out "$out/${name%%_*}_held" -q -o "$out/$name.json" \
        >"$out/$name.terrain.md" 2>>"$out/$name.log"
      [ -z "${VARIANTS:-}" ] || for follow in 0.8 1; do
        [ "$(left 12)" -gt 5 ] || return
        copy_with "$name" "follow:$follow" "$out/variants/${name}_follow$follow"
        timeout "$(left 12)" "$zoe" eval terrain "$out/variants/${name}_follow$follow" \
          --held-out "$out/${name%%_*}_held" --seeds 1 -q -o "$out/variants/${name}_follow$follow.json" >/dev/null 2>>"$out/$name.log"
      done
      return ;;
  esac
  timeout "$(left 12)" "$zoe" eval controller "$out/$name" --table --seeds 3 --held-out "$data/held/${name%%_*}" \
    --wild-minutes "${WILD:-10}" --sticks-minutes 2 -q -o "$out/$name.json" >"$out/$name.table.md" 2>>"$out/$name.log"
  case $name in lafan1_* | cmu_lmp | cmu_mann) [ -z "${VARIANTS:-}" ] || measure_variants "$name" ;; esac
}

summarise() {
  python3 - "$out" >"$out/summary.txt" <<'PY'
import glob, json, os, sys
print("run, foot skate / source, sticks, reversals, jerk / source, path error cm, response s, start s, artefacts per min")
files = sorted(glob.glob(sys.argv[1] + "/*.json")) + sorted(glob.glob(sys.argv[1] + "/variants/*.json"))
for file in files:
    try:
        found = json.load(open(file))
    except ValueError:
        continue
    found = found[0] if isinstance(found, list) and found else found
    m = found.get("metrics", {}) if isinstance(found, dict) else {}
    if "foot_skate_cm_s" not in m:
        continue
    source = m["foot_skate_cm_s"].get("reference") or float("nan")
    def ratio(key):
        return m[key]["mean"] / m[key]["reference"] if m.get(key, {}).get("reference") else float("nan")
    def mean(key):
        return m[key]["mean"] if key in m else float("nan")
    def course(name):
        return found.get("courses", {}).get(name, {}).get("foot_skate_cm_s", float("nan")) / source
    print(os.path.basename(file)[:-5], *(f"{x:.2f}" for x in (ratio("foot_skate_cm_s"), course("sticks"), course("reversals"),
          ratio("jerk_m_s3"), mean("path_error_cm"), mean("response_s"), mean("start_s"), mean("artefacts_per_min"))), sep=", ")
PY
}
pack() {
  summarise
  (
    cd "$out" || exit
    shopt -s nullglob
    tables=(cmu_*.table.md lafan1_*.table.md)
    [ ${#tables[@]} = 0 ] || (head -n 2 "${tables[0]}" && tail -q -n +3 "${tables[@]}") >table.md
    kept=()
    [ "${KEEP:-}" != all ] || KEEP=${runs[*]}
    for name in ${KEEP:-lafan1_lmp lafan1_mann cmu_lmp cmu_hybrid terrain_grid terrain_blind}; do
      [ -e "$name/model.safetensors" ] || continue
      [ -e "$name/small.safetensors" ] ||
        "$zoe" export "$name/model.safetensors" "$name/small.safetensors" --dtype int8 >/dev/null 2>&1 || continue
      kept+=("$name/small.safetensors" "$name/body.safetensors" "$name/controller.toml")
      [ ! -e "$name/confidence.safetensors" ] || kept+=("$name/confidence.safetensors")
    done
    tar cJf controllers.new "${kept[@]}" ./*.json variants/*.json ./*.log ./*.md summary.txt \
      ./*/network/config.toml ./*/reliability.md 2>/dev/null
    mv controllers.new controllers.txz
  )
}
(while sleep "${PACK_EVERY:-100}"; do pack; done) &
packing=$!

pids=()
for ((place = 0; place < jobs; ++place)); do
  (
    mine=()
    if [ -n "${PLACES:-}" ]; then
      mine=(${places[place]})
    else
      for ((i = place; i < ${#runs[@]}; i += jobs)); do mine+=("${runs[i]}"); done
    fi
    for ((i = 0; i < ${#mine[@]}; ++i)); do
      name=${mine[i]}
      limit=$((($(left $((measuring + 15)))) / (${#mine[@]} - i) - 12)) # 12 s: data, choice of weights.
      [ "$limit" -gt 3 ] || break
      train "$name" "$limit" && measure "$name" &
      training=$!
      # Measuring goes on beside the next training.
      while kill -0 $training 2>/dev/null && [ ! -e "$out/$name/report.html" ]; do sleep 1; done
    done
    wait
  ) &
  pids+=($!)
done
[ ${#pids[@]} = 0 ] || wait "${pids[@]}"
kill "$packing" 2>/dev/null
pack
cat "$out/summary.txt" "$out/table.md" 2>/dev/null
ls -l "$out/controllers.txz"
