import { useState, type ReactNode } from 'react';
import { Button, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Dialog, DialogActions } from './Dialog.tsx';
import { Form } from './Form.tsx';
import { ErrorLine } from './states.tsx';
import { useReauthentication } from './useReauthentication.tsx';

/** Asks for the name of what will be gone for good. `children` say what goes with it: counts and names. */
export function ConfirmByTyping(props: {
  title: string;
  name: string;
  action: string;
  run: () => Promise<unknown>;
  close: () => void;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const work = useReauthentication(() => props.run(), props.close);
  const ready = typed.trim() === props.name && !work.incomplete;
  return (
    <Dialog close={props.close} title={props.title}>
      <Form
        className="column"
        send={() => {
          if (ready) work.start(undefined);
        }}
      >
        <div>{props.children}</div>
        <TextInput
          data-autofocus
          label={t('common.typeToConfirm', { name: props.name })}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
        />
        {work.field}
        <ErrorLine error={work.error} />
        <DialogActions close={props.close}>
          <Button type="submit" color="red" disabled={!ready} loading={work.pending}>
            {props.action}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
