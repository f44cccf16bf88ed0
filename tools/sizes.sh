#!/usr/bin/env bash
# Reports source files over 500 lines and fails over 600, tests aside.
# A file may stand in tools/sizes.allow with a reason.
set -euo pipefail
cd "$(dirname "$0")/.."
failed=0
while read -r file; do
  grep -qs "^$file " tools/sizes.allow && continue
  lines=$(awk '/^#\[cfg\(test\)\]/ { exit } { n++ } END { print n + 0 }' "$file")
  if [ "$lines" -gt 600 ]; then
    echo "too long: $file has $lines lines (at most 600)"
    failed=1
  elif [ "$lines" -gt 500 ]; then
    echo "long: $file has $lines lines; does it have one reason to change?"
  fi
done < <(git ls-files '*.rs' '*.ts' '*.svelte' '*.java' '*.py' '*.c' |
  grep -vE '(^|/)(tests?|fixtures|snapshots|fuzz)(/|\.rs$)')
exit "$failed"
