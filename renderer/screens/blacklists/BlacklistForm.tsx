import { useState, type ReactNode } from 'react';
import { Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { BLACKLIST_LIMITS, type BlacklistEdit } from '../../../core/contracts/dashboard/blacklists.ts';
import { NameForm } from '../../components/NameForm.tsx';
import { useFormats } from '../../i18n/format.ts';

/** Name and description of a blacklist. */
export function BlacklistForm(props: {
  start: BlacklistEdit;
  submit: (edit: BlacklistEdit) => Promise<unknown>;
  action: string;
  children?: ReactNode;
}) {
  const { start, submit, action, children } = props;
  const { t } = useTranslation();
  const { count } = useFormats();
  const [description, setDescription] = useState(start.description ?? '');
  const kept = description.trim();
  return (
    <NameForm
      start={start.name}
      hint={t('blacklists.nameHint', { most: count(BLACKLIST_LIMITS.name) })}
      most={BLACKLIST_LIMITS.name}
      action={action}
      submit={(name) => submit({ name, description: kept === '' ? null : kept })}
      fields={(said) => (
        <Textarea
          label={`${t('blacklists.description')} (${t('common.optional')})`}
          description={t('blacklists.descriptionLength', {
            used: count(description.length),
            most: count(BLACKLIST_LIMITS.description),
          })}
          maxLength={BLACKLIST_LIMITS.description}
          rows={3}
          error={said.description?.join(' ')}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
      )}
    >
      {children}
    </NameForm>
  );
}
