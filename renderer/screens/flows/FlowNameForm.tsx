import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { NameForm } from '../../components/NameForm.tsx';
import { useFormats } from '../../i18n/format.ts';
import { FLOW_NAME_LIMIT } from '../../../core/contracts/flows.ts';

/** The name of a Trust Flow. */
export function FlowNameForm(props: {
  start: string;
  action: string;
  submit: (name: string) => Promise<unknown>;
  children?: ReactNode;
}) {
  const { t } = useTranslation();
  const { count } = useFormats();
  return (
    <NameForm
      {...props}
      hint={t('flows.nameHint', { most: count(FLOW_NAME_LIMIT) })}
      most={FLOW_NAME_LIMIT}
    />
  );
}
