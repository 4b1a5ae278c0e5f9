# SPDX-License-Identifier: MIT
# The launcher's parts: packages, build, environment. Sourced by ./zoe, which sets $root.
# Notes go to stderr, so that `./zoe info --json FILE > out` stays clean.

jobs=${ZOE_JOBS:-$(nproc)}
# Lets checkouts in different folders share compiled objects, those with debug information (asan, tsan) too.
export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$root} CCACHE_NOHASHDIR=${CCACHE_NOHASHDIR:-1}
note() { printf 'zoe: %s\n' "$*" >&2; }

# Packages of the given groups from packages.txt, one per line, without those whose program is already on PATH.
wanted_packages() {
  local when package _ program
  while read -r when package _; do
    [[ " $* " == *" $when "* ]] || continue
    if [[ $package == *\[* ]]; then
      program=${package#*\[} program=${program%\]} package=${package%%\[*}
      command -v "$program" >/dev/null && continue
    fi
    printf '%s\n' "$package"
  done <"$root/tools/dev/packages.txt" | sort -u
}

# Installs the missing packages of these groups. Fails where that is impossible. A stamp skips the next call until
# packages change.
install_packages() {
  [ "${ZOE_APT:-1}" != 0 ] && [ -e /var/lib/dpkg/status ] || return 0
  local stamp="$root/build/.packages-$(IFS=-; echo "$*")" wanted missing
  if [ "$stamp" -nt /var/lib/dpkg/status ] && [ "$stamp" -nt "$root/tools/dev/packages.txt" ]; then return; fi
  wanted=$(wanted_packages "$@")
  missing=$(comm -23 <(echo "$wanted") \
    <(dpkg-query -W -f '${Package} ${db:Status-Status}\n' 2>/dev/null | sed -n 's/ installed$//p' | sort -u))
  if [ -n "$missing" ]; then
    local sudo=
    if [ "$(id -u)" != 0 ]; then
      command -v sudo >/dev/null || {
        note "these packages are missing and there is no sudo; install them as root: "$missing
        return 1
      }
      sudo=sudo
    fi
    note "installing Debian packages (ZOE_APT=0 prevents this):"
    local package
    for package in $missing; do
      note "  $package: $(sed -n "s/^[a-z]* *$package\(\[.*\]\)\? *//p" "$root/tools/dev/packages.txt" | head -n 1)"
    done
    local apt="$sudo env DEBIAN_FRONTEND=noninteractive apt-get -q -y"
    # Each command returns on failure: `set -e` is off in here when the caller tests the result.
    $apt update >&2 || return
    $apt install --no-install-recommends $missing >&2 </dev/null || return
    reconfigure=1
  fi
  mkdir -p "$root/build"
  : >"$stamp"
}

# True when ccache is nearly empty, as on a new machine. Checked once, because the builds of this call fill it.
cache_is_cold() {
  if [ -z "${cold:-}" ]; then
    local kib
    kib=$(ccache --print-stats 2>/dev/null | sed -n 's/^cache_size_kibibyte[[:space:]]*//p')
    cold=$([ "${kib:-0}" -lt 65536 ] && echo yes || echo no)
  fi
  [ "$cold" = yes ]
}

# configure PRESET: only when the build folder is new, the presets changed, or packages were installed.
configure() {
  local build="$root/build/$1" options=
  # Precompiled headers and batches halve the time of a first build. With a warm cache they only prevent cache hits.
  if [ ! -e "$build/build.ninja" ] && { [ "${ZOE_BATCHES:-0}" = 1 ] || cache_is_cold; }; then options="-DZOE_PRECOMPILED_HEADERS=ON -DZOE_UNITY=ON"; fi
  [ -z "$options" ] || in_batches="${in_batches:-} $1"
  if [ -n "${reconfigure:-}" ] || [ ! -e "$build/build.ninja" ] || [ "$root/CMakePresets.json" -nt "$build/build.ninja" ]; then
    note "configuring $1"
    (cd "$root" && cmake --preset "$1" $options >"$build.log" 2>&1) || {
      cat "$build.log" >&2
      return 1
    }
  fi
}

# build PRESET TARGET…
build() {
  local preset=$1
  shift
  configure "$preset" || return
  ninja -C "$root/build/$preset" -j "$jobs" "$@" >&2 && return
  # Names of two files may clash in a batch. Only then a build that began in this call continues file by file: any other
  # error would occur again. The second call has the same error at once.
  [[ " ${in_batches:-} " == *" $preset "* ]] || return 1
  ninja -C "$root/build/$preset" -j "$jobs" "$@" 2>&1 | grep -E '^FAILED: .*(/unity_|_batch_)' >&2 || return 1
  note "building $preset file by file"
  (cd "$root" && cmake --preset "$preset" -DZOE_UNITY=OFF >"$root/build/$preset.log" 2>&1) &&
    ninja -C "$root/build/$preset" -j "$jobs" "$@" >&2
}

# True when no source of the command changed since the stamp. Folders count: their time changes with added and removed
# files. Far cheaper than ninja, which stats every system header as well.
is_fresh() {
  [ -e "$root/build/release/bin/zoe" ] && [ "$1" -nt /var/lib/dpkg/status ] &&
    [ -z "$(cd "$root" && find CMakeLists.txt CMakePresets.json cmake include src bench tools -newer "$1" -print -quit)" ]
}

# Environment variables that fix slow or broken defaults of BLAS and oneDNN before they load (docs/cli.md).
set_environment() {
  local line flags=
  while read -r line; do
    [[ $line == flags* ]] && flags=" $line " && break
  done </proc/cpuinfo
  # OpenBLAS 0.3.21 does not know recent CPUs and falls back to a kernel from 2004.
  if [[ $flags == *" avx512f "* ]]; then
    export OPENBLAS_CORETYPE=${OPENBLAS_CORETYPE:-SkylakeX}
  elif [[ $flags == *" avx2 "* ]]; then
    export OPENBLAS_CORETYPE=${OPENBLAS_CORETYPE:-Haswell}
  fi
  export OPENBLAS_NUM_THREADS=${OPENBLAS_NUM_THREADS:-1}
  # Debian's oneDNN crashes in its AMX path.
  export ONEDNN_MAX_CPU_ISA=${ONEDNN_MAX_CPU_ISA:-AVX512_CORE_BF16}
}

# build_command [TARGET…]: builds the command and the TARGETs that this machine can build. Nothing when nothing changed.
build_command() {
  local stamp="$root/build/release/.zoe-built$(printf -- '-%s' "$@")" target targets=()
  is_fresh "$stamp" && return
  # One build at a time in a checkout; ninja has no lock.
  exec 9>"$root/build/.lock"
  flock 9
  mkdir -p "$root/build/release"
  : >"$stamp.next"
  configure release
  reconfigure=
  # The verb itself prints a better message about a missing part than ninja.
  for target; do
    grep -q "^build bin/$target:" "$root/build/release/build.ninja" && targets+=("$target")
  done
  build release zoe ${targets[@]+"${targets[@]}"}
  mv "$stamp.next" "$stamp"
  exec 9>&-
}

# prepare KIND [TARGET…]: packages, build of the command (and TARGETs), environment.
prepare() {
  local kinds=(build)
  [ "$1" = build ] || kinds+=("$1")
  mkdir -p "$root/build"
  set_environment
  install_packages "${kinds[@]}"
  build_command "${@:2}"
}

# prepare_demo WORDS…: as prepare, for these arguments of `zoe demo`. Only the command itself is required: without
# libtorch the demo uses the included weights, without OpenGL it draws no film.
prepare_demo() {
  local kinds=() targets=() kind
  if [[ " $* " != *" formats "* ]]; then
    kinds+=(render)
    [[ " $* " == *" --fast "* ]] || kinds+=(train) targets+=(zoe-train)
    [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || kinds+=(view) targets+=(zoe-view)
  fi
  mkdir -p "$root/build"
  set_environment
  install_packages build
  for kind in ${kinds[@]+"${kinds[@]}"}; do
    install_packages build "$kind" || note "the packages for '$kind' could not be installed; the demo goes on without"
  done
  build_command ${targets[@]+"${targets[@]}"}
}
