#!/usr/bin/env bash
# Configures and builds a preset; prints nothing unless it fails.
#
#   ci/build.sh [PRESET]     release (default), debug, asan, ubsan, tsan, fuzz, coverage
set -euo pipefail

if [ "${1-}" = --help ]; then
    sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}"
    exit 0
fi
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
preset=${1:-release}
log=$(mktemp)
trap 'rm -f "$log"' EXIT

quietly() {
    if ! "$@" >"$log" 2>&1; then
        grep -v '^\[[0-9]*/[0-9]*\] ' "$log" >&2 || true # without the steps that went well
        echo "build.sh: preset $preset: failed: $*" >&2
        exit 1
    fi
}

cd "$root"
if [ ! -f "build/$preset/build.ninja" ]; then
    quietly cmake --preset "$preset"
fi
quietly cmake --build "build/$preset"
