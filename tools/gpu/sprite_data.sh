#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What tools/gpu/sprite.sh needs on a CUDA machine without a renderer, under 20 MB: `zoe-sprite` of this build,
# beside ZOE, with its libraries to draw clips there, hand-drawn figures, and a few clips in case that fails.
#
#   tools/gpu/sprite_data.sh ZOE ASSETS OUT      e.g. build/release/bin/zoe ../shared/data/assets build/gpu-data/sprite
#
# ASSETS has drawings/ and sheets/ of CC0 collections. Judges and painters train on those below; the others are for
# tests: OUT/../sprite_test has drawn_test (judges) and bent_test (painters).
set -euo pipefail
zoe=$1 assets=$2 out=$3
test=$(dirname "$out")/sprite_test
rm -rf "$out" "$test"
mkdir -p "$out" "$test"
. "$(dirname "${BASH_SOURCE[0]}")/sprite_drawings.sh"
"$zoe" sprite pack -q --labels --drawings "${trained[@]}" -o "$out/drawn_train"
"$zoe" sprite pack -q --bent 8 --drawings "${trained[@]}" -o "$out/bent_train"
"$zoe" sprite pack -q --labels --drawings "${tested[@]}" -o "$test/drawn_test"
"$zoe" sprite pack -q --truth --bent 3 --drawings "${tested[@]}" -o "$test/bent_test"
"$zoe" sprite pack -q --identities 600 --clips "${FEW:-300}" --frames 8 --no-species frog,robot,minotaur,mushroom \
  --other-views 0 -o "$out/few_train"
"$zoe" sprite pack -q --labels --identities 600 --first-identity 500000 --clips "${FEW:-300}" --frames 8 \
  --style pixel,toon,lit,flat,ink --other-views 0 -o "$out/few_judge"
"$(dirname "${BASH_SOURCE[0]}")/sprite_bundle.sh" "$(dirname "$zoe")/zoe-sprite" "$out/bundle"
for part in bundle drawn_train bent_train few_train few_judge; do
  tar -cJf "$out/$part.tar.xz" -C "$out" "$part"
  rm -rf "${out:?}/$part"
done
du -sh "$out" | cut -f 1
