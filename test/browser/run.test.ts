/** The run of a window: whose answers change it. */
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { countPersons } from '../../core/uploader/photoPersons.ts';
import { personsFrom, withPersons } from '../../renderer/screens/enrol/droppedFiles.ts';
import { newRun, patchItems, patchRun, runs } from '../../renderer/screens/enrol/run.ts';

test('an answer that comes when another run is shown changes nothing of it', () => {
  const files = [{ path: 'a.jpg', file: new File([], 'a.jpg') }];
  const cancelled = newRun(files, { kind: 'duplicate' });
  const shown = newRun(files, { kind: 'duplicate' });
  runs.setState({ run: shown });
  patchItems(cancelled, new Map([[0, { state: 'enrolled' }]]));
  patchRun(cancelled, { held: 'The disk is full.' });
  assert.equal(runs.getState().run, shown);
  patchItems(shown, new Map([[0, { state: 'enrolled' }]]));
  assert.equal(runs.getState().run?.items[0]?.state, 'enrolled');
});

test('persons of a chosen folder go with its photos, from folders and from a table', async () => {
  const paths = ['staff/loose.jpg', 'staff/Ann/1.jpg', 'staff/Bea/1.jpg'];
  const files = paths.map((path) => ({ path, file: new File([], path) }));
  const folders = await personsFrom('folder', files);
  assert.deepEqual(
    newRun(withPersons(files, folders), { kind: 'duplicate' }).items.map(
      ({ person }) => person?.name ?? null,
    ),
    [null, 'Ann', 'Bea'],
  );
  const table = ['\ufefffile;name;external id', 'loose.jpg;Zoe;7', 'Bea/1.jpg;Zoe;7', '1.jpg;Ann;8'].join(
    '\n',
  );
  const listed = await personsFrom('file', files, new File([table], 'persons.csv'));
  assert.equal(countPersons(listed.found!).persons, 1);
  const sent = withPersons(files, listed);
  assert.deepEqual(
    sent.map(({ person }) => person?.externalId ?? null),
    ['7', null, '7'],
  );
  assert.deepEqual(
    listed.found?.faults.map(({ row, kind }) => [row, kind]),
    [[4, 'severalPhotos']],
  );
  const latin = await personsFrom('file', files, new File([Uint8Array.of(0xeb)], 'persons.csv'));
  assert.deepEqual([latin.found, latin.unusable], [null, 'encoding']);
});
