import { Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import {
  AUDIT_ACTIONS,
  AUDIT_OUTCOMES,
  type AuditAction,
  type AuditFilter,
} from '../../../core/contracts/audit.ts';
import { credentialsQuery } from '../../api/credentials.ts';
import { operatorsQuery } from '../../api/operators.ts';
import { useMay } from '../../api/session.ts';
import { Select, SearchableSelect } from '../../components/Select.tsx';
import { DayRange } from '../../components/DayRange.tsx';
import { FilterBar, TypedFilter } from '../../components/filters.tsx';
import type { AddressFilter } from '../../components/useAddressFilter.ts';
import { useEnumLabels } from '../../i18n/enumLabels.ts';

const KINDS = ['operator', 'token', 'hmac', 'local-admin', 'service', 'anonymous'] as const;

export type AuditKey = 'actor' | 'action' | 'object' | 'outcome' | 'views';
export type AuditAddress = AddressFilter<AuditKey, AuditFilter>;

export function AuditFilters({ address }: { address: AuditAddress }) {
  const { t } = useTranslation();
  const { filter, set } = address;
  const { actions } = useEnumLabels();
  return (
    <FilterBar address={address} label={t('audit.filters')}>
      <Who value={filter.actor ?? null} set={(value) => set('actor', value)} />
      <SearchableSelect
        size="xs"
        w={250}
        aria-label={t('audit.what')}
        none={t('audit.anything')}
        comboboxProps={{ width: 440, position: 'bottom-start' }}
        data={(Object.keys(AUDIT_ACTIONS) as AuditAction[]).map((value) => ({
          value,
          label: actions[value],
        }))}
        value={filter.action ?? null}
        onChange={(value) => set('action', value)}
      />
      <TypedFilter
        label={t('audit.object')}
        placeholder={t('audit.objectHint')}
        text={address.value('object')}
        set={(value) => set('object', value)}
        slash
      />
      <Select
        size="xs"
        w={130}
        aria-label={t('audit.outcome')}
        none={t('audit.anyOutcome')}
        data={AUDIT_OUTCOMES.map((value) => ({ value, label: t(`audit.outcome_${value}`) }))}
        value={filter.outcome ?? null}
        onChange={(value) => set('outcome', value)}
      />
      <DayRange address={address} />
      <Switch
        size="xs"
        label={t('audit.showViews')}
        checked={filter.views === undefined}
        disabled={filter.action !== undefined}
        onChange={(event) => set('views', event.currentTarget.checked ? 'shown' : null)}
      />
    </FilterBar>
  );
}

/** A kind of actor, or one of the company's operators and programs by name. */
function Who({ value, set }: { value: string | null; set: (value: string | null) => void }) {
  const { t } = useTranslation();
  const may = useMay();
  const operators = useQuery({ ...operatorsQuery, enabled: may('operators:read') });
  const credentials = useQuery({ ...credentialsQuery, enabled: may('tokens:read') });
  const people = (operators.data?.items ?? []).map(({ id, name }) => ({
    value: `operator:${id}`,
    label: name,
  }));
  const programs = (credentials.data?.items ?? []).map(({ kind, id, name }) => ({
    value: `${kind === 'key' ? 'hmac' : 'token'}:${id}`,
    label: name,
  }));
  const groups = [
    {
      group: t('common.all'),
      items: KINDS.map((kind) => ({ value: kind, label: t(`audit.actor_${kind}`) })),
    },
    { group: t('operators.title'), items: people },
    { group: t('nav.apiAccess'), items: programs },
  ];
  return (
    <SearchableSelect
      size="xs"
      w={180}
      aria-label={t('audit.who')}
      none={t('audit.anybody')}
      comboboxProps={{ width: 260, position: 'bottom-start' }}
      data={groups.filter(({ items }) => items.length > 0)}
      value={value}
      onChange={set}
    />
  );
}
