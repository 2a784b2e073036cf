/**
 * `npm run check:boundaries`: names the imports that `.dependency-cruiser.cjs` forbids, and the folders of the program that
 * import each other. Two such folders are one module under two names. Tests and types do not count there.
 */
import { createRequire } from 'node:module';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { cruise, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';

const FOLDERS = ['core', 'electron', 'renderer', 'bench', 'research', 'test', 'scripts', 'models'];
const IN_PROGRAM = /^(core|electron|renderer)\/(?!.*\.test\.tsx?$)/;

/** @returns of each folder of the program, and of all below it, the folders that they import outside it */
function importsOfFolders({ modules }: ICruiseResult): Map<string, Set<string>> {
  const imports = new Map<string, Set<string>>();
  for (const { source, dependencies } of modules) {
    if (!IN_PROGRAM.test(source)) continue;
    for (const { resolved, dependencyTypes } of dependencies) {
      if (!IN_PROGRAM.test(resolved) || dependencyTypes.includes('type-only')) continue;
      for (let folder = dirname(source); folder !== '.'; folder = dirname(folder))
        if (!resolved.startsWith(`${folder}/`))
          imports.set(folder, (imports.get(folder) ?? new Set()).add(dirname(resolved)));
    }
  }
  return imports;
}

/** @returns whether the imports of a folder lead back to it */
function isInCircle(folder: string, imports: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const reached = new Set(imports.get(folder));
  // A set also visits what is added meanwhile.
  for (const next of reached) for (const further of imports.get(next) ?? []) reached.add(further);
  return reached.has(folder);
}

const { options, forbidden } = createRequire(join(process.cwd(), 'package.json'))(
  './.dependency-cruiser.cjs',
) as { options: object; forbidden: IForbiddenRuleType[] };
const { output } = await cruise(
  FOLDERS.filter((folder) => existsSync(folder)),
  { ...options, validate: true, ruleSet: { forbidden } },
  undefined,
  { tsConfig: extractTSConfig('tsconfig.json') },
);
if (typeof output === 'string') throw new Error(output);
const imports = importsOfFolders(output);
const found = [
  ...output.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`),
  ...[...imports.keys()]
    .filter((folder) => isInCircle(folder, imports))
    .map((folder) => `no-folder-circles: ${folder} → ${[...(imports.get(folder) ?? [])].join(', ')}`),
];
for (const each of found) console.error(each);
process.exitCode = found.length === 0 ? 0 : 1;
