/**
 * `npm run test:ceph`: starts the S3 gateway of Ceph, which is thrown away afterwards, and runs the tests of images on S3 on it.
 * Needs root and Debian's packages `radosgw`, `ceph-mon` and `ceph-osd`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { ACCOUNT, startCephGateway } from '../test/support/cephGateway.ts';
import { writeCredentials } from '../test/support/s3Server.ts';
import { messageOf } from '../core/contracts/errors/problem.ts';

const TESTED = ['core/storage/images/places/bucketPlace.test.ts', 'test/durability/bucket.test.ts'];

const gateway = await startCephGateway().catch((cause: unknown) => {
  console.error(`Nothing was tested on Ceph. ${messageOf(cause)}`);
  process.exit(1);
});
const folder = mkdtempSync(join(tmpdir(), 'vouch-ceph-test-'));
try {
  console.log(`Ceph ${gateway.version}`);
  const { endpoint, admin } = gateway;
  const client = new S3Client({ endpoint, region: 'default', credentials: ACCOUNT, forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: 'any' }));
  client.destroy();
  const parameters = `endpoint=${endpoint}&region=default&credentials=${writeCredentials(folder)}`;
  // One file at a time: each test makes the bucket anew.
  const options = ['--test', '--test-concurrency=1', '--test-timeout=300000', ...TESTED];
  const tests = spawn(process.execPath, options, {
    stdio: 'inherit',
    env: {
      ...process.env,
      VOUCH_TEST_CEPH: JSON.stringify({ endpoint, admin }),
      VOUCH_S3_TEST: `s3://any/site?${parameters}`,
    },
  });
  // The gateway is stopped when the run is.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      tests.kill(signal);
    });
  const [status] = (await once(tests, 'close')) as [number | null];
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
  await gateway.stop();
}
