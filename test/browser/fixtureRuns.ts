/** Enrolment runs and failed photos of the interface that answers browser tests. */
import { problem } from '../../core/contracts/errors/problem.ts';
import {
  failureList,
  runList,
  runRow,
  unfixableChange,
  type FailureRow,
  type RunRow,
} from '../../core/contracts/dashboard/enrolmentRuns.ts';
import { watchedFolderList } from '../../core/contracts/dashboard/folders.ts';
import type { UploadDetail } from '../../core/contracts/dashboard/work.ts';
import { at, FIRST_PERSON, personName } from './fixtures.ts';

const EXAMPLE_RUN = '3c1d5a52-1f0e-4c7c-9d9e-0a2b8f1c3d55';
const SINGLE_RUN = '3c1d5a52-1f0e-4c7c-9d9e-0a2b8f1c3d56';
const FAILED_UPLOAD = '6f4d7a52-1f0e-4c7c-9d9e-0a2b8f1c3d77';

/** Folders that `vouch watch` watches. */
const WATCHED = watchedFolderList.parse({
  items: [
    {
      id: '0b1f1d1c-5f0b-4d57-9b0a-51c1b0c0aa01',
      folder: '/srv/capture/gate-4',
      state: 'watching',
      startedAt: at(-900),
      enrolled: 1_204,
      failed: 17,
      left: 0,
      problem: null,
      reportedAt: at(-1),
      lastFile: {
        path: 'IMG_2041.jpg',
        status: 'enrolled',
        trustValidationId: 239_991,
        at: at(-2),
        failureCode: null,
        cause: null,
      },
    },
    {
      id: '0b1f1d1c-5f0b-4d57-9b0a-51c1b0c0aa02',
      folder: '/srv/capture/ferry',
      state: 'lost',
      startedAt: at(-4_000),
      enrolled: 88,
      failed: 3,
      left: 2,
      reportedAt: at(-60),
      problem: problem('WATCH_SILENT'),
      lastFile: {
        path: 'cam/0007.jpg',
        status: 'failed',
        trustValidationId: null,
        at: at(-70),
        failureCode: 'NO_FACE',
        cause: null,
      },
    },
    {
      id: '0b1f1d1c-5f0b-4d57-9b0a-51c1b0c0aa03',
      folder: '/srv/capture/office',
      state: 'stopped',
      startedAt: at(-5_000),
      enrolled: 12,
      failed: 1,
      left: 0,
      reportedAt: at(-120),
      problem: problem('WATCH_ENDED'),
      lastFile: {
        path: 'scan.jpg',
        status: 'left',
        trustValidationId: null,
        at: at(-130),
        failureCode: null,
        cause: 'fixed',
      },
    },
  ],
});

const RUNS: RunRow[] = [
  {
    runId: EXAMPLE_RUN,
    name: 'Gate photos',
    source: 'dashboard',
    kind: 'duplicate',
    blacklistName: null,
    severalFaces: 'refuse',
    startedBy: 'operator:1',
    startedByName: 'Amal',
    startedAt: at(-300),
    endedAt: at(-298),
    planned: 602,
    images: 602,
    enrolled: 598,
    failed: 4,
    waiting: 0,
  },
  {
    runId: SINGLE_RUN,
    name: null,
    source: 'program',
    kind: 'blacklist',
    blacklistName: 'Barred persons',
    severalFaces: 'main',
    startedBy: 'token:4',
    startedByName: null,
    startedAt: at(-900),
    endedAt: null,
    planned: null,
    images: 2,
    enrolled: 1,
    failed: 0,
    waiting: 1,
  },
];

/** Three faces in a photo of 300 by 200 pixels, the largest in its middle. */
const THREE = {
  width: 300,
  height: 200,
  boxes: [
    { x: 110, y: 60, width: 80, height: 90 },
    { x: 10, y: 70, width: 40, height: 45 },
    { x: 180, y: 70, width: 40, height: 45 },
  ],
  unclear: [],
  onePerson: false,
};

const KNOWN = { id: FIRST_PERSON, name: personName(FIRST_PERSON) };

const failure = (id: number, facts: Partial<FailureRow>): FailureRow => ({
  id,
  uploadId: FAILED_UPLOAD,
  index: id,
  runId: EXAMPLE_RUN,
  runName: 'Gate photos',
  kind: 'duplicate',
  blacklistName: null,
  fileName: `group-${id}.png`,
  failureCode: 'MULTIPLE_FACES',
  at: at(-299),
  found: THREE,
  person: null,
  hasMainFace: false,
  fix: null,
  unfixable: null,
  ...facts,
});

const FAILURES: readonly FailureRow[] = [
  failure(4, {}),
  failure(3, { hasMainFace: true, person: KNOWN }),
  failure(2, { failureCode: 'NO_FACE', found: null, fileName: 'sideways-2.png' }),
  failure(1, {
    person: KNOWN,
    fix: {
      state: 'enrolled',
      uploadId: FAILED_UPLOAD,
      byName: 'Amal',
      at: at(-10),
      face: 2,
      faces: 3,
      failureCode: null,
    },
  }),
];

/** @param sent uploads of this test: each is a run of its own */
export function answerRuns(
  site: {
    behaviour: { rows: number; demo: number };
    fixes: Map<number, string>;
    receivedHeads: string[];
    unfixable: Map<number, NonNullable<FailureRow['unfixable']>>;
  },
  route: string,
  query: URLSearchParams,
  sent: readonly UploadDetail[],
  body: Buffer,
): [status: number, body: unknown] | undefined {
  if (route === 'DELETE /demo') site.behaviour.demo = 0;
  if (route === 'GET /demo' || route === 'DELETE /demo') return [200, { photos: site.behaviour.demo }];
  if (route === 'GET /watched-folders') return [200, site.behaviour.rows === 0 ? { items: [] } : WATCHED];
  const runs = [...sent.map(runOf), ...RUNS];
  if (route === 'GET /runs') {
    const items = site.behaviour.rows === 0 ? [] : runs;
    return [200, runList.parse({ items, nextCursor: null, total: items.length })];
  }
  const one = /^GET \/runs\/([\w-]+)$/.exec(route);
  if (one !== null) {
    const found = runs.find(({ runId }) => runId === one[1]);
    return found && [200, runRow.parse(found)];
  }
  if (route === 'GET /failures') {
    const marked = (row: FailureRow) => ({ ...row, unfixable: site.unfixable.get(row.id) ?? null });
    const all = site.behaviour.rows === 0 ? [] : FAILURES.filter(({ id }) => !site.fixes.has(id)).map(marked);
    const state = query.get('state');
    const open =
      state === 'open' || state === 'unfixable'
        ? all.filter(({ fix, unfixable }) => fix === null && (unfixable === null) === (state === 'open'))
        : all;
    const items = open.filter(({ failureCode }) => (query.get('reason') ?? failureCode) === failureCode);
    const codes = [...new Set(open.map(({ failureCode }) => failureCode))];
    const reasons = codes.map((code) => ({
      code,
      count: open.filter(({ failureCode }) => failureCode === code).length,
    }));
    return [200, failureList.parse({ items, nextCursor: null, total: items.length, reasons })];
  }
  if (route === 'PUT /failures/unfixable') {
    const { ids, unfixable, note } = unfixableChange.parse(JSON.parse(body.toString()));
    for (const id of ids)
      if (unfixable) site.unfixable.set(id, { byName: 'Amal', at: at(0), note });
      else site.unfixable.delete(id);
    return [204, null];
  }
  const fix = /^POST \/failures\/(\d+)\/fixes$/.exec(route);
  if (fix === null) return undefined;
  site.fixes.set(Number(fix[1]), query.toString());
  for (const [, head = ''] of body.toString('latin1').matchAll(/name="images\[\]"[^]*?\r\n\r\n(.{4})/gs))
    site.receivedHeads.push(head);
  return [202, { uploadId: FAILED_UPLOAD }];
}

function runOf(upload: UploadDetail): RunRow {
  const { numberOfImages, succeededCount, failedCount } = upload;
  return {
    ...RUNS[0]!,
    runId: upload.runId,
    startedAt: upload.createdAt,
    endedAt: upload.completedAt,
    planned: null,
    images: numberOfImages,
    enrolled: succeededCount,
    failed: failedCount,
    waiting: numberOfImages - succeededCount - failedCount,
  };
}
