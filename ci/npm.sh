#!/usr/bin/env bash
# Installs the packages of the Node client, as its lock file has them; prints nothing unless it fails.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../conformance/clients/node"
[ node_modules/.package-lock.json -nt package-lock.json ] && exit 0
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! npm ci --no-audit --no-fund >"$log" 2>&1; then
    cat "$log" >&2
    echo "npm.sh: could not install the packages of conformance/clients/node" >&2
    exit 1
fi
touch node_modules/.package-lock.json
