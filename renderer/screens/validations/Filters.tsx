import { memo, useCallback, useMemo, useState, type ReactNode } from 'react';
import { ActionIcon, Menu, Tooltip, TextInput } from '@mantine/core';
import { IconColumns3, IconBookmark, IconBookmarkPlus, IconTrash, type Icon } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { HIT_KINDS, type ValidationQuery } from '../../../core/contracts/dashboard/validations.ts';
import { MAX_VIEWS, type SavedView } from '../../../core/contracts/dashboard/lists.ts';
import { Action } from '../../components/Page.tsx';
import { flowsQuery } from '../../api/blacklists.ts';
import { personQueryById } from '../../api/persons.ts';
import { useMay } from '../../api/session.ts';
import { useAppearance } from '../../appShell/useAppearance.ts';
import { Select } from '../../components/Select.tsx';
import { DayRange, FilterBar, TypedFilter } from '../../components/filters.tsx';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import type { AddressFilter } from '../../components/useAddressFilter.ts';
import { useWords } from '../../i18n/words.tsx';
import { ExportMatches, ExportValidations } from './bulk/BulkBar.tsx';
import { OPTIONAL_COLUMNS } from './useColumns.tsx';
import { useListChoice } from './matches.ts';
import { Dialog, Form } from '../../components/Form.tsx';

const STATUSES = [
  ['', 'common.all'],
  ['2', 'status.reviewNeeded'],
  ['1', 'status.rejected'],
  ['3', 'status.verified'],
  ['3 enrolment', 'status.enrolled'],
  ['4', 'status.incomplete'],
  ['5', 'status.inProgress'],
] as const;

export type FilterKey = 'status' | 'source' | 'flow' | 'hit' | 'person' | 'text' | 'sort' | 'order';
export type ValidationAddress = AddressFilter<FilterKey, ValidationQuery>;

type Set = ValidationAddress['set'];

/** Each control renders when its own filter changes, and none of them when rows arrive. */
export const Filters = memo(function Filters({ address }: { address: ValidationAddress }) {
  const { t } = useWords();
  const { filter, set, setAll } = address;
  const setText = useCallback((text: string) => set('text', text), [set]);
  const statuses = useMemo(() => STATUSES.map(([value, word]) => ({ value, label: t(word) })), [t]);
  return (
    <FilterBar address={address}>
      <TypedFilter label={t('validations.text')} text={filter.text ?? ''} set={setText} slash />
      <SegmentedControl
        size="xs"
        aria-label={t('common.status')}
        data={statuses}
        value={statusValue(filter)}
        onChange={(value) => setAll(statusFilter(value))}
      />
      <HitFilter hit={filter.hit} set={set} />
      <FlowFilter flow={filter.flow} set={set} />
      {filter.person === undefined ? null : <PersonFilter id={filter.person} />}
      <DayRange address={address} />
    </FilterBar>
  );
});

/** The actions for the list as a whole. */
export function ListTools({ filter }: { filter: ValidationQuery }) {
  return (
    <>
      <ExportValidations filter={filter} />
      <ExportMatches filter={filter} />
      <SavedViews />
      <ColumnChoice />
    </>
  );
}

/** *Verified* means verifications: photos of enrolment have the same status, and are an entry of their own. */
function statusFilter(value: string): { status: string; source: string | null } {
  const [status = '', source] = value.split(' ');
  return { status, source: source ?? (status === '3' ? 'verification' : null) };
}

function statusValue({ status, source }: ValidationQuery): string {
  if (status === undefined) return '';
  return source === 'enrolment' ? `${status} ${source}` : String(status);
}

const HitFilter = memo(function HitFilter({ hit, set }: { hit: ValidationQuery['hit']; set: Set }) {
  const { t } = useWords();
  return (
    <Select
      size="xs"
      aria-label={t('validations.hit')}
      none={t('validations.hit')}
      data={HIT_KINDS.map((value) => ({ value, label: t(`validations.hit_${value}`) }))}
      value={hit ?? null}
      onChange={(value) => set('hit', value)}
    />
  );
});

const FlowFilter = memo(function FlowFilter({ flow, set }: { flow: number | undefined; set: Set }) {
  const { t } = useWords();
  const may = useMay();
  const { data } = useQuery({ ...flowsQuery, enabled: may('flows:read'), staleTime: 30_000 });
  if (!may('flows:read')) return null;
  return (
    <Select
      size="xs"
      aria-label={t('validations.column_flow')}
      none={t('validations.anyFlow')}
      data={data?.items.map(({ id, name }) => ({ value: String(id), label: name })) ?? []}
      value={flow === undefined ? null : String(flow)}
      onChange={(value) => set('flow', value)}
    />
  );
});

/** The person whose validations and hits are listed. */
function PersonFilter({ id }: { id: number }) {
  const { t } = useWords();
  const { data } = useQuery({ ...personQueryById(id), enabled: useMay()('persons:read') });
  return (
    <Link to={`/persons/${id}`} className="cut">
      <bdi>{data?.name ?? t('persons.person', { id })}</bdi>
    </Link>
  );
}

const ColumnChoice = memo(function ColumnChoice() {
  const { t } = useWords();
  const lists = useListChoice();
  const { choose } = useAppearance();
  const { hiddenColumns: hidden } = lists;
  const toggle = (key: string) => {
    const hiddenColumns = hidden.includes(key) ? hidden.filter((each) => each !== key) : [...hidden, key];
    choose({ lists: { ...lists, hiddenColumns } });
  };
  return (
    <IconMenu label={t('validations.columns')} Icon={IconColumns3}>
      {OPTIONAL_COLUMNS.map((key) => (
        <Menu.CheckboxItem key={key} checked={!hidden.includes(key)} onChange={() => toggle(key)}>
          {t(`validations.column_${key}`)}
        </Menu.CheckboxItem>
      ))}
    </IconMenu>
  );
});

/** A menu behind an icon. */
function IconMenu(props: { label: string; Icon: Icon; children: ReactNode }) {
  const { label, Icon: Shown, children } = props;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Tooltip label={label}>
          <ActionIcon variant="subtle" color="gray" aria-label={label}>
            <Shown size={18} stroke={1.6} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}

/** Views that every operator has. */
const SHARED = [
  { word: 'review', search: 'status=2&sort=score' },
  { word: 'blacklisted', search: 'hit=blacklist' },
  { word: 'incomplete', search: 'status=4' },
] as const;

/** The filter and order of the address without the typed text, which can be the name of a person. */
function viewOf(params: URLSearchParams): string {
  const kept = new URLSearchParams(params);
  kept.delete('text');
  return kept.toString();
}

/** Opens, saves and deletes views of the validations: their filter and order. */
function SavedViews() {
  const { t } = useWords();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const lists = useListChoice();
  const { choose } = useAppearance();
  const [naming, setNaming] = useState(false);
  const search = viewOf(params);
  const current = lists.views.find((view) => view.search === search);
  const keep = (views: SavedView[]) => choose({ lists: { ...lists, views } });
  const open = (to: string) => void navigate({ search: to });
  return (
    <>
      <IconMenu label={t('validations.views')} Icon={IconBookmark}>
        {SHARED.map((view) => (
          <Menu.Item key={view.word} onClick={() => open(view.search)}>
            {t(`validations.view_${view.word}`)}
          </Menu.Item>
        ))}
        {lists.views.map((view) => (
          <Menu.Item key={view.name} onClick={() => open(view.search)}>
            <bdi>{view.name}</bdi>
          </Menu.Item>
        ))}
        <Menu.Divider />
        {current === undefined ? (
          <Menu.Item
            leftSection={<IconBookmarkPlus size={16} aria-hidden />}
            disabled={search === '' || lists.views.length >= MAX_VIEWS}
            onClick={() => setNaming(true)}
          >
            {t('validations.saveView')}
          </Menu.Item>
        ) : (
          <Menu.Item
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => keep(lists.views.filter((view) => view !== current))}
          >
            {t('validations.deleteView', { name: current.name })}
          </Menu.Item>
        )}
      </IconMenu>
      {naming ? (
        <NameView
          taken={lists.views.map(({ name }) => name)}
          close={() => setNaming(false)}
          save={(name) => keep([...lists.views, { name, search }])}
        />
      ) : null}
    </>
  );
}

function NameView(props: { taken: readonly string[]; close: () => void; save: (name: string) => void }) {
  const { taken, close, save } = props;
  const { t } = useWords();
  const [typed, setTyped] = useState('');
  const name = typed.trim();
  const isTaken = taken.includes(name);
  return (
    <Dialog title={t('validations.saveView')} close={close}>
      <Form
        className="column"
        send={() => {
          if (name === '' || isTaken) return;
          save(name);
          close();
        }}
      >
        <TextInput
          data-autofocus
          label={t('validations.viewName')}
          description={t('validations.viewHelp')}
          maxLength={60}
          value={typed}
          error={isTaken ? t('validations.viewTaken') : null}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <div className="row">
          <Action
            primary
            type="submit"
            className="push"
            label={t('validations.saveViewNow')}
            disabled={name === '' || isTaken}
          />
        </div>
      </Form>
    </Dialog>
  );
}
