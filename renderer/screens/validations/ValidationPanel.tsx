import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import { IconUserCheck } from '@tabler/icons-react';
import type { ValidationDetail } from '../../../core/contracts/dashboard/validations.ts';
import { validationQueryById } from '../../api/validations.ts';
import { FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import { Loaded, EmptyState } from '../../components/states.tsx';
import { Panel } from '../../components/Page.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { useFormats } from '../../i18n/format.ts';
import { ErasePerson } from '../erasure/ErasePerson.tsx';
import { CaseReportButton, History, MatchCompare, MatchList, BlacklistAlert, Summary } from './MatchView.tsx';
import { DecisionBar } from './DecisionBar.tsx';
import { matchesOf, type Match, validationName } from './matches.ts';
import { WhoSaw } from '../../components/Time.tsx';

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

/** Duplicates & Blacklists: each match side by side with its score, band, name, list and face upload id. */
function MatchesTab({ detail, matches }: { detail: ValidationDetail; matches: readonly Match[] }) {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const chosen = matches.find(({ key }) => key === params.get('match')) ?? matches[0];
  const { screening } = detail;
  if (chosen === undefined)
    return (
      <EmptyState
        Icon={IconUserCheck}
        title={t('validations.noMatch')}
        help={screening.at === null ? t('validations.notScreened') : t('validations.noMatchHelp')}
      />
    );
  const choose = (key: string) =>
    setParams(
      (now) => {
        const changed = new URLSearchParams(now);
        changed.set('match', key);
        changed.set('tab', 'matches');
        return changed;
      },
      { replace: true },
    );
  return (
    <div className="column">
      <MatchList matches={matches} chosen={chosen.key} choose={choose} />
      <MatchCompare detail={detail} match={chosen} />
    </div>
  );
}
