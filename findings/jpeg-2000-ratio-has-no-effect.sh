#!/bin/bash
# The encoder of @cornerstonejs/codec-openjpeg has setCompressionRatio(layer, ratio), which its page describes for lossy
# pictures. Whatever ratio is asked for, 5 or 60, the file has the same size: nearly that of a lossless one. One would
# expect a fifth and a sixtieth of the pixels' bytes, as from OpenJPEG's own program.
#
# It concerns all who make pictures for passports and face records, which must have about 15 kB: they get files of
# 50 kB and more without an error, and a test that measures the loss of compression measures none.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --ignore-scripts --no-audit --no-fund @cornerstonejs/codec-openjpeg@1.3.6
cat > ratio.cjs <<'SCRIPT'
const load = require('@cornerstonejs/codec-openjpeg/wasmjs');
const { version } = JSON.parse(require('node:fs').readFileSync('node_modules/@cornerstonejs/codec-openjpeg/package.json', 'utf8'));
const width = 240;
const height = 320;
const pixels = Uint8Array.from({ length: width * height * 3 }, (_, at) => ((at * 7919) % 251) ^ (((at >> 8) * 31) & 255));

async function sizeAt(ratio) {
  const { J2KEncoder } = await load({ print() {}, printErr() {} });
  const encoder = new J2KEncoder();
  encoder.getDecodedBuffer({ width, height, bitsPerSample: 8, componentCount: 3, isSigned: false }).set(pixels);
  encoder.setQuality(false, 0);
  encoder.setCompressionRatio(0, ratio);
  encoder.encode();
  return encoder.getEncodedBuffer().length;
}

(async () => {
  console.log(`@cornerstonejs/codec-openjpeg ${version}, ${pixels.length} bytes of pixels`);
  const sizes = [];
  for (const ratio of [5, 15, 60]) {
    sizes.push(await sizeAt(ratio));
    console.log(`ratio ${ratio}: ${sizes.at(-1)} bytes, ${Math.round(pixels.length / ratio)} expected`);
  }
  if (new Set(sizes).size !== 1 || sizes[0] < pixels.length / 2) {
    console.error('The ratio has an effect now.');
    process.exit(1);
  }
})();
SCRIPT
node ratio.cjs
