import { useState, type ReactNode } from 'react';
import { Button, Checkbox, PasswordInput, TextInput } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import {
  MIN_PASSPHRASE,
  type SetupRequest,
  type SetupState,
} from '../../../core/contracts/dashboard/session.ts';
import { checkStorage, openSession, setUp } from '../../api/session.ts';
import { LanguageSelect } from '../../components/LanguageSelect.tsx';
import { ErrorLine } from '../../components/states.tsx';
import { RecoveryCode } from './RecoveryCode.tsx';
import { useFormats } from '../../i18n/format.ts';
import mark from '../../mark.svg';

const STEPS = ['stepCompany', 'stepFeatures', 'stepOperator'] as const;

/** First run: company and storage, features, first operator. Then the dashboard opens, signed in. */
export default function SetUp({ state }: { state: SetupState }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [step, setStep] = useState(0);
  const [draft, setDraft] = useState<SetupRequest>({
    company: '',
    storageFolder: state.suggestedStorageFolder ?? '',
    operator: '',
    passphrase: '',
    features: { registration: true, blacklists: true },
  });
  const [repeat, setRepeat] = useState('');
  const change = (part: Partial<SetupRequest>) => setDraft((now) => ({ ...now, ...part }));
  const storage = useMutation({ mutationFn: () => checkStorage(draft.storageFolder) });
  const finish = useMutation({
    mutationFn: async () => (await setUp(draft)).recoveryKey,
  });
  const enter = useMutation({
    mutationFn: () => openSession(draft.operator, draft.passphrase),
    onSuccess: () => client.invalidateQueries(),
  });
  const differs = repeat !== '' && repeat !== draft.passphrase;
  const submit = async () => {
    if (step === 0) {
      const checked = await storage.mutateAsync();
      if (checked.writable) setStep(1);
    } else if (step === 1) setStep(2);
    else if (repeat === draft.passphrase) finish.mutate();
  };
  if (finish.data !== undefined)
    return <RecoveryCode value={finish.data} stored={() => enter.mutate()} error={enter.error} />;
  return (
    <main className="center-stage">
      <form
        className="card center-card wide column"
        onSubmit={(event) => {
          event.preventDefault();
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
        {step === 0 ? (
          <CompanyStep draft={draft} change={change}>
            <StorageAnswer check={storage} />
          </CompanyStep>
        ) : null}
        {step === 1 ? <FeaturesStep draft={draft} change={change} /> : null}
        {step === 2 ? (
          <OperatorStep
            draft={draft}
            change={change}
            repeat={repeat}
            setRepeat={setRepeat}
            differs={differs}
          />
        ) : null}
        <ErrorLine error={finish.error} />
        <div className="row">
          {step === 0 ? null : (
            <Button variant="default" onClick={() => setStep(step - 1)}>
              {t('setup.back')}
            </Button>
          )}
          <Button className="push" type="submit" loading={storage.isPending || finish.isPending}>
            {t(step === 2 ? 'setup.finish' : 'setup.next')}
          </Button>
        </div>
      </form>
    </main>
  );
}

interface StepProps {
  draft: SetupRequest;
  change: (part: Partial<SetupRequest>) => void;
}

function CompanyStep({ draft, change, children }: StepProps & { children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <>
      <TextInput
        autoFocus
        required
        withAsterisk={false}
        maxLength={100}
        label={t('setup.company')}
        description={t('setup.companyHint')}
        value={draft.company}
        onChange={(event) => change({ company: event.currentTarget.value })}
      />
      <TextInput
        required
        withAsterisk={false}
        label={t('setup.folder')}
        description={t('setup.folderHint')}
        className="ltr"
        value={draft.storageFolder}
        onChange={(event) => change({ storageFolder: event.currentTarget.value })}
      />
      {children}
    </>
  );
}

function StorageAnswer({
  check,
}: {
  check: { data?: Awaited<ReturnType<typeof checkStorage>> | undefined; error: Error | null };
}) {
  const { t } = useTranslation();
  const { bytes } = useFormats();
  if (check.error !== null) return <ErrorLine error={check.error} />;
  const { data } = check;
  if (data === undefined) return null;
  if (data.problem !== null)
    return (
      <p className="error-line" role="alert">
        {data.problem}
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
  const { t } = useTranslation();
  const { features } = draft;
  return (
    <>
      {(['registration', 'blacklists'] as const).map((feature) => (
        <Checkbox
          key={feature}
          label={t(`setup.${feature}`)}
          description={t(`setup.${feature}Hint`)}
          checked={features[feature]}
          onChange={(event) => change({ features: { ...features, [feature]: event.currentTarget.checked } })}
        />
      ))}
    </>
  );
}

function OperatorStep(
  props: StepProps & { repeat: string; setRepeat: (text: string) => void; differs: boolean },
) {
  const { t } = useTranslation();
  const { draft, change, repeat, setRepeat, differs } = props;
  return (
    <>
      <TextInput
        autoFocus
        required
        withAsterisk={false}
        maxLength={100}
        label={t('setup.operator')}
        description={t('setup.operatorHint')}
        autoComplete="username"
        value={draft.operator}
        onChange={(event) => change({ operator: event.currentTarget.value })}
      />
      <PasswordInput
        required
        withAsterisk={false}
        minLength={MIN_PASSPHRASE}
        label={t('setup.passphrase')}
        description={t('setup.passphraseHint', { least: MIN_PASSPHRASE })}
        autoComplete="new-password"
        value={draft.passphrase}
        onChange={(event) => change({ passphrase: event.currentTarget.value })}
      />
      <PasswordInput
        required
        withAsterisk={false}
        label={t('setup.repeat')}
        autoComplete="new-password"
        error={differs ? t('setup.differs') : null}
        value={repeat}
        onChange={(event) => setRepeat(event.currentTarget.value)}
      />
    </>
  );
}
