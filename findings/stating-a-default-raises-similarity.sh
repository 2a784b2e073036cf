#!/bin/bash
# Stating a default of human's similarity makes a match of two faces that were none.
# Its documentation calls order 2 the default, and a similarity above 0.5 a match. One would expect the same similarity with
# the order stated. An object with any option replaces all other defaults: the multiplier becomes 20 instead of 25, and the
# range 0 to 1 instead of 0.2 to 0.8. Whoever adds one option to a program, or brings scores from there, must measure its threshold again.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --ignore-scripts --no-audit --no-fund @vladmandic/human@3.3.6 @tensorflow/tfjs@4.22.0 @tensorflow/tfjs-backend-wasm@4.22.0
cat >test.cjs <<'END'
const assert = require('node:assert/strict');
const { match } = require('./node_modules/@vladmandic/human/dist/human.node-wasm.js');
console.log(`human ${require('./node_modules/@vladmandic/human/package.json').version}`);
/** A descriptor of 1,024 numbers at this Euclidean distance from the first one. */
const at = (distance) => Array.from({ length: 1024 }, (_, i) => (i === 0 ? distance : 0.1));
for (const [distance, unstated, stated] of [
  [5, 0.92, 0.78],
  [9, 0.58, 0.6],
  [11, 0.42, 0.51],
  [14, 0.17, 0.37],
  [16, 0, 0.28],
]) {
  const pair = [at(0.1), at(0.1 + distance)];
  const found = [match.similarity(...pair), match.similarity(...pair, { order: 2 })];
  console.log(`distance ${distance}: similarity ${found[0]}, with the order stated ${found[1]}`);
  assert.deepEqual(found, [unstated, stated]);
}
END
node test.cjs
