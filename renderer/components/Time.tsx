import { useFormats } from '../i18n/format.ts';

/** A moment in the time zone of the installation; the exact UTC time on hover. */
export function Time({ at }: { at: string | null }) {
  const { time, exact } = useFormats();
  if (at === null) return <span className="soft">–</span>;
  return (
    <time dateTime={at} title={exact(at)}>
      {time(at)}
    </time>
  );
}
