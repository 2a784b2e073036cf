import { Button, FileButton } from '@mantine/core';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { countPersons, type PersonFault } from '../../../core/uploader/photoPersons.ts';
import { Select } from '../../components/Select.tsx';
import { useFormats } from '../../i18n/format.ts';
import type { ChosenPersons } from './persons.ts';
import { PERSON_SOURCES, type PersonSource } from './run.ts';

/** Rows that are listed; the rest is counted. */
const FAULTS_SHOWN = 100;

/** How the persons of the photos are named; the result is shown before any photo is sent. */
export function PersonSelect({
  chosen,
  choose,
}: {
  chosen: ChosenPersons;
  choose: (source: PersonSource, table?: File) => void;
}) {
  const { t } = useTranslation();
  return (
    <div className="row plan-persons">
      <Select
        label={t('enrol.persons')}
        value={chosen.source}
        onChange={(source) => choose(source ?? 'none')}
        data={PERSON_SOURCES.map((value) => ({ value, label: t(`enrol.persons_${value}`) }))}
      />
      {chosen.source === 'file' ? (
        <FileButton accept=".csv,text/csv" onChange={(table) => table && choose('file', table)}>
          {(props) => (
            <Button variant="default" leftSection={<IconFileSpreadsheet size={16} aria-hidden />} {...props}>
              {t('enrol.chooseTable')}
            </Button>
          )}
        </FileButton>
      ) : null}
    </div>
  );
}

/** The persons that the choice names, with examples, and the rows without use. */
export function PersonSummary({ chosen, photos }: { chosen: ChosenPersons; photos: number }) {
  const { t } = useTranslation();
  const { count, list } = useFormats();
  const { source, found, unusable } = chosen;
  if (source === 'none') return null;
  const counts = found === null ? null : countPersons(found);
  const examples = (counts?.examples ?? []).map(({ name, externalId, photos: number }) =>
    t('enrol.personExample', {
      name: name ?? externalId ?? '',
      photos: count(number),
    }),
  );
  return (
    <div className="plan-person-summary" role="status">
      <p className="soft">{t(`enrol.personsHelp_${source}`)}</p>
      {unusable === null ? null : <p className="error-line">{t(`enrol.table_${unusable}`)}</p>}
      {counts === null ? null : (
        <p>
          <strong>
            {t('enrol.personCounts', {
              persons: count(counts.persons),
              photos: count(counts.photos),
              without: count(photos - counts.photos),
            })}
          </strong>{' '}
          {examples.length === 0 ? null : <span className="soft">{list(examples)}</span>}
        </p>
      )}
      <PersonFaults faults={found?.faults ?? []} />
    </div>
  );
}

/** The rows of a table, or the folders, that cannot be used. */
export function PersonFaults({ faults }: { faults: readonly PersonFault[] }) {
  const { t } = useTranslation();
  const { count } = useFormats();
  if (faults.length === 0) return null;
  return (
    <details className="plan-rest">
      <summary>{t('enrol.personFaults', { faults: count(faults.length) })}</summary>
      <ul>
        {faults.slice(0, FAULTS_SHOWN).map(({ kind, row, file, earlier = 0 }) => (
          <li key={`${row ?? file}`}>
            {row === null ? t('enrol.faultFolder') : t('enrol.faultRow', { row: count(row) })} ·{' '}
            <bdi>{file}</bdi>: {t(`enrol.fault_${kind}`, { row: count(earlier) })}
          </li>
        ))}
      </ul>
      {faults.length > FAULTS_SHOWN ? (
        <p>{t('enrol.andMore', { more: count(faults.length - FAULTS_SHOWN) })}</p>
      ) : null}
    </details>
  );
}
