import { useEffect, useRef, useState } from 'react';
import {
  ActionIcon,
  Button,
  Checkbox,
  CloseButton,
  Menu,
  SegmentedControl,
  Select,
  TextInput,
  Tooltip,
} from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconColumns3, IconSearch, IconSortAscending, IconSortDescending } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { HIT_KINDS } from '../../../core/contracts/dashboard/validations.ts';
import { flowsQuery } from '../../api/flows.ts';
import { useMay } from '../../api/session.ts';
import { useKeys } from '../../state/keys.ts';
import type { FilterInAddress } from './useFilter.ts';
import { OPTIONAL_COLUMNS, useShownColumns } from './useColumns.tsx';

const STATUSES = [
  ['', 'common.all'],
  ['2', 'status.reviewNeeded'],
  ['1', 'status.rejected'],
  ['3', 'status.verified'],
  ['4', 'status.incomplete'],
  ['5', 'status.inProgress'],
] as const;

export function Filters({ address }: { address: FilterInAddress }) {
  const { t } = useTranslation();
  const { filter, days, filtered, set, clear } = address;
  const newest = filter.order !== 'oldest';
  const Order = newest ? IconSortDescending : IconSortAscending;
  const order = t(newest ? 'validations.newest' : 'validations.oldest');
  return (
    <div className="filters" role="search" aria-label={t('validations.filters')}>
      <TextFilter text={filter.text ?? ''} set={(text) => set('text', text)} />
      <SegmentedControl
        size="xs"
        aria-label={t('validations.status')}
        data={STATUSES.map(([value, word]) => ({ value, label: t(word) }))}
        value={filter.status === undefined ? '' : String(filter.status)}
        onChange={(value) => set('status', value)}
      />
      <Select
        size="xs"
        w={168}
        clearable
        aria-label={t('validations.hit')}
        placeholder={t('validations.hit')}
        data={HIT_KINDS.map((value) => ({ value, label: t(`validations.hit_${value}`) }))}
        value={filter.hit ?? null}
        onChange={(value) => set('hit', value)}
      />
      <FlowFilter flow={filter.flow} set={(flow) => set('flow', flow)} />
      {(['from', 'to'] as const).map((key) => (
        <TextInput
          key={key}
          size="xs"
          type="date"
          w={138}
          aria-label={t(`validations.${key}`)}
          title={t(`validations.${key}`)}
          value={days[key]}
          onChange={(event) => set(key, event.currentTarget.value)}
        />
      ))}
      {filtered ? (
        <Button size="compact-sm" variant="subtle" onClick={clear}>
          {t('validations.clear')}
        </Button>
      ) : null}
      <span className="push row">
        <Tooltip label={order}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={order}
            onClick={() => set('order', newest ? 'oldest' : null)}
          >
            <Order size={18} stroke={1.6} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <ColumnChoice />
      </span>
    </div>
  );
}

function FlowFilter({ flow, set }: { flow: number | undefined; set: (flow: string | null) => void }) {
  const { t } = useTranslation();
  const may = useMay();
  const { data } = useQuery({ ...flowsQuery, enabled: may('flows:read'), staleTime: 30_000 });
  if (!may('flows:read')) return null;
  return (
    <Select
      size="xs"
      w={150}
      clearable
      aria-label={t('validations.column_flow')}
      placeholder={t('validations.anyFlow')}
      data={data?.items.map(({ id, name }) => ({ value: String(id), label: name })) ?? []}
      value={flow === undefined ? null : String(flow)}
      onChange={set}
    />
  );
}

function TextFilter({ text, set }: { text: string; set: (text: string) => void }) {
  const { t } = useTranslation();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(text);
  const later = useDebouncedCallback(set, 120);
  useEffect(() => setTyped(text), [text]);
  useKeys([{ keys: ['/'], label: t('keys.filter'), run: () => field.current?.focus() }]);
  const type = (value: string) => {
    setTyped(value);
    later(value);
  };
  return (
    <TextInput
      ref={field}
      size="xs"
      w={200}
      aria-label={t('validations.text')}
      placeholder={t('validations.text')}
      leftSection={<IconSearch size={14} stroke={1.6} aria-hidden />}
      rightSection={
        typed === '' ? null : (
          <CloseButton size="xs" aria-label={t('validations.clear')} onClick={() => type('')} />
        )
      }
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' || event.key === 'Enter') event.currentTarget.blur();
      }}
    />
  );
}

function ColumnChoice() {
  const { t } = useTranslation();
  const { hidden, toggle } = useShownColumns();
  return (
    <Menu position="bottom-end" closeOnItemClick={false}>
      <Menu.Target>
        <Tooltip label={t('validations.columns')}>
          <ActionIcon variant="subtle" color="gray" aria-label={t('validations.columns')}>
            <IconColumns3 size={18} stroke={1.6} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {OPTIONAL_COLUMNS.map((key) => (
          <Menu.Item
            key={key}
            leftSection={<Checkbox.Indicator size="xs" checked={!hidden.includes(key)} aria-hidden />}
            role="menuitemcheckbox"
            aria-checked={!hidden.includes(key)}
            onClick={() => toggle(key)}
          >
            {t(`validations.column_${key}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
