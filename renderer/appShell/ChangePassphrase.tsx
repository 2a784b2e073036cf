import { useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { PassphraseInput, Form, useNewPassphrase, Submit, Dialog } from '../components/Form.tsx';
import { ApiError, formatFieldErrors } from '../api/client.ts';
import { changePassphrase, openSession, sessionQuery, useSession } from '../api/session.ts';
import { undoStore } from '../state/undo.ts';
import { useWords } from '../i18n/words.tsx';

/** Changes the operator's own passphrase. Their other sessions end; this page stays signed in. */
export default function ChangePassphrase({ close }: { close: () => void }) {
  const { t } = useWords();
  const { operator, company } = useSession();
  const client = useQueryClient();
  const [current, setCurrent] = useState('');
  const next = useNewPassphrase([operator.name, company.name], t('passphrase.new'));
  const change = useMutation({
    mutationFn: async () => {
      await changePassphrase(current, next.value);
      // The change ended this session as well. If opening the next one fails, the sign-in page is shown.
      try {
        await openSession(operator.name, next.value);
      } finally {
        await client.invalidateQueries({ queryKey: sessionQuery.queryKey });
      }
    },
    onSuccess: () => {
      undoStore.getState().notify(t('passphrase.changed'));
      close();
    },
  });
  return (
    <Dialog title={t('passphrase.change')} close={close}>
      <Form
        noValidate
        className="column"
        send={() => {
          if (next.check() && current !== '') change.mutate();
        }}
      >
        <PassphraseInput
          data-autofocus
          label={t('passphrase.current')}
          autoComplete="current-password"
          maxLength={1024}
          value={current}
          onChange={(event) => setCurrent(event.currentTarget.value)}
        />
        {next.fields}
        <p className="soft">{t('passphrase.others')}</p>
        <Submit
          work={change}
          error={changeError(change.error, t('passphrase.wrong'), t('signIn.tooMany'))}
          label={t('passphrase.change')}
          disabled={current === ''}
        />
      </Form>
    </Dialog>
  );
}

function changeError(error: Error | null, wrong: string, tooMany: string): Error | null {
  if (error instanceof ApiError && error.code === 'PASSPHRASE_WRONG') return new ApiError(401, wrong);
  if (error instanceof ApiError && error.status === 429) return new ApiError(429, tooMany);
  return formatFieldErrors(error);
}
