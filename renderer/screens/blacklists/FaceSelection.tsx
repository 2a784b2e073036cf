import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { BlacklistRow } from '../../../core/contracts/dashboard/blacklists.ts';
import { removeFaces } from '../../api/blacklists.ts';
import { useMay } from '../../api/session.ts';
import { ConfirmByTyping } from '../../components/ConfirmByTyping.tsx';
import { useFormats } from '../../i18n/format.ts';
import { ErasePerson } from '../erasure/ErasePerson.tsx';
import { EditListing } from './ListingForm.tsx';
import { MoveFaces } from './MoveFaces.tsx';

/** The actions for the selected faces. */
export function FaceSelection(props: {
  list: BlacklistRow;
  selected: ReadonlySet<number>;
  clear: () => void;
}) {
  const { list, selected, clear } = props;
  const { t } = useTranslation();
  const { count } = useFormats();
  const may = useMay();
  const client = useQueryClient();
  const [removing, setRemoving] = useState(false);
  if (selected.size === 0) return null;
  return (
    <span className="row face-selection">
      {t('common.selected', { count: selected.size })}
      <Button size="compact-sm" variant="default" onClick={clear}>
        {t('blacklists.unselect')}
      </Button>
      <EditListing list={list.id} faces={[...selected]} />
      <MoveFaces list={list} faces={[...selected]} moved={clear} />
      {may('blacklists:erase') ? (
        <Button
          size="compact-sm"
          color="red"
          variant="light"
          leftSection={<IconTrash size={14} aria-hidden />}
          onClick={() => setRemoving(true)}
        >
          {t('blacklists.removeFaces')}
        </Button>
      ) : null}
      <ErasePerson start={{ faces: [...selected] }} gone={clear} />
      {removing ? (
        <ConfirmByTyping
          title={t('blacklists.removeTitle')}
          name={list.name}
          action={t('blacklists.removeFaces')}
          close={() => setRemoving(false)}
          run={async () => {
            await removeFaces(list.id, [...selected]);
            clear();
            await client.invalidateQueries({ queryKey: ['blacklists'] });
          }}
        >
          <p>{t('blacklists.removeWhat', { count: selected.size, faces: count(selected.size) })}</p>
        </ConfirmByTyping>
      ) : null}
    </span>
  );
}
