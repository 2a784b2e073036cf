import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import type { ValidationDetail } from '../../../core/contracts/dashboard/validations.ts';
import { validationQueryById } from '../../api/validations.ts';
import { FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Panel } from '../../components/Panel.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { useFormats } from '../../i18n/format.ts';
import { ErasePerson } from '../erasure/ErasePerson.tsx';
import { CaseReportButton } from './CaseReportButton.tsx';
import { DecisionBar } from './DecisionBar.tsx';
import { History } from './History.tsx';
import { matchesOf } from './matches.ts';
import { MatchesTab } from './MatchesTab.tsx';
import { Summary } from './Summary.tsx';
import { validationName } from './validationName.ts';
import { WhoSaw } from '../../components/WhoSaw.tsx';
import { BlacklistAlert } from './BlacklistAlert.tsx';

const TABS = ['summary', 'matches', 'history'] as const;

/** One Trust Validation beside the list. */
export function ValidationPanel({ id }: { id: number }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const query = useQuery(validationQueryById(id));
  const { data } = query;
  const close = () => {
    const rest = new URLSearchParams(params);
    for (const key of ['tab', 'match']) rest.delete(key);
    void navigate({ pathname: '/validations', search: rest.toString() });
  };
  return (
    <Panel
      title={data === undefined ? t('palette.validation', { id }) : validationName(t, data)}
      label={t('palette.validation', { id })}
      note={t('palette.validation', { id })}
      picture={
        data === undefined ? (
          <span className="face-thumbnail panel-thumbnail" />
        ) : (
          <FaceThumbnail url={data.thumbnailUrl} name={data.name} size={40} />
        )
      }
      mark={data && <StatusBadge of="validation" code={data.status} source={data.source} />}
      close={close}
      parts
      focused
    >
      <Loaded query={query} rows={8}>
        {(detail) => <Detail detail={detail} gone={close} />}
      </Loaded>
    </Panel>
  );
}

function Detail({ detail, gone }: { detail: ValidationDetail; gone: () => void }) {
  const { t } = useTranslation();
  const { count } = useFormats();
  const [params, setParams] = useSearchParams();
  const matches = matchesOf(detail);
  const tab = TABS.find((each) => each === params.get('tab')) ?? (matches.length > 0 ? 'matches' : 'summary');
  const show = (next: string | null) =>
    setParams(
      (now) => {
        const changed = new URLSearchParams(now);
        changed.set('tab', next ?? 'summary');
        return changed;
      },
      { replace: true },
    );
  return (
    <>
      <BlacklistAlert detail={detail} />
      <Tabs className="panel-tabs" value={tab} onChange={show}>
        <Tabs.List>
          <Tabs.Tab value="summary">{t('validations.summary')}</Tabs.Tab>
          <Tabs.Tab value="matches">
            {t('validations.matchesTab')} <span className="soft">{count(matches.length)}</span>
          </Tabs.Tab>
          <Tabs.Tab value="history">{t('validations.history')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="summary" className="panel-body">
          <Summary detail={detail} />
          <div className="row summary-actions">
            <CaseReportButton id={detail.id} />
            <WhoSaw of={`validation:${detail.id}`} />
            <ErasePerson start={{ validations: [detail.id] }} gone={gone} />
          </div>
        </Tabs.Panel>
        <Tabs.Panel value="matches" className="panel-body">
          <MatchesTab detail={detail} matches={matches} />
        </Tabs.Panel>
        <Tabs.Panel value="history" className="panel-body">
          <History entries={detail.history} source={detail.source} />
        </Tabs.Panel>
      </Tabs>
      <DecisionBar detail={detail} />
    </>
  );
}
