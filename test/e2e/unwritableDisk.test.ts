/**
 * Services on a disk that lets nothing be written any more say so, and end. A loop device has the disk, so root is needed.
 * `VOUCH_STOPS=20` for the long run.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmdirSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { EXIT } from '../../core/cli/terminal/output.ts';
import type { DiagnosticCode, HealthReport } from '../../core/contracts/diagnostics.ts';
import { portrait } from '../support/facePhotos.ts';
import { createCompany } from '../support/atHome.ts';
import { run, startService, tokenFor } from '../support/serviceProcess.ts';
import { temporaryFolder } from '../support/site.ts';
import { WITHOUT_FILE } from '../support/testServer.ts';

const STOPS = Number(process.env.VOUCH_STOPS ?? 1);
/** Bytes of a disk with a home. */
const DISK = 160 * 2 ** 20;
const PHOTOS = 6;

interface Disk {
  folder: string;
  /** Has the kernel find an error, after which it lets nothing be written. */
  fail(): void;
  /** Leaves no block free. */
  fill(): void;
}

function tool(...command: [string, ...string[]]): string | undefined {
  const [program, ...options] = command;
  const { status, stdout } = spawnSync(program, options, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/** @returns undefined: this account may not mount a disk */
function mountDisk(t: TestContext): Disk | undefined {
  const image = join(temporaryFolder(t), 'disk');
  writeFileSync(image, '');
  truncateSync(image, DISK);
  tool('mkfs.ext4', '-q', '-m', '0', image);
  const folder = mkdtempSync(join(tmpdir(), 'vouch-disk-'));
  t.after(() => {
    tool('umount', '--lazy', folder);
    rmdirSync(folder);
  });
  if (tool('mount', '-o', 'loop,errors=remount-ro', image, folder) === undefined) return undefined;
  const device = tool('findmnt', '--noheadings', '--output', 'SOURCE', folder) ?? '';
  return {
    folder,
    fail() {
      writeFileSync(join('/sys/fs/ext4', basename(device), 'trigger_fs_error'), '1');
    },
    fill() {
      const file = openSync(join(folder, 'filler'), 'w');
      for (const part of [2 ** 20, 4096, 1])
        assert.throws(() => {
          for (;;) writeSync(file, Buffer.alloc(part));
        }, /ENOSPC/);
      closeSync(file);
    },
  };
}

async function upload(address: string, token: string): Promise<void> {
  const form = new FormData();
  for (let photo = 0; photo < PHOTOS; photo += 1)
    form.append('images[]', new Blob([await portrait(photo, photo)]), `${photo}.jpg`);
  const headers = { authorization: `Bearer ${token}` };
  const { status } = await fetch(`${address}/api/v3/duplicate-detection/faces`, {
    method: 'POST',
    headers,
    body: form,
  });
  assert.equal(status, 202);
}

const FAULTS = [
  { what: 'read-only', spoil: 'fail', found: 'permissionsReadOnly', said: /mounted read-only/ },
  { what: 'full', spoil: 'fill', found: 'diskUnusable', said: /is full/ },
] as const satisfies { found: DiagnosticCode; [name: string]: unknown }[];

for (const { what, spoil, found, said } of FAULTS)
  test(
    `a service whose disk is ${what} says so, and ends by SIGTERM`,
    { skip: WITHOUT_FILE, timeout: 120_000 * STOPS },
    async (t) => {
      const longest = { idle: 0, busy: 0 };
      for (let stop = 0; stop < STOPS; stop += 1) {
        const disk = mountDisk(t);
        if (disk === undefined) {
          t.skip('this account may not mount a disk');
          return;
        }
        const home = join(disk.folder, 'home');
        mkdirSync(home);
        const service = await startService(home);
        t.after(() => service.kill());
        await createCompany(home, 'Acme');
        const load = stop % 2 === 0 ? 'busy' : 'idle';
        const token = await tokenFor(home, 'Acme', 'enroll');
        assert.equal((await run(home, ['settings', 'set', 'minFreeBytes=1MiB'])).code, EXIT.ok);
        if (load === 'busy') await upload(service.address, token);
        disk[spoil]();
        for (const path of ['/health', '/health/ready'])
          assert.equal((await fetch(service.address + path)).status, 503, path);
        assert.equal((await fetch(`${service.address}/health/live`)).status, 200);
        const doctor = await run(home, ['--json', 'doctor']);
        const { checks } = JSON.parse(doctor.stdout) as HealthReport;
        assert.equal(doctor.code, EXIT.failed);
        assert.ok(
          checks.some(({ code }) => code === found),
          doctor.stdout,
        );
        const begun = performance.now();
        // It could not write its last anchor, and leaves no process and no lock behind.
        await service.stop(EXIT.failed);
        longest[load] = Math.max(longest[load], performance.now() - begun);
        const again = await run(home, ['serve', '--port', '0']);
        assert.equal(again.code, EXIT.failed);
        assert.match(again.stderr, said);
      }
      t.diagnostic(
        `${STOPS} of ${STOPS} ended; longest ${Math.round(longest.idle)} ms idle, ${Math.round(longest.busy)} ms busy`,
      );
    },
  );
