import { useMemo } from 'react';
import { IconCopy, IconShieldExclamation } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { ValidationRow } from '../../../core/contracts/dashboard/validations.ts';
import { FaceChip } from '../../components/FaceChip.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { Time } from '../../components/Time.tsx';
import type { Column } from '../../components/VirtualRows.tsx';

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

/** @param narrow a panel is open beside the list: only what tells the rows apart */
export function useColumns(narrow: boolean): Column<ValidationRow>[] {
  const { t } = useTranslation();
  const hidden = useShownColumns((state) => state.hidden);
  return useMemo(() => {
    const all: Column<ValidationRow>[] = [
      {
        key: 'face',
        label: t('validations.column_face'),
        track: '28px',
        bare: true,
        cell: ({ chipUrl, name }) => <FaceChip url={chipUrl} name={name} />,
      },
      {
        key: 'name',
        label: t('validations.column_name'),
        track: 'minmax(120px, 2fr)',
        cell: ({ name }) => name,
      },
      {
        key: 'id',
        label: t('validations.column_id'),
        track: '84px',
        cell: ({ id }) => <span className="soft">{id}</span>,
      },
      {
        key: 'status',
        label: t('validations.status'),
        track: '140px',
        cell: ({ status }) => <StatusBadge of="validation" code={status} />,
      },
      {
        key: 'hits',
        label: t('validations.column_hits'),
        track: '112px',
        cell: (row) => <Hits row={row} />,
      },
      {
        key: 'flow',
        label: t('validations.column_flow'),
        track: 'minmax(100px, 1fr)',
        cell: ({ trustFlowName }) => trustFlowName,
      },
      {
        key: 'created',
        label: t('validations.column_created'),
        track: '170px',
        cell: ({ createdAt }) => <Time at={createdAt} />,
      },
      {
        key: 'finalized',
        label: t('validations.column_finalized'),
        track: '170px',
        cell: ({ finalizedAt }) => <Time at={finalizedAt} />,
      },
    ];
    const dropped = new Set<string>(narrow ? ['id', 'flow', 'created', 'finalized'] : hidden);
    return all.filter(({ key }) => !dropped.has(key));
  }, [t, hidden, narrow]);
}

function Hits({ row }: { row: ValidationRow }) {
  const { t } = useTranslation();
  const { duplicateDetected, blacklistDetected } = row;
  return (
    <span className="row">
      {blacklistDetected ? (
        <span className="hit hit-blacklist" title={t('validations.blacklistDetected')}>
          <IconShieldExclamation size={15} stroke={1.8} aria-hidden />
          <span className="sr-only">{t('validations.blacklistDetected')}</span>
        </span>
      ) : null}
      {duplicateDetected ? (
        <span className="hit" title={t('validations.duplicateDetected')}>
          <IconCopy size={15} stroke={1.8} aria-hidden />
          <span className="sr-only">{t('validations.duplicateDetected')}</span>
        </span>
      ) : null}
    </span>
  );
}
