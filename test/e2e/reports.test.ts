import { test } from 'node:test';
import assert from 'node:assert/strict';
import sharp from 'sharp';
import type {
  CaseReport,
  ErasureReport,
  KnownSignatureReport,
  ReportedFace,
  SearchReport,
  SignatureReport,
} from '../../core/domain/ports/reports.ts';
import { type KnownFindings, type KnownSetRecord, supportOf } from '../../core/contracts/knownSignatures.ts';
import { BAND_OF_VERDICT, CERTAINTY, pairSentences } from '../../core/contracts/certainty.ts';
import { faceLikelihood } from '../../core/domain/scores/scores.ts';
import { CALIBRATIONS } from '../../core/vision/calibration.ts';
import { DEFAULT_VIEW } from '../../core/contracts/dashboard/searchView.ts';
import { pdfReports } from '../../core/reports/index.ts';
import { ar, en } from '../../core/reports/words.ts';
import { trusted } from '../../core/contracts/ids.ts';
import { lettersOf, textOf, turnsIn } from '../support/pdfText.ts';
import { LISTING_TEXT_NAMES, ofTexts } from '../../core/contracts/faceListing.ts';

const thumbnail = new Uint8Array(
  await sharp({ create: { width: 160, height: 160, channels: 3, background: '#888' } })
    .jpeg()
    .toBuffer(),
);
/** A picture as the matcher draws ink. */
const inkOf = (width: number, height: number) =>
  sharp(new Uint8Array(width * height), { raw: { width, height, channels: 1 } })
    .toColourspace('b-w')
    .png()
    .toBuffer();
const frame = {
  company: 'Harbour Registry',
  operator: 'Maren Holt',
  made: new Date('2026-03-02T06:00:00.000Z'),
  version: '0.1.0',
};
const reading = {
  score: 87.9,
  band: 'strong' as const,
  possibleFrom: 70,
  strongFrom: 85,
  oneIn: 1234,
  beyondMeasured: false,
  gallerySize: 100_000,
};

const listing = {
  severity: 'stop',
  ...ofTexts((field) => `Refused entry after a forged visa (${field}).`),
} as const;
function searchReport(part: Partial<SearchReport> = {}): SearchReport {
  const candidate = {
    name: 'محمد عبد الله',
    list: 'Refused entry 2025',
    person: 'Noor Haddad',
    id: 5121,
    listing,
    reading,
    sha256: 'a7'.repeat(32),
    thumbnail,
    isChosen: true,
  };
  const box = { x: 200, y: 180, width: 190, height: 230 };
  return {
    ...frame,
    language: 'en',
    searchedAt: frame.made,
    probe: {
      fileName: 'Dvořák (copy) محمد 2.jpg',
      sha256: '3c'.repeat(32),
      width: 600,
      height: 760,
      picture: thumbnail,
    },
    pipelineId: 'vouch-face-1',
    watchlists: [
      { id: null, name: null, faces: 100_000 },
      { id: 4, name: 'Refused entry 2025', faces: 50_000 },
    ],
    view: DEFAULT_VIEW,
    scale: [
      { falseMatchRate: 0.01, score: 50 },
      { falseMatchRate: 1e-4, score: 70 },
      { falseMatchRate: 1e-6, score: 85 },
    ],
    faces: [
      { box, quality: 81, best: candidate },
      { box: { ...box, x: 410 }, quality: 64, best: null },
    ],
    face: 0,
    thumbnail,
    candidates: [
      candidate,
      {
        ...candidate,
        name: 'Jonas Brandt',
        list: null,
        listing: null,
        person: null,
        id: 239_979,
        isChosen: false,
      },
    ],
    matches: 2,
    belowCount: 7,
    mayBeMore: false,
    ...part,
  };
}

function signatureReport(part: Partial<SignatureReport> = {}): SignatureReport {
  return {
    ...frame,
    language: 'en',
    record: {
      id: 7,
      templateId: 'accounts',
      verificationId: 'case-1',
      credential: 'operator:1',
      at: frame.made,
      similarity: 58.2,
      verdict: 'POSSIBLE_MATCH',
      reasons: {},
      thresholds: { match: 70, possibleMatch: 40 },
      modelVersion: 'signature-1',
      sha256: { image1: 'a7'.repeat(32), image2: '3c'.repeat(32) },
    },
    comparedBy: 'Maren Holt',
    pictures: {},
    ...part,
  };
}

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
  const view = { oneIn: 1_000, list: 4, below: true };
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
  const { record, comparedBy } = signatureReport();
  const { reasons: _reasons, sha256: _sha256, ...facts } = record;
  const ratio = (log10: number) => ({
    log10,
    bounds: { lowest: -1.07, highest: 1.07 },
    support: supportOf(log10),
  });
  const findings: KnownFindings = {
    ratios: { imitation: ratio(-0.52), stranger: ratio(1.07) },
    typicality: { closer: 2, of: 3 },
    agreement: { similarity: 64.2, differing: null, groups: null },
    known: [71.5, 66.1, 52.8].map((similarity) => ({ similarity, toOthers: 61, complexity: 'LOW' })),
    nearest: 0,
    farthest: 2,
    complexity: 'LOW',
    warnings: ['FEW_KNOWN', 'LOW_COMPLEXITY'],
  };
  const known: KnownSetRecord = {
    acrossMedia: false,
    calibrationId: 'signature-1 own 2026-11-20T09:00:00.000Z',
    sha256: { questioned: 'a7'.repeat(32), known: ['3c', '5d', '91'].map((two) => two.repeat(32)) },
    reasons: { questioned: null, known: [null, null, null] },
    findings,
  };
  const ink = { png: await inkOf(4, 2), width: 4, height: 2 };
  const alignments = [0.5, 0.25, 1].map((turn) => [1, -turn, 2, turn, 1, 3] as const);
  const pictures = { questioned: ink, known: [ink, ink, ink], alignments };
  const make = (part: Partial<KnownSignatureReport>) =>
    pdfReports.knownSignatures({
      ...frame,
      language: 'en',
      record: { ...facts, known },
      comparedBy,
      pictures,
      ...part,
    });
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
  const { record, comparedBy } = signatureReport();
  const spoken = (text: string) => text.replaceAll(/[\s\u2066-\u2069]/g, '');
  for (const [verdict, falseMatchRate] of [
    ['MATCH', 1e-6],
    ['NO_MATCH', 1 / 2_700],
    ['NO_MATCH', 0.7],
  ] as const) {
    const likelihood = faceLikelihood(CALIBRATIONS.full.likelihood!, falseMatchRate);
    for (const certainty of [{ falseMatchRate, likelihood }, { falseMatchRate, likelihood: null }, null]) {
      const pdf = await pdfReports.faceComparison({
        ...frame,
        language: 'en',
        record: { ...record, verdict, reasons: {}, similarity: 64.8 },
        comparedBy,
        certainty,
        thumbnails: [thumbnail, thumbnail],
      });
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

function erasureReport(part: Partial<ErasureReport> = {}): ErasureReport {
  const receipt: ErasureReport['signed']['receipt'] = {
    kind: 'vouch erasure receipt 1',
    id: '0b8f5c1e-64a7-4a33-9d5e-2f1c7f0a9b11',
    company: trusted.company(1),
    reason: 'request',
    by: 'operator:1',
    at: '2026-03-02T05:58:00.000Z',
    finishedAt: '2026-03-02T05:59:00.000Z',
    erased: {
      validations: [{ id: trusted.trustValidation(4711), createdAt: 1_760_000_000_000 }],
      faces: [{ id: trusted.face(812), image: 'a7'.repeat(32) }],
      goneFaces: [],
      photos: [{ uploadId: trusted.upload('5d0a'), index: 3 }],
      comparisons: [],
      persons: 1,
      decisions: 2,
      images: ['3c'.repeat(32)],
      templates: [{ pipeline: 'vouch-face-3', count: 2 }],
      thumbnails: 1,
      specimens: 0,
      screenings: 1,
      entries: 0,
      historyLines: 0,
      gallerySnapshots: 1,
      namesInEntries: 0,
    },
    files: { images: 2, bucket: null, journalLines: 1, copies: [] },
    proof: { sought: 6, pages: 1234, found: 0, shared: 0, rebuilt: false },
    unreached: [{ what: 'backup', which: 'entry 17' }],
  };
  return {
    ...frame,
    language: 'en',
    signed: { receipt, signature: 'be'.repeat(64), publicKey: 'ef'.repeat(44) },
    by: 'Maren Holt',
    ours: true,
    ...part,
  };
}

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

function caseReport(part: Partial<CaseReport> = {}): CaseReport {
  const face = (more: Partial<ReportedFace>): ReportedFace => ({
    name: 'Jonas Brandt',
    person: null,
    id: 557,
    size: { width: 600, height: 760 },
    quality: 81,
    pipelineId: 'vouch-face-3',
    enrolledAt: frame.made,
    sha256: '3c'.repeat(32),
    thumbnail,
    ...more,
  });
  const own = face({});
  const barred = face({ name: 'محمد عبد الله', id: 812, sha256: 'a7'.repeat(32) });
  const erased = {
    size: null,
    quality: null,
    pipelineId: null,
    enrolledAt: null,
    sha256: null,
    thumbnail: undefined,
  };
  const step = { at: frame.made, status: 2 as const, note: null };
  return {
    source: 'verification',
    ...frame,
    language: 'en',
    id: 557,
    name: 'Jonas Brandt',
    trustFlowName: 'Visitor entry',
    status: 1,
    createdAt: frame.made,
    finalizedAt: frame.made,
    own,
    screening: {
      at: frame.made,
      duplicates: true,
      blacklists: ['Barred persons'],
      notScreened: ['Old list'],
    },
    rates: { possible: 1e-4, strong: 1e-6 },
    blacklistRates: { possible: 1e-4, strong: 1e-6 },
    matches: [
      { list: 'Barred persons', listing, reading, probe: own, face: barred },
      {
        list: null,
        listing: null,
        reading: { ...reading, score: 71.2, band: 'possible' },
        probe: own,
        face: face({ ...erased, name: 'Old entry', id: 12 }),
      },
    ],
    shown: [0, 1],
    history: [
      { ...step, action: 'created', by: 'Gate terminal' },
      { ...step, action: 'finalised', by: null },
      { ...step, action: 'rejected', by: 'Maren Holt', status: 1, note: 'Same scar above the left eye.' },
    ],
    ...part,
  };
}

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
      en.scores.noPicture,
      'Match 2 of 2',
    ],
    lacks: [undecided],
  });
});

test('a match in a blacklist stands first in a report, the most severe before others', async () => {
  const { listing: words, search } = en;
  const stop = words.hit(words.severities.stop, 'Barred persons');
  const [match] = caseReport().matches;
  const caution = {
    ...match!,
    list: 'Visitors',
    listing: { severity: 'caution', ...ofTexts(() => 'Badge lost.') },
  } as const;
  const duplicate = { ...match!, list: null, listing: null };
  const matches = [duplicate, caution, match!];
  const wide = searchReport({
    candidates: [],
    matches: 0,
    faces: [{ ...searchReport().faces[0]!, best: null }],
  });
  const hidden = { ...searchReport().candidates[0]!, list: 'Barred persons', face: 0 };
  const texts = [
    textOf(await pdfReports.faceCase(caseReport({ matches, shown: [0, 1, 2] }))),
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

test('a case report names the reference of the operator', async () => {
  await readCase(caseReport({ reference: 'V-1001' }), { has: [`${en.faceCase.reference}V-1001`] });
  await readCase(caseReport({ reference: null }), { has: [`${en.faceCase.reference}${en.no}`] });
});

test('a report says that letters are missing, and only then', async () => {
  await readCase(caseReport({ name: '王芳' }), { has: ['[U+738B][U+82B3]', en.lettersMissing] });
  await readCase(caseReport(), { has: [], lacks: [en.lettersMissing] });
});

test('the report of a photo of enrolment says Enrolled and never Verified', async () => {
  const enrolled = { action: 'enrolled', at: frame.made, by: null, status: 3, note: null } as const;
  const report = caseReport({ source: 'enrolment', status: 3, history: [enrolled], matches: [], shown: [] });
  await readCase(report, { has: ['Enrolled'], lacks: ['Verified'] });
});

test('a status that a Trust Flow set is not reported as a decision', async () => {
  const [created, finalised] = caseReport().history;
  const { decidedAs, noMatch, undecided, unscreened } = en.faceCase;
  const untouched = caseReport({ history: [created!, finalised!] });
  await readCase(untouched, { has: [undecided], lacks: [`${decidedAs.both.rejected} (Rejected)`] });
  const blank = { ...untouched, matches: [], shown: [] };
  await readCase(blank, { has: [noMatch], lacks: ['Match 1 of'] });
  await readCase({ ...blank, own: null, screening: { ...blank.screening, at: null } }, { has: [unscreened] });
});

test('a report of one match of a case keeps the others in the table', async () => {
  await readCase(caseReport({ shown: [1] }), { has: ['Match 2 of 2', '812'], lacks: ['Match 1 of 2'] });
  await readCase(caseReport({ language: 'ar' }), { has: ['3c'.repeat(8), '2026-03-02'] });
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
