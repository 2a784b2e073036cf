import { useMemo } from 'react';
import { IconCopy, IconShieldExclamation, type Icon } from '@tabler/icons-react';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { ValidationRow } from '../../../core/contracts/dashboard/validations.ts';
import { FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { Time } from '../../components/Time.tsx';
import type { Column } from '../../components/list/columns.ts';
import { remembered, useTexts } from '../../i18n/useTexts.tsx';
import { incompleteSentence } from './IncompleteReason.tsx';
import { validationName } from './validationName.ts';

export const OPTIONAL_COLUMNS = ['id', 'hits', 'flow', 'created', 'finalized'] as const;
type OptionalColumn = (typeof OPTIONAL_COLUMNS)[number];

interface ShownColumns {
  hidden: readonly OptionalColumn[];
  toggle: (key: OptionalColumn) => void;
}

/** Which columns this browser leaves out. */
export const useShownColumns = create<ShownColumns>()(
  persist(
    (set) => ({
      hidden: ['finalized'],
      toggle: (key) =>
        set(({ hidden }) => ({
          hidden: hidden.includes(key) ? hidden.filter((each) => each !== key) : [...hidden, key],
        })),
    }),
    { name: 'vouch-validation-columns' },
  ),
);

/** The chosen columns of a row, as far as they have room. */
export function useColumns(): Column<ValidationRow>[] {
  const { t } = useTexts();
  const hidden = useShownColumns((state) => state.hidden);
  return useMemo(() => {
    const all: Column<ValidationRow>[] = [
      {
        key: 'face',
        label: t('validations.column_face'),
        minWidth: 28,
        dropOrder: 0,
        iconOnly: true,
        cell: ({ chipUrl, name }) => <FaceThumbnail url={chipUrl} name={name} />,
      },
      {
        key: 'name',
        label: t('validations.column_name'),
        minWidth: 120,
        grow: 2,
        dropOrder: 1,
        cell: (row) => validationName(t, row),
      },
      {
        key: 'id',
        label: t('validations.column_id'),
        minWidth: 84,
        dropOrder: 4,
        cell: ({ id }) => <span className="soft">{id}</span>,
      },
      {
        key: 'status',
        label: t('validations.status'),
        minWidth: 140,
        dropOrder: 2,
        cell: ({ status, incompleteReason }) => (
          <span title={incompleteReason === null ? undefined : incompleteSentence(t, incompleteReason)}>
            <StatusBadge of="validation" code={status} />
          </span>
        ),
      },
      {
        key: 'hits',
        label: t('validations.column_hits'),
        minWidth: 112,
        dropOrder: 3,
        cell: (row) => <Hits row={row} />,
      },
      {
        key: 'flow',
        label: t('validations.column_flow'),
        minWidth: 100,
        grow: 1,
        dropOrder: 6,
        cell: ({ trustFlowName }) => trustFlowName,
      },
      {
        key: 'created',
        label: t('validations.column_created'),
        minWidth: 170,
        dropOrder: 5,
        cell: ({ createdAt }) => <Time at={createdAt} />,
      },
      {
        key: 'finalized',
        label: t('validations.column_finalized'),
        minWidth: 170,
        cell: ({ finalizedAt }) => <Time at={finalizedAt} />,
      },
    ];
    return all.filter(({ key }) => !hidden.some((each) => each === key));
  }, [t, hidden]);
}

type Hit = 'blacklistDetected' | 'duplicateDetected';
const wordOf = remembered<Hit>((t, hit) => t(`validations.${hit}`));

function Hits({ row }: { row: ValidationRow }) {
  const { t } = useTexts();
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
