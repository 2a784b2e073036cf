import { isolated } from './isolated.ts';

export interface Formats {
  count: (value: number) => string;
  decimal: (value: number) => string;
  /** A share from 0 to 1, two digits. */
  percent: (share: number) => string;
  /** A size in binary units, as the limits and the health checks have them: 1 GiB is 2³⁰ bytes. */
  bytes: (value: number) => string;
  time: (iso: string) => string;
  date: (iso: string) => string;
  /** Hours, minutes and seconds of today; milliseconds since 1970 in. */
  clock: (time: number) => string;
  /** The exact instant, for a tooltip: ISO 8601, UTC. */
  exact: (iso: string) => string;
  /** Names in one line, each kept in its own direction. */
  list: (names: readonly (string | number)[]) => string;
  /** A span such as "2 min" or "1 h 5 min"; seconds in. */
  span: (seconds: number) => string;
  /** A span to the second, such as "1 h 5 min 3 s"; seconds in. */
  duration: (seconds: number) => string;
}

/** Made once a language: a formatter takes longer to make than a row of a list to draw, and each row has several. */
const made = new Map<string, Formats>();

/** The formats of a language of the dashboard. */
export function formatsOf(language: string): Formats {
  const known = made.get(language) ?? makeFormats(language);
  made.set(language, known);
  return known;
}

function makeFormats(language: string): Formats {
  const rightToLeft = language === 'ar';
  // In English the browser's region decides how dates are written. The regions of Arabic differ in separators and
  // calendars, while the texts have one form.
  const region = rightToLeft
    ? 'ar'
    : (navigator.languages.find((each) => each.startsWith(language)) ?? language);
  const locale = `${region}-u-ca-gregory-nu-latn`;
  const count = new Intl.NumberFormat(locale);
  const decimal = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumSignificantDigits: 2 });
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });
  const unit = (name: string) =>
    new Intl.NumberFormat(locale, {
      style: 'unit',
      unit: name,
      // Spelt out, Arabic units agree with their number.
      unitDisplay: rightToLeft ? 'long' : 'short',
    });
  const binaryUnits = rightToLeft
    ? ['بايت', 'كيبيبايت', 'ميبيبايت', 'جيبيبايت', 'تيبيبايت']
    : ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  return {
    count: (value) => count.format(value),
    decimal: (value) => decimal.format(value),
    percent: (share) => percent.format(share),
    bytes: (value) => {
      const power = value < 1 ? 0 : Math.min(4, Math.floor(Math.log2(value) / 10));
      const number = new Intl.NumberFormat(locale, { maximumFractionDigits: power > 1 ? 1 : 0 });
      return `${number.format(value / 1024 ** power)} ${binaryUnits[power] ?? ''}`;
    },
    time: (iso) => time.format(new Date(iso)),
    date: (iso) => date.format(new Date(iso)),
    clock: (at) => clock.format(at),
    list(names) {
      // Names such as “Haddad, Sara” are told apart by another sign.
      const hasComma = names.some((name) => /[,،]/.test(String(name)));
      const comma = rightToLeft ? '، ' : ', ';
      return names.map((name) => isolated(String(name), rightToLeft)).join(hasComma ? ' · ' : comma);
    },
    exact: (iso) => new Date(iso).toISOString(),
    duration: (seconds) => {
      const all = Math.max(1, Math.round(seconds));
      const parts: [number, string][] = [
        [Math.floor(all / 3600), 'hour'],
        [Math.floor(all / 60) % 60, 'minute'],
        [all % 60, 'second'],
      ];
      return parts
        .filter(([value]) => value > 0)
        .map(([value, name]) => unit(name).format(value))
        .join(' ');
    },
    span: (seconds) => {
      if (seconds < 60) return unit('second').format(Math.max(1, Math.round(seconds)));
      const minutes = Math.round(seconds / 60);
      if (minutes < 60) return unit('minute').format(minutes);
      const rest = minutes % 60;
      const hours = unit('hour').format(Math.floor(minutes / 60));
      return rest === 0 ? hours : `${hours} ${unit('minute').format(rest)}`;
    },
  };
}
