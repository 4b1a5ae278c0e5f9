#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A renderer for machines that have none: `zoe` of this build with the libraries it needs, in one folder.
#
#   tools/gpu/sprite_bundle.sh ZOE BUNDLE      e.g. build/release/bin/zoe data/sprite_video/bundle
#
# BUNDLE/run ARGUMENTS is then `zoe ARGUMENTS` on any x86-64 Linux, BUNDLE/pack `zoe sprite pack`. The included painter
# is in it as int8. About 30 MB; BUNDLE.tar.xz beside it has 12.
set -euo pipefail
zoe=$1 bundle=$2
models=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../models" && pwd)
mkdir -p "$bundle/lib" "$bundle/share/zoe/models/painter"
strip -o "$bundle/zoe" "$zoe"
ldd "$zoe" | awk '$3 ~ /^\// {print $3}' | while read -r library; do cp -L "$library" "$bundle/lib/"; done
strip --strip-unneeded "$bundle"/lib/*.so* 2>/dev/null || true
cp -L "$(ldd "$zoe" | awk '/ld-linux/ {print $1}')" "$bundle/lib/ld.so"
"$zoe" export "$models/painter/model.safetensors" "$bundle/share/zoe/models/painter/model.safetensors" --dtype int8 \
  --samples 2
cat >"$bundle/run" <<'EOF'
#!/usr/bin/env bash
here=$(cd "$(dirname "$0")" && pwd)
exec "$here/lib/ld.so" --library-path "$here/lib" "$here/zoe" "$@"
EOF
cat >"$bundle/pack" <<'EOF'
#!/usr/bin/env bash
exec bash "$(dirname "$0")/run" sprite pack "$@"
EOF
chmod +x "$bundle/run" "$bundle/pack"
tar -C "$(dirname "$bundle")" -c "$(basename "$bundle")" | xz --x86 --lzma2=preset=9e >"$bundle.tar.xz"
