import { useState } from 'react';
import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { TRUST_VALIDATION_STATUS } from '../../../../core/contracts/codes.ts';
import {
  DECISIONS,
  type Decision,
  type ValidationRow,
} from '../../../../core/contracts/dashboard/validations.ts';
import { Action } from '../../../components/Page.tsx';
import { decideAll } from '../../../api/validations.ts';
import { Dialog, Form, Submit } from '../../../components/Form.tsx';
import { SegmentedControl } from '../../../components/SegmentedControl.tsx';
import { useWords } from '../../../i18n/words.tsx';
import { undoStore } from '../../../state/undo.ts';
import { ConcernedRows, Failures } from './Concerned.tsx';

const NOTES = {
  verify: 'review.noteVerify',
  reject: 'review.noteReject',
  review: 'decision.noteReview',
} as const satisfies Record<Decision, string>;
const RESULT = {
  verify: TRUST_VALIDATION_STATUS.Verified,
  reject: TRUST_VALIDATION_STATUS.Rejected,
  review: TRUST_VALIDATION_STATUS.ReviewNeeded,
};

/** One decision with one note on the selected validations. Those that could not be decided stay in view with the reason. */
export function DecideDialog(props: { rows: readonly ValidationRow[]; close: () => void; done: () => void }) {
  const { rows, close, done } = props;
  const { t, count } = useWords();
  const client = useQueryClient();
  const [decision, setDecision] = useState<Decision>('review');
  const [note, setNote] = useState('');
  const work = useMutation({
    mutationFn: () =>
      decideAll({
        decision,
        note: note.trim() === '' ? t(NOTES[decision]) : note.trim(),
        validations: rows.map(({ id, status }) => ({ id, seenStatus: status })),
      }),
    onSuccess: ({ results }) => {
      void client.invalidateQueries({ queryKey: ['validations'] });
      const decided = results.filter(({ outcome }) => outcome === 'decided').map(({ id }) => id);
      done();
      if (decided.length > 0) offerUndo(decided);
      if (decided.length === rows.length) close();
    },
  });
  const offerUndo = (decided: readonly number[]) => {
    const text = t('validations.decided', { count: decided.length, rows: count(decided.length) });
    if (decision === 'review') undoStore.getState().notify(text);
    else
      undoStore.getState().offer(text, async () => {
        await decideAll({
          decision: 'review',
          note: t('decision.undoNote'),
          validations: decided.map((id) => ({ id, seenStatus: RESULT[decision] })),
        });
        await client.invalidateQueries({ queryKey: ['validations'] });
      });
  };
  const failures =
    work.data?.results.flatMap(({ id, outcome }) => {
      const row = rows.find((each) => each.id === id);
      return outcome === 'decided' || row === undefined
        ? []
        : [{ row, reason: t(`validations.outcome_${outcome}`) }];
    }) ?? [];
  return (
    <Dialog
      title={t('validations.decideTitle', { count: rows.length, rows: count(rows.length) })}
      close={close}
      wide
    >
      {work.data === undefined ? (
        <Form className="column" send={() => work.mutate()}>
          <ConcernedRows rows={rows} />
          <SegmentedControl
            aria-label={t('validations.decision')}
            data={DECISIONS.map((value) => ({ value, label: t(`decision.${value}`) }))}
            value={decision}
            onChange={setDecision}
          />
          <TextInput
            data-autofocus
            label={t('decision.note')}
            placeholder={t('decision.notePlaceholder')}
            maxLength={1000}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
          <Submit
            work={work}
            cancel={close}
            label={t('validations.decideDo', { count: rows.length, rows: count(rows.length) })}
          />
        </Form>
      ) : (
        <div className="column">
          <p>{t('validations.notDecided', { count: failures.length, rows: count(failures.length) })}</p>
          <Failures failures={failures} />
          <Action primary className="push" label={t('common.close')} onClick={close} />
        </div>
      )}
    </Dialog>
  );
}
