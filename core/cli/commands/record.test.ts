import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Command } from 'commander';
import { temporaryFolder } from '../../../test/support/site.ts';
import { writeElement } from '../../decoding/records/tlv.ts';
import { personsOfTable } from '../../uploader/photoPersons.ts';
import { addRecordCommands } from './record.ts';

const ZONE = 'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<L898902C36UTO7408122F1204159ZE184226B<<<<<10';
const group1 = (zone: string) => writeElement(0x61, writeElement(0x5f1f, Buffer.from(zone, 'latin1')));

test('the holders of passports become a table of persons that the enrolment reads', async (t) => {
  const folder = temporaryFolder(t);
  const put = (name: string, content: Uint8Array) => writeFileSync(join(folder, name), content);
  // The names alone are looked at, so the beginning of a record is enough.
  const record = Buffer.from('FAC\x00010\x00', 'latin1');
  for (const name of ['one', 'several']) mkdirSync(join(folder, name));
  put('one/com.bin', group1(ZONE));
  put('one/face.bin', record);
  put('several/A_DG1.bin', group1(ZONE.replace('L898902C36', 'X898902C30')));
  put('several/A_DG2.bin', record);
  put('several/B_DG2.bin', record);
  const run = (output: string) => {
    const program = new Command('vouch').exitOverride();
    const show = () => undefined;
    addRecordCommands(program, { home: () => folder, isJson: () => true, show, print: show });
    return program.parseAsync(['record', 'persons', folder, output], { from: 'user' });
  };
  const output = join(folder, 'persons.csv');
  await run(output);
  const found = personsOfTable(readFileSync(output, 'utf8'), [
    'one/face.bin',
    'several/A_DG2.bin',
    'several/B_DG2.bin',
  ]);
  assert.ok('persons' in found);
  assert.deepEqual(
    [...found.persons],
    [
      ['one/face.bin', { name: 'ANNA MARIA ERIKSSON', externalId: 'UTO L898902C3' }],
      ['several/A_DG2.bin', { name: 'ANNA MARIA ERIKSSON', externalId: 'UTO X898902C3' }],
    ],
  );
  rmSync(join(folder, 'one'), { recursive: true });
  rmSync(join(folder, 'several', 'A_DG1.bin'));
  const other = join(folder, 'other.csv');
  await assert.rejects(run(other), /has no EF\.DG1 that belongs to a face record.*Nothing was written/);
  assert.ok(!existsSync(other));
  put('several/A_DG1.bin', group1(ZONE.replace('L898902C3', 'L898902G3')));
  await assert.rejects(run(other), /several\/A_DG1\.bin: .*check digit.*Nothing was written/);
  assert.ok(!existsSync(other));
});
