import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconArrowMoveRight } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { BLACKLIST_STATUS } from '../../../core/contracts/codes.ts';
import type { BlacklistRow } from '../../../core/contracts/dashboard/blacklists.ts';
import { blacklistsQuery, moveFaces } from '../../api/blacklists.ts';
import { ApiError } from '../../api/client.ts';
import { useMay } from '../../api/session.ts';
import { Dialog, DialogActions } from '../../components/Dialog.tsx';
import { Form } from '../../components/Form.tsx';
import { Select } from '../../components/Select.tsx';
import { ErrorLine } from '../../components/states.tsx';
import { useFormats } from '../../i18n/format.ts';
import { undoStore } from '../../state/undo.ts';

interface Props {
  list: BlacklistRow;
  faces: readonly number[];
  moved: () => void;
}

/** Moves selected faces to another active blacklist; the undo bar moves them back. */
export function MoveFaces(props: Props) {
  const { t } = useTranslation();
  const may = useMay();
  const [open, setOpen] = useState(false);
  if (!may('blacklists:write')) return null;
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconArrowMoveRight size={14} className="mirrored" aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {t('blacklists.moveFaces')}
      </Button>
      {open ? <MoveDialog {...props} close={() => setOpen(false)} /> : null}
    </>
  );
}

function MoveDialog({ list, faces, moved, close }: Props & { close: () => void }) {
  const { t } = useTranslation();
  const { count } = useFormats();
  const client = useQueryClient();
  const { data } = useQuery(blacklistsQuery);
  const others = data?.items.filter(({ id, status }) => id !== list.id && status === BLACKLIST_STATUS.Active);
  const [chosen, setChosen] = useState<string | null>(null);
  const target =
    others?.find(({ id }) => String(id) === chosen) ?? (others?.length === 1 ? others[0] : undefined);
  const refresh = () =>
    Promise.all(
      ['blacklists', 'faces'].map((queryKey) => client.invalidateQueries({ queryKey: [queryKey] })),
    );
  const moveBack = async (to: BlacklistRow, ids: readonly number[]) => {
    try {
      await moveFaces(to.id, ids, list.id);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'BLACKLIST_INACTIVE') throw error;
      const text = t('blacklists.moveBackInactive', { from: list.name, to: to.name });
      throw new ApiError(error.status, text, { requestId: error.requestId });
    }
  };
  const work = useMutation({
    mutationFn: (to: BlacklistRow) => moveFaces(list.id, faces, to.id),
    onSuccess: async ({ ids }, to) => {
      const text = t('blacklists.moved', { count: ids.length, faces: count(ids.length), list: to.name });
      undoStore.getState().offer(text, async () => {
        await moveBack(to, ids);
        await refresh();
      });
      close();
      moved();
      await refresh();
    },
  });
  return (
    <Dialog
      title={t('blacklists.moveTitle', { count: faces.length, faces: count(faces.length) })}
      close={close}
    >
      <Form
        className="column"
        send={() => {
          if (target !== undefined) work.mutate(target);
        }}
      >
        {others?.length === 0 ? (
          <p>{t('blacklists.moveNowhere')}</p>
        ) : (
          <Select
            label={t('blacklists.moveTo')}
            data={others?.map(({ id, name }) => ({ value: String(id), label: name })) ?? []}
            value={target === undefined ? null : String(target.id)}
            onChange={setChosen}
            disabled={work.isPending}
          />
        )}
        <p className="soft">{t('blacklists.moveWhat')}</p>
        <ErrorLine error={work.error} />
        <DialogActions close={close}>
          <Button type="submit" disabled={target === undefined} loading={work.isPending}>
            {t('blacklists.move')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
