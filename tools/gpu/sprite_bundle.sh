#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A renderer for machines that have none: `zoe-sprite` of this build with the libraries it needs, in one folder.
#
#   tools/gpu/sprite_bundle.sh ZOE_SPRITE BUNDLE      e.g. build/release/bin/zoe-sprite data/sprite_video/bundle
#
# `ninja -C build/release zoe-sprite` builds it. BUNDLE/run ARGUMENTS is then `zoe-sprite ARGUMENTS` on any x86-64 Linux,
# BUNDLE/pack `zoe-sprite sprite pack`. Included networks are looked for in BUNDLE/share/zoe/models.
set -euo pipefail
zoe=$1 bundle=$2
mkdir -p "$bundle/lib" "$bundle/share/zoe/models"
strip -o "$bundle/zoe" "$zoe"
ldd "$zoe" | awk '$3 ~ /^\// {print $3}' | while read -r library; do cp -L "$library" "$bundle/lib/"; done
strip --strip-unneeded "$bundle"/lib/*.so* 2>/dev/null || true
cp -L "$(ldd "$zoe" | awk '/ld-linux/ {print $1}')" "$bundle/lib/ld.so"
cat >"$bundle/run" <<'EOS'
#!/usr/bin/env bash
here=$(cd "$(dirname "$0")" && pwd)
exec "$here/lib/ld.so" --library-path "$here/lib" "$here/zoe" "$@"
EOS
cat >"$bundle/pack" <<'EOS'
#!/usr/bin/env bash
exec bash "$(dirname "$0")/run" sprite pack "$@"
EOS
chmod +x "$bundle/run" "$bundle/pack"
