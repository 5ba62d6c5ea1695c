#!/usr/bin/env bash
# Installs the packages of the Node client, of the client in a browser, and of the tests of the page of a run, of the npm package and of
# the examples' YAML, as their lock files have them, or of the folders that are named; prints nothing unless it fails.
#
#   ci/npm.sh [FOLDER…]      from the top of the project
set -euo pipefail

if [ "${1-}" = --help ]; then
    sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}"
    exit 0
fi
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
log=$(mktemp)
trap 'rm -f "$log"' EXIT
[ $# -gt 0 ] || set -- conformance/clients/node conformance/clients/browser conformance/tests/browser packages/node/tests/project ci/tests/schemas
for folder in "$@"; do
    cd "$root/$folder"
    [ node_modules/.package-lock.json -nt package-lock.json ] && continue
    if ! npm ci --no-audit --no-fund >"$log" 2>&1; then
        cat "$log" >&2
        echo "npm.sh: could not install the packages of $folder" >&2
        exit 1
    fi
    touch node_modules/.package-lock.json
done
