# SPDX-License-Identifier: MIT
# `./zoe test [CTEST ARGUMENTS]`: every test in release, then under AddressSanitizer + UndefinedBehaviorSanitizer all
# but those labelled `once` (they start other programs or read sources), then core's, ecs's and tests/threads under
# ThreadSanitizer, then each fuzz target for 5 s. `./zoe fuzz SECONDS` runs only those, longer. The last line is
# "N passed, N failed, N skipped". Sourced by ./zoe after launcher.sh.

passed=0 failed=0 skipped=0

# run_ctest PRESET ARGUMENTS…: adds to the three counts from ctest's own report.
run_ctest() {
  local preset=$1 report="$root/build/$1/junit.xml" status=0 head
  shift
  rm -f "$report"
  note "testing $preset"
  (cd "$root" && ctest --preset "$preset" -j "$jobs" --output-junit "$report" "$@") || status=$?
  local tests=0 failures=0 skips=0 disabled=0
  if [ -e "$report" ]; then
    head=$(head -c 2000 "$report" | tr '\n\t' '  ')
    [[ $head =~ \ tests=\"([0-9]+)\" ]] && tests=${BASH_REMATCH[1]}
    [[ $head =~ \ failures=\"([0-9]+)\" ]] && failures=${BASH_REMATCH[1]}
    [[ $head =~ \ skipped=\"([0-9]+)\" ]] && skips=${BASH_REMATCH[1]}
    [[ $head =~ \ disabled=\"([0-9]+)\" ]] && disabled=${BASH_REMATCH[1]}
  fi
  # A test whose program is absent, or ctest itself, can fail without being counted.
  [ "$status" = 0 ] || [ "$failures" -gt 0 ] || failures=1
  skips=$((skips + disabled))
  local good=$((tests - failures - skips))
  passed=$((passed + (good > 0 ? good : 0))) failed=$((failed + failures)) skipped=$((skipped + skips))
}

# build_and_test PRESET TARGETS CTEST_ARGUMENTS…
build_and_test() {
  local preset=$1 targets=$2
  shift 2
  note "building $preset"
  # shellcheck disable=SC2086  # TARGETS is a list.
  if build "$preset" $targets; then
    run_ctest "$preset" "$@"
  else
    note "$preset does not build"
    failed=$((failed + 1))
  fi
}

# run_fuzzers SECONDS PRESET: runs each libFuzzer target for SECONDS, from its seeds, as many at once as there are jobs.
# Each counts as a test. `fuzz` is instrumented in full. `asan` is already built for the tests, which saves a third
# compilation of the readers.
run_fuzzers() {
  local seconds=$1 preset=$2 binary target log
  note "building fuzz targets"
  if ! build "$preset" fuzzers; then
    failed=$((failed + 1))
    return
  fi
  local build="$root/build/$preset"
  rm -f "$build"/fuzz_*.passed
  # shellcheck disable=SC2016  # xargs's shell expands these.
  printf '%s\n' "$build"/fuzz/fuzz_* | ZOE_FUZZ_PRESET=$preset ZOE_FUZZ_BUILT=1 xargs -P "$jobs" -I {} sh -c \
    'name="$2/${3##*/}"; "$1/tests/fuzz/run.sh" "${3##*/}" "$4" >"$name.log" 2>&1 && touch "$name.passed"' \
    sh "$root" "$build" {} "$seconds" || true
  for binary in "$build"/fuzz/fuzz_*; do
    target=${binary##*/} log="$build/${binary##*/}.log"
    if [ -e "$build/$target.passed" ]; then
      note "$target: no finding in $seconds s"
      passed=$((passed + 1))
    else
      tail -n 60 "$log" >&2
      note "$target: FAILED, the whole output is in $log"
      failed=$((failed + 1))
    fi
  done
}

summarise() {
  printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
  exit $((failed > 0))
}

begin_tests() {
  mkdir -p "$root/build"
  set_environment
  install_packages build test
  exec 9>"$root/build/.lock"
  flock 9
}

run_tests() {
  begin_tests
  build_and_test release "" "$@"
  build_and_test asan "" -LE '^once$' "$@"
  # A filter of the caller would replace these, and name tests that are not built there.
  if [ $# = 0 ]; then
    # A program is one entry under a sanitizer. No entry at all is an error: then nothing was tested.
    build_and_test tsan "test_core test_ecs test_threads" -R '^(core|ecs|threads)(\.|$)' --no-tests=error
    run_fuzzers 5 asan
  fi
  summarise
}
