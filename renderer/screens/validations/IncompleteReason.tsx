import { Alert } from '@mantine/core';
import { IconCircleDashed } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { IncompleteCode } from '../../../core/contracts/incomplete.ts';

/** @returns one sentence: what kept the verification from a screening */
export function incompleteSentence(t: TFunction, code: IncompleteCode): string {
  return code === 'NO_SELFIE' ? t('validations.noSelfie.sentence') : t(`failures.${code}.sentence`);
}

/** Why a verification is Incomplete, and what to do. */
export function IncompleteReason({ code }: { code: IncompleteCode }) {
  const { t } = useTranslation();
  const remedy =
    code === 'NO_SELFIE'
      ? t('validations.noSelfie.remedy')
      : `${t(`failures.${code}.remedy`)} ${t('validations.verifyAgain')}`;
  return (
    <Alert
      className="incomplete-reason"
      variant="light"
      color="gray"
      icon={<IconCircleDashed size={18} aria-hidden />}
      title={incompleteSentence(t, code)}
    >
      {remedy}
    </Alert>
  );
}
