import { useState, type ReactNode } from 'react';
import { Button, Checkbox } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { CompanyProfile } from '../../../core/contracts/dashboard/company.ts';
import { sessionQuery, useMay } from '../../api/session.ts';
import { changeCompany, companyQuery } from '../../api/settings.ts';
import { Form } from '../../components/Form.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Page } from '../../components/Page.tsx';
import { ErrorLine } from '../../components/states.tsx';
import { Time } from '../../components/Time.tsx';
import { undoStore } from '../../state/undo.ts';
import { LeaveGuard } from '../flows/LeaveGuard.tsx';
import './settings.css';

const FEATURES = ['registration', 'blacklists'] as const;

/** The features of the company, and where its images are stored. */
export function Component() {
  const { t } = useTranslation();
  const query = useQuery(companyQuery);
  return (
    <Page title={t('nav.company')} state={query.data?.name ?? null}>
      <div className="page-scroll settings settings-narrow">
        <Loaded query={query}>
          {(company) => (
            <>
              <Features key={JSON.stringify(company.features)} of={company} />
              <SecondOperator key={String(company.secondOperator)} of={company} />
              <SignatureSpecimens key={JSON.stringify(company.signatureSpecimens)} of={company} />
              <Storage of={company} />
            </>
          )}
        </Loaded>
      </div>
    </Page>
  );
}

function Features({ of: { features } }: { of: CompanyProfile }) {
  const { t } = useTranslation();
  const canWrite = useMay()('settings:write');
  const [chosen, setChosen] = useState(features);
  const save = useChangeCompany();
  const changed = FEATURES.filter((feature) => chosen[feature] !== features[feature]);
  return (
    <Change
      title={t('setup.features')}
      changed={changed.length > 0}
      save={save}
      submit={() =>
        save.mutate({ features: Object.fromEntries(changed.map((each) => [each, chosen[each]])) })
      }
    >
      {canWrite ? null : <p className="soft">{t('settings.readOnly')}</p>}
      {FEATURES.map((feature) => (
        <div key={feature} className="column">
          <Checkbox
            label={t(`setup.${feature}`)}
            description={t(`setup.${feature}Hint`)}
            checked={chosen[feature]}
            disabled={!canWrite || save.isPending}
            onChange={({ currentTarget }) => setChosen({ ...chosen, [feature]: currentTarget.checked })}
          />
          {features[feature] && !chosen[feature] ? (
            <p className="settings-warning" role="status">
              {t(`settings.off_${feature}`)}
            </p>
          ) : null}
        </div>
      ))}
    </Change>
  );
}

/** A form of one change, with its button for those who may save. */
function Change(props: {
  title: string;
  changed: boolean;
  save: { isPending: boolean; error: Error | null };
  submit: () => void;
  /** The button, where saving erases something. */
  erases?: string | undefined;
  children: ReactNode;
}) {
  const { title, changed, save, submit, erases, children } = props;
  const { t } = useTranslation();
  const canWrite = useMay()('settings:write');
  return (
    <Form
      className="card column"
      send={() => {
        if (changed) submit();
      }}
    >
      <LeaveGuard active={changed} />
      <h2>{title}</h2>
      {children}
      <ErrorLine error={save.error} />
      {canWrite ? (
        <div className="row">
          <Button
            type="submit"
            {...(erases !== undefined && { color: 'red' })}
            disabled={!changed}
            loading={save.isPending}
          >
            {erases ?? t('settings.save')}
          </Button>
        </div>
      ) : null}
    </Form>
  );
}

/** Saves settings of the company. The menu and every screen follow those that the session names. */
function useChangeCompany() {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: changeCompany,
    onSuccess: async (kept) => {
      client.setQueryData(companyQuery.queryKey, kept);
      undoStore.getState().notify(t('settings.saved'));
      await client.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
    // Another operator changed the company meanwhile: show its present state.
    onError: () => client.invalidateQueries({ queryKey: companyQuery.queryKey }),
  });
}

/** Whether a second operator must confirm an accepted group of duplicates. */
function SecondOperator({ of: { secondOperator } }: { of: CompanyProfile }) {
  const { t } = useTranslation();
  const canWrite = useMay()('settings:write');
  const [chosen, setChosen] = useState(secondOperator);
  const save = useChangeCompany();
  return (
    <Change
      title={t('settings.duplicates')}
      changed={chosen !== secondOperator}
      save={save}
      submit={() => save.mutate({ secondOperator: chosen })}
    >
      <Checkbox
        label={t('settings.secondOperator')}
        description={`${t('settings.secondOperatorHint')} ${t('settings.secondOperatorFixed')}`}
        checked={chosen}
        disabled={!canWrite || save.isPending || secondOperator}
        onChange={({ currentTarget }) => setChosen(currentTarget.checked)}
      />
    </Change>
  );
}

/** Whether signature specimens may be stored. Turning it off erases those that are. */
function SignatureSpecimens({ of: { signatureSpecimens } }: { of: CompanyProfile }) {
  const { t } = useTranslation();
  const canWrite = useMay()('settings:write');
  const { stored, count } = signatureSpecimens;
  const [chosen, setChosen] = useState(stored);
  const save = useChangeCompany();
  const erases = stored && !chosen && count > 0;
  return (
    <Change
      title={t('settings.specimens')}
      changed={chosen !== stored}
      save={save}
      submit={() => save.mutate({ signatureSpecimens: chosen, eraseSpecimens: erases ? count : 0 })}
      erases={erases ? t('settings.specimensEraseDo') : undefined}
    >
      <Checkbox
        label={t('settings.specimensStore')}
        description={t('settings.specimensHint')}
        checked={chosen}
        disabled={!canWrite || save.isPending}
        onChange={({ currentTarget }) => setChosen(currentTarget.checked)}
      />
      {erases ? (
        <p className="settings-warning" role="status">
          {t('settings.specimensErased', { count })}
        </p>
      ) : null}
    </Change>
  );
}

function Storage({ of: { storageFolder, createdAt } }: { of: CompanyProfile }) {
  const { t } = useTranslation();
  return (
    <section className="card column">
      <h2>{t('settings.storage')}</h2>
      <dl className="facts">
        <dt>{t('setup.folder')}</dt>
        <dd className="mono ltr">{storageFolder ?? t('settings.storageNone')}</dd>
        <dt>{t('settings.created')}</dt>
        <dd>
          <Time at={createdAt} />
        </dd>
      </dl>
      <p className="soft">{t('settings.storageHelp')}</p>
      <code className="mono ltr">vouch company update NAME --storage FOLDER</code>
    </section>
  );
}
