import { useState } from 'react';
import { Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { CaseEntry, CaseFolder } from '../../../core/contracts/dashboard/caseFolders.ts';
import {
  addToCaseFolder,
  caseFolderReport,
  caseFolderQuery,
  caseFoldersQuery,
  deleteCaseFolder,
  exportCaseFolder,
  setCaseFolderState,
} from '../../api/caseFolders.ts';
import { useMay } from '../../api/session.ts';
import { trustedInstallationsQuery } from '../../api/blacklists.ts';
import { downloadFile, ReportButton } from '../../components/ExportButton.tsx';
import { Form, FormDialog, Submit, useReauthentication } from '../../components/Form.tsx';
import { useFileChooser } from '../../components/ImageDrop.tsx';
import { Action, ErrorLine } from '../../components/Page.tsx';
import { dataUriOf } from '../../components/readableImage.ts';
import { Select } from '../../components/Select.tsx';
import { undoStore } from '../../state/undo.ts';
import { useWords } from '../../i18n/words.tsx';

interface Props {
  folder: CaseFolder;
  items: readonly CaseEntry[];
}

/** The kind of an entry with its position, by which other entries name it. */
export function useEntryName() {
  const { t } = useWords();
  return ({ kind, position }: CaseEntry) =>
    t('caseFolders.of', { kind: t(`caseFolders.kind_${kind}`), position });
}

/** A change that the service answers with the folder. */
export function useChange<T>(run: (input: T) => Promise<CaseFolder>, done: () => void) {
  const { t } = useWords();
  const client = useQueryClient();
  return useMutation({
    mutationFn: run,
    onSuccess: (folder) => {
      undoStore.getState().notify(t('common.saved', { name: folder.title }));
      client.setQueryData(caseFolderQuery(folder.id).queryKey, folder);
      done();
    },
  });
}

/** Adding a note or a file, and the state of the folder. */
export function FolderForms({ folder, items }: Props) {
  const { t, language } = useWords();
  const { id, state } = folder;
  const may = useMay();
  const [exporting, setExporting] = useState(false);
  const change = useChange(
    () => setCaseFolderState(id, state === 'open' ? 'closed' : 'open'),
    () => undefined,
  );
  return (
    <aside className="case-side paired-side column examination-side" aria-label={t('caseFolders.title')}>
      {state === 'open' ? (
        <>
          <NoteForm folder={folder} items={items} />
          <FileForm folder={folder} items={items} />
        </>
      ) : (
        <p>{t('caseFolders.closedHelp')}</p>
      )}
      <div className="row wrap">
        <ReportButton
          fileName={`case-folder-${id}.pdf`}
          make={() => caseFolderReport(id, language === 'ar' ? 'ar' : 'en')}
        />
        {may('exports:create') ? (
          <Action size="xs" label={t('caseFolders.export')} onClick={() => setExporting(true)} />
        ) : null}
        <Action
          label={t(state === 'open' ? 'caseFolders.close' : 'caseFolders.reopen')}
          loading={change.isPending}
          onClick={() => change.mutate(undefined)}
        />
        {state === 'closed' ? <Deletion id={id} /> : null}
      </div>
      <ErrorLine error={change.error} />
      {exporting ? <Exporting id={id} close={() => setExporting(false)} /> : null}
    </aside>
  );
}

/** Encrypts the folder for an installation that the company trusts. */
function Exporting({ id, close }: { id: number; close: () => void }) {
  const { t } = useWords();
  const installations = useQuery(trustedInstallationsQuery);
  const [chosen, setChosen] = useState<string | null>(null);
  const work = useReauthentication(
    (installation: number) => exportCaseFolder(id, installation),
    (sealed) => {
      downloadFile(`case-folder-${id}.vouchcase`, sealed);
      close();
    },
    'export',
  );
  return (
    <FormDialog
      title={t('caseFolders.exportDo')}
      label={t('caseFolders.exportDo')}
      close={close}
      send={() => work.mutate(Number(chosen))}
      work={work}
      disabled={chosen === null}
      safe
    >
      <p>{t('caseFolders.exportHelp')}</p>
      <Select
        label={t('exchange.recipient')}
        description={installations.data?.items.length === 0 ? t('exchange.noInstallations') : undefined}
        data={
          installations.data?.items.map(({ id: value, name }) => ({ value: String(value), label: name })) ??
          []
        }
        value={chosen}
        onChange={setChosen}
      />
      <ErrorLine error={installations.error} />
    </FormDialog>
  );
}

/** The entry that a note or a file is erased with. */
function AboutField(props: {
  items: readonly CaseEntry[];
  value: string | null;
  set: (value: string | null) => void;
}) {
  const { items, value, set } = props;
  const { t } = useWords();
  const nameOf = useEntryName();
  const subjects = items.filter(({ face, examination }) => face !== null || examination !== null);
  if (subjects.length === 0) return null;
  return (
    <Select
      label={t('caseFolders.about')}
      description={t('caseFolders.aboutHelp')}
      none={t('caseFolders.aboutNone')}
      data={subjects.map((entry) => ({
        value: String(entry.position),
        label: `${nameOf(entry)} ${entry.face?.name ?? ''}`,
      }))}
      value={value}
      onChange={set}
    />
  );
}

const positionOf = (value: string | null) => (value === null ? null : Number(value));

function NoteForm({ folder, items }: Props) {
  const { t } = useWords();
  const [text, setText] = useState('');
  const [about, setAbout] = useState<string | null>(null);
  const work = useChange(
    (note: string) => addToCaseFolder(folder.id, { kind: 'note', text: note, about: positionOf(about) }),
    () => setText(''),
  );
  return (
    <Form className="column" send={() => work.mutate(text)}>
      <h2>{t('caseFolders.addNote')}</h2>
      <Textarea
        required
        label={t('caseFolders.noteField')}
        maxLength={4000}
        rows={3}
        value={text}
        onChange={({ currentTarget: { value } }) => setText(value)}
      />
      <AboutField items={items} value={about} set={setAbout} />
      <Submit work={work} label={t('caseFolders.addNote')} start disabled={text.trim() === ''} />
    </Form>
  );
}

const ACCEPTED = '.pdf,.jpg,.jpeg,.png,.txt,application/pdf,image/jpeg,image/png,text/plain';

function FileForm({ folder, items }: Props) {
  const { t, bytes } = useWords();
  const [file, setFile] = useState<File | null>(null);
  const [about, setAbout] = useState<string | null>(null);
  const choose = t('caseFolders.choose');
  const { chooser, open } = useFileChooser({
    label: choose,
    accept: ACCEPTED,
    take: ([chosen]) => setFile(chosen ?? null),
  });
  const work = useChange(
    async (chosen: File) =>
      addToCaseFolder(folder.id, {
        kind: 'file',
        name: chosen.name.slice(0, 255),
        content: await dataUriOf({ file: chosen, kind: 'application/octet-stream' }),
        about: positionOf(about),
      }),
    () => setFile(null),
  );
  if (folder.maxFileBytes === 0) return <p className="soft">{t('caseFolders.noFiles')}</p>;
  return (
    <Form
      className="column"
      send={() => {
        if (file !== null) work.mutate(file);
      }}
    >
      <h2>{t('caseFolders.addFile')}</h2>
      <p className="soft">{t('caseFolders.fileHelp', { size: bytes(folder.maxFileBytes) })}</p>
      <div className="row wrap">
        <Action label={choose} onClick={open} />
        {chooser}
      </div>
      {file === null ? null : <p>{t('caseFolders.chosen', { name: file.name })}</p>}
      <AboutField items={items} value={about} set={setAbout} />
      <Submit work={work} label={t('caseFolders.addFile')} start disabled={file === null} />
    </Form>
  );
}

function Deletion({ id }: { id: number }) {
  const { t } = useWords();
  const may = useMay();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [open, setOpen] = useState(false);
  const work = useReauthentication<undefined, unknown>(
    () => deleteCaseFolder(id),
    async () => {
      await client.invalidateQueries({ queryKey: caseFoldersQuery.queryKey });
      await navigate('/case-folders');
    },
  );
  if (!may('persons:erase')) return null;
  return (
    <>
      <Action label={t('caseFolders.delete')} onClick={() => setOpen(true)} />
      {open ? (
        <FormDialog
          title={t('caseFolders.deleteDo')}
          label={t('caseFolders.deleteDo')}
          close={() => setOpen(false)}
          send={() => work.mutate()}
          work={work}
          safe
        >
          <p>{t('caseFolders.deleteHelp')}</p>
        </FormDialog>
      ) : null}
    </>
  );
}
