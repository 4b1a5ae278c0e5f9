#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What tools/gpu/sprite_video.sh needs on a CUDA machine without a renderer, under 14 MB: this build's `zoe` with its
# libraries and the painter, to draw clips and to measure there, and hand-drawn figures.
#
#   tools/gpu/sprite_video_data.sh ZOE ASSETS OUT   e.g. build/release/bin/zoe ../shared/data/assets build/gpu_data/sprite_video
#
# ASSETS has drawings/ and sheets/ of CC0 collections. Those below are trained on; drawn_test has figures of others.
set -euo pipefail
zoe=$1 assets=$2 out=$3
rm -rf "$out"
mkdir -p "$out"
"$(dirname "${BASH_SOURCE[0]}")/sprite_bundle.sh" "$zoe" "$out/bundle"
. "$(dirname "${BASH_SOURCE[0]}")/sprite_drawings.sh"
"$zoe" sprite pack -q --video --painter "$out/bundle/share/zoe/models/painter" --frames 6 --bent 2 \
  --drawings "${trained[@]}" -o "$out/drawn_clips"
"$zoe" sprite pack -q --truth --bent 2 --drawings "${tested[@]}" -o "$out/drawn_test"
for part in drawn_clips drawn_test; do
  tar -C "$out" -c "$part" | xz -9e >"$out/$part.tar.xz"
  rm -rf "${out:?}/$part"
done
rm -rf "$out/bundle"
du -sh "$out" | cut -f 1
