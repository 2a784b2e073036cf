/** Enrols 1,000 real photos while the service is killed again and again, then counts what is there from every side. */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PipelineId } from '../core/contracts/ids.ts';
import { readLedger } from '../test/support/ledger.ts';
import { run, startService, tokenFor } from '../test/support/serviceProcess.ts';
import { lfwPhotos } from './data.ts';
import { publish, table } from './report.ts';

const PHOTOS = 1000;
const KILLS = 8;
const COMPANY = 'Durability';

const work = mkdtempSync(join(tmpdir(), 'vouch-durability-'));
try {
  const photos = join(work, 'photos');
  for (const { path, name } of lfwPhotos(PHOTOS)) {
    mkdirSync(dirname(join(photos, name)), { recursive: true });
    copyFileSync(path, join(photos, name));
  }
  const home = join(work, 'home');
  let service = await startService(home);
  const port = Number(new URL(service.address).port);
  await run(home, ['company', 'create', COMPANY]);
  const token = await tokenFor(home, COMPANY, 'enroll');
  const { pipelineId } = JSON.parse((await run(home, ['--json', 'status'])).stdout) as {
    pipelineId: PipelineId;
  };
  const csv = join(work, 'answers.csv');
  const args = ['enroll', photos, '--address', service.address, '--output', csv];
  const enrolling = run(home, args, { VOUCH_TOKEN: token });
  for (let kill = 0; kill < KILLS; kill += 1) {
    await sleep(1500 + Math.random() * 4000);
    await service.kill();
    service = await startService(home, port);
  }
  const first = await enrolling;
  const second = await run(home, args, { VOUCH_TOKEN: token });
  await service.stop();
  const answers = readFileSync(csv, 'utf8').trim().split('\r\n').slice(1);
  const enrolled = answers.filter((line) => line.includes(',enrolled,')).length;
  const ledger = await readLedger(home, COMPANY, pipelineId);
  publish({
    name: 'durability',
    title: 'Durability: kill -9 in the middle',
    body: `${PHOTOS} photos (LFW) enrolled by \`vouch enroll\` while the service was killed (SIGKILL) ${KILLS} times at random moments and started again; then the same command once more. Exit codes ${first.code} and ${second.code} (3: done, some images failed).

${table(
  ['counted', 'number'],
  [
    ['photos answered', answers.length],
    ['answered as enrolled', enrolled],
    ['Trust Validations', ledger.validations.length],
    ['of different names', new Set(ledger.validations).size],
    ['matchable faces', ledger.faces],
    ['image files on disk', ledger.files],
    ['of them readable and belonging to a face', ledger.readable],
    ['still waiting', ledger.waiting],
  ],
)}

All numbers but the first must be equal, the last 0: no image enrolled twice, no orphan file, no validation without its image, none for a failure.`,
  });
} finally {
  rmSync(work, { recursive: true, force: true });
}
