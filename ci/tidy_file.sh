#!/usr/bin/env bash
# Runs clang-tidy over one file, unless it was clean before with the same headers and checks.
#
#   ci/tidy_file.sh BUILD STAMPS FILE.c      FILE from the top of the tree
set -euo pipefail

if [ "${1-}" = --help ]; then
    sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}"
    exit 0
fi
build=$1
stamps=$2
file=$3
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mapfile -t headers < <(clang -MM -I. -I"$build/generated" "$file" 2>/dev/null | tr ' ' '\n' | grep '\.h$')
hash=$(cat .clang-tidy "$file" "${headers[@]}" | sha256sum | cut -d ' ' -f 1)
stamp=$stamps/${file//\//_}.$hash
[ -f "$stamp" ] && exit 0
if ! clang-tidy --quiet -p "$build" "$file" 2>/dev/null; then
    echo "clang-tidy: $file"
    exit 1
fi
touch "$stamp"
