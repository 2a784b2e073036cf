import { useState } from 'react';
import { Checkbox, TextInput } from '@mantine/core';
import { IconCircleCheck, IconKey } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { SetupRequest, SetupState } from '../../../core/contracts/dashboard/session.ts';
import { Action, ErrorLine, useTitle } from '../../components/Page.tsx';
import { translateServerMessage } from '../../i18n/errors.ts';
import { formatFieldErrors } from '../../api/client.ts';
import { draftBackupKey, setBackupKey } from '../../api/system.ts';
import { checkStorage, openSession, setUp } from '../../api/session.ts';
import { Form, useNewPassphrase } from '../../components/Form.tsx';
import { LanguageSelect } from '../SignIn.tsx';
import { useWords } from '../../i18n/words.tsx';
import mark from '../../mark.svg';
import { RecoveryCode } from '../../components/ShownOnce.tsx';
import { NewBackupKey } from '../backup/BackupKeyCard.tsx';

type Draft = Omit<SetupRequest, 'passphrase'>;

const STEPS = ['stepCompany', 'stepFeatures', 'stepOperator'] as const;

/** First run: company and storage, features, first operator. Then the dashboard opens, signed in. */
export default function SetUp({ state }: { state: SetupState }) {
  const { t } = useWords();
  const client = useQueryClient();
  useTitle(t('setup.title'));
  const [step, setStep] = useState(0);
  const [draft, setDraft] = useState<Draft>({
    company: '',
    storageFolder: state.suggestedStorageFolder ?? '',
    operator: '',
    features: { registration: true, blacklists: true },
  });
  const [tried, setTried] = useState(false);
  const passphrase = useNewPassphrase([draft.operator, draft.company], t('signIn.passphrase'));
  const change = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }));
  const storage = useMutation({ mutationFn: () => checkStorage(draft.storageFolder) });
  const finish = useMutation({
    mutationFn: async () => (await setUp({ ...draft, passphrase: passphrase.value })).recoveryCode,
  });
  const proceed = () => client.invalidateQueries();
  const enter = useMutation({
    mutationFn: async () => {
      await openSession(draft.operator, passphrase.value);
      // A backup key that cannot be made now is asked for on the overview.
      return draftBackupKey().catch(() => null);
    },
    onSuccess: (key) => (key === null ? proceed() : undefined),
  });
  const submit = async () => {
    setTried(true);
    if (step === 0) {
      if (draft.company.trim() === '' || draft.storageFolder.trim() === '') return;
      const checked = await storage.mutateAsync();
      if (!checked.writable) return;
    }
    if (step < 2) {
      setTried(false);
      setStep(step + 1);
    } else if (passphrase.check() && draft.operator.trim() !== '') finish.mutate();
  };
  if (enter.data != null) return <BackupKey draft={enter.data} company={draft.company} done={proceed} />;
  if (finish.data !== undefined)
    return (
      <RecoveryCode
        value={finish.data}
        company={draft.company}
        title={t('setup.recoveryTitle')}
        text={t('setup.recovery')}
        label={t('keys.next')}
        work={enter}
      />
    );
  return (
    <main className="center-stage">
      <Form
        noValidate
        className="card center-card wide column"
        send={() => {
          submit().catch(() => undefined);
        }}
      >
        <div className="row">
          <img src={mark} alt="" width={28} height={28} />
          <h1>{t('setup.title')}</h1>
          <LanguageSelect />
        </div>
        <div className="row">
          <h2>{t(`setup.${STEPS[step] ?? 'stepCompany'}`)}</h2>
          <span className="push soft">{t('setup.steps', { step: step + 1 })}</span>
        </div>
        {step === 0 ? <CompanyStep draft={draft} change={change} tried={tried} /> : null}
        {step < 2 ? <StorageAnswer check={storage} /> : null}
        {step === 1 ? <FeaturesStep draft={draft} change={change} /> : null}
        {step === 2 ? <OperatorStep draft={draft} change={change} tried={tried} /> : null}
        {step === 2 ? passphrase.fields : null}
        <ErrorLine error={formatFieldErrors(finish.error)} />
        <div className="row">
          {step === 0 ? null : <Action label={t('common.back')} onClick={() => setStep(step - 1)} />}
          <Action
            primary
            type="submit"
            className="push"
            label={t(step === 2 ? 'setup.finish' : 'keys.next')}
            loading={storage.isPending || finish.isPending}
          />
        </div>
      </Form>
    </main>
  );
}

interface StepProps {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
}

interface TypedProps extends StepProps {
  /** The operator pressed the button, so empty fields are named. */
  tried: boolean;
}

function CompanyStep({ draft, change, tried }: TypedProps) {
  const required = useRequired(tried);
  const { t } = useWords();
  return (
    <>
      <TextInput
        autoFocus
        error={required(draft.company)}
        maxLength={100}
        label={t('nav.company')}
        description={t('setup.companyHint')}
        value={draft.company}
        onChange={(event) => change({ company: event.currentTarget.value })}
      />
      <TextInput
        error={required(draft.storageFolder)}
        maxLength={1000}
        label={t('setup.folder')}
        description={t('setup.folderHint')}
        classNames={{ input: 'ltr' }}
        value={draft.storageFolder}
        onChange={(event) => change({ storageFolder: event.currentTarget.value })}
      />
    </>
  );
}

function StorageAnswer(props: {
  check: { data?: Awaited<ReturnType<typeof checkStorage>> | undefined; error: Error | null };
}) {
  const { check } = props;
  const { t, bytes } = useWords();
  if (check.error !== null) return <ErrorLine error={check.error} />;
  const { data } = check;
  if (data === undefined) return null;
  if (data.problem !== null)
    return (
      <p className="error-line" role="alert">
        {translateServerMessage(data.problem)}
      </p>
    );
  return (
    <p className="row" role="status">
      <IconCircleCheck size={16} color="var(--good)" aria-hidden />
      {t('setup.free', { free: data.freeBytes === null ? t('common.unknown') : bytes(data.freeBytes) })}
    </p>
  );
}

function FeaturesStep({ draft, change }: StepProps) {
  const { t } = useWords();
  const { features } = draft;
  return (
    <>
      {(['registration', 'blacklists'] as const).map((feature) => (
        <Checkbox
          key={feature}
          // The field of the step before is gone, and the focus with it.
          autoFocus={feature === 'registration'}
          label={t(`setup.${feature}`)}
          description={t(`setup.${feature}Hint`)}
          checked={features[feature]}
          onChange={(event) => change({ features: { ...features, [feature]: event.currentTarget.checked } })}
        />
      ))}
    </>
  );
}

function OperatorStep({ draft, change, tried }: TypedProps) {
  const required = useRequired(tried);
  const { t } = useWords();
  return (
    <TextInput
      autoFocus
      error={required(draft.operator)}
      maxLength={100}
      label={t('signIn.operator')}
      description={t('setup.operatorHint')}
      autoComplete="username"
      value={draft.operator}
      onChange={(event) => change({ operator: event.currentTarget.value })}
    />
  );
}

/** @returns the error of a field that is still empty, in the language of the page; null for a filled field */
function useRequired(tried: boolean): (value: string) => string | null {
  const { t } = useWords();
  return (value) => (tried && value.trim() === '' ? t('common.required') : null);
}

/** The key that opens backups, offered at the end of the set-up. Without it the dashboard asks for one later. */
function BackupKey(props: {
  draft: Awaited<ReturnType<typeof draftBackupKey>>;
  company: string;
  done: () => unknown;
}) {
  const { draft, company, done } = props;
  const { t } = useWords();
  const store = useMutation({
    mutationFn: () => setBackupKey({ publicKey: draft.publicKey, replaces: null }),
    onSuccess: done,
  });
  return (
    <main className="center-stage">
      <div className="card center-card wide column">
        <h1 className="row">
          <IconKey size={22} aria-hidden /> {t('backups.key')}
        </h1>
        <NewBackupKey
          text={draft.text}
          fingerprint={draft.fingerprint}
          company={company}
          label={t('setup.enter')}
          pending={store.isPending}
          stored={() => store.mutate()}
        />
        <ErrorLine error={store.error} />
        <Action variant="subtle" label={t('backups.keyLater')} onClick={() => void done()} />
      </div>
    </main>
  );
}
