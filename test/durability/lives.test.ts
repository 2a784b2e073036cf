/**
 * One program enrols, erases, imports, takes imports back, makes backups, restores and updates until it is killed; the next
 * start finds all that was acknowledged and nothing that is half done. `VOUCH_KILLS=2000` for the long run.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkInstallation } from '../support/kills/check.ts';
import { isHealthy, makeInstallation } from '../support/kills/installation.ts';
import { NEW_INSTALLATION, statesAfter, type Model, type Said } from '../support/kills/model.ts';
import { randomOf, SEED } from '../support/seed.ts';
import { temporaryFolder } from '../support/site.ts';

const KILLS = Number(process.env.VOUCH_KILLS ?? 4);
/** Kills of one installation; then another one is made, whose log is short again. */
const KILLS_EACH = 100;
/** Of steps before a kill: most lives are short, some do many things. */
const MAX_STEPS = 3_000;
/** Kills that follow each other without a check, so that what a start repairs is cut off too. */
const MAX_UNCHECKED = 3;
const LIFE = join(import.meta.dirname, '../support/kills/life.ts');

test(`killed ${KILLS} times, acknowledged work is there (VOUCH_SEED=${SEED})`, async (t) => {
  t.diagnostic(`VOUCH_SEED=${SEED}`);
  const folder = temporaryFolder(t);
  const counts = new Map<string, number>();
  let models: Model[] = [];
  let receipts: string[] = [];
  let sayings: string[] = [];
  let home = '';
  let unchecked = 0;
  for (let life = 0; life < KILLS; life += 1) {
    if (life % KILLS_EACH === 0) {
      home = join(folder, String(life));
      mkdirSync(home);
      await makeInstallation(home);
      [models, receipts, sayings, unchecked] = [[NEW_INSTALLATION], [], [], 0];
    }
    const random = randomOf(SEED, life * 2 + 1);
    const steps = Math.floor(MAX_STEPS ** random());
    const milliseconds = random() < 0.2 ? 1 + Math.floor(random() * 2_000) : 0;
    const { signal, stdout, stderr } = spawnSync(
      process.execPath,
      [LIFE, ...[home, SEED, life * 2, steps, milliseconds].map(String)],
      { encoding: 'utf8', env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') } },
    );
    const about = `life ${life} of VOUCH_SEED=${SEED}, killed ${milliseconds > 0 ? `after ${milliseconds} ms` : `before step ${steps}`}`;
    sayings.push(`${about}: ${stdout.trim().split('\n').at(-1)}`);
    assert.equal(signal, 'SIGKILL', `${about} ended otherwise: ${stderr}\n${sayings.slice(-6).join('\n')}`);
    const said = stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Said);
    for (const line of said) if ('done' in line) counts.set(line.done, (counts.get(line.done) ?? 0) + 1);
    const possible = statesAfter(models, said, isHealthy);
    models = possible.models;
    receipts.push(...possible.receipts);
    const isLast = life === KILLS - 1 || (life + 1) % KILLS_EACH === 0;
    unchecked += 1;
    if (!isLast && unchecked <= MAX_UNCHECKED && random() < 0.4) continue;
    unchecked = 0;
    const { model, faults } = await checkInstallation(home, models, receipts);
    assert.deepEqual(faults, [], `${about}\n${sayings.slice(-6).join('\n')}`);
    models = [model!];
  }
  t.diagnostic(`acknowledged: ${[...counts].map(([what, count]) => `${count} ${what}`).join(', ')}`);
});
