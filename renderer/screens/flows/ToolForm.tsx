import { useState } from 'react';
import { Checkbox, Switch, NumberInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
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
import { blacklistsQuery, flowsQuery } from '../../api/blacklists.ts';
import { useSession } from '../../api/session.ts';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { useWords } from '../../i18n/words.tsx';

interface FormProps {
  settings: KeptFlowSettings;
  /** Of chosen lists, also of those that are gone. */
  names: Readonly<Record<string, string>>;
  disabled: boolean;
  change: (settings: KeptFlowSettings) => void;
}

/** The settings of the Biometrics Verification tool. */
export function ToolForm({ settings, names, disabled, change }: FormProps) {
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
                chosen={blacklist.blacklistIds}
                choose={(blacklistIds) =>
                  change({ ...settings, blacklistDetection: { ...blacklist, blacklistIds } })
                }
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
          label={t('common.falseMatchRate')}
          choice={settings}
          disabled={disabled}
          choose={(choice) => change({ ...settings, ...choice })}
        />
        <FalseAlarms settings={settings} />
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

/** Active blacklists to choose from. Chosen ones that are inactive are named, because they are not screened. */
function ListChoice(props: {
  names: Readonly<Record<string, string>>;
  chosen: readonly number[];
  choose: (ids: number[]) => void;
}) {
  const { t, count } = useWords();
  const { names, chosen, choose } = props;
  const { data, error } = useQuery(blacklistsQuery);
  const active = data?.items.filter(({ status }) => status === BLACKLIST_STATUS.Active) ?? [];
  const gone = data === undefined ? [] : chosen.filter((id) => !active.some((list) => list.id === id));
  const toggle = (id: number) =>
    choose(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id]);
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
        <Checkbox
          key={id}
          checked={chosen.includes(id)}
          onChange={() => toggle(id)}
          label={
            <span className="row">
              {name}{' '}
              <span className="soft">{t('flows.listFaces', { faces: count(enrolledFacesCount) })}</span>
            </span>
          }
        />
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

/** A fixed false-match rate, or a rate of false alarms per search. */
function RateChoice(props: ChoiceProps) {
  const { t, count } = useWords();
  const { label, choice, disabled, choose } = props;
  const { targetFmr, targetFpir } = choice;
  return (
    <div className="column">
      <SegmentedControl
        size="xs"
        disabled={disabled}
        aria-label={t('flows.unit')}
        data={(['comparison', 'search'] as const).map((value) => ({ value, label: t(`flows.per_${value}`) }))}
        value={targetFpir === null ? 'comparison' : 'search'}
        onChange={(value) => choose({ targetFmr, targetFpir: value === 'search' ? 0.01 : null })}
      />
      {targetFpir === null ? (
        <FixedRate {...props} />
      ) : (
        <>
          <div>
            <strong>{t('flows.searchesAre', { searches: count(Math.round(1 / targetFpir)) })}</strong>
            <p className="soft">{t('flows.searchesHelp')}</p>
          </div>
          <SegmentedControl
            size="xs"
            disabled={disabled}
            aria-label={label}
            data={TARGET_FPIRS.map((rate) => ({
              value: String(rate),
              label: t('flows.oneIn', { people: count(Math.round(1 / rate)) }),
            }))}
            value={String(targetFpir)}
            onChange={(value) =>
              choose({ targetFmr, targetFpir: TARGET_FPIRS.find((rate) => String(rate) === value) ?? null })
            }
          />
        </>
      )}
    </div>
  );
}

/** A false-match rate: three named steps or a free choice. */
function FixedRate({ label, choice, disabled, choose: chooseThreshold }: ChoiceProps) {
  const { t, count } = useWords();
  const comparisons = Math.round(1 / choice.targetFmr);
  const choose = (targetFmr: number) => chooseThreshold({ targetFmr, targetFpir: null });
  const named = NAMES.find((name) => NAMED_RATES[name] === comparisons);
  const [free, setFree] = useState(false);
  const shown = free || named === undefined ? 'other' : named;
  return (
    <div className="column">
      <div>
        <strong>{t('flows.rateIs', { comparisons: count(comparisons) })}</strong>
        <p className="soft">{t('flows.thresholdHelp')}</p>
      </div>
      <SegmentedControl
        size="xs"
        disabled={disabled}
        aria-label={label}
        data={[...NAMES, 'other' as const].map((value) => ({ value, label: t(`flows.rate_${value}`) }))}
        value={shown}
        onChange={(value) => {
          setFree(value === 'other');
          if (value !== 'other') choose(1 / NAMED_RATES[value]);
        }}
      />
      {shown === 'other' ? (
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
              choose(1 / value);
          }}
        />
      ) : null}
    </div>
  );
}

/** The expected false alarms with the faces that the company has now. */
function FalseAlarms({ settings }: { settings: KeptFlowSettings }) {
  const { t, count, decimal } = useWords();
  const { data: flows } = useQuery(flowsQuery);
  const { data: lists } = useQuery(blacklistsQuery);
  if (flows === undefined || lists === undefined) return null;
  const { blacklistDetection: blacklist, duplicateDetection: duplicate } = settings;
  const listed = lists.items.filter(
    ({ id, status }) => status === BLACKLIST_STATUS.Active && blacklist.blacklistIds.includes(id),
  );
  const enrolled = duplicate.enabled ? flows.enrolledFaces : 0;
  const inLists = blacklist.enabled ? listed.reduce((sum, list) => sum + list.enrolledFacesCount, 0) : 0;
  const faces = enrolled + inLists;
  const own = blacklistThreshold(settings);
  const expected =
    expectedFalseMatches(settings, enrolled) +
    (blacklist.enabled
      ? listed.reduce((sum, list) => sum + expectedFalseMatches(own, list.enrolledFacesCount), 0)
      : 0);
  if (faces === 0) return <p className="soft">{t('flows.alarmsNone')}</p>;
  const suggested = suggestedRate(
    blacklist.targetFmr === null && blacklist.targetFpir === null ? faces : enrolled,
  );
  return (
    <p role="status">
      {expected >= 1
        ? t('flows.alarmsMany', { faces: count(faces), alarms: decimal(expected) })
        : t('flows.alarms', { faces: count(faces), verifications: count(Math.round(1 / expected)) })}
      {settings.targetFpir !== null || settings.targetFmr * suggested <= 1
        ? null
        : ` ${t('flows.rateSuggested', { people: count(suggested) })}`}
    </p>
  );
}

/**
 * The false alarms that a verification of an unknown person is expected to have, with different people in all lists.
 * @param faces how many faces each verification is compared with. @returns the mean number of false matches
 */
function expectedFalseMatches({ targetFmr, targetFpir }: ThresholdChoice, faces: number): number {
  if (targetFpir === null) return targetFmr * faces;
  return faces === 0 ? 0 : Math.max(targetFpir, LEAST_FMR * faces);
}

/** Thresholds of a rate per search end here (docs/explanation/recognition.md). */
const LEAST_FMR = 1e-8;

/** At most so many false alarms in a verification, on average, are what a suggested rate is chosen for. */
const ALARMS_SUGGESTED = 1 / 20;

/**
 * The rate that is suggested for a number of faces: the least strict of the named ones with at most one false alarm in 20
 * verifications, because a stricter one misses more people. @returns comparisons to one false match
 */
export function suggestedRate(faces: number): number {
  const rates = Object.values(NAMED_RATES);
  return rates.find((rate) => faces / rate <= ALARMS_SUGGESTED) ?? NAMED_RATES.veryStrict;
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
        : t('flows.searchesAre', { searches: count(Math.round(1 / targetFpir)) });
    const lists = blacklist.enabled
      ? list(blacklist.blacklistIds.map((id) => names[String(id)] ?? String(id)))
      : '';
    return [
      { label: t('flows.duplicates'), text: onOff(duplicate.enabled, duplicate.action) },
      { label: t('flows.blacklists'), text: onOff(blacklist.enabled, blacklist.action) },
      { label: t('flows.lists'), text: lists === '' ? t('flows.offLists') : lists },
      { label: t('flows.registration'), text: t(registration.enabled ? 'flows.on' : 'flows.off') },
      { label: t('common.falseMatchRate'), text: inWords(settings) },
      { label: t('flows.blacklistThreshold'), text: inWords(blacklistThreshold(settings)) },
    ];
  };
}
