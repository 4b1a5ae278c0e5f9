#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What tools/gpu/anytop_launch.sh needs on a CUDA machine, as one archive of some megabytes: rigs and clips of CC0
# creatures and characters without their meshes, rigs without clips, at most 8 s of each CMU capture at 30 Hz, named by
# what it displays, and the held-out species.
#
#   tools/gpu/anytop_data.sh ZOE SHARED OUT      e.g. build/release/bin/zoe ../shared/data build/gpu_data/anytop
#
# SHARED has creatures/, characters/, assets/ and biped/cmu/. Writes OUT.txz with train/, bodies/ and held/. Nine species
# are held out; other rigs of theirs are in none of the folders.
set -euo pipefail
zoe=$1 shared=$2 out=$3
here=$(dirname "${BASH_SOURCE[0]}")
rm -rf "$out" "$out.txz"
mkdir -p "$out"/{train,held,bodies,parts}
assets=$shared/assets
held=("$shared"/creatures/quaternius/{Cow.glb,Bat.fbx,Dolphin.glb}
  "$assets"/creatures/quaternius_dinosaurs/Stegosaurus.glb "$assets"/creatures/quaternius_fbx/Chick.fbx
  "$assets"/creatures/quaternius_monsters/{Dragon_Evolved,Blob_Mushnub}.gltf
  "$assets"/characters/quaternius_skeleton/Skeleton.fbx
  "$assets"/characters/kaykit_pete/KayKit_AnimatedCharacter_v1.2.glb)
trained=("$shared"/creatures/quaternius/{Deer,Horse,Manta_ray,ShibaInu,Snake,Spider,Trex,Triceratops,Wolf}.glb
  "$shared"/creatures/quaternius/Dog.fbx "$shared"/creatures/mesh2motion/*-animations.glb
  "$assets"/creatures/quaternius_animals/*.glb "$assets"/creatures/quaternius_dinosaurs/Apatosaurus.glb
  "$assets"/creatures/quaternius_fbx/{Eagle,Piranha,Sheep,Slime}.fbx "$assets"/creatures/quaternius_fish/*.glb
  "$assets"/creatures/quaternius_monsters/{Armabee,Blob_Cactoro,Blob_Chicken,Blob_GreenSpikyBlob}.gltf
  "$assets"/creatures/quaternius_monsters/{Ghost,Goleling,Pigeon}.gltf
  "$assets"/creatures/quaternius_platformer/*.glb "$assets"/characters/kaykit_adventurers2/Rig_Medium_*.glb
  "$assets"/characters/kenney_mini/*.glb "$assets"/characters/kenney_mini_dungeon/*.glb
  "$assets"/characters/kenney_platformer/*.glb "$assets"/characters/quaternius_knight/*.glb
  "$assets"/characters/quaternius_men_women/*.fbx "$assets"/characters/quaternius_monsters_big/Ninja.gltf
  "$assets"/characters/quaternius_platformer/*.glb "$shared"/characters/kaykit/Knight.glb
  "$shared"/characters/quaternius/Animated_Human.fbx "$shared"/characters/robot_expressive/RobotExpressive.glb)
# Bodies for retargeted clips. No chick, no dragon, none whose legs the analysis takes for wings; a third of the
# collection stays out for measurements of feet.
bodies=("$assets"/creatures/polygonalmind_xyz/0{03,06,10,11,13,14,16,20,27,31,35,38,51}_*_Art.glb
  "$assets"/creatures/polygonalmind_xyz/Butterfly.glb)
strip() { # FOLDER FILE
  local file=$2
  if [ "${file##*.}" = fbx ]; then
    "$zoe" convert "$file" "$out/parts/$(basename "$file" .fbx).glb" -q
    file=$out/parts/$(basename "$file" .fbx).glb
  fi
  # Files of one name come from several collections.
  local name
  name=$(basename "${file%.*}")
  while [ -e "$1/$name.glb" ]; do name=${name}_2; done
  python3 "$here/strip_glb.py" "$out/parts/stripped" "$file"
  mv "$out/parts/stripped/$(basename "${file%.*}").glb" "$1/$name.glb"
}
for file in "${held[@]}"; do strip "$out/held" "$file"; done
for file in "${bodies[@]}"; do strip "$out/bodies" "$file"; done
for file in "${trained[@]}"; do strip "$out/train" "$file"; done
# Frame 0 of a CMU file is no motion. The words of its label are its name; folders name what labels leave out.
find "$shared/biped/cmu" -name '*.bvh' | sort | while read -r file; do
  clip=$(basename "$file" .bvh) folder=$(basename "$(dirname "$file")")
  label=$(awk -F'\t' -v clip="$clip" '$1 == clip ".bvh" { print $8; exit } $2 == clip { print $4; exit }' \
    "$shared"/biped/cmu/{clips,more_clips,action_clips}.tsv | tr -cs 'A-Za-z\n' '_' | cut -c 1-60)
  mkdir -p "$out/train/$folder" "$out/parts/bvh"
  python3 "$here/compact_bvh.py" --skip 1 --most 240 "$out/parts/bvh" "$file"
  mv "$out/parts/bvh/$clip.bvh" "$out/train/$folder/${label:-clip}_$clip.bvh"
done
mv "$out/train/cmu" "$out/train/people"
rm -rf "$out/parts"
tar -cJf "$out.txz" -C "$(dirname "$out")" "$(basename "$out")"
du -h "$out.txz" | cut -f 1
