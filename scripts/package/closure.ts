/** Which installed packages the service needs at run time: found on the disk, as Node would find them. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { z } from 'zod';

const names = z.record(z.string(), z.string()).default({});
const description = z.object({
  name: z.string(),
  version: z.string(),
  license: z.union([z.string(), z.object({ type: z.string() })]).optional(),
  author: z.union([z.string(), z.object({ name: z.string() })]).optional(),
  dependencies: names,
  optionalDependencies: names,
  peerDependencies: names,
  peerDependenciesMeta: z.record(z.string(), z.object({ optional: z.boolean().optional() })).default({}),
});

export interface InstalledPackage {
  name: string;
  version: string;
  /** An SPDX expression, as the package says; where it says none, by the text that it brings. */
  licence: string;
  author: string | null;
  /** Absolute. */
  folder: string;
}

/** Only the install step needs these: the networks are converted by then, and Node itself is shipped as a binary. */
const NOT_AT_RUN_TIME = new Set(['node', '@vladmandic/face-api', '@vladmandic/human']);

/**
 * The packages that `dependencies` of the project name, and all that those need, by folder.
 * @throws when one is not installed
 */
export function runtimePackages(project: string): InstalledPackage[] {
  const { dependencies } = readDescription(project);
  const found = new Map<string, InstalledPackage>();
  const visit = (name: string, from: string, needed: boolean) => {
    const folder = resolvePackage(name, from);
    if (folder === undefined) {
      if (needed) throw new Error(`The package ${name}, needed by ${from}, is not installed: run npm ci.`);
      return;
    }
    if (found.has(folder)) return;
    const about = readDescription(folder);
    found.set(folder, toInstalled(about, folder));
    for (const dependency of Object.keys(about.dependencies))
      visit(dependency, folder, !(dependency in about.optionalDependencies));
    for (const dependency of Object.keys(about.optionalDependencies)) visit(dependency, folder, false);
    for (const dependency of Object.keys(about.peerDependencies))
      visit(dependency, folder, about.peerDependenciesMeta[dependency]?.optional !== true);
  };
  for (const name of Object.keys(dependencies)) if (!NOT_AT_RUN_TIME.has(name)) visit(name, project, true);
  return [...found.values()].sort((a, b) => (a.folder < b.folder ? -1 : 1));
}

/** The package in whose folder a file lies; undefined for the project's own files. */
export function packageOf(file: string, project: string): InstalledPackage | undefined {
  for (
    let folder = dirname(file);
    relative(project, folder).includes('node_modules');
    folder = dirname(folder)
  ) {
    const inside = folder.split(/[\\/]node_modules[\\/]/).at(-1) ?? '';
    const isRoot = inside.startsWith('@') ? inside.split(/[\\/]/).length === 2 : !/[\\/]/.test(inside);
    if (isRoot && existsSync(join(folder, 'package.json')))
      return toInstalled(readDescription(folder), folder);
  }
  return undefined;
}

function toInstalled(about: z.infer<typeof description>, folder: string): InstalledPackage {
  const { name, version, license, author } = about;
  return {
    name,
    version,
    licence: (typeof license === 'string' ? license : license?.type) ?? licenceByText(folder),
    author: typeof author === 'string' ? author : (author?.name ?? null),
    folder,
  };
}

/** By the opening words that only this licence has (https://spdx.org/licenses/MIT); NOASSERTION is SPDX for "not known". */
function licenceByText(folder: string): string {
  const file = join(folder, 'LICENSE');
  const known = existsSync(file) && /^(The )?MIT License\b/.test(readFileSync(file, 'utf8').trimStart());
  return known ? 'MIT' : 'NOASSERTION';
}

function readDescription(folder: string): z.infer<typeof description> {
  return description.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
}

function resolvePackage(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return candidate;
    if (dirname(folder) === folder) return undefined;
  }
}
