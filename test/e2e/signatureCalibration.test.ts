import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import sharp from 'sharp';
import { EXIT } from '../../core/cli/terminal/output.ts';
import { runProgram } from '../../core/cli/run.ts';
import {
  SIGNATURE_FAULTS,
  SIGNATURE_REASONS,
  SIGNATURE_REASON_TEXT,
  unusableSignature,
} from '../../core/contracts/signatures.ts';
import { LocalApi } from '../../core/cli/client/localClient.ts';
import { openForCommands } from '../../core/service/offline.ts';
import { temporaryFolder } from '../support/site.ts';

const paper = (side: number) =>
  sharp({ create: { width: side, height: side, channels: 3, background: 'white' } })
    .png()
    .toBuffer();

test('the terminal names each unusable signature file with its reason', async (t) => {
  const home = temporaryFolder(t);
  const store = await openForCommands({ home, workers: 1 });
  await new LocalApi(store.send).open('POST /local/companies', { body: { name: 'Acme' } });
  await store.close();
  const folder = temporaryFolder(t);
  const files = {
    [join('ada', 'blank.png')]: await paper(200),
    [join('ada', 'small.png')]: await paper(20),
    [join('bela', 'broken.png')]: Buffer.from('no image'),
    [join('bela', 'empty.png')]: await paper(201),
  };
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    writeFileSync(join(folder, file), content);
  }
  const lines: string[] = [];
  const log = t.mock.method(console, 'log', (text: string) => lines.push(text));
  const line = ['--home', home, 'signature-calibration', 'measure', folder, '--company', 'Acme'];
  const code = await runProgram(line).finally(() => log.mock.restore());
  assert.equal(code, EXIT.ok, lines.join('\n'));
  const reasons = lines.filter((each) => each.startsWith('  ')).toSorted();
  const said = (file: string, reason: string) => `  ${join(folder, file)}: ${reason}`;
  assert.deepEqual(reasons, [
    said(join('ada', 'blank.png'), SIGNATURE_REASON_TEXT.BLANK),
    said(join('ada', 'small.png'), unusableSignature('TOO_SMALL')),
    said(join('bela', 'broken.png'), unusableSignature('UNDECODABLE')),
    said(join('bela', 'empty.png'), SIGNATURE_REASON_TEXT.BLANK),
  ]);
});

test('each reason and each fault of a signature file has words of its own', () => {
  const texts = [...SIGNATURE_REASONS, ...SIGNATURE_FAULTS].map((code) => unusableSignature(code));
  for (const text of texts) assert.match(text, /^\w.* .*\.$/);
  assert.equal(new Set(texts).size, texts.length);
});
