import { useState } from 'react';
import { NumberInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { BLACKLIST_STATUS } from '../../../core/contracts/codes.ts';
import { MAX_FMR, MIN_FMR, type KeptFlowSettings } from '../../../core/contracts/flows.ts';
import { blacklistsQuery } from '../../api/blacklists.ts';
import { flowsQuery } from '../../api/flows.ts';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { useFormats } from '../../i18n/format.ts';
import { expectedFalseMatches, NAMED_RATES, suggestedRate } from './flowText.ts';

type Named = keyof typeof NAMED_RATES;
const NAMES = Object.keys(NAMED_RATES) as Named[];
const MIN_COMPARISONS = Math.round(1 / MAX_FMR);
const MAX_COMPARISONS = Math.round(1 / MIN_FMR);

/** The false-match rate: three named steps or a free choice, and its result with the company's present faces. */
export function RateChoice(props: {
  settings: KeptFlowSettings;
  disabled: boolean;
  choose: (targetFmr: number) => void;
}) {
  const { t } = useTranslation();
  const { count } = useFormats();
  const { settings, disabled, choose } = props;
  const comparisons = Math.round(1 / settings.targetFmr);
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
        aria-label={t('flows.threshold')}
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
      <FalseAlarms settings={settings} />
    </div>
  );
}

/** The expected false alarms with the faces that the company has now. */
function FalseAlarms({ settings }: { settings: KeptFlowSettings }) {
  const { t } = useTranslation();
  const { count, decimal } = useFormats();
  const { data: flows } = useQuery(flowsQuery);
  const { data: lists } = useQuery(blacklistsQuery);
  if (flows === undefined || lists === undefined) return null;
  const { blacklistDetection: blacklist, duplicateDetection: duplicate } = settings;
  const listed = lists.items.filter(
    ({ id, status }) => status === BLACKLIST_STATUS.Active && blacklist.blacklistIds.includes(id),
  );
  const faces =
    (duplicate.enabled ? flows.enrolledFaces : 0) +
    (blacklist.enabled ? listed.reduce((sum, list) => sum + list.enrolledFacesCount, 0) : 0);
  const expected = expectedFalseMatches(settings.targetFmr, faces);
  if (faces === 0) return <p className="soft">{t('flows.alarmsNone')}</p>;
  const suggested = suggestedRate(faces);
  return (
    <p role="status">
      {expected >= 1
        ? t('flows.alarmsMany', { faces: count(faces), alarms: decimal(expected) })
        : t('flows.alarms', { faces: count(faces), verifications: count(Math.round(1 / expected)) })}
      {settings.targetFmr * suggested <= 1
        ? null
        : ` ${t('flows.rateSuggested', { people: count(suggested) })}`}
    </p>
  );
}
