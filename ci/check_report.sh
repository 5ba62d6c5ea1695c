#!/usr/bin/env bash
# Is the JSON report of a run in memory what conformance/report.schema.json says?
#
#   ci/check_report.sh OJIN_CONFORM
set -euo pipefail

if [ "${1-}" = --help ]; then
    sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}"
    exit 0
fi
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
report=$(mktemp)
trap 'rm -f "$report"' EXIT
"$1" run --memory --profile all --json "$report" >/dev/null || [ $? -eq 1 ]
/usr/bin/python3 - "$root/conformance/report.schema.json" "$report" <<'PYTHON'
import json
import sys

import jsonschema

schema, report = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:3])
jsonschema.validate(report, schema, format_checker=jsonschema.FormatChecker())
PYTHON
