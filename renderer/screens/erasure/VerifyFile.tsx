import { useRef } from 'react';
import { Button } from '@mantine/core';
import { IconFileCheck } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { signedReceipt } from '../../../core/contracts/erasure.ts';
import { verifyReceipt } from '../../api/erasure.ts';
import { ErrorLine } from '../../components/states.tsx';

/** A receipt that somebody brings: whether this installation signed it as it is. */
export function VerifyFile() {
  const { t } = useTranslation();
  const chooser = useRef<HTMLInputElement>(null);
  const check = useMutation({
    mutationFn: async (file: File) => {
      const receipt = await receiptIn(file);
      return receipt === undefined ? ('none' as const) : (await verifyReceipt(receipt)).ours;
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
        onClick={() => chooser.current?.click()}
      >
        {t('erasure.verifyFile')}
      </Button>
      <input
        ref={chooser}
        type="file"
        hidden
        accept=".json,application/json"
        aria-label={t('erasure.verifyFile')}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          if (file !== undefined) check.mutate(file);
          // The same file may be chosen again.
          event.currentTarget.value = '';
        }}
      />
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
