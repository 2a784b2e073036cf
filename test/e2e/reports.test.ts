import { test } from 'node:test';
import assert from 'node:assert/strict';
import type {
  CaseReport,
  ErasureReport,
  KnownSignatureReport,
  SignatureReport,
} from '../../core/domain/ports/reports.ts';
import { SYSTEM_FLOW_NAME } from '../../core/contracts/codes.ts';
import { BAND_OF_VERDICT, CERTAINTY, pairSentences } from '../../core/contracts/certainty.ts';
import { ERASED_NAME } from '../../core/contracts/erasure.ts';
import { LISTING_TEXT_NAMES, ofTexts } from '../../core/contracts/faceListing.ts';
import { DEFAULT_VIEW } from '../../core/contracts/dashboard/searchView.ts';
import { faceLikelihood } from '../../core/domain/scores/scores.ts';
import { pdfReports } from '../../core/reports/index.ts';
import { ar, en } from '../../core/reports/words.ts';
import { CALIBRATIONS } from '../../core/vision/calibration.ts';
import { glyphsIn, lettersOf, textOf, turnsIn } from '../support/pdfText.ts';
import {
  SCRIPTS,
  caseReport,
  erasureReport,
  caseFolderReport,
  examinationReport,
  frame,
  knownRatio,
  knownReport,
  listing,
  reading,
  faceComparisonReport,
  reportsWith,
  searchReport,
  signatureReport,
  reportOfUse,
  siteRatesReport,
} from '../support/sampleReports.ts';

test('a search report is a PDF with embedded letters for Latin and Arabic names', async () => {
  const pdf = await pdfReports.search(searchReport());
  assert.equal(Buffer.from(pdf.subarray(0, 5)).toString(), '%PDF-');
  const letters = lettersOf(pdf);
  for (const letter of 'Dvřákمحعبد') assert.ok(letters.includes(letter), `no ${letter}`);
  assert.match(Buffer.from(pdf).toString('latin1'), /\/FontFile2/);
});

test('a search report states the settings of the screen, and no erased face', async () => {
  const [found, other] = searchReport().candidates;
  assert.ok(found !== undefined && other !== undefined);
  const erased = { ...other, name: null, sha256: null, thumbnail: undefined };
  const below = {
    ...other,
    name: 'Uma Kone',
    person: 'Noor Haddad',
    reading: { ...reading, score: 61.2, band: 'none' as const },
  };
  const view = { ...DEFAULT_VIEW, oneIn: 1_000, list: 4, below: true };
  const text = textOf(
    await pdfReports.search(searchReport({ view, candidates: [erased, below], matches: 1 })),
  );
  const { search, scores } = en;
  for (const said of [
    scores.threshold('60', '1,000'),
    search.chosenThreshold,
    search.falseMatches('50'),
    'Refused entry 2025',
    search.belowShown,
    search.erased,
    'Uma Kone (Person: Noor Haddad)',
    `61.2 · ${scores.bands.none}`,
    search.belowNote,
    search.faceOf(1, 2),
  ])
    assert.ok(text.includes(said.replaceAll(/\s+/g, '')), said);
  assert.ok(!text.includes('JonasBrandt'));
});

test('reports work in Arabic, without a match or pictures, with many candidates', async () => {
  const one = searchReport().candidates[0]!;
  const many = Array.from({ length: 20 }, (_, n) => ({ ...one, id: n }));
  for (const report of [
    searchReport({ language: 'ar' }),
    searchReport({ candidates: [], matches: 0 }),
    searchReport({ candidates: many }),
  ])
    assert.ok((await pdfReports.search(report)).length > 5_000);
  const { record } = signatureReport();
  const blank = {
    ...record,
    similarity: null,
    verdict: 'INCONCLUSIVE' as const,
    reasons: { image2: 'BLANK' as const },
  };
  assert.ok((await pdfReports.signatures(signatureReport())).length > 5_000);
  const arabic = textOf(await pdfReports.signatures(signatureReport({ language: 'ar', record: blank })));
  assert.doesNotMatch(arabic, /blank|Send/);
});

test('a signature report states the rates of the scale that was followed', async () => {
  const { signatures } = en;
  const rate = { score: 40 as const, of: 'differentWriters' as const };
  const share = (value: number) => ({ share: value, low: value / 2, high: value * 2 });
  const calibration = {
    writers: 31,
    signatures: 300,
    forgeries: 0,
    fixedPoints: [],
    knownSets: null,
    pairs: { genuine: 900, forgery: 0, differentWriters: 3_000 },
    rates: [{ ...rate, shipped: share(0.034), own: share(0.333) }],
  };
  const said = async (part: Partial<SignatureReport>) =>
    textOf(await pdfReports.signatures(signatureReport(part)));
  const own = await said({ calibration });
  const spoken = (text: string) => text.replaceAll(/[\s\u2066\u2069]/g, '');
  assert.ok(own.includes(spoken(signatures.ownRatesText(31))), own);
  assert.ok(own.includes(spoken(signatures.measured({ share: 0.333, from: 0.1665, to: 0.666 }))), own);
  const shipped = await said({});
  assert.ok(shipped.includes(spoken(signatures.ratesText)) && !shipped.includes('33.3('), shipped);
});

test('a report on known signatures states propositions, values, bounds and limits', async () => {
  const sample = await knownReport();
  const { record, pictures } = sample;
  const { known, ...facts } = record;
  const { findings } = known;
  const ink = pictures.questioned;
  const alignments = pictures.alignments;
  const ratio = knownRatio;
  const make = (part: Partial<KnownSignatureReport>) => pdfReports.knownSignatures({ ...sample, ...part });
  const spoken = (text: string) => text.replaceAll(/[\s\u2066-\u2069]/g, '');
  const words = en.knownSignatures;
  const text = spoken(textOf(await make({})));
  for (const said of [
    words.first,
    words.alternatives.imitation,
    words.separate,
    words.means('3.3', 'alternative', 'imitation'),
    words.means('12', 'known_writer', 'stranger'),
    words.support({ strength: 'MODERATE', favours: 'known_writer' }),
    words.rangeText('1/12', '12'),
    words.rankText(2, 3),
    words.warning.FEW_KNOWN,
    words.warning.LOW_COMPLEXITY,
    known.sha256.known[2]!,
    known.calibrationId,
    words.rate.imitation(3),
    words.validationText,
    words.notCovered,
    words.overlayNote,
    `${words.farthest}: ${words.specimen(findings.farthest + 1)}`,
    en.page(1, 3),
  ])
    assert.ok(text.includes(spoken(said)), said);
  assert.ok(!text.includes(spoken(words.ownText)));
  assert.ok(!text.includes(spoken(words.overstates)), 'no ratio is from 1 to 3');
  const near = {
    ...known,
    findings: { ...findings, ratios: { imitation: ratio(0.2), stranger: ratio(0.6) } },
  };
  assert.ok(
    spoken(textOf(await make({ record: { ...facts, known: near } }))).includes(spoken(words.overstates)),
  );
  const bounds = { lowest: -0.8, highest: 0.8 };
  const ratiosWithout = {
    imitation: { ...ratio(-0.7), bounds },
    stranger: { ...ratio(0.7), bounds },
  };
  const differs = {
    ...findings,
    agreement: { similarity: 50, differing: { index: 2, ratiosWithout }, groups: null },
    warnings: ['ONE_KNOWN_DIFFERS' as const],
  };
  const without = words.differs(
    '3',
    words.boundedRatio('1/5', '1/6.3', '6.3'),
    words.boundedRatio('5', '1/6.3', '6.3'),
  );
  const differing = await make({ record: { ...facts, known: { ...known, findings: differs } } });
  assert.ok(spoken(textOf(differing)).includes(spoken(without)), without);
  const share = (value: number) => ({ share: value, low: value / 2, high: value * 2 });
  const rate = { of: 'imitation', known: 5, writers: 31, genuine: share(0.04), other: share(0.09) } as const;
  const own = spoken(textOf(await make({ ownRates: { modelVersion: 'v', rates: [rate] } })));
  const measured = en.signatures.measured({ share: 0.09, from: 0.045, to: 0.18 });
  for (const said of [words.rate.imitation(5), measured, words.ownText])
    assert.ok(own.includes(spoken(said)), said);
  const groups = { ...findings.agreement, groups: [[0, 1], [2]] as [number[], number[]] };
  const two = { ...known, findings: { ...findings, ratios: null, agreement: groups } };
  const grouped = spoken(textOf(await make({ record: { ...facts, known: two }, pictures: null })));
  assert.ok(
    grouped.includes(spoken(words.noRatios('1, 2', '3'))) && !grouped.includes(spoken(words.bounded)),
  );
  const blank = { questioned: null, known: [null, 'BLANK' as const, null] };
  const none = { ...facts, known: { ...known, findings: null, reasons: blank } };
  const unusable = { questioned: ink, known: [ink, undefined, ink], alignments: null };
  const arabic = await make({ language: 'ar', record: none, pictures: unusable });
  assert.ok(arabic.length > 5_000);
  assert.doesNotMatch(textOf(arabic), /blank|Send/);
  assert.deepEqual(turnsIn(arabic), []);
  assert.deepEqual(
    turnsIn(await make({})),
    [findings.nearest, findings.farthest].map((at) => alignments[at]![3]),
  );
});

test('a face comparison report says what the dashboard says', async () => {
  const { record } = signatureReport();
  const spoken = (text: string) => text.replaceAll(/[\s\u2066-\u2069]/g, '');
  for (const [verdict, falseMatchRate] of [
    ['MATCH', 1e-6],
    ['NO_MATCH', 1 / 2_700],
    ['NO_MATCH', 0.7],
  ] as const) {
    const likelihood = faceLikelihood(CALIBRATIONS.full.likelihood!, falseMatchRate);
    for (const certainty of [{ falseMatchRate, likelihood }, { falseMatchRate, likelihood: null }, null]) {
      const pdf = await pdfReports.faceComparison(
        faceComparisonReport({ record: { ...record, verdict, reasons: {}, similarity: 64.8 }, certainty }),
      );
      const text = spoken(textOf(pdf));
      const count = (value: number) => value.toLocaleString('en');
      const said = certainty && pairSentences(CERTAINTY.en, certainty, count);
      const words = CERTAINTY.en.similarity('64.8', CERTAINTY.en.bands[BAND_OF_VERDICT[verdict]]);
      for (const each of [words, ...(said?.sentences ?? []), ...(said?.support ? [said.support] : [])])
        assert.ok(text.includes(spoken(each)), each);
      assert.doesNotMatch(text, /nomatch/i);
    }
  }
});

test('an erasure receipt states what was erased, searched, missed and its signature', async () => {
  const good = erasureReport();
  const { receipt } = good.signed;
  const unread = { ...receipt, finishedAt: null, proof: null, unreached: [] };
  const say = async (part: Partial<ErasureReport>, said: string[], unsaid: string[] = []) => {
    const text = textOf(await pdfReports.erasure({ ...good, ...part }));
    const has = (words: string) => text.includes(words.replaceAll(/\s+/g, ''));
    for (const words of said) assert.ok(has(words), words);
    for (const words of unsaid) assert.ok(!has(words), words);
  };
  const numbers = [receipt.id, '4711', '5d0a:3', '2 × vouch-face-3', '1,234', 'entry 17', 'Maren Holt'];
  await say({}, [...numbers, en.erasure.good], [en.erasure.bad]);
  await say({ ours: false }, [en.erasure.bad], [en.erasure.good]);
  await say({ signed: { ...good.signed, receipt: unread } }, [en.erasure.notSearched, en.erasure.reachedAll]);
  await say({ language: 'ar' }, [receipt.id]);
});

/** Checks which texts the pages of a case report hold, and which they do not. */
async function readCase(report: CaseReport, texts: { has: string[]; lacks?: string[] }): Promise<void> {
  const text = textOf(await pdfReports.faceCase(report));
  const has = (words: string) => text.includes(words.replaceAll(/[\s\u2066-\u2069]+/g, ''));
  for (const words of texts.has) assert.ok(has(words), words);
  for (const words of texts.lacks ?? []) assert.ok(!has(words), words);
}

test('a case report states the pair, the score, the decision and the hashes', async () => {
  const { decidedAs, undecided } = en.faceCase;
  await readCase(caseReport(), {
    has: [
      'Case report: 557',
      'Harbour Registry',
      'created 2026-03-02 06:00:00 UTC by Maren Holt',
      'Similarity 87.9 out of 100: strong',
      'About 1 in 1,200 other people would score this high (faces compared: 100,000)',
      'score 70; about 1 in 10,000 comparisons of different people',
      'score 85; about 1 in 1,000,000 comparisons of different people',
      `${decidedAs.both.rejected} (Rejected)`,
      'Same scar above the left eye.',
      'Gate terminal',
      'Old list',
      'Barred persons · Stop',
      ...LISTING_TEXT_NAMES.map((field) => listing[field]),
      en.samePicture,
      en.scores.noPicture,
      'Match, rank by similarity: 2 of 2',
    ],
    lacks: [undecided],
  });
});

test('a match in a blacklist stands first in a report, the most severe before others', async () => {
  const { listing: words, search } = en;
  const stop = words.hit(words.severities.stop, 'Barred persons');
  const ofCase = caseReport();
  const [match] = ofCase.matches;
  const caution = {
    ...match!,
    list: 'Visitors',
    listing: { severity: 'caution', ...ofTexts(() => 'Badge lost.') },
  } as const;
  const duplicate = { ...match!, list: null, listing: null };
  const matches = [duplicate, caution, match!];
  const hits = [{ ...ofCase.hits[0]!, list: caution.list, listing: caution.listing }, ...ofCase.hits];
  const wide = searchReport({
    candidates: [],
    matches: 0,
    faces: [{ ...searchReport().faces[0]!, best: null }],
  });
  const hidden = { ...searchReport().candidates[0]!, list: 'Barred persons', face: 0 };
  const texts = [
    textOf(await pdfReports.faceCase({ ...ofCase, hits, matches, shown: [0, 1, 2] })),
    textOf(await pdfReports.search({ ...wide, hits: [hidden] })),
  ];
  for (const text of texts) {
    const at = (said: string) => text.indexOf(said.replaceAll(' ', ''));
    const other = Math.max(at(en.faceCase.number(557)), at(search.probe));
    assert.ok(at(stop) > 0 && at(stop) < other, stop);
    for (const field of LISTING_TEXT_NAMES)
      assert.ok(at(`${words.texts[field]}: ${listing[field]}`) < other, field);
  }
  const [inCase = ''] = texts;
  const at = (said: string) => inCase.indexOf(said.replaceAll(' ', ''));
  assert.ok(at(stop) < at(words.hit(words.severities.caution, 'Visitors')));
  assert.ok(at(en.faceCase.pair(3, 3)) < at(en.faceCase.pair(2, 3)));
  assert.ok(at(en.faceCase.pair(2, 3)) < at(en.faceCase.pair(1, 3)));
});

test('a case report names an erased person as such', async () => {
  const { hits, matches } = caseReport();
  const erased = { name: ERASED_NAME };
  const report = caseReport({
    hits: hits.map((hit) => ({ ...hit, ...erased })),
    matches: matches.map((match) => ({ ...match, face: { ...match.face, ...erased } })),
  });
  await readCase(report, { has: [en.faceCase.erased], lacks: [`${en.faceCase.name}: ${ERASED_NAME}`] });
});

test('a case report names the reference of the operator', async () => {
  await readCase(caseReport({ reference: 'V-1001' }), { has: [`${en.faceCase.reference}V-1001`] });
  await readCase(caseReport({ reference: null }), { has: [`${en.faceCase.reference}${en.no}`] });
});

test('a report says that letters are missing, and only then', async () => {
  await readCase(caseReport({ name: '王芳' }), { has: ['[U+738B][U+82B3]', en.lettersMissing] });
  await readCase(caseReport(), { has: [], lacks: [en.lettersMissing] });
});

test('every kind of report prints names and companies of every script as entered', async () => {
  const spoken = (text: string) => text.normalize().replaceAll(/[\s\u200c-\u200f\u2066-\u2069]/g, '');
  for (const [script, texts] of Object.entries(SCRIPTS))
    for (const language of script === 'latin' ? (['en', 'ar'] as const) : (['en'] as const))
      for (const [kind, pdf] of Object.entries(await reportsWith(texts, language))) {
        // Glyphs are drawn from left to right, those of the right-to-left scripts as well.
        const glyphs = glyphsIn(pdf).map(({ text }) => text);
        const forwards = spoken(glyphs.join(''));
        const backwards = spoken(glyphs.toReversed().join(''));
        const missing = (language === 'en' ? forwards : backwards).includes(
          spoken({ en, ar }[language].lettersMissing).slice(0, 20),
        );
        assert.equal(missing, script === 'chinese', `${kind}, ${script}`);
        const inOrder = /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(texts.name) ? backwards : forwards;
        for (const word of missing ? [] : `${texts.company} ${texts.name}`.split(/[\s־]+/))
          assert.ok(inOrder.includes(spoken(word)), `${kind}, ${script}: ${word}`);
      }
});

test('the report of a photo of enrolment says Enrolled and never Verified', async () => {
  const enrolled = { action: 'enrolled', at: frame.made, by: null, status: 3, note: null } as const;
  const report = caseReport({
    source: 'enrolment',
    status: 3,
    history: [enrolled],
    hits: [],
    matches: [],
    shown: [],
  });
  await readCase(report, { has: ['Enrolled'], lacks: ['Verified'] });
  const internal = { ...report, trustFlowName: SYSTEM_FLOW_NAME };
  await readCase(internal, { has: [SYSTEM_FLOW_NAME] });
  await readCase({ ...internal, language: 'ar' }, { has: ['Maren'], lacks: [SYSTEM_FLOW_NAME] });
});

test('a status that a Trust Flow set is not reported as a decision', async () => {
  const [created, finalised] = caseReport().history;
  const { decidedAs, noMatch, undecided, unscreened } = en.faceCase;
  const untouched = caseReport({ history: [created!, finalised!] });
  await readCase(untouched, { has: [undecided], lacks: [`${decidedAs.both.rejected} (Rejected)`] });
  const blank = { ...untouched, matches: [], shown: [] };
  await readCase(blank, { has: [noMatch], lacks: ['rank by similarity'] });
  await readCase({ ...blank, own: null, screening: { ...blank.screening, at: null } }, { has: [unscreened] });
});

test('a case report states the rate of each list at the screening', async () => {
  const { perSearchKept, perComparison } = en.scores;
  await readCase(caseReport(), { has: [perComparison('10,000'), perSearchKept('250', '1,000', '400,000')] });
});

test('a report of one match of a case keeps the others in the table', async () => {
  await readCase(caseReport({ shown: [1] }), {
    has: ['Match, rank by similarity: 2 of 2', '812'],
    lacks: ['rank by similarity: 1'],
  });
  await readCase(caseReport({ language: 'ar' }), { has: ['3c'.repeat(8), '2026-03-02'] });
  // Latin letters alone are compared: the order of the Arabic ones in the file depends on the line.
  await readCase(caseReport({ language: 'ar', id: 9, name: 'Verification 9' }), {
    has: ['3c'.repeat(8)],
    lacks: ['Verification'],
  });
});

test('every page of a report has the company, its title and number, and the foot', async () => {
  const pdf = await pdfReports.faceCase(caseReport());
  const file = Buffer.from(pdf).toString('latin1');
  const pages = [...file.matchAll(/\/Type \/Page\b/g)].length;
  const text = textOf(pdf);
  const times = (words: string) => text.split(words.replaceAll(' ', '')).length - 1;
  assert.ok(pages > 1);
  assert.equal(times('similarity, not identity; a person decides'), pages);
  for (let page = 1; page <= pages; page++)
    assert.equal(times(`Case report: 557page ${page} of ${pages}`), 1);
});

test('no report says that a signature is forged or that a person is identified', () => {
  const said = JSON.stringify([ar, en]);
  assert.doesNotMatch(said, /forged|forgery|identified|identity confirmed|مزور/i);
  assert.match(en.decides, /A person decides/);
});

test('a report of use states uses, alarms that were right, and users', async () => {
  const pdf = await pdfReports.use({ ...reportOfUse('Maren Holt', 'Refused entry 2025'), language: 'en' });
  const { use } = en;
  const text = textOf(pdf);
  for (const said of [
    'Main gallery, Refused entry 2025, blacklist:5',
    use.faces('50,000'),
    use.photo,
    ...Object.values(use.kinds),
    en.signatures.verdicts.MATCH,
    use.matches('12'),
    'Jonas Brandt: Rejected',
    use.interval('75.0', '40.9', '92.9'),
    use.shown('7', '1,206'),
    'local-admin',
  ])
    assert.ok(text.includes(said.replaceAll(/\s+/g, '')), said);
});

test('a report of error rates states each threshold with its intervals and Trust Flows', async () => {
  const text = textOf(await pdfReports.siteRates({ ...siteRatesReport('Border desk'), language: 'en' }));
  const { siteRates: site } = en;
  for (const said of [
    site.oneIn('10,000'),
    'Border desk',
    site.interval('23.50', '19.61', '27.90'),
    site.errorsOf('94', '400'),
    site.tooFew('25'),
    site.byLikeness('12'),
    site.notCovered,
    `${site.worst('FMR', 'Yard')} ${site.worstClear}`,
    `${site.worst('FNMR', 'Yard')} ${site.worstChance}`,
    site.groupsTooSmall('10', '30', 'Visitors (7)'),
    site.ungrouped('4'),
  ])
    assert.ok(text.includes(said.replaceAll(/\s+/g, '')), said);
});

test('a report of a case folder states contents, examinations, rates and the chain', async () => {
  const sample = caseFolderReport('Idris Vale', 'The form of the harbour.');
  const text = textOf(await pdfReports.caseFolder(sample));
  const { caseFolder: said, examination, siteRates: site } = en;
  for (const each of [
    said.lead,
    `${said.kind_probe} (2)`,
    `${said.kind_removed} (7)`,
    said.content_erased,
    'The form of the harbour.',
    `4,821 ${said.bytes}`,
    `${examination.face} 7`,
    said.notExamined(`${said.kind_probe} (2)`),
    examination.faces_weakSame,
    examination.procedureText,
    examination.limitsText,
    examination.limits_faces,
    site.falseAlarms,
    said.entry('3'),
    said.whole,
    '4d'.repeat(32),
    'e5'.repeat(32),
  ])
    assert.ok(text.includes(each.replaceAll(/\s+/g, '')), each);
  const files = [{ name: 'letter.txt', type: 'text/plain', content: Buffer.from('A letter.') }];
  const origin = { installation: 'South', fingerprint: '4821-77aa', company: 'Ferry Lines', files };
  const sealed = { ...origin, exportedAt: '2026-03-04T05:06:07.000Z' };
  const elsewhere = textOf(await pdfReports.caseFolder({ ...sample, sealed }));
  for (const each of [said.sealed, 'South', '4821-77aa', 'Ferry Lines', 'letter.txt', said.wholeSealed])
    assert.ok(elsewhere.includes(each.replaceAll(/\s+/g, '')), each);
  const entries = sample.folder.entries.map((entry) => ({ ...entry, state: 'changed' as const }));
  const broken = textOf(
    await pdfReports.caseFolder({ ...sample, folder: { ...sample.folder, firstBad: 4, entries } }),
  );
  const named = entries.map(({ kind, position }) => `${said[`kind_${kind}`]} (${position})`).join(said.and);
  for (const each of [said.broken('4'), said.changed(named)])
    assert.ok(broken.includes(each.replaceAll(/\s+/g, '')), each);
  for (const each of [said.whole, said.notExamined(`${said.kind_probe} (2)`)])
    assert.ok(!broken.includes(each.replaceAll(/\s+/g, '')), each);
});

test('a report of an examination states opinions, differences, marks and the score', async () => {
  const sample = examinationReport('Idris Vale', 'The scar is a scratch.');
  const text = textOf(await pdfReports.examination(sample));
  const { examination: said, scores } = en;
  const { similarity } = sample.examination.system!.score!;
  for (const each of [
    said.faces_weakSame,
    said.faces_moderateSame,
    said.faces_neither,
    said.differed,
    'Omar Kone, unfinished after 7 steps. Replaced by Idris Vale',
    'Idris Vale',
    'Maren Holt',
    'The scar is a scratch.',
    `1. ${said.component_skin} (${said.differs})`,
    `2. ${said.component_outline}`,
    said.finding_notComparable,
    said.aspect_occlusion,
    said.scale,
    `${said.firstExaminer}, Idris Vale`,
    said.faces_strongDifferent,
    '3c'.repeat(32),
    String(similarity),
    scores.means,
    said.procedureText,
    said.limitsText,
  ])
    assert.ok(text.includes(each.replaceAll(/\s+/g, '')), each);
  const settlement = { ...sample.examination.settlement!, byName: 'Samira Lund', isThird: true };
  const third = { ...sample, examination: { ...sample.examination, settlement } };
  const settled = textOf(await pdfReports.examination(third));
  for (const each of [said.differedThird, said.third, 'Samira Lund'])
    assert.ok(settled.includes(each.replaceAll(/\s+/g, '')), each);
  const agreed = { ...sample.examination, settlement: null };
  const plain = textOf(await pdfReports.examination({ ...sample, examination: agreed }));
  assert.ok(plain.includes(said.agreed.replaceAll(/\s+/g, '')));
  assert.ok(!plain.includes(said.common.replaceAll(/\s+/g, '')));
});
