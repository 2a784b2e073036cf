#!/bin/bash
# One more photo of a person can make FaceMatcher of face-api answer "unknown" for a photo that it matched before.
# A label may hold several descriptors. One would expect the nearest of them to decide, or their average. The distance of a label is
# the mean of the distances to its descriptors, so a photo from the side moves the person away from every frontal probe, and the
# stated distance of an identical photo is not 0. Whoever brings persons with several photos, and a threshold, from there must measure again.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --ignore-scripts --no-audit --no-fund @vladmandic/face-api@1.7.15 @tensorflow/tfjs@4.22.0 @tensorflow/tfjs-backend-wasm@4.22.0
cat >test.cjs <<'END'
const assert = require('node:assert/strict');
const { FaceMatcher, LabeledFaceDescriptors, euclideanDistance } = require('@vladmandic/face-api/dist/face-api.node-wasm.js');
console.log(`face-api ${require('@vladmandic/face-api/package.json').version}`);
/** A descriptor at this distance from the probe. */
const at = (distance) => Float32Array.from({ length: 128 }, (_, i) => (i === 0 ? distance : 0.1));
const probe = at(0);
for (const [photos, label, distance] of [
  [[0.5], 'Ann', 0.5],
  [[0.5, 0.8], 'unknown', 0.65],
  [[0, 1.3], 'unknown', 0.65],
]) {
  const descriptors = photos.map(at);
  const found = new FaceMatcher([new LabeledFaceDescriptors('Ann', descriptors)]).findBestMatch(probe);
  const distances = descriptors.map((each) => euclideanDistance(each, probe).toFixed(2)).join(' and ');
  console.log(`photos at ${distances}: ${found.label}, distance ${found.distance.toFixed(2)} (threshold 0.6)`);
  assert.equal(found.label, label);
  assert.ok(Math.abs(found.distance - distance) < 1e-6);
}
END
node test.cjs
