import { useMemo } from 'react';
import { IconCopy, IconShieldExclamation, type Icon } from '@tabler/icons-react';
import type { ValidationRow } from '../../../core/contracts/dashboard/validations.ts';
import { FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import { SeverityIcon, severityOfMatch } from '../../components/Severity.tsx';
import { StatusBadge, Time } from '../../components/StatusBadge.tsx';
import { Matched } from '../../components/Matched.tsx';
import { column, type Column } from '../../components/list/columns.ts';
import { useWords, remembered } from '../../i18n/words.tsx';
import { faceName, useListChoice, validationName } from './matches.ts';
import { incompleteSentence } from './MatchView.tsx';

export const OPTIONAL_COLUMNS = [
  ...['id', 'reference', 'score', 'match', 'hits', 'flow', 'created', 'finalized'],
] as const;
export type OptionalColumn = (typeof OPTIONAL_COLUMNS)[number];

/** The chosen columns of a row, as far as they have room. @param query what was searched, marked in the names */
export function useColumns(query: string): Column<ValidationRow>[] {
  const { t, flowName } = useWords();
  const { hiddenColumns: hidden } = useListChoice();
  return useMemo(() => {
    const all: Column<ValidationRow>[] = [
      column(
        'face',
        t('validations.column_face'),
        { minWidth: 28, dropOrder: 0, iconOnly: true },
        ({ thumbnailUrl, name }) => <FaceThumbnail url={thumbnailUrl} name={name} />,
      ),
      column('name', t('facts.name'), { minWidth: 120, grow: 2, dropOrder: 1, sort: 'name' }, (row) => (
        <NameCell row={row} query={query} />
      )),
      {
        key: 'id',
        label: t('validations.column_id'),
        minWidth: 72,
        dropOrder: 7,
        // Numbers follow the time of creation: of the two columns that share this order, one sorts.
        ...(hidden.includes('created') && { sort: 'created' as const }),
        cell: ({ id }) => <span className="soft">{id}</span>,
      },
      column(
        'reference',
        t('validations.column_reference'),
        { minWidth: 90, grow: 1, dropOrder: 8 },
        ({ reference }) => (
          <div className="cut" dir="auto" title={reference ?? undefined}>
            <Matched text={reference ?? ''} query={query} />
          </div>
        ),
      ),
      column(
        'status',
        t('common.status'),
        { minWidth: 140, dropOrder: 2, sort: 'status' },
        ({ status, source, incompleteReason }) => (
          <span title={incompleteReason === null ? undefined : incompleteSentence(t, incompleteReason)}>
            <StatusBadge of="validation" code={status} source={source} />
          </span>
        ),
      ),
      column(
        'score',
        t('validations.column_score'),
        { minWidth: 100, dropOrder: 3, sort: 'score' },
        ({ bestMatch }) => (bestMatch === null ? null : <Score match={bestMatch} />),
      ),
      column('match', t('validations.column_match'), { minWidth: 150, grow: 2, dropOrder: 4 }, (row) => (
        <BestMatchCell row={row} />
      )),
      column('hits', t('validations.column_hits'), { minWidth: 112, dropOrder: 10 }, (row) => (
        <Hits row={row} />
      )),
      column(
        'flow',
        t('validations.column_flow'),
        { minWidth: 100, grow: 1, dropOrder: 6 },
        ({ trustFlowName }) => flowName(trustFlowName),
      ),
      column(
        'created',
        t('validations.column_created'),
        { minWidth: 170, dropOrder: 5, sort: 'created' },
        ({ createdAt }) => <Time at={createdAt} />,
      ),
      column(
        'finalized',
        t('validations.column_finalized'),
        { minWidth: 170, dropOrder: 9, sort: 'finalized' },
        ({ finalizedAt }) => <Time at={finalizedAt} />,
      ),
    ];
    return all.filter(({ key }) => !hidden.some((each) => each === key));
  }, [t, flowName, hidden, query]);
}

/** The name of the validation, and of the person in its photo. */
function NameCell({ row, query }: { row: ValidationRow; query: string }) {
  const { t } = useWords();
  const name = validationName(t, row);
  const other = row.person !== null && row.person.name !== name ? row.person.name : null;
  return (
    <div className="cut" dir="auto">
      <Matched text={name} query={query} /> {other === null ? null : <span className="soft">{other}</span>}
    </div>
  );
}

type BestMatch = NonNullable<ValidationRow['bestMatch']>;
const bandOf = remembered<BestMatch['band']>((t, band) => t(`score.${band}`));

/** The score with its band in words. */
function Score({ match: { score, band } }: { match: BestMatch }) {
  const { t, decimal } = useWords();
  return (
    <span className={`score-${band} list-score`}>
      <span className="list-score-number">{decimal(score)}</span> {bandOf(t, band)}
    </span>
  );
}

/** Whom the validation resembles most, and where that face is enrolled; for an Incomplete one, its reason. */
function BestMatchCell({ row: { bestMatch, incompleteReason, status } }: { row: ValidationRow }) {
  const { t } = useWords();
  if (incompleteReason !== null)
    return <span className="soft">{incompleteSentence(t, incompleteReason)}</span>;
  if (bestMatch === null) return null;
  const { thumbnailUrl, name, blacklistName, trustValidationId, person } = bestMatch;
  const severity = severityOfMatch(status, bestMatch);
  const shown = faceName(t, name, trustValidationId);
  const list = blacklistName ?? wordOf(t, 'duplicateDetected');
  return (
    <span className="list-match">
      <FaceThumbnail url={thumbnailUrl} name={shown} />
      {severity === null ? null : <SeverityIcon severity={severity} />}
      <span className="cut" dir="auto">
        {shown}{' '}
        {person === null || person.name === shown ? null : <span className="soft">{person.name} · </span>}
        <bdi className="soft">{list}</bdi>
      </span>
    </span>
  );
}

type Hit = 'blacklistDetected' | 'duplicateDetected';
const wordOf = remembered<Hit>((t, hit) => t(`validations.${hit}`));

function Hits({ row }: { row: ValidationRow }) {
  const { t } = useWords();
  const mark = (hit: Hit, Icon: Icon, look: string) => {
    const word = wordOf(t, hit);
    return row[hit] ? (
      <span className={look} role="img" aria-label={word} title={word}>
        <Icon size={15} stroke={1.8} aria-hidden />
      </span>
    ) : null;
  };
  return (
    <span className="row">
      {mark('blacklistDetected', IconShieldExclamation, 'hit hit-blacklist')}
      {mark('duplicateDetected', IconCopy, 'hit')}
    </span>
  );
}
