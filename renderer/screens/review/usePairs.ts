import { useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Decision, ValidationDetail } from '../../../core/contracts/dashboard/validations.ts';
import { ApiError } from '../../api/client.ts';
import { decide, validationQueryById } from '../../api/validations.ts';
import { undoStore } from '../../state/undo.ts';
import { errorOf } from '../../../core/contracts/errors/problem.ts';

export type Mark = Exclude<Decision, 'review'>;

/** The outcome of one decision of the batch. */
export type PairOutcome =
  | { kind: 'stored'; detail: ValidationDetail }
  /** Another reviewer was first. */
  | { kind: 'changed' }
  | { kind: 'failed'; error: Error };

const NOTES = { verify: 'review.noteGridVerify', reject: 'review.noteGridReject' } as const;

/**
 * The marks of a batch of cases, and storing them. Each mark is a decision of its own: one that is refused is shown at its
 * case, and the others are stored. Each stored decision can be undone, and for ten seconds all of them at once.
 */
export function usePairs() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [marks, setMarks] = useState<ReadonlyMap<number, Mark>>(new Map());
  const [outcomes, setOutcomes] = useState<ReadonlyMap<number, PairOutcome>>(new Map());
  const [storing, setStoring] = useState(false);
  const latest = useRef(outcomes);
  const keep = (id: number, outcome: PairOutcome | undefined) => {
    const next = new Map(latest.current);
    if (outcome === undefined) next.delete(id);
    else next.set(id, outcome);
    latest.current = next;
    setOutcomes(next);
  };
  const mark = (id: number, choice: Mark | undefined) =>
    setMarks((now) => {
      const next = new Map(now);
      if (choice === undefined) next.delete(id);
      else next.set(id, choice);
      return next;
    });
  const store = async (id: number, choice: Mark) => {
    const seen = client.getQueryData(validationQueryById(id).queryKey);
    if (seen === undefined) return;
    try {
      const detail = await decide(id, { decision: choice, note: t(NOTES[choice]), seenStatus: seen.status });
      client.setQueryData(validationQueryById(id).queryKey, detail);
      keep(id, { kind: 'stored', detail });
    } catch (cause) {
      const error = errorOf(cause);
      const changed = error instanceof ApiError && error.status === 409;
      keep(id, changed ? { kind: 'changed' } : { kind: 'failed', error });
      if (changed) await client.invalidateQueries({ queryKey: validationQueryById(id).queryKey });
    }
    mark(id, undefined);
  };
  const undo = async (id: number) => {
    const outcome = latest.current.get(id);
    if (outcome?.kind !== 'stored') return;
    const { status } = outcome.detail;
    const detail = await decide(id, { decision: 'review', note: t('decision.undoNote'), seenStatus: status });
    client.setQueryData(validationQueryById(id).queryKey, detail);
    keep(id, undefined);
  };
  const refresh = () => client.invalidateQueries({ queryKey: ['validations', 'list'] });
  /** Undoes all that can be undone. @throws the first refusal, after the others were undone */
  const undoAll = async (ids: readonly number[]) => {
    const results = [];
    for (const id of ids) results.push(...(await Promise.allSettled([undo(id)])));
    await refresh();
    const refused = results.find(({ status }) => status === 'rejected');
    if (refused?.status === 'rejected') throw refused.reason;
  };
  const apply = async () => {
    if (storing || marks.size === 0) return;
    setStoring(true);
    const batch = [...marks];
    for (const [id, choice] of batch) await store(id, choice);
    setStoring(false);
    const stored = batch.map(([id]) => id).filter((id) => latest.current.get(id)?.kind === 'stored');
    if (stored.length > 0)
      undoStore.getState().offer(t('review.pairsStored', { count: stored.length }), () => undoAll(stored));
    await refresh();
  };
  return { marks, outcomes, storing, mark, apply, undo: (id: number) => undoAll([id]) };
}
