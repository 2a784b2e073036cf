import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { ruleOfThree } from '../../bench/signatures/rates.ts';
import { KNOWN_SET_RATES, KNOWN_ALTERNATIVES } from '../../core/contracts/knownSignatures.ts';
import {
  MEASURED_SIGNATURE_BANDS,
  MEASURED_SIGNATURE_RATES,
  measuredSignatureRates,
  type MeasuredShare,
} from '../../core/contracts/signatures.ts';
import { signatureSettings } from '../../core/contracts/settings.ts';
import { ar, en } from '../../core/reports/words.ts';
import {
  knownSignatures as arabicSets,
  signatures as arabicPairs,
} from '../../renderer/i18n/signatures.ar.ts';
import {
  knownSignatures as englishSets,
  signatures as englishPairs,
} from '../../renderer/i18n/signatures.en.ts';

test('the error rates on the signature screen are those of its page', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/explanation/signatures.md'), 'utf8');
  const cells = page
    .split('\n')
    .filter((line) => line.startsWith('| CEDAR') || line.startsWith('| across media,'))
    .slice(0, 6)
    .map((line) =>
      line
        .split('|')
        .slice(2, 6)
        .flatMap((cell) => cell.split(' – '))
        .map((cell) => Number.parseFloat(cell)),
    );
  const shown = Object.values(MEASURED_SIGNATURE_RATES).flatMap(({ match, possibleMatch }) =>
    (['differentWriters', 'skilledForgeries', 'genuine'] as const).map((key) =>
      [match[key], possibleMatch[key]]
        .flatMap(({ share, from, to }) => [share, from, to])
        .map((share) => Number((share * 100).toFixed(1))),
    ),
  );
  assert.equal(cells.length, 6);
  assert.deepEqual(cells, shown);
  assert.deepEqual(signatureSettings.parse({}), MEASURED_SIGNATURE_BANDS);
});

test('the error rates for known sets on the screen are those of the page', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/explanation/signatures.md'), 'utf8');
  const tables = page.split('| error rate against ').slice(1);
  assert.equal(tables.length, KNOWN_ALTERNATIVES.length);
  for (const [place, alternative] of KNOWN_ALTERNATIVES.entries()) {
    const [head = '', _rule, paper = '', media = ''] = tables[place]!.split('\n');
    const columns = [...head.matchAll(/\| (\d+)/g)].map(([, known]) => Number(known));
    const cells = (row: string) =>
      row
        .split('|')
        .slice(2, 2 + columns.length)
        .map((cell) => (cell.trim() === '–' ? null : (cell.match(/[\d.]+/g) ?? []).map(Number)));
    const percents = (of: MeasuredShare | null) =>
      of && [of.share, of.from, of.to].map((share) => Number((share * 100).toFixed(1)));
    const shown = KNOWN_SET_RATES.filter((rate) => rate.of === alternative);
    assert.deepEqual(
      shown.map(({ known }) => known),
      columns,
    );
    assert.deepEqual(
      shown.map((rate) => percents(rate.paper)),
      cells(paper),
    );
    assert.deepEqual(
      shown.map((rate) => percents(rate.media)),
      cells(media),
    );
  }
});

test('a measurement without errors is not shown as free of error', () => {
  const unseen = measuredSignatureRates().flatMap(({ paper, media }) =>
    [paper, media].filter(({ share }) => share === 0),
  );
  assert.ok(unseen.length > 0);
  for (const each of unseen) {
    assert.ok(each.to > 0);
    const limit = String(Number((each.to * 100).toFixed(1)));
    assert.match(en.signatures.measured(each), new RegExp(`below .*${limit}`));
    assert.ok(ar.signatures.measured(each).includes(limit));
  }
  assert.equal(ruleOfThree(132).toFixed(4), '0.0227');
});

test('every text about error rates names writers, scripts and what no rate covers', () => {
  const texts = {
    en: [
      ...[englishPairs.ratesHelp, englishSets.ratesHelp, en.signatures.ratesText],
      `${en.knownSignatures.validationText} ${en.knownSignatures.notCovered}`,
    ],
    ar: [
      ...[arabicPairs.ratesHelp, arabicSets.ratesHelp, ar.signatures.ratesText],
      `${ar.knownSignatures.validationText} ${ar.knownSignatures.notCovered}`,
    ],
  };
  const named = {
    en: [/writers/i, /Latin script/, /interval/, /disguise/i, /age/, /illness/],
    ar: [/كُتّاب/, /الحرف اللاتيني/, /مجال ثقة/, /تمويه/, /العمر/, /المرض/],
  };
  for (const language of ['en', 'ar'] as const)
    for (const text of texts[language]) for (const word of named[language]) assert.match(text, word);
});
