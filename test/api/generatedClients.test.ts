/** Clients that are generated from the published description work against the running service. */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { createClient } from '@hey-api/openapi-ts';
import { pythonClient, type DescribedInterface } from '../support/pythonClient.ts';
import { BLACKLISTS, openScreeningSite } from './screeningSite.ts';
import { FACES, JPEG, PNG } from './site.ts';

const project = join(import.meta.dirname, '../..');
const DESCRIPTION = join(project, 'resources/openapi.json');
const run = promisify(execFile);

const signature = (text: string) =>
  `data:image/png;base64,${Buffer.concat([PNG.subarray(0, 8), Buffer.from(text)]).toString('base64')}`;
const COMPARISON = {
  image1: signature('80 a'),
  image2: signature('80 b'),
  template_id: 'accounts',
  verification_id: 'case-1183',
};
const FILES = ['one.jpg', 'two.jpg'];

/** The program of an integrator in TypeScript: it has to compile against the generated types as well. */
const TYPESCRIPT = `
import { enrolFaces, getHealth, listBlacklists, matchSignatures } from './client/index.ts';
import { client } from './client/client.gen.ts';
const [, , baseUrl, token] = process.argv;
client.setConfig({ baseUrl, auth: ({ scheme }) => (scheme === 'bearer' ? token : undefined) });
const health = await getHealth({ throwOnError: true });
const blacklists = await listBlacklists({ throwOnError: true, query: { per_page: 1 } });
const match = await matchSignatures({ throwOnError: true, body: ${JSON.stringify(COMPARISON)} });
const files = ${JSON.stringify(FILES)}.map((name) => new File([Uint8Array.from(${JSON.stringify([...JPEG])})], name));
const enrolment = await enrolFaces({ throwOnError: true, body: { 'images[]': files } });
const status: 'ok' = health.data.status;
const names: string[] = blacklists.data.data.map(({ name }) => name);
const similarity: number = match.data.result.similarity;
const images: number = enrolment.data.data.numberOfImages;
console.log(JSON.stringify({ status, names, perPage: blacklists.data.meta.per_page, similarity, images }));
`;

const PYTHON = `
import json, sys
from client import Client
client = Client(*sys.argv[1:])
_, health = client.get_health()
_, blacklists = client.list_blacklists(per_page=1)
_, match = client.match_signatures(json.loads('${JSON.stringify(COMPARISON)}'))
files = [(name, bytes(${JSON.stringify([...JPEG])})) for name in ${JSON.stringify(FILES)}]
_, enrolment = client.enrol_faces({"images[]": files})
print(json.dumps({"status": health["status"], "names": [entry["name"] for entry in blacklists["data"]],
    "perPage": blacklists["meta"]["per_page"], "similarity": match["result"]["similarity"],
    "images": enrolment["data"]["numberOfImages"]}))
`;

async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vouch-generated-'));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

/** Opens a site, runs the client against it, and compares what it printed with the state of the service. */
async function checkClient(t: TestContext, program: string, args: string[]): Promise<void> {
  const { site, newBlacklist } = await openScreeningSite(t);
  await newBlacklist('Barred');
  await newBlacklist('Watched');
  const { stdout } = await run(program, [...args, site.address, site.token]);
  const { body } = await site.call(`${BLACKLISTS}?per_page=1`);
  assert.deepEqual(JSON.parse(stdout), {
    status: 'ok',
    names: (body.data as { name: string }[]).map(({ name }) => name),
    perPage: 1,
    similarity: 80,
    images: FILES.length,
  });
  assert.equal(await site.storage.queue.waiting(), FILES.length, `${FACES} queued the images`);
}

test('a generated TypeScript client compiles and its calls succeed', async (t) => {
  const folder = await temporaryFolder(t);
  await createClient({
    input: DESCRIPTION,
    output: { path: join(folder, 'client'), module: { extension: '.ts' } },
    logs: { level: 'silent', file: false },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
  });
  const program = join(folder, 'program.ts');
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(program, TYPESCRIPT);
  const options = [
    ...['--noEmit', '--strict', '--skipLibCheck', '--allowImportingTsExtensions'],
    ...['--target', 'es2024', '--module', 'nodenext', '--lib', 'es2024,dom,dom.iterable'],
    ...['--typeRoots', join(project, 'node_modules/@types'), '--types', 'node'],
  ];
  await run(join(project, 'node_modules/.bin/tsc'), [...options, program], { cwd: folder });
  await checkClient(t, process.execPath, [program]);
});

const noPython = spawnSync('python3', ['--version']).status === 0 ? false : 'python3 is not installed';

test('a generated Python client has every operation and its calls succeed', { skip: noPython }, async (t) => {
  const folder = await temporaryFolder(t);
  const description = JSON.parse(await readFile(DESCRIPTION, 'utf8')) as DescribedInterface;
  const client = pythonClient(description);
  const operations = Object.values(description.paths).flatMap((path) => Object.keys(path));
  assert.equal(client.match(/^ {4}def [a-z]/gm)?.length, operations.length);
  await writeFile(join(folder, 'client.py'), client);
  await writeFile(join(folder, 'program.py'), PYTHON);
  await checkClient(t, 'python3', [join(folder, 'program.py')]);
});
