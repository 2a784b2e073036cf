import type { ReactNode } from 'react';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconClock,
  IconLoader,
  IconPlayerPause,
  type Icon,
  IconEye,
} from '@tabler/icons-react';
import { Link } from 'react-router';
import type { ValidationSource } from '../../core/contracts/dashboard/validations.ts';
import type { BackupSummary } from '../../core/contracts/dashboard/backups.ts';
import type { status } from '../i18n/common.en.ts';
import { useWords, remembered } from '../i18n/words.tsx';
import { Action } from './Page.tsx';
import './parts.css';

export type Tone = 'good' | 'warn' | 'bad' | 'calm' | 'busy';
type Word = keyof typeof status;

interface Appearance {
  word: Word;
  tone: Tone;
  Icon: Icon;
}

const IN_PROGRESS: Appearance = { word: 'inProgress', tone: 'busy', Icon: IconLoader };
/** The numeric status codes of the wire, each with its icon, word and colour. */
const APPEARANCES = {
  validation: {
    1: { word: 'rejected', tone: 'bad', Icon: IconCircleX },
    2: { word: 'reviewNeeded', tone: 'warn', Icon: IconAlertTriangle },
    3: { word: 'verified', tone: 'good', Icon: IconCircleCheck },
    4: { word: 'incomplete', tone: 'calm', Icon: IconCircleDashed },
    5: IN_PROGRESS,
    99: IN_PROGRESS,
  },
  image: {
    1: { word: 'pending', tone: 'calm', Icon: IconClock },
    2: { word: 'enrolled', tone: 'good', Icon: IconCircleCheck },
    3: { word: 'failed', tone: 'bad', Icon: IconCircleX },
  },
  blacklist: {
    0: { word: 'inactive', tone: 'calm', Icon: IconPlayerPause },
    1: { word: 'active', tone: 'good', Icon: IconCircleCheck },
  },
  upload: {
    1: { word: 'processing', tone: 'busy', Icon: IconLoader },
    2: { word: 'completed', tone: 'good', Icon: IconCircleCheck },
    3: { word: 'partlyCompleted', tone: 'warn', Icon: IconAlertTriangle },
    4: { word: 'failed', tone: 'bad', Icon: IconCircleX },
  },
} as const satisfies Record<string, Record<number, Appearance>>;

const wordOf = remembered<Word>((t, word) => t(`status.${word}`));

const VERIFIED = 3;
/** A photo of enrolment: the public interface calls its status Verified, but no verification took place. */
const ENROLLED: Appearance = { word: 'enrolled', tone: 'calm', Icon: IconCircleCheck };

/**
 * A status as icon, word and colour; readable without the colour.
 * @param source of a validation: what it came from
 */
export function StatusBadge(props: {
  of: keyof typeof APPEARANCES;
  code: number;
  source?: ValidationSource | undefined;
}) {
  const { of, code, source } = props;
  const { t } = useWords();
  const appearances: Partial<Record<number, Appearance>> = APPEARANCES[of];
  const appearance = source === 'enrolment' && code === VERIFIED ? ENROLLED : appearances[code];
  if (appearance === undefined) return <span className="status status-calm">{code}</span>;
  const { word, tone, Icon } = appearance;
  return <StatusMark tone={tone} Icon={Icon} label={wordOf(t, word)} />;
}

/** Any state in the manner of a status: icon, word and colour. */
export function StatusMark({ tone, Icon, label }: { tone: Tone; Icon: Icon; label: ReactNode }) {
  return (
    <span className={`status status-${tone}`}>
      <Icon size={14} stroke={2} aria-hidden />
      {label}
    </span>
  );
}

/** A moment in the time zone of the installation; the exact UTC time on hover. */
export function Time({ at }: { at: string | null }) {
  const { time, exact } = useWords();
  if (at === null) return <span className="soft">–</span>;
  return (
    <time dateTime={at} title={exact(at)}>
      {time(at)}
    </time>
  );
}

/** A line of a list of facts. @param props `at`: its value is this time; `className`: of the value */
export function Fact(props: {
  label: ReactNode;
  at?: string | null;
  className?: string;
  children?: ReactNode;
}) {
  const { label, at, className, children } = props;
  return (
    <>
      <dt>{label}</dt>
      <dd className={className}>{at === undefined ? children : <Time at={at} />}</dd>
    </>
  );
}

/** Opens the entries of the audit log about a person, views included. @param of `person:7`, `validation:12` or `face:31` */
export function WhoSaw({ of }: { of: string }) {
  const { t } = useWords();
  return (
    <Action
      size="xs"
      Icon={IconEye}
      label={t('audit.whoSaw')}
      to={`/audit?object=${encodeURIComponent(of)}&views=shown`}
    />
  );
}

/** A backup older than this is reported, milliseconds. */
const STALE = 8 * 24 * 60 * 60_000;

/**
 * The state of the backups in one line: the last completed one, or what is missing, with a link to the page that fixes it.
 * @param now milliseconds since 1970, so that the age is computed once per answer
 */
export function BackupState({ backup, now }: { backup: BackupSummary; now: number }) {
  const { t, time } = useWords();
  const { keyMadeAt, lastGoodAt, failed } = backup;
  const word =
    keyMadeAt === null
      ? 'noKey'
      : lastGoodAt === null
        ? 'noBackup'
        : failed
          ? 'failed'
          : now - Date.parse(lastGoodAt) > STALE
            ? 'stale'
            : 'good';
  // A time and the name of a screen are read as one: the line breaks before or after them.
  const whole = (text: string) => text.replaceAll(' ', '\u00a0');
  const Icon = word === 'good' ? IconCircleCheck : IconAlertTriangle;
  return (
    <p className="row">
      <Icon size={18} color={word === 'good' ? 'var(--good)' : 'var(--warn)'} aria-hidden />
      <span>{t(`backups.state_${word}`, { time: lastGoodAt === null ? '' : whole(time(lastGoodAt)) })}</span>
      <Link className="push" to="/settings/backup">
        {whole(t('nav.backup'))}
      </Link>
    </p>
  );
}
