import { useState, type ReactNode } from 'react';
import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { FLOW_NAME_LIMIT } from '../../../core/contracts/dashboard/flows.ts';
import { Refusal } from '../../api/client.ts';
import { ErrorLine } from '../../components/states.tsx';
import { useFormats } from '../../i18n/format.ts';

/** The name of a flow, with what the core says of it beside it. */
export function FlowNameForm(props: {
  start: string;
  action: string;
  submit: (name: string) => Promise<unknown>;
  children?: ReactNode;
}) {
  const { t } = useTranslation();
  const { count } = useFormats();
  const [name, setName] = useState(props.start);
  const work = useMutation({ mutationFn: () => props.submit(name.trim()) });
  const said = work.error instanceof Refusal ? work.error.fields.name : undefined;
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
        description={t('flows.nameHint', { most: count(FLOW_NAME_LIMIT) })}
        maxLength={FLOW_NAME_LIMIT}
        error={said?.join(' ')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <ErrorLine error={said === undefined ? work.error : null} />
      <div className="row">
        {props.children}
        <Button className="push" type="submit" loading={work.isPending} disabled={name.trim() === ''}>
          {props.action}
        </Button>
      </div>
    </form>
  );
}
