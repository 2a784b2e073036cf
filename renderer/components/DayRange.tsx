import { Button, Popover, TextInput } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { dayOf, startOfDay } from '../i18n/days.ts';
import { useFormats } from '../i18n/format.ts';
import type { AddressFilter } from './useAddressFilter.ts';

/** Spans that end today, by how many days they began before. */
const SPANS = [
  ['today', 0],
  ['lastWeek', 6],
  ['lastMonth', 29],
] as const;

/** Which days a list shows, from the first to the last, both of the reader's zone; opened: the usual spans, or any. */
export function DayRange({
  address,
}: {
  address: Pick<AddressFilter<never, unknown>, 'value' | 'set' | 'setDays'>;
}) {
  const { t } = useTranslation();
  const words = useWords(address.value('from'), address.value('to'));
  const choose = (days: number) => {
    const now = new Date();
    const first = new Date(now.getFullYear(), now.getMonth(), now.getDate() - days);
    address.setDays(dayOf(first), dayOf(now));
  };
  return (
    <Popover position="bottom-start" width={260} trapFocus>
      <Popover.Target>
        <Button
          size="xs"
          variant="default"
          fw={400}
          leftSection={<IconCalendar size={15} stroke={1.6} aria-hidden />}
        >
          {words}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className="column">
        <div className="row wrap">
          {SPANS.map(([word, days]) => (
            <Button key={word} size="compact-sm" variant="default" onClick={() => choose(days)}>
              {t(`days.${word}`)}
            </Button>
          ))}
        </div>
        {(['from', 'to'] as const).map((key) => (
          <TextInput
            key={key}
            size="xs"
            type="date"
            label={t(`validations.${key}`)}
            value={address.value(key)}
            onChange={(event) => address.set(key, event.currentTarget.value)}
          />
        ))}
      </Popover.Dropdown>
    </Popover>
  );
}

/** The chosen days in words; a day that is none filters nothing. */
function useWords(from: string, to: string): string {
  const { t } = useTranslation();
  const { date } = useFormats();
  const [first, last] = [startOfDay(from), startOfDay(to)];
  if (first === undefined) return last === undefined ? t('days.any') : t('days.until', { day: date(last) });
  if (last === undefined) return t('days.since', { day: date(first) });
  return first === last ? date(first) : t('days.between', { first: date(first), last: date(last) });
}
