#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# On a CUDA machine: seeds of the type nsm (docs/goals.md) side by side on one dataset that zoe generates there.
#
#   tools/gpu/nsm.sh ZOE DATA OUT SECONDS      e.g. build/gpu/bin/zoe data/nsm runs/nsm 500
#
# DATA needs no files: clips (DATA/clips) and rows (DATA/rows) are written there. OUT gets NAME.log and for each run
# NAME, a run folder with its network in bfloat16, without dataset and checkpoints, weights.md (the steps of the
# training that its weights were chosen from, by tasks), and NAME.json, TASKS tasks of each deed from TASK_SEED on by
# `zoe eval goals`; `zoe play OUT/nsm_1 --goal sit -o sit.mp4` is a film. OUT/nsm.txz, written again every two minutes,
# has all of it. RUNS names them, default "nsm_1 nsm_2 nsm_3": nsm frame by frame, doubt with errors on what is seen of
# the goal (model.goal_noise=0.1), roll on its own outputs (model.rollout=8); the number is the seed. A run that fails
# is started once more without recorded CUDA graphs. JOBS threads a run evaluate, 6 × JOBS generate the clips. RESERVE
# seconds (110) remain for the choice of weights and the tasks. CLIPS=24 RUNS=nsm_1 TASKS=2 EXTRA="--set
# train.precision=float32 --set model.hidden=32 --set train.batch=32": a trial on a CPU.
set -uo pipefail
zoe=$1 data=$2 out=$3 seconds=$4
mkdir -p "$data" "$out"
pack() { # Files that do not exist yet are no failure.
  (cd "$out" && shopt -s nullglob && tar -cJf nsm.unfinished ./*.log ./*.json ./*_*/*.toml ./*_*/*.safetensors ./*_*/*.jsonl ./*_*/*.md &&
    mv nsm.unfinished nsm.txz)
}
began=$(date +%s)
jobs=${JOBS:-2} tasks=${TASKS:-200}
left() { echo $((seconds - ($(date +%s) - began) - ${1:-0})); }
[ -d "$data/clips" ] || "$zoe" synth -o "$data/clips" --deed sit,carry,walk,open,carry,sit,walk,carry --count "${CLIPS:-2400}" \
  --seed 1 --one-body --mesh off --jobs $((6 * jobs)) >"$out/clips.log" 2>&1 || exit 1
echo "clips after $(($(date +%s) - began)) s" | tee -a "$out/rows.log"
# The first run builds the rows, for no steps; the others read them.
rows=$data/rows
if [ ! -d "$rows/dataset" ]; then
  "$zoe" train controller --type nsm --data "$data/clips" --licence CC0-1.0 --no-film --set train.steps=2 \
    --set model.hidden=16 -o "$rows" >>"$out/rows.log" 2>&1 || exit 1
fi
echo "rows after $(($(date +%s) - began)) s" | tee -a "$out/rows.log"

train() { # variant seed settings…
  local name=$1_$2 seed=$2 work=$data/runs/$1_$2 try
  shift 2
  for try in auto off; do # The second time without graphs, and with rows in the main memory.
    [ "$(left "$((${RESERVE:-110} + 10))")" -gt 20 ] || break
    rm -rf "$work" "$work.unfinished"
    # shellcheck disable=SC2086
    if "$zoe" train controller --type nsm --data "$rows/dataset" --licence CC0-1.0 --no-film --set train.cuda_graph=$try --set data.resident=$try \
      --set train.seed="$seed" --set train.steps=400000 --set train.seconds="$(left "${RESERVE:-110}")" "$@" \
      --set train.threads=1 --set train.precision=tf32 --set train.ema=0.999 --set train.validate_every=4000 \
      --set train.validation_batches=40 --set train.checkpoint_every=10000 --set train.keep=1 --set model.hidden=256 \
      --set model.experts=8 ${EXTRA:-} -o "$work" >>"$out/$name.log" 2>&1; then break; fi
  done
  mkdir -p "$out/$name"
  cp "$work/controller.toml" "$work/body.safetensors" "$work"/metrics.* "$work/weights.md" "$out/$name/" 2>/dev/null
  cp "$work/network/metrics.jsonl" "$out/$name/training.jsonl" 2>/dev/null
  "$zoe" export "$work/model.safetensors" "$out/$name/model.safetensors" --dtype bf16 --samples 2 >>"$out/$name.log" 2>&1 ||
    cp "$work/model.safetensors" "$out/$name/"
  [ "$(left 15)" -gt 5 ] && timeout "$(left 12)" "$zoe" eval goals "$out/$name" --tasks "$tasks" --seed "${TASK_SEED:-1}" \
    --jobs "$jobs" -o "$out/$name.json" >"$out/$name.goals.log" 2>&1
  tail -n 6 "$out/$name.goals.log"
}
pids=()
for run in ${RUNS:-nsm_1 nsm_2 nsm_3}; do
  variant=${run%_*} settings=(--set train.batch=512)
  [ "$variant" = doubt ] && settings+=(--set model.goal_noise=0.1)
  [ "$variant" = roll ] && settings=(--set train.batch=1024 --set model.rollout=8)
  train "$variant" "${run##*_}" "${settings[@]}" &
  pids+=($!)
done
(while sleep "${PACK_EVERY:-120}"; do pack; done) &
packer=$!
for pid in "${pids[@]}"; do wait "$pid"; done
kill "$packer" 2>/dev/null
wait "$packer" 2>/dev/null
pack
ls -l "$out"/*/model.safetensors "$out/nsm.txz"
