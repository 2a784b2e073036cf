import { useState, type ReactNode } from 'react';
import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/client.ts';
import { Form } from './Form.tsx';
import { ErrorLine } from './states.tsx';

/** A form with a name and more fields; the service's messages stand beside their fields. */
export function NameForm(props: {
  start: string;
  hint: string;
  /** Letters. */
  most: number;
  action: string;
  submit: (name: string) => Promise<unknown>;
  /** More fields, called with the service's messages by field. */
  fields?: (said: Readonly<Record<string, string[]>>) => ReactNode;
  /** Buttons beside the action. */
  children?: ReactNode;
}) {
  const { start, hint, most, action, submit, fields, children } = props;
  const { t } = useTranslation();
  const [name, setName] = useState(start);
  const work = useMutation({ mutationFn: () => submit(name.trim()) });
  const said = work.error instanceof ApiError ? work.error.fields : {};
  return (
    <Form className="column" send={() => work.mutate()}>
      <TextInput
        autoFocus
        required
        withAsterisk={false}
        label={t('facts.name')}
        description={hint}
        maxLength={most}
        error={said.name?.join(' ')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {fields?.(said)}
      <ErrorLine error={Object.keys(said).length > 0 ? null : work.error} />
      <div className="row">
        {children}
        <Button className="push" type="submit" loading={work.isPending} disabled={name.trim() === ''}>
          {action}
        </Button>
      </div>
    </Form>
  );
}
