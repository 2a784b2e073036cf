import { IconRoute } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { flowsQuery } from '../../api/flows.ts';
import { useMay } from '../../api/session.ts';
import { ApiError } from '../../api/client.ts';
import { usePaste } from '../../components/ImageDrop.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Page } from '../../components/Page.tsx';
import { EmptyState, ErrorState } from '../../components/states.tsx';
import { useVerification } from './useVerification.ts';
import { VerificationForm } from './VerificationForm.tsx';
import { VerificationOutcome } from './VerificationOutcome.tsx';
import './verify.css';
import type { FlowRow } from '../../../core/contracts/flows.ts';

/** One person is verified: the form on one side, its result on the other. */
export function Component() {
  const { t } = useTranslation();
  const may = useMay();
  const query = useQuery({ ...flowsQuery, enabled: may('verifications:create') });
  return (
    <Page title={t('nav.verify')} state={t('verify.state')}>
      {may('verifications:create') ? (
        <Loaded query={query} rows={8}>
          {({ items }) => {
            const flows = items.filter(({ saved }) => saved !== null);
            return flows.length === 0 ? <NoFlow /> : <Verification flows={flows} />;
          }}
        </Loaded>
      ) : (
        <ErrorState error={new ApiError(403, '')} />
      )}
    </Page>
  );
}

function NoFlow() {
  const { t } = useTranslation();
  return (
    <EmptyState
      Icon={IconRoute}
      title={t('verify.noFlow')}
      action={useMay()('flows:write') ? <Link to="/trust-flows/new">{t('verify.newFlow')}</Link> : undefined}
    >
      {t('verify.noFlowHelp')}
    </EmptyState>
  );
}

function Verification({ flows }: { flows: readonly FlowRow[] }) {
  const [params] = useSearchParams();
  const asked = flows.find(({ id }) => String(id) === params.get('flow'));
  const [only, second] = flows;
  const verification = useVerification(asked?.id ?? (second === undefined ? only?.id : undefined) ?? null);
  usePaste((photo) => {
    if (verification.validationId === null && !verification.pending) verification.change({ photo });
  });
  return (
    <div className="verify page-scroll">
      <VerificationForm verification={verification} flows={flows} />
      <VerificationOutcome verification={verification} />
    </div>
  );
}
