import { Button } from '@mantine/core';
import { IconFileCheck } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { signedReceipt } from '../../../core/contracts/erasure.ts';
import { verifyReceipt } from '../../api/erasure.ts';
import { ErrorLine } from '../../components/states.tsx';
import { useFileChooser } from '../../components/useFileChooser.tsx';

/** Checks whether this installation signed a receipt file as it is. */
export function VerifyFile() {
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
