import { useEffect, useRef, useState } from 'react';
import { Button } from '@mantine/core';
import { IconArrowRight, IconCircleCheck, IconCircleMinus, IconShieldExclamation } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { thresholdMeaning } from '../../../core/contracts/certainty.ts';
import { TRUST_VALIDATION_STATUS } from '../../../core/contracts/codes.ts';
import type { ValidationDetail } from '../../../core/contracts/dashboard/validations.ts';
import { validationQueryById } from '../../api/validations.ts';
import { Loaded } from '../../components/Page.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { useCertainty, useWords } from '../../i18n/words.tsx';
import { hitStore } from '../../state/undo.ts';
import { useKeys } from '../../state/keys.ts';
import { DecisionBar } from '../validations/DecisionBar.tsx';
import { matchesOf, personsOf } from '../validations/matches.ts';
import { MatchCompare, MatchList, BlacklistAlert } from '../validations/MatchView.tsx';
import '../validations/validations.css';

const { Rejected, ReviewNeeded, Verified } = TRUST_VALIDATION_STATUS;

/** The result of a verification: its status, every check, the matches side by side, and the next steps. */
export function VerificationResult({ id, next }: { id: number; next: () => void }) {
  const query = useQuery(validationQueryById(id));
  return (
    <Loaded query={query} rows={8}>
      {(detail) => <Result detail={detail} next={next} />}
    </Loaded>
  );
}

function Result({ detail, next }: { detail: ValidationDetail; next: () => void }) {
  const { t } = useWords();
  const heading = useRef<HTMLHeadingElement>(null);
  // The result is announced and read from its beginning; the form that had the focus is done.
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  // The hit that this page shows needs no banner over it.
  const { pending, opened } = hitStore();
  useEffect(() => opened(detail.id), [detail.id, opened, pending]);
  useKeys([{ keys: ['n'], label: t('verify.next'), run: next }]);
  return (
    <div className="column verify-result">
      <header className="row wrap">
        <h2 ref={heading} tabIndex={-1} className="row">
          <StatusBadge of="validation" code={detail.status} />
          <bdi>{detail.name}</bdi>
        </h2>
        <span className="row push">
          <Link to={`/validations/${detail.id}`}>{t('verify.open')}</Link>
          <Button rightSection={<IconArrowRight size={16} className="mirrored" aria-hidden />} onClick={next}>
            {t('verify.next')}
          </Button>
        </span>
      </header>
      <BlacklistAlert detail={detail} />
      {detail.status === ReviewNeeded ? <DecisionBar detail={detail} /> : null}
      <p>{t(meaningOf(detail))}</p>
      {detail.history.some(({ action }) => action === 'one-person') ? (
        <p>{t('validations.action_one-person')}</p>
      ) : null}
      <Findings detail={detail} />
      <Matches detail={detail} />
    </div>
  );
}

function meaningOf({ status, duplicates, blacklists, screening, history }: ValidationDetail) {
  const matched = duplicates.length + blacklists.length > 0;
  const checked = screening.duplicates || screening.blacklists.length > 0;
  if (status === Verified && !checked) return 'verify.means_3_unchecked';
  if (status === Verified) return matched ? 'verify.means_3_matched' : 'verify.means_3';
  if (status === Rejected)
    return history.some(({ action }) => action === 'rejected') ? 'verify.means_1_decided' : 'verify.means_1';
  return status === ReviewNeeded ? 'verify.means_2' : 'verify.means_4';
}

/** One line for each list that the Trust Flow names: matched, clear, or not checked. */
function Findings({ detail }: { detail: ValidationDetail }) {
  const { t, count } = useWords();
  const { screening } = detail;
  const certainty = useCertainty();
  const rateOf = (list: string | null) => {
    const threshold = screening.thresholds.find((each) => each.list === list);
    return threshold && thresholdMeaning(certainty, threshold, count);
  };
  const persons = personsOf(detail);
  const found = (matches: number): Finding =>
    matches === 0
      ? { state: 'clear', text: t('verify.clear') }
      : { state: 'matched', text: t('verify.matched', { matches: count(matches) }) };
  const rows: (Finding & { name: string; rate?: string | undefined })[] = [
    {
      name: t('common.enrolledFaces'),
      rate: rateOf(null),
      ...(screening.duplicates
        ? found(persons.filter(({ kind }) => kind === 'duplicate').length)
        : { state: 'off', text: t('verify.off') }),
    },
    ...screening.blacklists.map((name) => ({
      name,
      rate: rateOf(name),
      ...found(persons.filter(({ list }) => list === name).length),
    })),
    ...screening.notScreened.map((name) => ({
      name,
      state: 'off' as const,
      text: t('verify.notScreened'),
    })),
  ];
  return (
    <ul className="findings" aria-label={t('verify.findings')}>
      {rows.map(({ name, rate, state, text }) => {
        const Icon = FINDING_ICONS[state];
        return (
          <li key={name} className={`finding finding-${state}`}>
            <Icon size={16} stroke={1.8} aria-hidden />
            <span>
              <strong>
                <bdi>{name}</bdi>:
              </strong>{' '}
              {text}
              {rate === undefined ? null : <span className="soft"> · {rate}</span>}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

interface Finding {
  state: 'matched' | 'clear' | 'off';
  text: string;
}

const FINDING_ICONS = { matched: IconShieldExclamation, clear: IconCircleCheck, off: IconCircleMinus };

function Matches({ detail }: { detail: ValidationDetail }) {
  const matches = matchesOf(detail);
  const [key, setKey] = useState<string | null>(null);
  const chosen = matches.find((match) => match.key === key) ?? matches[0];
  if (chosen === undefined) return null;
  return (
    <>
      <MatchList matches={matches} chosen={chosen.key} choose={setKey} />
      <MatchCompare detail={detail} match={chosen} />
    </>
  );
}
