#!/bin/bash
# A date or telephone number with hyphens is displayed in reversed groups in Arabic-Indic digits, even alone.
# The bidirectional algorithm (UAX #9, W4) joins groups of ASCII digits at a hyphen, and groups of Arabic-Indic digits
# only at a comma, colon, full stop or slash. 2024-11-05 is displayed as 05-11-2024 with Arabic-Indic digits, and a
# telephone number begins with its end, also in an English line and without any letter. The same date with slashes, and
# the same date in ASCII or Persian digits, keeps its order. Isolates do not help: nothing is wrong by the standard.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --ignore-scripts --no-audit --no-fund --omit=optional bidi-js@1.1.0
cat >test.mjs <<'END'
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import bidiFactory from 'bidi-js';
const version = (name) => JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')).version;
const bidi = bidiFactory();
const shown = (text) => bidi.getReorderedString(text, bidi.getEmbeddingLevels(text, 'ltr'));
console.log(`bidi-js ${version('bidi-js')}`);
for (const [text, expected] of [
  ['2024-11-05', '2024-11-05'],
  ['٢٠٢٤-١١-٠٥', '٠٥-١١-٢٠٢٤'],
  ['٢٠٢٤/١١/٠٥', '٢٠٢٤/١١/٠٥'],
  ['۲۰۲۴-۱۱-۰۵', '۲۰۲۴-۱۱-۰۵'],
  ['٠٥٠-١٢٣٤٥٦٧', '١٢٣٤٥٦٧-٠٥٠'],
  ['\u2068٠٥٠-١٢٣٤٥٦٧\u2069', '\u2068١٢٣٤٥٦٧-٠٥٠\u2069'],
]) {
  console.log(`${Array.from(text).join(' ')} is displayed as ${Array.from(shown(text)).join(' ')}`);
  assert.equal(shown(text), expected);
}
END
node test.mjs
