import { memo } from 'react';
import { Button, Popover, TextInput } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { dayOf, startOfDay } from '../i18n/days.ts';
import { useFormats } from '../i18n/format.ts';
import { useTexts } from '../i18n/useTexts.tsx';
import type { AddressFilter } from './useAddressFilter.ts';

/** Spans that end today, by how many days they began before. */
const SPANS = [
  ['today', 0],
  ['lastWeek', 6],
  ['lastMonth', 29],
] as const;

type Address = Pick<AddressFilter<never, unknown>, 'value' | 'set' | 'setAll'>;

/** Which days a list shows, from the first to the last, both of the reader's zone; opened: the usual spans, or any. */
export function DayRange({ address }: { address: Address }) {
  const { set, setAll, value } = address;
  return <Days from={value('from')} to={value('to')} set={set} setAll={setAll} />;
}

interface DaysProps extends Pick<Address, 'set' | 'setAll'> {
  from: string;
  to: string;
}

const Days = memo(function Days({ set, setAll, ...days }: DaysProps) {
  const { t } = useTexts();
  const words = useWords(days.from, days.to);
  const choose = (count: number) => {
    const now = new Date();
    const first = new Date(now.getFullYear(), now.getMonth(), now.getDate() - count);
    setAll({ from: dayOf(first), to: dayOf(now) });
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
          {SPANS.map(([word, count]) => (
            <Button key={word} size="compact-sm" variant="default" onClick={() => choose(count)}>
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
            value={days[key]}
            onChange={(event) => set(key, event.currentTarget.value)}
          />
        ))}
      </Popover.Dropdown>
    </Popover>
  );
});

/** The chosen days in words; a day that is none filters nothing. */
function useWords(from: string, to: string): string {
  const { t } = useTexts();
  const { date } = useFormats();
  const [first, last] = [startOfDay(from), startOfDay(to)];
  if (first === undefined) return last === undefined ? t('days.any') : t('days.until', { day: date(last) });
  if (last === undefined) return t('days.since', { day: date(first) });
  return first === last ? date(first) : t('days.between', { first: date(first), last: date(last) });
}
