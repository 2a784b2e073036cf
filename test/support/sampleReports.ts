/** A report of each kind, with invented people, and the same with the texts of another script. */
import sharp from 'sharp';
import type { CaseEntry } from '../../core/contracts/dashboard/caseFolders.ts';
import { EXAMINED, type Conclusion } from '../../core/contracts/dashboard/examinations.ts';
import { ofTexts } from '../../core/contracts/faceListing.ts';
import { trusted } from '../../core/contracts/ids.ts';
import { type KnownFindings, supportOf } from '../../core/contracts/knownSignatures.ts';
import { DEFAULT_VIEW } from '../../core/contracts/dashboard/searchView.ts';
import type {
  CaseReport,
  DuplicateGroupReport,
  ErasureReport,
  CaseFolderReport,
  ExaminationReport,
  FaceComparisonReport,
  KnownSignatureReport,
  ReportedFace,
  SearchReport,
  SignatureReport,
  SiteRatesReport,
  UseReport,
} from '../../core/domain/ports/reports.ts';
import type { Use } from '../../core/domain/ports/reports.ts';
import { shareOf } from '../../core/domain/values/share.ts';
import { faceLikelihood } from '../../core/domain/scores/scores.ts';
import { pdfReports } from '../../core/reports/index.ts';
import { CALIBRATIONS } from '../../core/vision/calibration.ts';

export const thumbnail = new Uint8Array(
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
export const frame = {
  company: 'Harbour Registry',
  operator: 'Maren Holt',
  made: new Date('2026-03-02T06:00:00.000Z'),
  version: '0.1.0',
};
export const reading = {
  score: 87.9,
  band: 'strong' as const,
  possibleFrom: 70,
  strongFrom: 85,
  oneIn: 1234,
  beyondMeasured: false,
  gallerySize: 100_000,
};

export const listing = {
  severity: 'stop',
  ...ofTexts((field) => `Refused entry after a forged visa (${field}).`),
} as const;
export function searchReport(part: Partial<SearchReport> = {}): SearchReport {
  const candidate = {
    name: 'محمد عبد الله',
    list: 'Refused entry 2025',
    person: 'Noor Haddad',
    id: 5121,
    listing,
    reading,
    photos: { all: 3, agreeing: 2, samePicture: true },
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
      { id: null, name: null, faces: 100_000, persons: 99_000 },
      { id: 4, name: 'Refused entry 2025', faces: 50_000, persons: 50_000 },
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

export function signatureReport(part: Partial<SignatureReport> = {}): SignatureReport {
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

export const knownRatio = (log10: number) => ({
  log10,
  bounds: { lowest: -1.07, highest: 1.07 },
  support: supportOf(log10),
});

/** Three known signatures and a questioned one, with their pictures. */
export async function knownReport() {
  const { record, comparedBy } = signatureReport();
  const { reasons: _reasons, sha256: _sha256, ...facts } = record;
  const findings: KnownFindings = {
    ratios: { imitation: knownRatio(-0.52), stranger: knownRatio(1.07) },
    typicality: { closer: 2, of: 3 },
    agreement: { similarity: 64.2, differing: null, groups: null },
    known: [71.5, 66.1, 52.8].map((similarity) => ({ similarity, toOthers: 61, complexity: 'LOW' })),
    nearest: 0,
    farthest: 2,
    complexity: 'LOW',
    warnings: ['FEW_KNOWN', 'LOW_COMPLEXITY'],
  };
  const ink = { png: await inkOf(4, 2), width: 4, height: 2 };
  const alignments = [0.5, 0.25, 1].map((turn) => [1, -turn, 2, turn, 1, 3] as const);
  const known = {
    acrossMedia: false,
    calibrationId: 'signature-1 own 2026-11-20T09:00:00.000Z',
    sha256: { questioned: 'a7'.repeat(32), known: ['3c', '5d', '91'].map((two) => two.repeat(32)) },
    reasons: { questioned: null, known: [null, null, null] },
    findings,
  };
  return {
    ...frame,
    language: 'en',
    record: { ...facts, known },
    comparedBy,
    pictures: { questioned: ink, known: [ink, ink, ink], alignments },
  } satisfies KnownSignatureReport;
}

export function erasureReport(part: Partial<ErasureReport> = {}): ErasureReport {
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
      examinations: 1,
      caseEntries: 2,
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
    files: { images: 2, bucket: null, keys: 0, journalLines: 1, copies: [] },
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

export function caseReport(part: Partial<CaseReport> = {}): CaseReport {
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
  const rates = { possible: 1e-4, strong: 1e-6 };
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
      photos: 3,
      duplicates: true,
      blacklists: ['Barred persons'],
      notScreened: ['Old list'],
      thresholds: [
        { list: null, targetFmr: 1e-4, perSearch: null },
        {
          list: 'Barred persons',
          targetFmr: 1e-8,
          perSearch: { persons: 400_000, targetFpir: 0.001, keptFpir: 0.004 },
        },
      ],
    },
    hits: [{ list: 'Barred persons', listing, reading, name: barred.name, id: barred.id }],
    matches: [
      {
        list: 'Barred persons',
        listing,
        reading,
        rates,
        photos: { all: 3, agreeing: 2, samePicture: true },
        probe: own,
        face: barred,
      },
      {
        list: null,
        listing: null,
        rates,
        photos: { all: 1, agreeing: 1, samePicture: false },
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

/** Two compared faces whose similarity is below the threshold. */
export function faceComparisonReport(part: Partial<FaceComparisonReport> = {}): FaceComparisonReport {
  const { record, comparedBy } = signatureReport();
  const falseMatchRate = 1 / 2_700;
  return {
    ...frame,
    language: 'en',
    record: {
      ...{ ...record, verdict: 'NO_MATCH', reasons: {}, similarity: 64.8 },
      ...{ thresholds: { match: 85, possibleMatch: 70 }, modelVersion: 'vouch-face-3' },
    },
    comparedBy,
    certainty: { falseMatchRate, likelihood: faceLikelihood(CALIBRATIONS.full.likelihood!, falseMatchRate) },
    thumbnails: [thumbnail, thumbnail],
    ...part,
  };
}

/** A case folder with one of everything. @param name of persons and operators @param note every text */
export function caseFolderReport(name: string, note: string): CaseFolderReport {
  const nothing = {
    ...{ byName: name, target: null, about: null, state: 'kept' as const, text: '', file: null, face: null },
    ...{ examination: null, digest: '4d'.repeat(32) },
  };
  const file = { name: note, type: 'application/pdf' as const, bytes: 4821 };
  const parts: readonly (Partial<CaseEntry> & Pick<CaseEntry, 'kind'>)[] = [
    { kind: 'opened', text: note },
    { kind: 'probe', face: { id: 7, name } },
    { kind: 'examination', examination: 5 },
    { kind: 'note', text: note },
    { kind: 'file', file },
    { kind: 'candidate', state: 'erased' },
    { kind: 'note', state: 'removed' },
    { kind: 'removed', target: 7, text: note },
    { kind: 'viewed', digest: null, state: null },
  ];
  const at = '2026-03-04T05:06:07.000Z';
  const examined = examinationReport(name, note);
  return {
    ...frame,
    language: 'en',
    folder: {
      ...{ id: 3, reference: note, title: note, state: 'open', openedAt: at, items: 5, firstBad: null },
      newestHash: 'e5'.repeat(32),
      ...{
        maxFileBytes: 4,
        entries: parts.map((part, index) => ({ ...nothing, position: index + 1, at, ...part })),
      },
    },
    photos: new Map(examined.pictures.map((picture) => [7, picture])),
    examinations: [examined],
    rates: siteRatesReport(note).rates,
  };
}

/** An examination with two conclusions and a settlement. @param name of an examiner and of a face @param note of every step */
export function examinationReport(name: string, note: string): ExaminationReport {
  const at = frame.made.toISOString();
  const limits = { sharpness: 'none', pose: 'some', light: 'none', occlusion: 'severe' } as const;
  const work = (byName: string, finding: 'similar' | 'notComparable', conclusion: Conclusion) => ({
    ...{ byName, own: false },
    analyses: [0, 1].map(() => ({ limits, age: '2019', supports: note })),
    findings: EXAMINED.faces.components.map((component, index) => ({
      ...{ component, note: index % 3 === 0 ? note : '' },
      finding: index % 4 === 0 ? finding : ('similar' as const),
      marks: [
        { x: 20 + 6 * index, y: 30 + 5 * index },
        index % 2 === 0 ? null : { x: 90, y: 20 + 6 * index },
      ] as [{ x: number; y: number }, { x: number; y: number } | null],
    })),
    evaluation: { conclusion, reasons: note, at },
  });
  const { record, certainty } = faceComparisonReport();
  const { similarity, thresholds, verdict } = record;
  return {
    ...frame,
    language: 'en',
    examination: {
      ...{ id: 5, beganAt: at },
      kind: 'faces',
      works: [work(name, 'similar', 'moderateSame'), work('Maren Holt', 'notComparable', 'neither')],
      replaced: [{ byName: 'Omar Kone', replacedByName: name, at, steps: 7 }],
      settlement: { conclusion: 'weakSame', reasons: note, at, byName: name, isThird: false },
      system: {
        names: [`${name} 1.jpg`, `${name} 2.jpg`],
        score: { similarity, verdict, thresholds, certainty, pipelineId: 'vouch-face-3' },
      },
    },
    pictures: [11, 12].map((faceId) => ({
      ...{ faceId, enrolledAt: at, sha256: '3c'.repeat(32), content: thumbnail },
      ...{ width: 160, height: 160, box: { x: 30, y: 30, width: 100, height: 100 } },
    })),
  };
}

/** A group of two photos with a decision that was undone. @param name of the first photo and of the person */
export function duplicateGroupReport({
  name,
  note,
  list,
  ...part
}: Partial<DuplicateGroupReport> & { name: string; note: string; list: string }): DuplicateGroupReport {
  const at = frame.made.toISOString();
  const face = (id: number, called: string) => ({
    id,
    name: called,
    faceImage: {
      ...{ imageUrl: null, thumbnailUrl: null, width: 600, height: 760, box: null, eyes: null },
      ...{ fileName: `${called}.jpg`, sha256: '3c'.repeat(32), quality: 81, pipelineId: 'vouch-face-3' },
      ...{ enrolledAt: at, person: null },
    },
    source: 'import' as const,
    runName: list,
    enrolledAt: at,
    trustValidationId: trusted.trustValidation(id),
    blacklist: id === 1 ? null : { id: trusted.blacklist(4), name: list },
    person: id === 1 ? { id: 7, name } : null,
  });
  const about = { reading, identical: false, decision: 'same' as const };
  return {
    ...frame,
    language: 'en',
    group: {
      id: 12,
      version: 3,
      state: 'accepted',
      identical: false,
      certainty: 0.9991,
      reading,
      size: 2,
      faces: [face(1, name), face(2, 'Jonas Brandt')],
      createdAt: at,
      changedAt: at,
      pairs: [{ ...about, first: 1, second: 2 }],
      pairCount: 1,
      alsoNear: [],
      history: [
        {
          ...{ id: 3, decision: 'same', faces: [1, 2], by: 'operator:1', byName: name, at, reason: note },
          ...{ measured: { score: 87.9, pipeline: 'vouch-face-3' }, undoneAt: at, awaitsConfirmation: false },
        },
      ],
    },
    thumbnails: new Map([
      [1, thumbnail],
      [2, thumbnail],
    ]),
    ...part,
  };
}

/** Each kind of use, by an account and with a list of these names. */
export function reportOfUse(name: string, list: string): UseReport {
  const at = new Date('2026-03-01T12:00:00.000Z');
  const use: Use = {
    ...{ kind: 'search', start: at, end: at, by: 'operator:1', watchlists: [null, 4, 5], faces: 50_000 },
    ...{ input: null, result: 'strong', verified: [] },
  };
  const compared = { watchlists: [], faces: null, result: 'MATCH' } as const;
  const second = ['operator:1', 'operator:2'].map((by) => ({ by, status: null }));
  const uses: Use[] = [
    use,
    { ...use, ...compared, kind: 'faceComparison', input: 'faceComparison:3' },
    { ...use, ...compared, kind: 'signatureComparison', by: 'token:9', input: 'signatureComparison:4' },
    {
      ...{ ...use, kind: 'verification', faces: null, input: 'validation:7', result: 2 },
      verified: [{ by: 'operator:2', status: 1 }],
    },
    { ...use, ...compared, kind: 'examination', result: null, input: 'examination:6', verified: second },
    { ...use, kind: 'duplicateSearch', input: 'duplicate-run:2', result: 12 },
    {
      ...use,
      ...compared,
      kind: 'duplicateDecision',
      result: null,
      input: 'identity-decision:5',
      verified: second,
    },
  ];
  return {
    ...{ language: 'en', company: 'Acme', operator: 'Ana', made: at, version: '1.0.0' },
    ...{ from: null, to: at, uses, total: 1_206 },
    alarms: { blacklist: { all: 9, right: 6, wrong: 2 }, duplicate: { all: 0, right: 0, wrong: 0 } },
    users: [
      { by: 'operator:1', uses: 4, decisions: 1, exports: 2, entries: 70, last: at },
      { by: 'local-admin', uses: 0, decisions: 0, exports: 0, entries: 3, last: at },
    ],
    names: new Map([
      ['operator:1', name],
      ['operator:2', 'Jonas Brandt'],
    ]),
    lists: new Map([[4, list]]),
  };
}

/** Texts that a report prints as they were entered. */
export interface Texts {
  name: string;
  note: string;
  /** Of the company, the operator and the lists. */
  company: string;
}

/** Rates of two thresholds, one of a Trust Flow; too few persons have three photos. */
export function siteRatesReport(flow: string, group = 'Yard'): Omit<SiteRatesReport, 'language'> {
  return {
    company: 'Harbour Registry',
    operator: 'Maren Holt',
    made: new Date('2026-03-02T09:30:00.000Z'),
    version: '0.0.0',
    rates: {
      pipeline: trusted.pipeline('standard-1'),
      enrolled: 2_700,
      searches: 400,
      mated: 180,
      byLikeness: 12,
      defaultFmr: 1e-4,
      rows: [1e-4, 1e-6].map((fmr, i) => ({
        fmr,
        flows: i === 0 ? [flow] : [],
        fpir: shareOf([94, 1][i]!, 400),
        decidedDifferent: [20, 0][i]!,
        fnir: shareOf([7, 19][i]!, 180),
        fnirByPhotos: [shareOf([6, 15][i]!, 105), shareOf([1, 3][i]!, 50), shareOf(0, 25)],
      })),
    },
    groups: {
      rates: [
        {
          fmr: 1e-4,
          groups: [
            { group, people: 40, fmr: shareOf(3, 7_020), fnmr: shareOf(9, 120) },
            { group: 'Office', people: 60, fmr: shareOf(0, 15_930), fnmr: shareOf(2, 180) },
          ],
          worstFmr: { group, isClear: true },
          worstFnmr: { group, isClear: false },
        },
      ],
      tooSmall: [{ group: 'Visitors', people: 7, matedPairs: 21 }],
      ungrouped: 4,
    },
  };
}

/** @returns a PDF of each kind whose names, notes, company and operator are these texts */
export async function reportsWith(
  { name, note, company }: Texts,
  language: 'en' | 'ar',
): Promise<Record<keyof typeof pdfReports, Uint8Array>> {
  const texts = { language, company, operator: name } as const;
  const search = searchReport();
  const words = { severity: 'stop', ...ofTexts(() => note) } as const;
  const candidates = search.candidates.map((each) => ({
    ...each,
    ...{ name, person: each.person && name, list: each.list && company, listing: each.listing && words },
  }));
  const usual = caseReport();
  const own = usual.own && { ...usual.own, name };
  const hits = usual.hits.map((hit) => ({ ...hit, name, list: company, listing: words }));
  const matches = usual.matches.map((match) => ({
    ...match,
    ...{ list: match.list && company, listing: match.listing && words },
    ...{ probe: { ...match.probe, name }, face: { ...match.face, name } },
  }));
  const history = usual.history.map((step) => ({ ...step, by: name, note }));
  const comparison = faceComparisonReport();
  const signatures = signatureReport();
  const said = { ...signatures.record, templateId: name, verificationId: note };
  return {
    siteRates: await pdfReports.siteRates({ ...siteRatesReport(company, name), ...texts }),
    use: await pdfReports.use({ ...reportOfUse(name, company), ...texts }),
    search: await pdfReports.search({
      ...search,
      ...texts,
      candidates,
      probe: { ...search.probe, fileName: `${name} 12.jpg` },
      watchlists: [
        ...search.watchlists.slice(0, 1),
        { id: 4, name: company, faces: 50_000, persons: 50_000 },
      ],
      faces: search.faces.map((face) => ({ ...face, best: face.best && candidates[0]! })),
    }),
    duplicateGroup: await pdfReports.duplicateGroup(
      duplicateGroupReport({ ...texts, name, note, list: company }),
    ),
    signatures: await pdfReports.signatures({ ...signatures, ...texts, record: said, comparedBy: name }),
    knownSignatures: await pdfReports.knownSignatures({
      ...(await knownReport()),
      ...texts,
      comparedBy: name,
    }),
    examination: await pdfReports.examination({ ...examinationReport(name, note), ...texts }),
    caseFolder: await pdfReports.caseFolder({ ...caseFolderReport(name, note), ...texts }),
    erasure: await pdfReports.erasure({ ...erasureReport(), ...texts, by: name }),
    faceCase: await pdfReports.faceCase({
      ...{ ...usual, ...texts, name, own, hits, matches, history, reference: note, trustFlowName: company },
    }),
    faceComparison: await pdfReports.faceComparison({
      ...{ ...comparison, ...texts, comparedBy: name },
      record: { ...comparison.record, templateId: name, verificationId: note },
    }),
  };
}

/** Names, notes and companies in five scripts, with digits and brackets; of Chinese no letters are shipped. */
export const SCRIPTS: Readonly<Record<string, Texts>> = {
  latin: {
    name: 'Łukasz Müller-Đặng O’Brien',
    note: 'Gate 12 (north), ref. 4711/26.',
    company: 'Société Générale d’Accueil',
  },
  arabic: {
    name: 'محمّد عبد الله الحسيني',
    note: 'البوابة ١٢ (شمال)، مرجع 4711/26.',
    company: 'هيئة الموانئ',
  },
  persian: { name: 'زهرا گل‌محمدی', note: 'دروازهٔ ۱۲ (شمالی)، شماره ۴۷۱۱.', company: 'سازمان بنادر' },
  urdu: { name: 'محمد شکیل بٹ', note: 'گیٹ ۱۲ (شمال)، حوالہ ۴۷۱۱۔', company: 'بندرگاہ اتھارٹی' },
  hebrew: { name: 'שָׂרָה בן־דוד', note: 'שער 12 (צפון), מס׳ 4711/26.', company: 'רשות הנמלים' },
  devanagari: { name: 'प्रिया श्रीवास्तव', note: 'द्वार १२ (उत्तर), सं. 4711/26।', company: 'पत्तन प्राधिकरण' },
  thai: { name: 'สมชาย น้ำผึ้ง', note: 'ประตู ๑๒ (เหนือ) เลขที่ 4711/26', company: 'การท่าเรือ' },
  chinese: { name: '王芳', note: '北門 12 號（4711）', company: '港務局' },
};
