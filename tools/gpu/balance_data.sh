#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Long captures for tools/gpu/balance.sh as one archive: walks, turns and runs of people and dogs on flat ground, 10 s
# and some of 30 s, at 30 Hz. Captured runs and many walks are short; looped/ has cycles of them, repeated.
#
#   tools/gpu/balance_data.sh SHARED OUT [ZOE]      e.g. ../shared/data gpu_pack/balance build/release/bin/zoe
#
# Writes OUT.txz with tune/ (settings may be chosen on these), held/ and looped/ (measured once). The split was made
# before any of these clips was simulated, except for those in tune/. Names end in the first second of the part.
set -euo pipefail
shared=$1 out=$2 zoe=${3:-zoe}
here=$(dirname "${BASH_SOURCE[0]}")
rm -rf "$out" "$out.txz"
mkdir -p "$out"/{tune,held,looped,part,whole}
cut() { # folder, file, first second, seconds
  local fps name file=$shared/$2
  [ -e "$file" ] || file=$2
  fps=$(awk '/^Frame Time/ { printf "%d", 1 / $3 + 0.5; exit }' "$file")
  name=$(basename "$2" .bvh)
  # The first frame of some captures is a reference pose.
  python3 "$here/compact_bvh.py" --skip $(($3 * fps + 1)) --most $(($4 * 30 + 1)) "$out/part" "$file"
  mv "$out/part/$name.bvh" "$out/$1/${name#dataset-}_at$3.bvh"
}
cmu=biped/cmu lafan=biped/lafan1 bandai=biped/bandai_namco/dataset1 styles=biped/bandai_style dog=quadruped/dog_mann_bvh
cut tune $cmu/09_12.bvh 0 10
cut tune $cmu/styles/105_02.bvh 0 10
cut tune $cmu/styles/132_01.bvh 0 10
cut tune $lafan/walk4_subject1.bvh 0 10
cut tune $lafan/walk4_subject1.bvh 45 10
cut tune $bandai/dataset-1_walk_sad_001.bvh 0 10
cut tune $styles/dataset-2_walk_elderly_001.bvh 0 10
cut tune $dog/D1_001_KAN01_001.bvh 0 10
cut tune $dog/D1_053_KAN01_001.bvh 0 10
for clip in 104_03 105_03 105_11 105_16 105_17 105_19 132_03 132_04 132_05 132_06 136_04 91_22; do
  cut held $cmu/styles/$clip.bvh 0 10
done
for clip in 104_41 120_22 137_33 91_26; do cut held $cmu/actions/injured/$clip.bvh 0 10; done
for clip in walk-back_proud_001 walk-back_sad_001 walk-left_sad_001 walk_proud_001 walk_proud_002 walk_sad_002; do
  cut held $bandai/dataset-1_$clip.bvh 0 10
done
for clip in elderly_002 elderly_006 elderly_010 exhausted_002 exhausted_005; do
  cut held $styles/dataset-2_walk_$clip.bvh 0 10
done
cut held $lafan/walk4_subject1.bvh 100 10
cut held $lafan/multipleActions1_subject1.bvh 85 10
cut held $lafan/push1_subject2.bvh 30 10
# Runs and leaps.
for second in 104 114 124 134; do cut held $lafan/multipleActions1_subject1.bvh $second 10; done
# Runs as long as they were captured.
cut held $cmu/38_03.bvh 0 10
for clip in elderly_003 exhausted_004; do cut held $styles/dataset-2_run_$clip.bvh 0 10; done
for clip in 007_KAN01_001 008_KAN01_001 009_KAN01_001 009_KAN01_002 047z_KAN01_002 ex01_KAN01_001 ex04_KAN02_001 \
  ex04_KAN02_002; do
  cut held $dog/D1_$clip.bvh 0 10
done
for second in 12 24; do cut held $dog/D1_053_KAN01_001.bvh $second 10; done
for second in 15 75 125; do cut held $lafan/walk4_subject1.bvh $second 30; done
cut held $lafan/multipleActions1_subject1.bvh 50 30
cut held $lafan/push1_subject2.bvh 10 30
cut held $dog/D1_053_KAN01_001.bvh 36 30
# A run backward with a stick.
backward=$out/whole/WalkingStickLeft_BR.bvh
"$zoe" convert --quiet "$shared/biped/style100_npz/WalkingStickLeft_BR.npz" "$backward"
for second in 5 35; do cut held "$backward" $second 30; done
for second in 65 75; do cut held "$backward" $second 10; done
for clip in $cmu/16_35 $cmu/16_45 $styles/dataset-2_run_elderly_003 $styles/dataset-2_run_exhausted_004 \
  $cmu/locomotion/35_06 $cmu/locomotion/69_01 $styles/dataset-2_walk_youthful_003 \
  $bandai/dataset-1_walk_proud_001; do
  name=$(basename $clip)
  "$zoe" edit --quiet "$shared/$clip.bvh" --loop -o "$out/whole/cycle.bvh"
  python3 "$here/repeat_bvh.py" "$out/whole/cycle.bvh" "$out/whole/${name}_looped.bvh" 31
  cut looped "$out/whole/${name}_looped.bvh" 0 30
done
rm -rf "$out"/{part,whole}
tar cJf "$out.txz" -C "$out" tune held looped
ls -l "$out.txz"
