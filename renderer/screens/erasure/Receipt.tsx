import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { ErasureAnswer } from '../../../core/contracts/dashboard/erasure.ts';
import { receiptText } from '../../../core/contracts/erasureText.ts';
import { downloadFile } from '../../components/downloadFile.ts';
import { useFormats } from '../../i18n/format.ts';
import { downloadReceipt } from './downloadReceipt.ts';

/** The result and the receipt as a file. The receipt has no personal data. */
export function Receipt({ answer, close }: { answer: ErasureAnswer; close: () => void }) {
  const { t } = useTranslation();
  const { count } = useFormats();
  const { id, signed } = answer;
  const proof = signed?.receipt.proof ?? null;
  return (
    <div className="column">
      <h3>{t('erasure.done')}</h3>
      {proof === null ? null : (
        <p>
          {t('erasure.proof', {
            sought: count(proof.sought),
            pages: count(proof.pages),
            found: count(proof.found),
          })}
        </p>
      )}
      <p>{t(signed === null ? 'erasure.later' : 'erasure.receiptHelp', { id })}</p>
      <div className="row">
        {signed === null ? null : (
          <>
            <Button
              leftSection={<IconDownload size={16} aria-hidden />}
              onClick={() => downloadReceipt(signed)}
            >
              {t('erasure.receipt')}
            </Button>
            <Button
              variant="default"
              onClick={() =>
                downloadFile(`erasure-${id}.txt`, new Blob([receiptText(signed)], { type: 'text/plain' }))
              }
            >
              {t('erasure.receiptText')}
            </Button>
          </>
        )}
        <Button variant="subtle" component={Link} to={`/erasures/${id}`}>
          {t('erasure.toReceipts')}
        </Button>
        <Button className="push" variant="default" onClick={close}>
          {t('common.close')}
        </Button>
      </div>
    </div>
  );
}
