import { useState } from 'react';
import { Button, Checkbox, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CompanyPatch, CompanyProfile } from '../../../core/contracts/dashboard/company.ts';
import { ApiError } from '../../api/client.ts';
import { sessionQuery, useMay } from '../../api/session.ts';
import { changeCompany, companyQuery } from '../../api/system.ts';
import { Form, LeaveGuard } from '../../components/Form.tsx';
import { Loaded, ErrorLine, Page } from '../../components/Page.tsx';
import { Fact } from '../../components/StatusBadge.tsx';
import { undoStore } from '../../state/undo.ts';
import { useWords } from '../../i18n/words.tsx';
import './settings.css';

/** The name and the features of the company, and where its images are stored. */
export function Component() {
  const { t } = useWords();
  const query = useQuery(companyQuery);
  return (
    <Page title={t('nav.company')} state={query.data?.name ?? null}>
      <div className="page-scroll column settings-narrow">
        <Loaded query={query}>
          {(company) => (
            <>
              <Profile key={JSON.stringify(company)} of={company} />
              <Storage of={company} />
            </>
          )}
        </Loaded>
      </div>
    </Page>
  );
}

/** The fields that an operator can change, as one value. */
const draftOf = ({ name, features, secondOperator, signatureSpecimens, osia }: CompanyProfile) => ({
  name,
  ...features,
  secondOperator,
  specimens: signatureSpecimens.stored,
  osia,
});

function Profile({ of: company }: { of: CompanyProfile }) {
  const { t } = useWords();
  const client = useQueryClient();
  const canWrite = useMay()('settings:write');
  const now = draftOf(company);
  const [draft, setDraft] = useState(now);
  const has = (field: keyof typeof now) => draft[field] !== now[field];
  const { count } = company.signatureSpecimens;
  const erases = now.specimens && !draft.specimens && count > 0;
  const name = draft.name.trim();
  const features = {
    ...(has('registration') && { registration: draft.registration }),
    ...(has('blacklists') && { blacklists: draft.blacklists }),
  };
  const patch: CompanyPatch = {
    ...(name !== now.name && { name }),
    ...(Object.keys(features).length > 0 && { features }),
    ...(has('secondOperator') && { secondOperator: draft.secondOperator }),
    ...(has('osia') && { osia: draft.osia }),
    ...(has('specimens') && { signatureSpecimens: draft.specimens, eraseSpecimens: erases ? count : 0 }),
  };
  const changed = Object.keys(patch).length > 0;
  const save = useMutation({
    mutationFn: changeCompany,
    onSuccess: async (kept) => {
      client.setQueryData(companyQuery.queryKey, kept);
      undoStore.getState().notify(t('settings.saved'));
      // The menu and every screen follow what the session names.
      await client.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
    // Another operator changed the company meanwhile: show its present state.
    onError: () => client.invalidateQueries({ queryKey: companyQuery.queryKey }),
  });
  const said = save.error instanceof ApiError ? save.error.fields.name : undefined;
  const box = (
    field: Exclude<keyof typeof now, 'name'>,
    label: string,
    description: string,
    fixed = false,
  ) => (
    <Checkbox
      label={label}
      description={description}
      checked={draft[field]}
      disabled={!canWrite || save.isPending || fixed}
      onChange={({ currentTarget }) => setDraft({ ...draft, [field]: currentTarget.checked })}
    />
  );
  const warning = (isShown: boolean, text: string) =>
    isShown ? (
      <p className="callout" role="status">
        {text}
      </p>
    ) : null;
  return (
    <Form
      className="card column"
      send={() => {
        if (changed && name !== '') save.mutate(patch);
      }}
    >
      <LeaveGuard active={changed} />
      {canWrite ? null : <p className="soft">{t('settings.readOnly')}</p>}
      <TextInput
        required
        label={t('facts.name')}
        description={t('settings.nameHint')}
        maxLength={100}
        disabled={!canWrite || save.isPending}
        error={said?.join(' ')}
        value={draft.name}
        onChange={({ currentTarget }) => setDraft({ ...draft, name: currentTarget.value })}
      />
      <h2>{t('setup.features')}</h2>
      {box('registration', t('setup.registration'), t('setup.registrationHint'))}
      {warning(now.registration && !draft.registration, t('settings.off_registration'))}
      {box('blacklists', t('setup.blacklists'), t('setup.blacklistsHint'))}
      {warning(now.blacklists && !draft.blacklists, t('settings.off_blacklists'))}
      <h2>{t('settings.duplicates')}</h2>
      {box(
        'secondOperator',
        t('settings.secondOperator'),
        `${t('settings.secondOperatorHint')} ${t('settings.secondOperatorFixed')}`,
        now.secondOperator,
      )}
      <h2>{t('persons.specimens')}</h2>
      {box('specimens', t('settings.specimensStore'), t('settings.specimensHint'))}
      {warning(erases, t('settings.specimensErased', { count }))}
      <h2>{t('settings.abis')}</h2>
      {box('osia', t('settings.osia'), t('settings.osiaHint'))}
      <ErrorLine error={said === undefined ? save.error : null} />
      {canWrite ? (
        <div className="row">
          <Button
            type="submit"
            {...(erases && { color: 'red' })}
            disabled={!changed || name === ''}
            loading={save.isPending}
          >
            {t(erases ? 'settings.specimensEraseDo' : 'listing.save')}
          </Button>
        </div>
      ) : null}
    </Form>
  );
}

function Storage({ of: { storageFolder, createdAt } }: { of: CompanyProfile }) {
  const { t } = useWords();
  return (
    <section className="card column">
      <h2>{t('common.storage')}</h2>
      <dl className="facts">
        <Fact label={t('setup.folder')} className="mono ltr">
          {storageFolder ?? t('settings.storageNone')}
        </Fact>
        <Fact label={t('facts.created')} at={createdAt} />
      </dl>
      <p className="soft">{t('settings.storageHelp')}</p>
      <code className="mono ltr">vouch company update NAME --storage FOLDER</code>
    </section>
  );
}
