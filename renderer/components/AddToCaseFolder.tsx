import { useState } from 'react';
import { IconFolderPlus } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { addToCaseFolder, caseFoldersQuery } from '../api/caseFolders.ts';
import { useMay } from '../api/session.ts';
import { useWords } from '../i18n/words.tsx';
import { FormDialog } from './Form.tsx';
import { Action } from './Page.tsx';
import { Select } from './Select.tsx';

type Item = { face: number } | { examination: number };

/** Puts an enrolled face or a finished examination into an open case folder, and opens the folder. */
export function AddToCaseFolder({ item }: { item: Item }) {
  const { t } = useWords();
  const may = useMay();
  const [open, setOpen] = useState(false);
  if (!may('faces:examine')) return null;
  return (
    <>
      <Action size="xs" Icon={IconFolderPlus} label={t('caseFolders.add')} onClick={() => setOpen(true)} />
      {open ? <Choice item={item} close={() => setOpen(false)} /> : null}
    </>
  );
}

const ROLES = ['candidate', 'probe'] as const;

function Choice({ item, close }: { item: Item; close: () => void }) {
  const { t } = useWords();
  const navigate = useNavigate();
  const folders = useQuery(caseFoldersQuery);
  const [folder, setFolder] = useState<string | null>(null);
  const [kind, setKind] = useState<(typeof ROLES)[number]>('candidate');
  const work = useMutation({
    mutationFn: () =>
      addToCaseFolder(Number(folder), 'face' in item ? { kind, ...item } : { kind: 'examination', ...item }),
    onSuccess: ({ id }) => navigate(`/case-folders/${id}`),
  });
  const open = folders.data?.items.filter(({ state }) => state === 'open');
  return (
    <FormDialog
      title={t('caseFolders.add')}
      label={t('caseFolders.add')}
      close={close}
      send={() => work.mutate()}
      work={work}
      error={work.error ?? folders.error}
      disabled={folder === null}
    >
      {open?.length === 0 ? <p>{t('caseFolders.noneOpen')}</p> : null}
      <Select
        label={t('caseFolders.folder')}
        none={t('examinations.choose')}
        data={(open ?? []).map(({ id, title }) => ({ value: String(id), label: `${id} · ${title}` }))}
        value={folder}
        onChange={setFolder}
      />
      {'face' in item ? (
        <Select
          label={t('caseFolders.addAs')}
          data={ROLES.map((value) => ({ value, label: t(`caseFolders.kind_${value}`) }))}
          value={kind}
          onChange={(chosen) => setKind(chosen ?? 'candidate')}
        />
      ) : null}
    </FormDialog>
  );
}
