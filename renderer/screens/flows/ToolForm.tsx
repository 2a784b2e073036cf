import { useState } from 'react';
import { Checkbox, Switch, NumberInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { comparisonRate } from '../../../core/contracts/certainty.ts';
import { BLACKLIST_STATUS } from '../../../core/contracts/codes.ts';
import {
  blacklistThreshold,
  type KeptFlowSettings,
  MAX_FMR,
  MIN_FMR,
  TARGET_FPIRS,
  type ThresholdChoice,
} from '../../../core/contracts/flows.ts';
import { Action, ErrorLine } from '../../components/Page.tsx';
import { blacklistsQuery, flowsSearchedQuery } from '../../api/blacklists.ts';
import { useSession } from '../../api/session.ts';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { Expected } from '../../components/Expected.tsx';
import { Select } from '../../components/Select.tsx';
import { useWords } from '../../i18n/words.tsx';

interface FormProps {
  /** Number of the Trust Flow. */
  flow: number;
  settings: KeptFlowSettings;
  /** Of chosen lists, also of those that are gone. */
  names: Readonly<Record<string, string>>;
  disabled: boolean;
  change: (settings: KeptFlowSettings) => void;
}

/** The settings of the Biometrics Verification tool. */
export function ToolForm({ flow, settings, names, disabled, change }: FormProps) {
  const { t } = useWords();
  const { company } = useSession();
  const { duplicateDetection: duplicate, blacklistDetection: blacklist } = settings;
  return (
    <fieldset className="tool" disabled={disabled}>
      <legend>{t('flows.tool')}</legend>
      <section className="tool-part">
        <Switch
          label={t('flows.duplicates')}
          description={t('flows.duplicatesHelp')}
          checked={duplicate.enabled}
          onChange={({ currentTarget: { checked } }) =>
            change({ ...settings, duplicateDetection: { ...duplicate, enabled: checked } })
          }
        />
        {duplicate.enabled ? (
          <HitAction
            disabled={disabled}
            action={duplicate.action}
            change={(action) => change({ ...settings, duplicateDetection: { ...duplicate, action } })}
          />
        ) : null}
      </section>
      {company.features.blacklists ? (
        <section className="tool-part">
          <Switch
            label={t('flows.blacklists')}
            description={t('flows.blacklistsHelp')}
            checked={blacklist.enabled}
            onChange={({ currentTarget: { checked } }) =>
              change({ ...settings, blacklistDetection: { ...blacklist, enabled: checked } })
            }
          />
          {blacklist.enabled ? (
            <>
              <ListChoice
                names={names}
                chosen={blacklist}
                choose={(lists) => change({ ...settings, blacklistDetection: { ...blacklist, ...lists } })}
              />
              <HitAction
                disabled={disabled}
                action={blacklist.action}
                change={(action) => change({ ...settings, blacklistDetection: { ...blacklist, action } })}
              />
              <Switch
                label={t('flows.ownRate')}
                description={t('flows.ownRateHelp')}
                checked={blacklist.targetFmr !== null || blacklist.targetFpir !== null}
                onChange={({ currentTarget: { checked } }) =>
                  change({
                    ...settings,
                    blacklistDetection: {
                      ...blacklist,
                      targetFmr: checked ? settings.targetFmr : null,
                      targetFpir: checked ? settings.targetFpir : null,
                    },
                  })
                }
              />
              {blacklist.targetFmr === null && blacklist.targetFpir === null ? null : (
                <RateChoice
                  label={t('flows.blacklistThreshold')}
                  choice={blacklistThreshold(settings)}
                  disabled={disabled}
                  choose={(choice) =>
                    change({ ...settings, blacklistDetection: { ...blacklist, ...choice } })
                  }
                />
              )}
            </>
          ) : null}
        </section>
      ) : null}
      <section className="tool-part">
        <Switch
          label={t('flows.registration')}
          description={t('flows.registrationHelp')}
          checked={settings.registration.enabled}
          onChange={({ currentTarget: { checked } }) =>
            change({ ...settings, registration: { enabled: checked } })
          }
        />
      </section>
      <section className="tool-part">
        <RateChoice
          label={t('flows.threshold')}
          choice={settings}
          disabled={disabled}
          choose={(choice) => change({ ...settings, ...choice })}
        />
        <FalseAlarms flow={flow} settings={settings} />
      </section>
    </fieldset>
  );
}

type Action = KeptFlowSettings['duplicateDetection']['action'];

function HitAction(props: { action: Action; disabled: boolean; change: (action: Action) => void }) {
  const { t } = useWords();
  return (
    <div className="row wrap">
      <span className="soft">{t('flows.action')}</span>
      <SegmentedControl
        size="xs"
        disabled={props.disabled}
        aria-label={t('flows.action')}
        data={(['review', 'reject'] as const).map((value) => ({ value, label: t(`flows.action_${value}`) }))}
        value={props.action}
        onChange={(value) => props.change(value)}
      />
    </div>
  );
}

type ChosenLists = Pick<KeptFlowSettings['blacklistDetection'], 'blacklistIds' | 'ownRates'>;

/**
 * Active blacklists to choose from, each with the rate of its own. Chosen ones that are inactive are named, because they are
 * not screened.
 */
function ListChoice(props: {
  names: Readonly<Record<string, string>>;
  chosen: ChosenLists;
  choose: (lists: ChosenLists) => void;
}) {
  const { t, count } = useWords();
  const { names, choose } = props;
  const { blacklistIds: chosen, ownRates } = props.chosen;
  const { data, error } = useQuery(blacklistsQuery);
  const active = data?.items.filter(({ status }) => status === BLACKLIST_STATUS.Active) ?? [];
  const gone = data === undefined ? [] : chosen.filter((id) => !active.some((list) => list.id === id));
  const othersThan = (id: number) => ownRates.filter(({ blacklistId }) => blacklistId !== id);
  const toggle = (id: number) =>
    choose(
      chosen.includes(id)
        ? { blacklistIds: chosen.filter((each) => each !== id), ownRates: othersThan(id) }
        : { blacklistIds: [...chosen, id], ownRates },
    );
  const rateOf = (id: number) => ownRates.find(({ blacklistId }) => blacklistId === id)?.targetFpir ?? null;
  return (
    <fieldset className="tool-lists">
      <legend>{t('flows.lists')}</legend>
      <ErrorLine error={data === undefined ? error : null} />
      {data !== undefined && active.length === 0 ? (
        <p className="soft">
          {t('flows.noActive')} <Link to="/company/internal-biometrics">{t('nav.blacklists')}</Link>
        </p>
      ) : null}
      {active.map(({ id, name, enrolledFacesCount }) => (
        <div key={id} className="row wrap tool-list">
          <Checkbox
            checked={chosen.includes(id)}
            onChange={() => toggle(id)}
            label={
              <span className="row">
                <bdi>{name}</bdi>{' '}
                <span className="soft">{t('flows.listFaces', { faces: count(enrolledFacesCount) })}</span>
              </span>
            }
          />
          {chosen.includes(id) ? (
            <Select
              size="xs"
              aria-label={t('flows.thresholdOf', { name })}
              none={t('flows.sameThreshold')}
              data={searchRates(t, count)}
              value={rateOf(id) === null ? null : String(rateOf(id))}
              onChange={(value) => {
                const targetFpir = TARGET_FPIRS.find((rate) => String(rate) === value);
                const own = targetFpir === undefined ? [] : [{ blacklistId: id, targetFpir }];
                choose({ blacklistIds: chosen, ownRates: [...othersThan(id), ...own] });
              }}
            />
          ) : null}
        </div>
      ))}
      {gone.map((id) => (
        <p key={id} className="row tool-gone">
          <IconAlertTriangle size={16} aria-hidden />
          <span>
            {names[String(id)] ?? id}: {t('flows.gone')}
          </span>
          <Action size="compact-xs" label={t('common.remove')} onClick={() => toggle(id)} />
        </p>
      ))}
      {chosen.length === 0 && active.length > 0 ? (
        <p className="row tool-gone">
          <IconAlertTriangle size={16} aria-hidden /> {t('flows.noneChosen')}
        </p>
      ) : null}
    </fieldset>
  );
}

/** The named false-match rates: one false match in so many comparisons of different people. */
const NAMED_RATES = { balanced: 10_000, strict: 100_000, veryStrict: 1_000_000 } as const;
type Named = keyof typeof NAMED_RATES;
const NAMES = Object.keys(NAMED_RATES) as Named[];
const MIN_COMPARISONS = Math.round(1 / MAX_FMR);
const MAX_COMPARISONS = Math.round(1 / MIN_FMR);

interface ChoiceProps {
  label: string;
  choice: ThresholdChoice;
  disabled: boolean;
  choose: (choice: ThresholdChoice) => void;
}

type Words = ReturnType<typeof useWords>;

/** The rates per search to choose from. */
const searchRates = (t: Words['t'], count: Words['count']) =>
  TARGET_FPIRS.map((rate) => ({
    value: String(rate),
    label: t('flows.inSearches', { searches: count(Math.round(1 / rate)) }),
  }));

/** A rate of false alarms per search, or a fixed false match rate: three named steps or a free choice. */
function RateChoice({ label, choice, disabled, choose }: ChoiceProps) {
  const { t, count } = useWords();
  const { targetFmr, targetFpir } = choice;
  const comparisons = Math.round(1 / targetFmr);
  const named = NAMES.find((name) => NAMED_RATES[name] === comparisons);
  const [isFree, setFree] = useState(false);
  const fixed = isFree || named === undefined ? 'other' : named;
  const fixedRates = NAMES.map((name) => ({
    value: name as string,
    label: t(`flows.rate_${name}`, { comparisons: count(NAMED_RATES[name]) }),
  }));
  return (
    <div className="column">
      <Select
        label={label}
        description={t(targetFpir === null ? 'flows.thresholdHelp' : 'flows.searchesHelp')}
        disabled={disabled}
        data={[
          { group: t('search.perSearch'), items: searchRates(t, count) },
          {
            group: t('search.perComparison'),
            items: [...fixedRates, { value: 'other', label: t('search.stepFree') }],
          },
        ]}
        value={targetFpir === null ? fixed : String(targetFpir)}
        onChange={(value) => {
          setFree(value === 'other');
          const name = NAMES.find((each) => each === value);
          choose({
            targetFmr: name === undefined ? targetFmr : 1 / NAMED_RATES[name],
            targetFpir: TARGET_FPIRS.find((rate) => String(rate) === value) ?? null,
          });
        }}
      />
      {targetFpir === null && fixed === 'other' ? (
        <NumberInput
          size="xs"
          maw={240}
          label={t('flows.rateFree')}
          description={t('flows.rateRange', { least: count(MIN_COMPARISONS), most: count(MAX_COMPARISONS) })}
          disabled={disabled}
          min={MIN_COMPARISONS}
          max={MAX_COMPARISONS}
          clampBehavior="blur"
          allowDecimal={false}
          thousandSeparator=","
          value={comparisons}
          onChange={(value) => {
            if (typeof value === 'number' && value >= MIN_COMPARISONS && value <= MAX_COMPARISONS)
              choose({ targetFmr: 1 / value, targetFpir: null });
          }}
        />
      ) : null}
    </div>
  );
}

/** The expected false alarms with the persons that the company has now. */
function FalseAlarms({ flow, settings }: Pick<FormProps, 'flow' | 'settings'>) {
  const { t, count, decimal } = useWords();
  const { data: searched, error } = useQuery(flowsSearchedQuery);
  if (searched === undefined) return <ErrorLine error={error} />;
  const { blacklistDetection: blacklist, duplicateDetection: duplicate } = settings;
  const compared = searched.lists.filter(({ id }) =>
    id === null ? duplicate.enabled : blacklist.enabled && blacklist.blacklistIds.includes(id),
  );
  const personsOf = (lists: typeof compared) => lists.reduce((sum, list) => sum + list.persons, 0);
  const persons = personsOf(compared);
  if (persons === 0) return <p className="soft">{t('flows.alarmsNone')}</p>;
  const thresholdOf = (id: number | null) => (id === null ? settings : blacklistThreshold(settings, id));
  const filled = compared.filter((list) => list.persons > 0);
  const rates = filled.map((list) =>
    comparisonRateOf(thresholdOf(list.id), list.persons, searched.rarestRate ?? 0),
  );
  const expected = filled.reduce((sum, list, i) => sum + list.persons * rates[i]!, 0);
  const hasOwn = blacklist.targetFmr !== null || blacklist.targetFpir !== null;
  const isSame = (id: number | null) =>
    id === null || !(hasOwn || blacklist.ownRates.some(({ blacklistId }) => blacklistId === id));
  const suggested = suggestedRate(personsOf(compared.filter(({ id }) => isSame(id))));
  return (
    <div role="status">
      <p>
        {expected >= 1
          ? t('flows.alarmsMany', { persons: count(persons), alarms: decimal(expected) })
          : t('flows.alarms', { persons: count(persons), verifications: count(Math.round(1 / expected)) })}
        {settings.targetFpir !== null || settings.targetFmr * suggested <= 1
          ? null
          : ` ${t('flows.rateSuggested', { people: count(suggested) })}`}
      </p>
      <Expected flow={flow} alarms={expected} rate={Math.min(...rates)} />
    </div>
  );
}

/** The false match rate of one comparison in a list. @param rarest where thresholds of a rate per search end */
function comparisonRateOf(
  { targetFmr, targetFpir }: ThresholdChoice,
  persons: number,
  rarest: number,
): number {
  return targetFpir === null ? targetFmr : Math.max(comparisonRate(targetFpir, persons), rarest);
}

/** At most so many false alarms in a verification, on average, are what a suggested rate is chosen for. */
const ALARMS_SUGGESTED = 1 / 20;

/**
 * The rate that is suggested for a number of persons: the least strict of the named ones with at most one false alarm in 20
 * verifications, because a stricter one misses more people. @returns comparisons to one false match
 */
export function suggestedRate(persons: number): number {
  const rates = Object.values(NAMED_RATES);
  return rates.find((rate) => persons / rate <= ALARMS_SUGGESTED) ?? NAMED_RATES.veryStrict;
}

/** Whether two settings are the same; the order of the chosen lists does not matter. */
export function sameSettings(one: KeptFlowSettings | null, other: KeptFlowSettings | null): boolean {
  return plain(one) === plain(other);
}

function plain(settings: KeptFlowSettings | null): string {
  if (settings === null) return '';
  const { duplicateDetection: duplicate, blacklistDetection: blacklist, registration, targetFmr } = settings;
  const lists = [...blacklist.blacklistIds].sort((a, b) => a - b);
  return JSON.stringify([
    duplicate.enabled,
    duplicate.action,
    blacklist.enabled,
    blacklist.action,
    blacklist.targetFmr,
    blacklist.targetFpir,
    lists,
    lists.map((id) => blacklistThreshold(settings, id)),
    registration.enabled,
    targetFmr,
    settings.targetFpir,
  ]);
}

/** Settings in words, one line each, in the same order: two of them are compared line by line. */
export function useSettingsInWords() {
  const { t, count, list } = useWords();
  return (settings: KeptFlowSettings, names: Readonly<Record<string, string>>) => {
    const { duplicateDetection: duplicate, blacklistDetection: blacklist, registration } = settings;
    const onOff = (on: boolean, action: 'review' | 'reject') =>
      on ? list([t('flows.on'), t(`flows.action_${action}`)]) : t('flows.off');
    const inWords = ({ targetFmr, targetFpir }: ThresholdChoice) =>
      targetFpir === null
        ? t('flows.oneIn', { people: count(Math.round(1 / targetFmr)) })
        : t('flows.inSearches', { searches: count(Math.round(1 / targetFpir)) });
    const lists = blacklist.enabled
      ? list(
          blacklist.blacklistIds.map((id) => {
            const name = names[String(id)] ?? String(id);
            const own = blacklist.ownRates.find(({ blacklistId }) => blacklistId === id);
            if (own === undefined) return name;
            return t('flows.listRate', { name, searches: count(Math.round(1 / own.targetFpir)) });
          }),
        )
      : '';
    return [
      { label: t('flows.duplicates'), text: onOff(duplicate.enabled, duplicate.action) },
      { label: t('flows.blacklists'), text: onOff(blacklist.enabled, blacklist.action) },
      { label: t('flows.lists'), text: lists === '' ? t('flows.offLists') : lists },
      { label: t('flows.registration'), text: t(registration.enabled ? 'flows.on' : 'flows.off') },
      { label: t('flows.threshold'), text: inWords(settings) },
      { label: t('flows.blacklistThreshold'), text: inWords(blacklistThreshold(settings)) },
    ];
  };
}
