#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A renderer for machines that have none: `zoe` of this build with the libraries it needs, in one folder.
#
#   tools/gpu/sprite_bundle.sh ZOE BUNDLE      e.g. build/release/bin/zoe data/sprite_video/bundle
#
# BUNDLE/run ARGUMENTS is then `zoe ARGUMENTS` on any x86-64 Linux, BUNDLE/pack `zoe sprite pack`. About 30 MB; BUNDLE.tar.gz beside it has 13.
set -euo pipefail
zoe=$1 bundle=$2
mkdir -p "$bundle/lib"
strip -o "$bundle/zoe" "$zoe"
ldd "$zoe" | awk '$3 ~ /^\// {print $3}' | while read -r library; do cp -L "$library" "$bundle/lib/"; done
cp -L "$(ldd "$zoe" | awk '/ld-linux/ {print $1}')" "$bundle/lib/ld.so"
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
tar -C "$(dirname "$bundle")" -czf "$bundle.tar.gz" "$(basename "$bundle")"
