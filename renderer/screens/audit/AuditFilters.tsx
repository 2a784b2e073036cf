import { useEffect, useRef, useState } from 'react';
import { Button, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { AUDIT_ACTIONS, AUDIT_OUTCOMES, type AuditAction } from '../../../core/contracts/audit.ts';
import { credentialsQuery } from '../../api/credentials.ts';
import { operatorsQuery } from '../../api/operators.ts';
import { useMay } from '../../api/session.ts';
import { useRegisters } from '../../i18n/registers.ts';
import { useKeys } from '../../state/keys.ts';
import type { AuditFilterInAddress } from './useAuditFilter.ts';

const KINDS = ['operator', 'token', 'hmac', 'owner', 'service', 'nobody'] as const;

export function AuditFilters({ address }: { address: AuditFilterInAddress }) {
  const { t } = useTranslation();
  const { typed, filtered, set, clear } = address;
  const { actions } = useRegisters();
  return (
    <div className="filters" role="search" aria-label={t('audit.filters')}>
      <Who value={typed.actor ?? null} set={(value) => set('actor', value)} />
      <Select
        size="xs"
        w={250}
        clearable
        searchable
        aria-label={t('audit.what')}
        placeholder={t('audit.anything')}
        comboboxProps={{ width: 440, position: 'bottom-start' }}
        data={(Object.keys(AUDIT_ACTIONS) as AuditAction[]).map((value) => ({
          value,
          label: actions[value],
        }))}
        value={typed.action ?? null}
        onChange={(value) => set('action', value)}
      />
      <OfWhat value={typed.object ?? ''} set={(value) => set('object', value)} />
      <Select
        size="xs"
        w={130}
        clearable
        aria-label={t('audit.outcome')}
        placeholder={t('audit.anyOutcome')}
        data={AUDIT_OUTCOMES.map((value) => ({ value, label: t(`audit.outcome_${value}`) }))}
        value={typed.outcome ?? null}
        onChange={(value) => set('outcome', value)}
      />
      {(['from', 'to'] as const).map((key) => (
        <TextInput
          key={key}
          size="xs"
          type="date"
          w={138}
          aria-label={t(`validations.${key}`)}
          title={t(`validations.${key}`)}
          value={typed[key] ?? ''}
          onChange={(event) => set(key, event.currentTarget.value)}
        />
      ))}
      {filtered ? (
        <Button size="compact-sm" variant="subtle" onClick={clear}>
          {t('validations.clear')}
        </Button>
      ) : null}
    </div>
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
    <Select
      size="xs"
      w={180}
      clearable
      searchable
      aria-label={t('audit.who')}
      placeholder={t('audit.anybody')}
      comboboxProps={{ width: 260, position: 'bottom-start' }}
      data={groups.filter(({ items }) => items.length > 0)}
      value={value}
      onChange={set}
    />
  );
}

function OfWhat({ value, set }: { value: string; set: (value: string) => void }) {
  const { t } = useTranslation();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(value);
  const later = useDebouncedCallback(set, 200);
  useEffect(() => setTyped(value), [value]);
  useKeys([{ keys: ['/'], label: t('keys.filter'), run: () => field.current?.focus() }]);
  return (
    <TextInput
      ref={field}
      size="xs"
      w={210}
      aria-label={t('audit.object')}
      placeholder={t('audit.objectHint')}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        later(event.currentTarget.value.trim());
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape' || event.key === 'Enter') event.currentTarget.blur();
      }}
    />
  );
}
