import { Button } from '@mantine/core';
import { IconDownload, IconFileTypePdf, IconShieldCheck } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { ErasureRow } from '../../../core/contracts/dashboard/erasure.ts';
import type { SignedReceipt } from '../../../core/contracts/erasure.ts';
import { receiptText } from '../../../core/contracts/erasureText.ts';
import { receiptQuery, receiptReport, verifyReceipt } from '../../api/erasure.ts';
import { downloadFile } from '../../components/downloadFile.ts';
import { Panel } from '../../components/Panel.tsx';
import { ErrorLine, ErrorState, LoadingRows } from '../../components/states.tsx';
import { Time } from '../../components/Time.tsx';
import { useFormats } from '../../i18n/format.ts';
import { ProofState } from './ProofState.tsx';
import { downloadReceipt } from './downloadReceipt.ts';

/** One receipt: its content, the check of its signature, and its files. */
export function ReceiptPanel({ row, close }: { row: ErasureRow; close: () => void }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({ ...receiptQuery(row.id), enabled: row.finished });
  return (
    <Panel
      title={t('erasure.panel')}
      note={<span className="mono ltr">{row.id}</span>}
      mark={<ProofState row={row} />}
      close={close}
    >
      {!row.finished ? (
        <p>{t('erasure.openReceipt')}</p>
      ) : data !== undefined ? (
        <>
          <ReceiptFacts row={row} signed={data} />
          <Ways signed={data} />
          <pre className="receipt-text ltr" tabIndex={0} aria-label={t('erasure.panel')}>
            {receiptText(data)}
          </pre>
        </>
      ) : error !== null ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : (
        <LoadingRows rows={8} />
      )}
    </Panel>
  );
}

function ReceiptFacts({ row, signed }: { row: ErasureRow; signed: SignedReceipt }) {
  const { t } = useTranslation();
  const { count } = useFormats();
  const { by, byName, reason, validations, faces, photos, comparisons } = row;
  const { proof } = signed.receipt;
  return (
    <dl className="facts">
      <dt>{t('erasure.at')}</dt>
      <dd>
        <Time at={row.at} />
      </dd>
      <dt>{t('erasure.who')}</dt>
      <dd>{byName ?? <span className="mono ltr">{by}</span>}</dd>
      <dt>{t('erasure.why')}</dt>
      <dd>{t(`erasure.reason_${reason}`)}</dd>
      <dt>{t('erasure.what')}</dt>
      <dd>
        {t('erasure.counted', {
          validations: count(validations),
          faces: count(faces),
          photos: count(photos),
          comparisons: count(comparisons),
        })}
      </dd>
      {proof === null ? null : (
        <>
          <dt>{t('erasure.proofState')}</dt>
          <dd>
            {t('erasure.proof', {
              sought: count(proof.sought),
              pages: count(proof.pages),
              found: count(proof.found),
            })}
          </dd>
        </>
      )}
      <dt>{t('erasure.outside')}</dt>
      <dd>{count(row.unreached)}</dd>
    </dl>
  );
}

function Ways({ signed }: { signed: SignedReceipt }) {
  const { t, i18n } = useTranslation();
  const { id } = signed.receipt;
  const check = useMutation({ mutationFn: () => verifyReceipt(signed) });
  const pdf = useMutation({
    mutationFn: () => receiptReport(id, i18n.language),
    onSuccess: (content) => downloadFile(`erasure-${id}.pdf`, content),
  });
  return (
    <>
      <div className="row wrap">
        <Button
          size="xs"
          loading={check.isPending}
          leftSection={<IconShieldCheck size={15} aria-hidden />}
          onClick={() => check.mutate()}
        >
          {t('erasure.verify')}
        </Button>
        <Button
          size="xs"
          variant="default"
          loading={pdf.isPending}
          leftSection={<IconFileTypePdf size={15} aria-hidden />}
          onClick={() => pdf.mutate()}
        >
          {t('erasure.pdf')}
        </Button>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDownload size={15} aria-hidden />}
          onClick={() => downloadReceipt(signed)}
        >
          {t('erasure.receipt')}
        </Button>
      </div>
      <p role="status">
        {check.data === undefined ? null : t(check.data.ours ? 'erasure.ours' : 'erasure.notOurs')}
      </p>
      <ErrorLine error={check.error ?? pdf.error} />
    </>
  );
}
