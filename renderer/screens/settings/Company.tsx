import { useState } from 'react';
import { Button, Checkbox } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { CompanyProfile } from '../../../core/contracts/dashboard/company.ts';
import { sessionQuery, useMay } from '../../api/session.ts';
import { changeCompany, companyQuery } from '../../api/settings.ts';
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
  const client = useQueryClient();
  const [chosen, setChosen] = useState(features);
  const save = useMutation({
    mutationFn: changeCompany,
    onSuccess: async (kept) => {
      client.setQueryData(companyQuery.queryKey, kept);
      undoStore.getState().notify(t('settings.saved'));
      // The menu and every screen follow the features of the session.
      await client.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
  });
  const changed = FEATURES.filter((feature) => chosen[feature] !== features[feature]);
  return (
    <form
      className="card column"
      onSubmit={(event) => {
        event.preventDefault();
        if (changed.length > 0)
          save.mutate({ features: Object.fromEntries(changed.map((each) => [each, chosen[each]])) });
      }}
    >
      <LeaveGuard active={changed.length > 0} />
      <h2>{t('setup.features')}</h2>
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
      <ErrorLine error={save.error} />
      {canWrite ? (
        <div className="row">
          <Button type="submit" disabled={changed.length === 0} loading={save.isPending}>
            {t('settings.save')}
          </Button>
        </div>
      ) : null}
    </form>
  );
}

/** Whether a second operator must confirm an accepted group of duplicates. */
function SecondOperator({ of: { secondOperator } }: { of: CompanyProfile }) {
  const { t } = useTranslation();
  const canWrite = useMay()('settings:write');
  const client = useQueryClient();
  const [chosen, setChosen] = useState(secondOperator);
  const save = useMutation({
    mutationFn: changeCompany,
    onSuccess: (kept) => {
      client.setQueryData(companyQuery.queryKey, kept);
      undoStore.getState().notify(t('settings.saved'));
    },
  });
  const changed = chosen !== secondOperator;
  return (
    <form
      className="card column"
      onSubmit={(event) => {
        event.preventDefault();
        if (changed) save.mutate({ secondOperator: chosen });
      }}
    >
      <LeaveGuard active={changed} />
      <h2>{t('settings.duplicates')}</h2>
      <Checkbox
        label={t('settings.secondOperator')}
        description={t('settings.secondOperatorHint')}
        checked={chosen}
        disabled={!canWrite || save.isPending}
        onChange={({ currentTarget }) => setChosen(currentTarget.checked)}
      />
      <ErrorLine error={save.error} />
      {canWrite ? (
        <div className="row">
          <Button type="submit" disabled={!changed} loading={save.isPending}>
            {t('settings.save')}
          </Button>
        </div>
      ) : null}
    </form>
  );
}

/** Whether signature specimens may be stored. Turning it off erases those that are. */
function SignatureSpecimens({ of: { signatureSpecimens } }: { of: CompanyProfile }) {
  const { t } = useTranslation();
  const canWrite = useMay()('settings:write');
  const client = useQueryClient();
  const { stored, count } = signatureSpecimens;
  const [chosen, setChosen] = useState(stored);
  const save = useMutation({
    mutationFn: changeCompany,
    onSuccess: async (kept) => {
      client.setQueryData(companyQuery.queryKey, kept);
      undoStore.getState().notify(t('settings.saved'));
      await client.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
    // Specimens were added meanwhile: show the present number.
    onError: () => client.invalidateQueries({ queryKey: companyQuery.queryKey }),
  });
  const changed = chosen !== stored;
  const erases = stored && !chosen && count > 0;
  return (
    <form
      className="card column"
      onSubmit={(event) => {
        event.preventDefault();
        if (changed) save.mutate({ signatureSpecimens: chosen, eraseSpecimens: erases ? count : 0 });
      }}
    >
      <LeaveGuard active={changed} />
      <h2>{t('settings.specimens')}</h2>
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
      <ErrorLine error={save.error} />
      {canWrite ? (
        <div className="row">
          <Button
            type="submit"
            {...(erases && { color: 'red' })}
            disabled={!changed}
            loading={save.isPending}
          >
            {t(erases ? 'settings.specimensEraseDo' : 'settings.save')}
          </Button>
        </div>
      ) : null}
    </form>
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
