import { useState, type ReactNode } from 'react';
import { ActionIcon, NumberInput } from '@mantine/core';
import { IconRestore } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  COMPANY_LIMITS,
  isAllowed,
  limitWord,
  INSTALLATION_LIMITS,
  type CompanyLimit,
  type Limit,
  type InstallationLimit,
} from '../../../core/contracts/limits/limits.ts';
import type { LimitState } from '../../../core/contracts/limits/limitShapes.ts';
import { Action, Loaded, ErrorLine, Page, WideTable } from '../../components/Page.tsx';
import { ApiError } from '../../api/client.ts';
import { useMay, useSession } from '../../api/session.ts';
import { changeLimits, limitsQuery } from '../../api/system.ts';
import { Form, LeaveGuard } from '../../components/Form.tsx';
import { useWords } from '../../i18n/words.tsx';
import { undoStore } from '../../state/undo.ts';
import './settings.css';

const MIB = 1024 * 1024;
const COMPANY_KEYS = Object.keys(COMPANY_LIMITS) as CompanyLimit[];
const INSTALLATION_KEYS = Object.keys(INSTALLATION_LIMITS) as InstallationLimit[];
const GROUPS = [
  { word: 'uploads', keys: COMPANY_KEYS.filter((key) => !key.includes('.')) },
  { word: 'signatures', keys: COMPANY_KEYS.filter((key) => key.startsWith('signatures.')) },
  { word: 'duplicateSearches', keys: COMPANY_KEYS.filter((key) => key.startsWith('duplicates.')) },
  { word: 'quality', keys: COMPANY_KEYS.filter((key) => key.startsWith('gate.')) },
] as const;

/** The limits of the company, and those of the installation to read. */
export function Component() {
  const { t } = useWords();
  const { company } = useSession();
  const query = useQuery(limitsQuery);
  return (
    <Page title={t('nav.limits')} state={t('settings.state', { company: company.name })}>
      <div className="page-scroll column">
        <Loaded query={query}>
          {(state) => <CompanyLimits now={state.company} installation={state.installation} />}
        </Loaded>
      </div>
    </Page>
  );
}

type Values = LimitState['company'];
/** The typed values in the units of their fields; empty for an empty field. */
type Typed = Partial<Record<CompanyLimit, number | ''>>;

/** Bytes are shown as mebibytes: the limits are powers of two. */
const sizeOf = (key: CompanyLimit) => (COMPANY_LIMITS[key].unit === 'bytes' ? MIB : 1);

function CompanyLimits({ now, installation }: { now: Values; installation: LimitState['installation'] }) {
  const { t, count } = useWords();
  const may = useMay();
  const client = useQueryClient();
  const [typed, setTyped] = useState<Typed>({});
  const save = useMutation({
    mutationFn: changeLimits,
    onSuccess: (kept) => {
      client.setQueryData(limitsQuery.queryKey, kept);
      setTyped({});
      undoStore.getState().notify(t('settings.saved'));
    },
  });
  const canWrite = may('settings:write');
  const value = (key: CompanyLimit): number | '' => {
    const entered = typed[key];
    if (entered === undefined) return now[key];
    return entered === '' ? '' : entered * sizeOf(key);
  };
  const changed = COMPANY_KEYS.filter((key) => value(key) !== now[key]);
  const problemOf = useProblems(value);
  const refused = save.error instanceof ApiError ? save.error.fields : {};
  const wrong = COMPANY_KEYS.some((key) => problemOf(key) !== null);
  const edit = (key: CompanyLimit, entered: number | '') => {
    save.reset();
    setTyped((before) => ({ ...before, [key]: entered }));
  };
  return (
    <Form
      className="column"
      send={() => {
        if (!wrong && changed.length > 0)
          save.mutate(Object.fromEntries(changed.map((key) => [key, value(key) as number])));
      }}
    >
      <LeaveGuard active={changed.length > 0} />
      {canWrite ? null : <p className="soft">{t('settings.readOnly')}</p>}
      <WideTable
        label={t('nav.limits')}
        className="table limits"
        head={[t('settings.limit'), t('settings.value'), t('settings.default'), t('settings.range')]}
        bodies
      >
        {GROUPS.map(({ word, keys }) => (
          <tbody key={word}>
            <GroupRow title={t(`settings.${word}`)}>
              {word === 'quality' ? t('settings.qualityHelp') : null}
            </GroupRow>
            {keys.map((key) => (
              <LimitRow
                key={key}
                path={key}
                value={value(key)}
                changed={changed.includes(key)}
                disabled={!canWrite || save.isPending}
                problem={problemOf(key) ?? refused[key]?.[0] ?? null}
                edit={(entered) => edit(key, entered)}
              />
            ))}
          </tbody>
        ))}
        <InstallationRows now={installation} />
      </WideTable>
      {canWrite && changed.length > 0 ? (
        <div className="settings-bar card row wrap">
          <span role="status">
            {t('settings.unsaved', { count: changed.length, changes: count(changed.length) })}
          </span>
          <ErrorLine error={save.error} />
          <Action
            className="push"
            label={t('common.discardChanges')}
            onClick={() => {
              save.reset();
              setTyped({});
            }}
          />
          <Action primary type="submit" label={t('listing.save')} disabled={wrong} loading={save.isPending} />
        </div>
      ) : null}
    </Form>
  );
}

/** The problem of each typed value; null: none. */
function useProblems(value: (key: CompanyLimit) => number | ''): (key: CompanyLimit) => string | null {
  const { t } = useWords();
  const text = useLimitText();
  return (key) => {
    const limit: Limit = COMPANY_LIMITS[key];
    const typed = value(key);
    if (typed === '' || !isAllowed(limit, typed))
      return t(limit.whole && limit.unit !== 'bytes' ? 'settings.whole' : 'settings.outside', {
        least: text(limit, limit.least, 'least'),
        most: text(limit, limit.most),
      });
    if (key === 'signatures.possibleMatch' && typed > Number(value('signatures.match')))
      return t('settings.aboveMatch');
    if (key === 'gate.minBrightness' && typed > Number(value('gate.maxBrightness')))
      return t('settings.aboveBrightest');
    return null;
  };
}

interface FieldProps {
  path: CompanyLimit;
  value: number | '';
  changed: boolean;
  disabled: boolean;
  problem: string | null;
  edit: (entered: number | '') => void;
}

function LimitRow({ path, value, changed, disabled, problem, edit }: FieldProps) {
  const { t } = useWords();
  const text = useLimitText();
  const limit: Limit & { default: number } = COMPANY_LIMITS[path];
  const word = limitWord(path);
  const size = sizeOf(path);
  const label = t(`settings.limits.${word}.label`);
  const reset = t('settings.reset', { setting: label });
  const suffix =
    limit.unit === 'bytes' ? ` ${t('settings.mebibytes')}` : limit.unit === 'degrees' ? '°' : undefined;
  return (
    <tr data-changed={changed ? 'true' : undefined}>
      <th scope="row">
        {label}
        <div className="soft">{t(`settings.limits.${word}.affects`)}</div>
      </th>
      <td>
        <NumberInput
          size="xs"
          aria-label={label}
          value={value === '' ? '' : value / size}
          onChange={(entered) => edit(typeof entered === 'number' ? entered : '')}
          allowDecimal={!limit.whole}
          step={limit.most - limit.least <= 2 ? 0.05 : 1}
          disabled={disabled}
          error={problem}
          {...(suffix !== undefined && { suffix })}
        />
      </td>
      <td>
        <span className="row">
          {text(limit, limit.default)}
          <ActionIcon
            variant="subtle"
            size="sm"
            aria-label={reset}
            title={reset}
            disabled={disabled || value === limit.default}
            onClick={() => edit(limit.default / size)}
          >
            <IconRestore size={16} aria-hidden />
          </ActionIcon>
        </span>
      </td>
      <td>{useRange(limit)}</td>
    </tr>
  );
}

/** The values that a limit may have. */
function useRange(limit: Limit): string {
  const { t } = useWords();
  const text = useLimitText();
  return t('settings.allowed', { least: text(limit, limit.least, 'least'), most: text(limit, limit.most) });
}

function GroupRow({ title, children }: { title: string; children: ReactNode }) {
  return (
    <tr className="limits-group">
      <th scope="rowgroup" colSpan={4}>
        <h2>{title}</h2>
        {children === null ? null : <div className="soft">{children}</div>}
      </th>
    </tr>
  );
}

/** A value of a limit with its unit; the least value of a range shares the unit of the greatest. */
function useLimitText(): (limit: Limit, value: number | null, as?: 'least') => string {
  const { t, bytes } = useWords();
  return ({ unit }, value, as) => {
    if (value === null) return t('settings.all');
    if (unit === 'bytes') return bytes(value);
    if (unit === 'mebibytes') return bytes(value * MIB);
    const number = value.toLocaleString('en');
    return as === 'least' ? number : t(`settings.value_${unit}`, { value: number });
  };
}

/** Limits that the local administrator changes. */
function InstallationRows({ now }: { now: LimitState['installation'] }) {
  const { t } = useWords();
  return (
    <tbody>
      <GroupRow title={t('settings.installation')}>
        {t('settings.installationHelp')} <code className="mono ltr">vouch settings set NAME=VALUE</code>
      </GroupRow>
      {INSTALLATION_KEYS.map((key) => (
        <InstallationRow key={key} name={key} value={now[key]} />
      ))}
    </tbody>
  );
}

function InstallationRow({ name, value }: { name: InstallationLimit; value: number | null }) {
  const { t } = useWords();
  const text = useLimitText();
  const limit: Limit = INSTALLATION_LIMITS[name];
  return (
    <tr>
      <th scope="row">
        {t(`settings.limits.${limitWord(name)}.label`)} <span className="mono ltr soft">{name}</span>
        <div className="soft">{t(`settings.limits.${limitWord(name)}.affects`)}</div>
      </th>
      <td>{text(limit, value)}</td>
      <td>{text(limit, limit.default)}</td>
      <td>{useRange(limit)}</td>
    </tr>
  );
}
