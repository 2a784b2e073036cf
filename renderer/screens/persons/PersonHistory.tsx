import { Button } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { PersonDetail } from '../../../core/contracts/dashboard/persons.ts';
import { undoDecision } from '../../api/duplicates.ts';
import { useMay } from '../../api/session.ts';
import { ErrorLine } from '../../components/states.tsx';
import { Time } from '../../components/Time.tsx';
import { refreshPersons } from './usePersonChange.ts';

/** Every change of a person, newest first. One that stands can be undone, also after later ones. */
export function PersonHistory({ person }: { person: PersonDetail }) {
  const { t } = useTranslation();
  const may = useMay()('persons:write');
  const client = useQueryClient();
  const undo = useMutation({ mutationFn: undoDecision, onSettled: () => refreshPersons(client) });
  return (
    <section className="column" aria-labelledby="person-history">
      <h3 id="person-history">{t('persons.history')}</h3>
      <ErrorLine error={undo.error} />
      <ol className="history">
        {person.history.map((entry, index) => {
          const { decisionId } = entry;
          return (
            <li key={`${index}${entry.at}`}>
              <div className="row">
                <strong>{t(`persons.event_${entry.kind}`)}</strong>
                <span className="push soft">
                  <Time at={entry.at} />
                </span>
              </div>
              <p className="soft">
                {t('persons.photos', { count: entry.faces })} ·{' '}
                {t('common.by', { name: entry.byName ?? entry.by })}
              </p>
              {entry.other === null ? null : (
                <p>
                  {t('persons.other')} <Link to={`/persons/${entry.other.id}`}>{entry.other.name}</Link>
                </p>
              )}
              {entry.reason === null ? null : (
                <p className="history-note">
                  <bdi>{entry.reason}</bdi>
                </p>
              )}
              {decisionId === null || !may ? null : (
                <Button
                  size="compact-xs"
                  variant="default"
                  disabled={undo.isPending}
                  leftSection={<IconArrowBackUp size={14} aria-hidden />}
                  onClick={() => undo.mutate(decisionId)}
                >
                  {t('persons.undo')}
                </Button>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
