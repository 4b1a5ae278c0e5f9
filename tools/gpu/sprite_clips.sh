# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2034,SC2154
# Sourced by sprite.sh and sprite_video.sh, which set data, out, seconds and began: what is held out, and how clips are
# drawn. Held out: four species, five actions (chop, kick, sneak, dance, bow), the styles ink and flat.
actions=idle,walk,run,jump,fall,crouch,dodge,slash,stab,punch,cast,shoot,throw,block,hit,death,cheer,wave,talk,sit
held=frog,robot,minotaur,mushroom
left() { echo $((seconds - ($(date +%s) - began) - ${1:-0})); }
# Without a renderer there: DATA/bundle/pack is the same verb from another build, DATA/few_NAME are clips drawn before.
pack() { # name, arguments
  local name=$1
  shift
  [ -f "$data/$name/clips.safetensors" ] && return # Drawn before.
  "$zoe" sprite pack "$@" -o "$data/$name" >>"$out/pack.log" 2>&1 && return
  bash "$data/bundle/pack" "$@" -o "$data/$name" >>"$out/pack.log" 2>&1 && return
  echo "$name: the few clips that came along" >>"$out/pack.log"
  cp -r "$data/few_$name" "$data/$name" 2>>"$out/pack.log"
}
