import { useTranslation } from 'react-i18next';
import { useFormats } from '../../i18n/format.ts';
import type { KeptFlowSettings } from '../../../core/contracts/flows.ts';

/** The named false-match rates: one false match in so many comparisons of different people. */
export const NAMED_RATES = { balanced: 10_000, strict: 100_000, veryStrict: 1_000_000 } as const;

/**
 * The false alarms that a verification of an unknown person is expected to have, with different people in all lists.
 * @param faces how many faces each verification is compared with. @returns the mean number of false matches
 */
export function expectedFalseMatches(targetFmr: number, faces: number): number {
  return targetFmr * faces;
}

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
    lists,
    registration.enabled,
    targetFmr,
  ]);
}

/** Settings in words, one line each, in the same order: two of them are compared line by line. */
export function useSettingsInWords() {
  const { t } = useTranslation();
  const { count, list } = useFormats();
  return (settings: KeptFlowSettings, names: Readonly<Record<string, string>>) => {
    const {
      duplicateDetection: duplicate,
      blacklistDetection: blacklist,
      registration,
      targetFmr,
    } = settings;
    const onOff = (on: boolean, action: 'review' | 'reject') =>
      on ? list([t('flows.on'), t(`flows.action_${action}`)]) : t('flows.off');
    const lists = blacklist.enabled
      ? list(blacklist.blacklistIds.map((id) => names[String(id)] ?? String(id)))
      : '';
    return [
      { label: t('flows.duplicates'), text: onOff(duplicate.enabled, duplicate.action) },
      { label: t('flows.blacklists'), text: onOff(blacklist.enabled, blacklist.action) },
      { label: t('flows.lists'), text: lists === '' ? t('flows.offLists') : lists },
      { label: t('flows.registration'), text: t(registration.enabled ? 'flows.on' : 'flows.off') },
      {
        label: t('flows.threshold'),
        text: t('flows.oneIn', { people: count(Math.round(1 / targetFmr)) }),
      },
    ];
  };
}
