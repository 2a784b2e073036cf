import { useState, type ReactNode } from 'react';
import { Button, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { BLACKLIST_LIMITS, type BlacklistEdit } from '../../../core/contracts/dashboard/blacklists.ts';
import { Refusal } from '../../api/client.ts';
import { ErrorLine } from '../../components/states.tsx';
import { useFormats } from '../../i18n/format.ts';

/** Name and description, with what the core says of each beside it. */
export function BlacklistForm(props: {
  start: BlacklistEdit;
  submit: (edit: BlacklistEdit) => Promise<unknown>;
  action: string;
  children?: ReactNode;
}) {
  const { start, submit, action, children } = props;
  const { t } = useTranslation();
  const { count } = useFormats();
  const [name, setName] = useState(start.name);
  const [description, setDescription] = useState(start.description ?? '');
  const work = useMutation({
    mutationFn: () =>
      submit({ name: name.trim(), description: description.trim() === '' ? null : description.trim() }),
  });
  const fields = work.error instanceof Refusal ? work.error.fields : {};
  const named = Object.keys(fields).length > 0;
  return (
    <form
      className="column"
      onSubmit={(event) => {
        event.preventDefault();
        work.mutate();
      }}
    >
      <TextInput
        autoFocus
        required
        withAsterisk={false}
        label={t('facts.name')}
        description={t('blacklists.nameHint', { most: count(BLACKLIST_LIMITS.name) })}
        maxLength={BLACKLIST_LIMITS.name}
        error={fields.name?.join(' ')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Textarea
        label={`${t('blacklists.description')} (${t('common.optional')})`}
        description={`${count(description.length)} / ${count(BLACKLIST_LIMITS.description)}`}
        maxLength={BLACKLIST_LIMITS.description}
        rows={3}
        error={fields.description?.join(' ')}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <ErrorLine error={named ? null : work.error} />
      <div className="row">
        {children}
        <Button className="push" type="submit" loading={work.isPending} disabled={name.trim() === ''}>
          {action}
        </Button>
      </div>
    </form>
  );
}
