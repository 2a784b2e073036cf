/** The papers of the package: makers and licences of the files (licences/, a CycloneDX list) and their hashes. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { InstalledPackage } from './closure.ts';
import { walk } from './tar.ts';

const LICENCE_FILE = /^(licen[cs]e|notice|copying|thirdparty)/i;

/** One of the networks, from models/manifest.json. */
export interface ShippedModel {
  name: string;
  file: string;
  sha256: string;
  licence: string;
  origin: string;
  /** File with the text of its licence, where no package brings it. */
  licenceFile?: string;
}

/** A shipped file that no package brings. */
type ShippedFile = Pick<ShippedModel, 'file' | 'licence' | 'origin' | 'licenceFile'>;

/** Tables that were drawn from the data of another project. */
export const shippedData = (project: string): ShippedFile[] => [
  {
    file: 'hanVariants.json',
    licence: 'Apache-2.0',
    origin: 'forms of Han characters, from OpenCC 1.4.1 (https://github.com/BYVoid/OpenCC)',
    licenceFile: join(project, 'models', 'vendor', 'LICENCE.txt'),
  },
];

/** Copies the licence texts of every package; where a package brings none, what it says of itself. */
export async function writeLicences(
  folder: string,
  packages: readonly InstalledPackage[],
  others: readonly ShippedFile[],
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const table: string[] = [];
  for (const one of packages) {
    const name = `${one.name.replace('/', '+')}@${one.version}`;
    const files = (await readdir(one.folder)).filter((file) => LICENCE_FILE.test(file)).sort();
    await mkdir(join(folder, name), { recursive: true });
    for (const file of files) await copyFile(join(one.folder, file), join(folder, name, file));
    if (files.length === 0)
      await writeFile(
        join(folder, name, 'LICENCE'),
        `${one.name} ${one.version}\nLicence: ${one.licence}\nAuthor: ${one.author ?? 'not named'}\nThe package brings no text of its licence.\n`,
      );
    table.push(`${one.name} ${one.version}: ${one.licence}`);
  }
  for (const { file, licence, origin, licenceFile } of others) {
    table.push(`${file}: ${licence}; ${origin}`);
    if (licenceFile !== undefined) await copyFile(licenceFile, join(folder, `${file}.LICENCE.txt`));
  }
  await writeFile(join(folder, 'README.txt'), `${table.sort().join('\n')}\n`);
}

/** A software bill of materials, CycloneDX 1.6, the same for the same content. */
export function softwareBill(product: {
  version: string;
  epoch: number;
  commit: string;
  packages: readonly InstalledPackage[];
  models: readonly ShippedModel[];
}): object {
  const { version, epoch, commit, packages, models } = product;
  const libraries = packages.map((one) => ({
    type: 'library',
    'bom-ref': purl(one),
    name: one.name,
    version: one.version,
    purl: purl(one),
    licenses: [licenceOf(one.licence)],
  }));
  const networks = models.map((one) => ({
    type: 'machine-learning-model',
    'bom-ref': `model:${one.name}`,
    name: one.name,
    description: one.origin,
    hashes: [{ alg: 'SHA-256', content: one.sha256 }],
    licenses: [licenceOf(one.licence)],
  }));
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(`vouch ${version} ${commit}`)}`,
    version: 1,
    metadata: {
      timestamp: new Date(epoch * 1000).toISOString(),
      component: {
        type: 'application',
        'bom-ref': 'vouch',
        name: 'vouch',
        version,
        licenses: [licenceOf('MIT')],
      },
    },
    components: [...libraries, ...networks],
    dependencies: [
      { ref: 'vouch', dependsOn: [...libraries, ...networks].map((one) => one['bom-ref']).sort() },
    ],
  };
}

/** `sha256sum -c SHA256SUMS` checks a folder. */
export async function writeSums(folder: string): Promise<void> {
  const lines: string[] = [];
  for await (const { path, entry } of walk(folder))
    if (entry.isFile()) lines.push(`${await sha256File(join(folder, path))}  ${path}\n`);
  await writeFile(join(folder, 'SHA256SUMS'), lines.join(''));
}

export async function sha256File(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

export async function readModels(project: string): Promise<ShippedModel[]> {
  const { nets } = JSON.parse(await readFile(join(project, 'models', 'manifest.json'), 'utf8')) as {
    nets: Record<
      string,
      { file: string; sha256: string; source: { licence: string; origin: string; vendored?: unknown } }
    >;
  };
  return Object.entries(nets).map(([name, { file, sha256, source }]) => ({
    name,
    file,
    sha256,
    licence: source.licence,
    origin: source.origin,
    ...(source.vendored !== undefined && { licenceFile: join(project, 'models', 'vendor', 'LICENCE.txt') }),
  }));
}

function purl({ name, version }: InstalledPackage): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

/** An SPDX id, or an expression of several. */
function licenceOf(licence: string): object {
  return /^[\w.+-]+$/.test(licence) ? { license: { id: licence } } : { expression: licence };
}

/** A version 8 UUID (RFC 9562) from a hash. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
