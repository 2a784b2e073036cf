#!/bin/bash
# With a threshold, the search of human names the first face below it, not the nearest one.
# The documentation of match.find promises the closest entry of a list of descriptors. One would expect a threshold to decide
# whether that entry counts. The search ends at the first entry whose distance is below it, so the answer depends on the order of
# the list, and a person who was enrolled earlier is named for one who is far more similar. Nothing in the answer says so.
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
const defaults = { order: 2, multiplier: 25, min: 0.2, max: 0.8 };
/** A descriptor of 1,024 numbers at this Euclidean distance from the probe. */
const at = (distance) => Array.from({ length: 1024 }, (_, i) => (i === 0 ? distance : 0));
const names = ['somebody else', 'the person'];
const faces = [at(9), at(3)];
for (const [threshold, name, similarity] of [
  [0, 'the person', 1],
  [2500, 'somebody else', 0.58],
]) {
  const found = match.find(at(0), faces, { ...defaults, threshold });
  console.log(`threshold ${threshold}: ${names[found.index]}, distance ${found.distance}, similarity ${found.similarity}`);
  assert.deepEqual([names[found.index], found.similarity], [name, similarity]);
  const turned = match.find(at(0), faces.toReversed(), { ...defaults, threshold });
  console.log(`threshold ${threshold}, list the other way round: ${names[1 - turned.index]}`);
  assert.equal(names[1 - turned.index], 'the person');
}
END
node test.cjs
