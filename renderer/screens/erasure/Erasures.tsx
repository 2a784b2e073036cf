import { useMemo } from 'react';
import { IconEraser } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import type { ErasureRow } from '../../../core/contracts/dashboard/erasure.ts';
import { erasuresQuery } from '../../api/erasure.ts';
import { Page } from '../../components/Page.tsx';
import { RowList } from '../../components/RowList.tsx';
import { NothingHere, Split } from '../../components/Split.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../components/states.tsx';
import { Time } from '../../components/Time.tsx';
import type { Column } from '../../components/VirtualRows.tsx';
import { useFormats } from '../../i18n/format.ts';
import { ProofState } from './ProofState.tsx';
import { ReceiptPanel } from './ReceiptPanel.tsx';
import { VerifyFile } from './VerifyFile.tsx';
import './erasure.css';

const PLACE = '/erasures';

/** What was erased, by whom, with which proof: numbers and times, nobody's name. */
export function Component() {
  const { t } = useTranslation();
  const { count } = useFormats();
  const navigate = useNavigate();
  const { id } = useParams();
  const { data, error, refetch } = useQuery(erasuresQuery);
  const rows = data?.items;
  const opened = rows?.find((row) => row.id === id);
  const columns = useColumns(id !== undefined);
  const close = () => void navigate(PLACE);
  return (
    <Page
      title={t('erasure.receipts')}
      state={rows && t('erasure.state', { total: count(rows.length) })}
      action={<VerifyFile />}
    >
      <Split
        beside={
          id === undefined || rows === undefined ? null : opened === undefined ? (
            <NothingHere />
          ) : (
            <ReceiptPanel key={id} row={opened} close={close} />
          )
        }
      >
        {error !== null && rows === undefined ? (
          <ErrorState error={error} retry={() => void refetch()} />
        ) : rows === undefined ? (
          <LoadingRows />
        ) : rows.length === 0 ? (
          <EmptyState Icon={IconEraser} title={t('erasure.none')}>
            {t('erasure.noneHelp')}
          </EmptyState>
        ) : (
          <RowList
            label={t('erasure.receipts')}
            columns={columns}
            rows={rows}
            rowKey={(row) => row.id}
            openKey={id ?? null}
            open={(row) => void navigate(`${PLACE}/${row.id}`)}
            follow
          />
        )}
      </Split>
    </Page>
  );
}

function useColumns(narrow: boolean): Column<ErasureRow>[] {
  const { t } = useTranslation();
  const { count } = useFormats();
  return useMemo(() => {
    const all: Column<ErasureRow>[] = [
      { key: 'at', label: t('erasure.at'), track: '160px', cell: ({ at }) => <Time at={at} /> },
      {
        key: 'proof',
        label: t('erasure.proofState'),
        track: '210px',
        cell: (row) => <ProofState row={row} />,
      },
      {
        key: 'who',
        label: t('erasure.who'),
        track: 'minmax(110px, 1fr)',
        cell: ({ by, byName }) => byName ?? <span className="mono ltr">{by}</span>,
      },
      {
        key: 'why',
        label: t('erasure.why'),
        track: '130px',
        cell: ({ reason }) => t(`erasure.reason_${reason}`),
      },
      {
        key: 'what',
        label: t('erasure.what'),
        track: 'minmax(150px, 2fr)',
        cell: ({ validations, faces, photos, comparisons }) =>
          t('erasure.counted', {
            validations: count(validations),
            faces: count(faces),
            photos: count(photos),
            comparisons: count(comparisons),
          }),
      },
    ];
    return narrow ? all.slice(0, 3) : all;
  }, [t, count, narrow]);
}
