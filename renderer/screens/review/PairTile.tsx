import { useEffect, useRef, useState } from 'react';
import { Button } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { TRUST_VALIDATION_STATUS } from '../../../core/contracts/codes.ts';
import type { ValidationDetail } from '../../../core/contracts/dashboard/validations.ts';
import { validationQueryById } from '../../api/validations.ts';
import { FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import { ScoreScale } from '../../components/ScoreScale.tsx';
import { ErrorLine } from '../../components/states.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { matchesOf } from '../validations/matches.ts';
import { clearedHits } from '../validations/useClearance.tsx';
import { validationName } from '../validations/validationName.ts';
import type { Mark, PairOutcome } from './usePairs.ts';
import { errorOf } from '../../../core/contracts/errors/problem.ts';

interface Props {
  id: number;
  at: boolean;
  mark: Mark | undefined;
  outcome: PairOutcome | undefined;
  busy: boolean;
  choose: (mark: Mark | undefined) => void;
  undo: () => Promise<void>;
  select: () => void;
}

/** One case of the grid: its face beside its best match, the score, and the mark. */
export function PairTile(props: Props) {
  const { id, at, mark, outcome, select } = props;
  const { t } = useTranslation();
  const { data, error } = useQuery(validationQueryById(id));
  const tile = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (at) tile.current?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  return (
    <li
      ref={tile}
      className={`pair${at ? ' pair-at' : ''}${mark === undefined ? '' : ` pair-${mark}`}`}
      aria-current={at}
      aria-label={t('palette.validation', { id })}
      onPointerDown={select}
    >
      {data === undefined ? <ErrorLine error={error} /> : <Pair detail={data} {...props} />}
      {outcome?.kind === 'failed' ? <ErrorLine error={outcome.error} /> : null}
    </li>
  );
}

function Pair({ detail, mark, outcome, busy, choose, undo }: Props & { detail: ValidationDetail }) {
  const { t } = useTranslation();
  const matches = matchesOf(detail);
  const [best] = matches.toSorted((one, other) => other.reading.score - one.reading.score);
  const own = best?.earlierSelfie ?? detail.faceImage;
  const name = validationName(t, detail);
  const open = detail.status === TRUST_VALIDATION_STATUS.ReviewNeeded;
  return (
    <>
      <div className="pair-faces">
        <FaceThumbnail url={own?.thumbnailUrl ?? null} name={name} size={128} />
        {best === undefined ? null : (
          <FaceThumbnail url={best.faceImage.thumbnailUrl} name={best.name} size={128} />
        )}
      </div>
      <div className="pair-names">
        <Link className="cut" to={`/review/${detail.id}`}>
          {name}
        </Link>
        {best === undefined ? null : (
          <span className="cut">
            {best.name}
            <small dir="auto" className="soft cut">
              {best.list ?? t('validations.duplicateDetected')}
            </small>
          </span>
        )}
      </div>
      {best === undefined ? null : <ScoreScale reading={best.reading} />}
      {matches.length > 1 ? (
        <p className="soft">{t('review.pairMore', { count: matches.length - 1 })}</p>
      ) : null}
      {open ? (
        <PairMarks strong={mustBeOpened(detail)} mark={mark} busy={busy} choose={choose} />
      ) : (
        <div className="row">
          <StatusBadge of="validation" code={detail.status} source={detail.source} />
          {outcome?.kind === 'stored' ? <UndoOne undo={undo} /> : null}
          {outcome?.kind === 'changed' ? <span className="soft">{t('review.pairChanged')}</span> : null}
        </div>
      )}
    </>
  );
}

/** Whether a person can only be cleared in the case itself, where the confirmation shows each strong blacklist hit. */
export function mustBeOpened(detail: ValidationDetail): boolean {
  return clearedHits(detail, 'verify').length > 0;
}

function PairMarks(props: {
  strong: boolean;
  mark: Mark | undefined;
  busy: boolean;
  choose: (mark: Mark | undefined) => void;
}) {
  const { strong, mark, busy, choose } = props;
  const { t } = useTranslation();
  const toggle = (which: Mark) => () => choose(mark === which ? undefined : which);
  return (
    <>
      <div className="pair-marks">
        <Button
          size="xs"
          variant={mark === 'verify' ? 'filled' : 'default'}
          color="green"
          aria-pressed={mark === 'verify'}
          disabled={strong || busy}
          onClick={toggle('verify')}
        >
          {t('decision.differentPerson')}
        </Button>
        <Button
          size="xs"
          variant={mark === 'reject' ? 'filled' : 'default'}
          color="red"
          aria-pressed={mark === 'reject'}
          disabled={busy}
          onClick={toggle('reject')}
        >
          {t('decision.samePerson')}
        </Button>
      </div>
      {strong ? <p className="soft">{t('review.pairStrong')}</p> : null}
    </>
  );
}

function UndoOne({ undo }: { undo: () => Promise<void> }) {
  const { t } = useTranslation();
  const [error, setError] = useState<Error | null>(null);
  const run = () => {
    undo().catch((cause: unknown) => setError(errorOf(cause)));
  };
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconArrowBackUp size={14} aria-hidden />}
        onClick={run}
      >
        {t('common.undo')}
      </Button>
      <ErrorLine error={error} />
    </>
  );
}
