import { useState, type ReactNode } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { BLACKLIST_STATUS } from '../../../../core/contracts/codes.ts';
import { faceOfThumbnail } from '../../../../core/contracts/dashboard/faceImages.ts';
import type { ValidationRow } from '../../../../core/contracts/dashboard/validations.ts';
import { Action, ErrorLine } from '../../../components/Page.tsx';
import { blacklistsQuery } from '../../../api/blacklists.ts';
import { addToBlacklist, undoAddition } from '../../../api/validations.ts';
import { Dialog, Form, Submit } from '../../../components/Form.tsx';
import { ListingFields } from '../../../components/ListingFields.tsx';
import { listingOf, NEW_LISTING } from '../../../components/listingDraft.ts';
import { Select } from '../../../components/Select.tsx';
import { useWords } from '../../../i18n/words.tsx';
import { undoStore } from '../../../state/undo.ts';
import { validationName } from '../matches.ts';
import { ConcernedRows, Failures } from './Concerned.tsx';

/** Adds the face of each selected validation to a blacklist, under the name of the validation. */
export function AddDialog(props: { rows: readonly ValidationRow[]; close: () => void; done: () => void }) {
  const { rows, close, done } = props;
  const { t, count } = useWords();
  const client = useQueryClient();
  const lists = useQuery(blacklistsQuery);
  const active = lists.data?.items.filter(({ status }) => status === BLACKLIST_STATUS.Active) ?? [];
  const [list, setList] = useState<string | null>(null);
  const [draft, setDraft] = useState(NEW_LISTING);
  const work = useMutation({
    mutationFn: async (blacklist: number) => {
      const added: string[] = [];
      const failures: { row: ValidationRow; reason: ReactNode }[] = [];
      // One after another: each is an upload of its own, which can be undone on its own.
      for (const row of rows) {
        const face = row.thumbnailUrl === null ? undefined : faceOfThumbnail(row.thumbnailUrl);
        // A slash would make the name a path for other programs.
        const name = validationName(t, row).replaceAll(/[/\\]/g, '-');
        if (face === undefined) {
          failures.push({ row, reason: t('face.noImage') });
          continue;
        }
        try {
          const addition = { blacklist, name, listing: listingOf(draft) };
          added.push((await addToBlacklist(Number(face), addition, crypto.randomUUID())).uploadId);
        } catch (error) {
          if (!(error instanceof Error)) throw error;
          failures.push({ row, reason: <ErrorLine error={error} /> });
        }
      }
      return { added, failures };
    },
    onSuccess: ({ added, failures }) => {
      void client.invalidateQueries({ queryKey: ['blacklists'] });
      done();
      if (added.length > 0)
        undoStore
          .getState()
          .offer(t('validations.added', { count: added.length, rows: count(added.length) }), async () => {
            for (const upload of added) await undoAddition(upload);
            await client.invalidateQueries({ queryKey: ['blacklists'] });
          });
      if (failures.length === 0) close();
    },
  });
  return (
    <Dialog title={t('search.add')} close={close} wide>
      {work.data === undefined ? (
        <Form
          className="column"
          send={() => {
            if (list !== null) work.mutate(Number(list));
          }}
        >
          <ConcernedRows rows={rows} />
          <Select
            data-autofocus
            label={t('facts.blacklist')}
            data={active.map(({ id, name }) => ({ value: String(id), label: name }))}
            value={list}
            onChange={setList}
          />
          <ListingFields draft={draft} change={setDraft} disabled={work.isPending} />
          <Submit
            work={work}
            error={lists.error}
            cancel={close}
            label={t('validations.addDo', { count: rows.length, rows: count(rows.length) })}
            disabled={list === null}
          />
        </Form>
      ) : (
        <div className="column">
          <p>
            {t('validations.notAdded', {
              count: work.data.failures.length,
              rows: count(work.data.failures.length),
            })}
          </p>
          <Failures failures={work.data.failures} />
          <Action primary className="push" label={t('common.close')} onClick={close} />
        </div>
      )}
    </Dialog>
  );
}
