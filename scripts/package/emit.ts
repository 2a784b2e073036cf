/** The service's code as a package ships it: JavaScript, so that no start strips types. */
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { basename, dirname, join, sep } from 'node:path';

const CORE = join(import.meta.dirname, '..', '..', 'core');
/** Tests, types and notes; and the builders of the kernels, which are shipped as WebAssembly. */
const NOT_SHIPPED = /\.(test\.ts|d\.ts|md)$|^tsconfig\.json$/;
const BUILDERS = [join('kernel', 'assembly'), join('kernel', 'build.ts')];

/**
 * Writes `core/` to a folder with every `NAME.ts` as `NAME.js`. Types become blanks, so lines and columns of a stack are those of
 * the source. Strings that name a source file, such as the program of a worker, follow.
 */
export async function emitCore(target: string): Promise<void> {
  const entries = await readdir(CORE, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const file = join(entry.parentPath, entry.name);
    if (!entry.isFile() || NOT_SHIPPED.test(entry.name)) continue;
    if (BUILDERS.some((builder) => file.includes(`${sep}${builder}`))) continue;
    const emitted = join(target, file.slice(CORE.length));
    await mkdir(dirname(emitted), { recursive: true });
    if (file.endsWith('.ts'))
      await writeFile(
        join(dirname(emitted), `${basename(file, '.ts')}.js`),
        emittedCode(await readFile(file, 'utf8'), dirname(file)),
      );
    else await copyFile(file, emitted);
  }
}

/** @param folder of the source file */
function emittedCode(source: string, folder: string): string {
  return stripTypeScriptTypes(source).replace(
    /(['"])(\.{1,2}\/[^'"\n]+)\.ts\1/g,
    (literal, quote: string, path: string) =>
      existsSync(join(folder, `${path}.ts`)) ? `${quote}${path}.js${quote}` : literal,
  );
}
