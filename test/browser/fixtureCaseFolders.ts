/** Case folders on the mock API server: one that is filled, one that was changed and is closed, one that is empty. */
import {
  caseFolder,
  caseFolderList,
  newCaseItem,
  type CaseEntry,
  type CaseFolder,
} from '../../core/contracts/dashboard/caseFolders.ts';
import { at, personName } from './fixtures.ts';

type Answer = [status: number, body: unknown];

const NOTHING = {
  ...{ target: null, about: null, digest: null, state: null, text: '', file: null, face: null },
  examination: null,
} as const;
const digestOf = (position: number) => position.toString(16).padStart(2, '0').repeat(32);

/** @param parts each with its kind; what is put in has a hash */
function entriesOf(parts: readonly (Partial<CaseEntry> & Pick<CaseEntry, 'kind'>)[]): CaseEntry[] {
  return parts.map((part, index) => {
    const holds = part.kind !== 'viewed' && part.kind !== 'fileRead';
    return {
      ...NOTHING,
      position: index + 1,
      at: at(-40 + index),
      byName: index % 3 === 2 ? 'Idris Vale' : 'Maren Holt',
      ...(holds && { digest: digestOf(index + 1), state: 'kept' as const }),
      ...part,
    };
  });
}

const faceOf = (id: number) => ({ id, name: personName(id) });
const FILLED = entriesOf([
  { kind: 'opened', text: 'Two applications for a loan on one day, in two branches' },
  { kind: 'probe', face: faceOf(21) },
  { kind: 'candidate', face: faceOf(22) },
  { kind: 'viewed' },
  { kind: 'examination', examination: 4 },
  { kind: 'note', text: 'The branch in the harbour has the original form', about: 3 },
  {
    kind: 'file',
    file: { name: 'application form.pdf', type: 'application/pdf', bytes: 482_331 },
  },
  { kind: 'candidate', state: 'erased' },
  { kind: 'note', state: 'removed' },
  { kind: 'removed', target: 9, text: 'Belongs to another case folder' },
  { kind: 'fileRead', target: 7 },
]);
const CHANGED = entriesOf([
  { kind: 'opened' },
  { kind: 'note', text: 'The card was reported lost', state: 'changed' },
  { kind: 'closed', text: 'Given to the prosecutor' },
]);

export function newCaseFolderState(): Map<number, CaseFolder> {
  const common = {
    reference: '',
    openedAt: at(-40),
    maxFileBytes: 10 * 1024 * 1024,
    firstBad: null,
    newestHash: digestOf(9),
  };
  const folders: CaseFolder[] = [
    {
      ...{ ...common, id: 1, reference: '2026/117', title: 'Loans in two branches', state: 'open' },
      ...{ items: 6, entries: FILLED },
    },
    { ...common, id: 2, title: 'Lost card', state: 'closed', items: 1, entries: CHANGED, firstBad: 2 },
    { ...common, id: 3, title: 'New case', state: 'open', items: 0, entries: CHANGED.slice(0, 1) },
  ];
  return new Map(folders.map((folder) => [folder.id, folder]));
}

export function answerCaseFolders(
  { caseFolders, behaviour }: { caseFolders: Map<number, CaseFolder>; behaviour: { rows: number } },
  route: string,
  body: Buffer,
): Answer | undefined {
  if (route === 'GET /case-folders') {
    const all = behaviour.rows === 0 ? [] : [...caseFolders.values()];
    return [200, caseFolderList.parse({ items: all.toReversed() })];
  }
  if (route === 'POST /case-folders/sealed') return [200, 'a report'];
  if (route === 'POST /case-folders') return [200, { id: 3 }];
  const [, method, number, part] = /^(\w+) \/case-folders\/(\d+)(\/\w+)?$/.exec(route) ?? [];
  if (number === undefined) return undefined;
  const folder = caseFolders.get(Number(number));
  if (folder === undefined) return [404, { success: false, message: 'Not found.', code: 'NOT_FOUND' }];
  if (part === '/report' || part === '/export') return [200, 'a file'];
  const sent = JSON.parse(body.length === 0 ? '{}' : body.toString()) as Record<string, unknown>;
  const add = (entry: Partial<CaseEntry> & Pick<CaseEntry, 'kind'>) => {
    folder.entries = entriesOf([...folder.entries, entry]);
  };
  if (method === 'DELETE') {
    caseFolders.delete(folder.id);
    return [204, undefined];
  }
  if (part === '/entries') {
    const item = newCaseItem.parse(sent);
    if (item.kind === 'note') add({ kind: 'note', text: item.text, about: item.about });
    if (item.kind === 'examination') add({ kind: 'examination', examination: item.examination });
    if (item.kind === 'probe' || item.kind === 'candidate') add({ kind: item.kind, face: faceOf(item.face) });
    if (item.kind === 'file')
      add({ kind: 'file', file: { name: item.name, type: 'text/plain', bytes: item.content.length } });
  }
  if (part === '/removal') {
    const position = Number(sent.position);
    folder.entries[position - 1] = { ...folder.entries[position - 1]!, state: 'removed', text: '' };
    add({ kind: 'removed', target: position, text: String(sent.reason) });
  }
  if (part === '/state') {
    folder.state = sent.state === 'closed' ? 'closed' : 'open';
    add({ kind: folder.state === 'closed' ? 'closed' : 'reopened' });
  }
  return [200, caseFolder.parse(folder)];
}
