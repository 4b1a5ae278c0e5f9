#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What tools/gpu/sprite_video.sh needs on a CUDA machine without a renderer, one archive of a few MB: `zoe-sprite` with
# its libraries, to draw clips and to measure there, hand-drawn figures, and weights to go on with.
#
#   tools/gpu/sprite_video_data.sh ZOE ASSETS OUT.txz [RUNS]   e.g. build/release/bin/zoe ../shared/data/assets data.txz
#
# zoe-sprite is built beside ZOE. ASSETS has drawings/ and sheets/ of CC0 collections. Those of sprite_drawings.sh are
# trained on; drawn_test has figures of others. RUNS: what an earlier sprite_video.sh wrote (video_1, video_2, class, …).
set -euo pipefail
zoe=$1 assets=$2 out=$3 runs=${4:-}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sprite=$(dirname "$zoe")/zoe-sprite
"$here/sprite_bundle.sh" "$sprite" "$work/bundle"
. "$here/sprite_drawings.sh"
"$sprite" sprite pack -q --video --painter "$here/../../models/painter" --frames 4 --bent 2 --drawings "${trained[@]}" \
  -o "$work/drawn_clips"
"$sprite" sprite pack -q --truth --bent 1 --drawings "${tested[@]}" -o "$work/drawn_test"
for name in video_1 video_2 critic class look action; do
  if [ -n "$runs" ] && [ -f "$runs/$name/model.safetensors" ]; then
    mkdir -p "$work/init/$name" && cp "$runs/$name/model.safetensors" "$work/init/$name/"
  fi
done
tar -C "$work" -c . | xz --x86 --lzma2=preset=9e >"$out.part"
mv "$out.part" "$out"
du -h "$out"
