import { useState } from 'react';
import { Textarea, TextInput } from '@mantine/core';
import { IconFolder, IconFolderPlus } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';
import type { CaseFolderRow } from '../../../core/contracts/dashboard/caseFolders.ts';
import {
  caseFolderQuery,
  caseFoldersQuery,
  openCaseFolder,
  openSealedCaseFolder,
} from '../../api/caseFolders.ts';
import { useMay } from '../../api/session.ts';
import { downloadFile } from '../../components/ExportButton.tsx';
import { FormDialog, useReauthentication } from '../../components/Form.tsx';
import { useFileChooser } from '../../components/ImageDrop.tsx';
import { column, completeRows } from '../../components/list/columns.ts';
import { ListPage, type MakeColumns } from '../../components/list/ListBody.tsx';
import { Action, EmptyState, Loaded, Page } from '../../components/Page.tsx';
import { Time } from '../../components/StatusBadge.tsx';
import { useWords } from '../../i18n/words.tsx';
import { CaseFolderView } from './CaseFolderView.tsx';

const PLACE = '/case-folders';

/** The case folders of the company, or the one that the address names. */
export function Component() {
  const { id } = useParams();
  return id === undefined ? <FolderList /> : <OneFolder key={id} id={Number(id)} />;
}

function FolderList() {
  const { t } = useWords();
  const navigate = useNavigate();
  const query = useQuery(caseFoldersQuery);
  const [opening, setOpening] = useState(false);
  return (
    <>
      <ListPage
        title={t('nav.caseFolders')}
        state={t('caseFolders.state')}
        action={
          <>
            <OpenSealed />
            <Action
              primary
              Icon={IconFolderPlus}
              label={t('caseFolders.open')}
              onClick={() => setOpening(true)}
            />
          </>
        }
        list={completeRows(query)}
        none={<EmptyState Icon={IconFolder} title={t('caseFolders.none')} help={t('caseFolders.noneHelp')} />}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        openKey={null}
        open={({ id }) => void navigate(`${PLACE}/${id}`)}
      />
      {opening ? <Opening close={() => setOpening(false)} /> : null}
    </>
  );
}

/** Saves the report of a folder that another installation sealed for this one. */
function OpenSealed() {
  const { t, language } = useWords();
  const may = useMay();
  const [file, setFile] = useState<File | null>(null);
  const { chooser, open } = useFileChooser({
    label: t('caseFolders.openSealed'),
    accept: '.vouchcase',
    take: ([chosen]) => setFile(chosen ?? null),
  });
  if (!may('exports:create')) return null;
  return (
    <>
      <Action label={t('caseFolders.openSealed')} onClick={open} />
      {chooser}
      {file === null ? null : (
        <Sealed file={file} language={language === 'ar' ? 'ar' : 'en'} close={() => setFile(null)} />
      )}
    </>
  );
}

function Sealed({ file, language, close }: { file: File; language: 'en' | 'ar'; close: () => void }) {
  const { t } = useWords();
  const work = useReauthentication<undefined, Blob>(
    () => openSealedCaseFolder(file, language),
    (pdf) => {
      downloadFile(`${file.name.replace(/\.vouchcase$/, '')}.pdf`, pdf);
      close();
    },
    'export',
  );
  return (
    <FormDialog
      title={t('caseFolders.openSealedDo')}
      label={t('caseFolders.openSealedSave')}
      close={close}
      send={() => work.mutate()}
      work={work}
      safe
    >
      <p>
        <bdi>{file.name}</bdi>
      </p>
      <p>{t('caseFolders.openSealedHelp')}</p>
    </FormDialog>
  );
}

const COLUMNS: MakeColumns<CaseFolderRow> = ({ t, count }) => [
  column('number', t('caseFolders.column_number'), 90, ({ id }) => count(id)),
  column('title', t('caseFolders.column_title'), { minWidth: 200, grow: 2 }, ({ title }) => title),
  column('reference', t('caseFolders.reference'), { minWidth: 120, grow: 1 }, ({ reference }) =>
    reference === '' ? '–' : reference,
  ),
  column('state', t('caseFolders.column_state'), 100, ({ state }) => t(`caseFolders.state_${state}`)),
  column('items', t('caseFolders.column_items'), 100, ({ items }) => count(items)),
  column('opened', t('caseFolders.column_opened'), 170, ({ openedAt }) => <Time at={openedAt} />),
];

function Opening({ close }: { close: () => void }) {
  const { t } = useWords();
  const navigate = useNavigate();
  const [fields, setFields] = useState({ title: '', reference: '', note: '' });
  const set = (changed: Partial<typeof fields>) => setFields({ ...fields, ...changed });
  const work = useMutation({
    mutationFn: () => openCaseFolder(fields),
    onSuccess: ({ id }) => navigate(`${PLACE}/${id}`),
  });
  return (
    <FormDialog
      title={t('caseFolders.open')}
      label={t('caseFolders.open')}
      close={close}
      send={() => work.mutate()}
      work={work}
      disabled={fields.title.trim() === ''}
    >
      <TextInput
        required
        data-autofocus
        label={t('caseFolders.titleField')}
        maxLength={200}
        value={fields.title}
        onChange={({ currentTarget: { value } }) => set({ title: value })}
      />
      <TextInput
        label={t('caseFolders.reference')}
        description={t('caseFolders.referenceHelp')}
        maxLength={60}
        value={fields.reference}
        onChange={({ currentTarget: { value } }) => set({ reference: value })}
      />
      <Textarea
        label={t('caseFolders.note')}
        maxLength={4000}
        value={fields.note}
        onChange={({ currentTarget: { value } }) => set({ note: value })}
      />
    </FormDialog>
  );
}

function OneFolder({ id }: { id: number }) {
  const { t } = useWords();
  const navigate = useNavigate();
  const query = useQuery(caseFolderQuery(id));
  const state = query.data?.state;
  return (
    <Page
      title={t('caseFolders.number', { id })}
      state={state && t(`caseFolders.state_${state}`)}
      action={<Action label={t('caseFolders.back')} onClick={() => void navigate(PLACE)} />}
    >
      <Loaded query={query}>{(folder) => <CaseFolderView folder={folder} />}</Loaded>
    </Page>
  );
}
