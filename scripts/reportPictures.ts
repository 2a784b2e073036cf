/**
 * Draws a report of each kind with names of several scripts, in both languages, as PDF and picture:
 * `node scripts/reportPictures.ts FOLDER`. Needs Debian's package `poppler-utils`.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reportsWith, SCRIPTS } from '../test/support/sampleReports.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('Name a folder for the reports: node scripts/reportPictures.ts FOLDER');
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
for (const [script, texts] of Object.entries(SCRIPTS))
  for (const language of ['en', 'ar'] as const)
    for (const [kind, pdf] of Object.entries(await reportsWith(texts, language))) {
      const file = join(folder, `${kind}-${script}-${language}`);
      writeFileSync(`${file}.pdf`, pdf);
      const { status, error } = spawnSync('pdftoppm', ['-r', '70', '-png', `${file}.pdf`, file]);
      if (status !== 0) throw new Error(`pdftoppm could not draw ${file}.pdf.`, { cause: error });
    }
