import { useMemo } from 'react';
import { IconEraser, IconFileCheck } from '@tabler/icons-react';
import { useQuery, useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import type { ErasureRow } from '../../../core/contracts/dashboard/erasure.ts';
import { erasuresQuery, verifyReceipt } from '../../api/erasure.ts';
import { Page } from '../../components/Page.tsx';
import type { Column } from '../../components/list/columns.ts';
import { ListBody } from '../../components/list/ListBody.tsx';
import { panelOf, Split } from '../../components/Split.tsx';
import { EmptyState, ErrorLine } from '../../components/states.tsx';
import { Time } from '../../components/Time.tsx';
import { completeRows } from '../../components/list/infiniteRows.ts';
import { useFormats } from '../../i18n/format.ts';
import { ProofState } from './ProofState.tsx';
import { ReceiptPanel } from './ReceiptPanel.tsx';
import { Button } from '@mantine/core';
import { signedReceipt } from '../../../core/contracts/erasure.ts';
import { useFileChooser } from '../../components/useFileChooser.tsx';
import './erasure.css';

const PLACE = '/erasures';

/** Receipts of erasures: counts, times and operators, without names of erased people. */
export function Component() {
  const { t } = useTranslation();
  const { count } = useFormats();
  const navigate = useNavigate();
  const { id } = useParams();
  const query = useQuery(erasuresQuery);
  const rows = query.data?.items;
  const opened = rows?.find((row) => row.id === id);
  const columns = useColumns();
  const close = () => void navigate(PLACE);
  return (
    <Page
      title={t('erasure.receipts')}
      state={rows && t('erasure.state', { total: count(rows.length) })}
      action={<VerifyFile />}
    >
      <Split beside={panelOf(id, { rows, opened, panel: (row) => <ReceiptPanel row={row} close={close} /> })}>
        <ListBody
          list={completeRows(query)}
          none={
            <EmptyState Icon={IconEraser} title={t('erasure.none')}>
              {t('erasure.noneHelp')}
            </EmptyState>
          }
          label={t('erasure.receipts')}
          columns={columns}
          rowKey={(row) => row.id}
          openKey={id ?? null}
          open={(row) => void navigate(`${PLACE}/${row.id}`)}
          follow
        />
      </Split>
    </Page>
  );
}

function useColumns(): Column<ErasureRow>[] {
  const { t } = useTranslation();
  const { count } = useFormats();
  return useMemo(() => {
    const all: Column<ErasureRow>[] = [
      { key: 'at', label: t('erasure.at'), minWidth: 160, cell: ({ at }) => <Time at={at} /> },
      {
        key: 'proof',
        label: t('erasure.proofState'),
        minWidth: 225,
        cell: (row) => <ProofState row={row} />,
      },
      {
        key: 'who',
        label: t('erasure.who'),
        minWidth: 110,
        grow: 1,
        cell: ({ by, byName }) => byName ?? <span className="mono ltr">{by}</span>,
      },
      {
        key: 'why',
        label: t('erasure.why'),
        minWidth: 130,
        cell: ({ reason }) => t(`erasure.reason_${reason}`),
      },
      {
        key: 'what',
        label: t('erasure.what'),
        minWidth: 150,
        grow: 2,
        cell: ({ validations, faces, photos, comparisons }) =>
          t('erasure.counted', {
            validations: count(validations),
            faces: count(faces),
            photos: count(photos),
            comparisons: count(comparisons),
          }),
      },
    ];
    return all;
  }, [t, count]);
}

/** Checks whether this installation signed a receipt file as it is. */
function VerifyFile() {
  const { t } = useTranslation();
  const check = useMutation({
    mutationFn: async (file: File) => {
      const receipt = await receiptIn(file);
      return receipt === undefined ? ('none' as const) : (await verifyReceipt(receipt)).ours;
    },
  });
  const { chooser, open } = useFileChooser({
    label: t('erasure.verifyFile'),
    accept: '.json,application/json',
    take: ([file]) => {
      if (file !== undefined) check.mutate(file);
    },
  });
  const verdict = check.data;
  return (
    <div className="row">
      <span role="status">
        {verdict === undefined
          ? null
          : verdict === 'none'
            ? t('erasure.notAReceipt')
            : t(verdict ? 'erasure.ours' : 'erasure.notOurs')}
      </span>
      <ErrorLine error={check.error} />
      <Button
        variant="default"
        loading={check.isPending}
        leftSection={<IconFileCheck size={16} aria-hidden />}
        onClick={open}
      >
        {t('erasure.verifyFile')}
      </Button>
      {chooser}
    </div>
  );
}

async function receiptIn(file: File) {
  try {
    return signedReceipt.safeParse(JSON.parse(await file.text())).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
