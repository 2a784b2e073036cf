import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareOf } from '../../domain/values/share.ts';
import { printGroups } from './calibration.ts';

test('the terminal names the group with the highest rate, and groups without rates', (t) => {
  const printed: string[] = [];
  t.mock.method(console, 'log', (line: string) => printed.push(line));
  printGroups({
    rates: [
      {
        fmr: 1e-4,
        groups: [
          { group: 'office', people: 60, fmr: shareOf(0, 15_930), fnmr: shareOf(2, 180) },
          { group: 'yard\u0007', people: 40, fmr: shareOf(3, 7_020), fnmr: shareOf(9, 120) },
        ],
        worstFmr: { group: 'yard\u0007', isClear: true },
        worstFnmr: { group: 'yard\u0007', isClear: false },
      },
    ],
    tooSmall: [{ group: 'visitors', people: 7, matedPairs: 21 }],
    ungrouped: 4,
  });
  const text = printed.join('\n');
  assert.match(text, /^Groups of people, at the threshold of FMR 1e-4:/);
  assert.match(text, /yard\\u\{7\} +40 +4\.3e-4 \(1\.5e-4–0\.13 %\), 3 of 7020 +7\.50 %/);
  assert.match(text, /office +60 +0 \(0–2\.4e-4\), 0 of 15930 /);
  assert.match(text, /Highest FMR: yard\\u\{7\}\. Its interval is above the rates of all other groups\./);
  assert.match(text, /Highest FNMR: .* so the difference can be chance\./);
  assert.match(text, /Too small for rates \(10 people and 30 mated pairs are needed\): visitors \(7\)/);
  assert.match(text, /People without a group: 4\./);
});
