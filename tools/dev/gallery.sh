#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes docs/media/gallery.gif, the picture that the README opens with, from the included weights and synthetic
# creatures: `tools/dev/gallery.sh [ZOE]`. Needs ffmpeg. The file must stay below 1.5 MB.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
zoe=${1:-$root/build/release/bin/zoe}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
seconds=4 fps=8

"$zoe" play "$root/models/walker" --path slalom --seconds $seconds --fps 60 -o "$work/0.mp4"
"$zoe" play "$root/models/dog" --path circle --seconds $seconds --fps 60 -o "$work/1.mp4"
"$zoe" play "$root/models/walker" --crowd 40 --scene swap --seconds $seconds -o "$work/2.mp4"
"$zoe" synth -o "$work/creatures" --count 1 --family hexapod --gait tripod --seconds $seconds --seed 4
"$zoe" render "$(ls "$work"/creatures/*.glb | head -n 1)" -o "$work/3.mp4"

mkdir -p "$root/docs/media"
ffmpeg -v error -y -i "$work/0.mp4" -i "$work/1.mp4" -i "$work/2.mp4" -i "$work/3.mp4" -filter_complex \
  "[0:v]scale=272:152[v0];[1:v]scale=272:152[v1];[2:v]scale=272:152[v2];[3:v]scale=272:152[v3];
   [v0][v1][v2][v3]xstack=inputs=4:layout=0_0|w0_0|0_h0|w0_h0,fps=$fps,split[a][b];
   [a]palettegen=max_colors=64:stats_mode=diff[p];[b][p]paletteuse=dither=none:diff_mode=rectangle" \
  -t $seconds -loop 0 "$root/docs/media/gallery.gif"
ls -l "$root/docs/media/gallery.gif"
