import { Button } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { GroupDetail } from '../../../core/contracts/dashboard/duplicates.ts';
import { undoDecision } from '../../api/duplicates.ts';
import { useMay } from '../../api/session.ts';
import { ErrorLine } from '../../components/states.tsx';
import { Time } from '../../components/Time.tsx';
import { useFormats } from '../../i18n/format.ts';

/** Every decision about the group, newest first. One that stands can be undone, also after later ones. */
export function DecisionHistory({ detail }: { detail: GroupDetail }) {
  const { t } = useTranslation();
  const { time, decimal } = useFormats();
  const may = useMay();
  const client = useQueryClient();
  const undo = useMutation({
    mutationFn: undoDecision,
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['duplicates'] }),
        client.invalidateQueries({ queryKey: ['persons'] }),
      ]),
  });
  if (detail.history.length === 0) return null;
  return (
    <section className="column" aria-labelledby="group-history">
      <h2 id="group-history">{t('duplicates.history')}</h2>
      <ErrorLine error={undo.error} />
      <ol className="history">
        {detail.history.map((entry) => (
          <li key={entry.id}>
            <div className="row">
              <strong>{t(`duplicates.${entry.decision}`)}</strong>
              <span className="soft">{t('duplicates.decidedFaces', { count: entry.faces.length })}</span>
              <span className="push soft">
                <Time at={entry.at} />
              </span>
            </div>
            <p className="soft">{t('common.by', { name: entry.byName ?? entry.by })}</p>
            {entry.measured?.score == null ? null : (
              <p className="soft">
                {t('duplicates.measuredThen', { score: decimal(entry.measured.score) })} ·{' '}
                <bdi>{entry.measured.pipeline}</bdi>
              </p>
            )}
            {entry.reason === null ? null : (
              <p className="history-note">
                <bdi>{entry.reason}</bdi>
              </p>
            )}
            {entry.awaitsConfirmation ? <p className="soft">{t('duplicates.awaitsConfirmation')}</p> : null}
            {entry.undoneAt !== null ? (
              <p className="soft">{t('duplicates.undone', { time: time(entry.undoneAt) })}</p>
            ) : may('duplicates:review') ? (
              <Button
                size="compact-xs"
                variant="default"
                disabled={undo.isPending}
                leftSection={<IconArrowBackUp size={14} aria-hidden />}
                onClick={() => undo.mutate(entry.id)}
              >
                {t('duplicates.undoDecision')}
              </Button>
            ) : null}
          </li>
        ))}
      </ol>
    </section>
  );
}
