#!/usr/bin/env bash
# Everything that CI checks, in the order in which it fails fastest. Each step leaves its counts in TEST_RESULTS_DIR when that is set.
set -uo pipefail
cd "$(dirname "$0")/.."
export PATH="$PWD/node_modules/.bin:$PATH"
results="${TEST_RESULTS_DIR:-$(mktemp -d)}"
mkdir -p "$results"
failed=0

step() {
  local name=$1
  shift
  echo "== $name"
  local started=$SECONDS
  # No step may eat the time of the others: one that hangs is a failure with a name.
  if timeout --kill-after=30 "${STEP_TIMEOUT:-1500}" "$@"; then
    echo "== $name: ok ($((SECONDS - started)) s)"
  else
    echo "== $name: FAILED ($((SECONDS - started)) s)"
    echo "$name" >>"$results/failed-steps"
    failed=1
  fi
}

step lint biome check --error-on-warnings .
step engine node engine/build/build.ts
step types tsc --noEmit
step unit vitest run --reporter=default --reporter=json --outputFile.json="$results/vitest.json"
step build next build
step brotli node lib/server/write-brotli.ts
PLAYWRIGHT_JSON_OUTPUT_NAME="$results/playwright-browser.json" step browser playwright test --project=browser --reporter=list,json
PLAYWRIGHT_JSON_OUTPUT_NAME="$results/playwright-e2e.json" step e2e playwright test --project=e2e --reporter=list,json
step conformance node tests/conformance/conformance.ts --json "$results/conformance.json"
exit $failed
