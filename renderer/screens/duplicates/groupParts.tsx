import { useCallback, useState } from 'react';
import { Button, Checkbox, Kbd, TextInput } from '@mantine/core';
import {
  IconArrowsSplit2,
  IconFiles,
  IconCircleCheck,
  IconCircleX,
  IconHelpCircle,
} from '@tabler/icons-react';
import {
  certaintyPercent,
  type GroupDetail,
  PERSON_DECISIONS,
  type PersonDecision,
} from '../../../core/contracts/dashboard/duplicates.ts';
import { Action, ErrorLine } from '../../components/Page.tsx';
import { FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import { ScoreMeaning, ScoreScale } from '../../components/ScoreScale.tsx';
import { Time } from '../../components/StatusBadge.tsx';
import { leaveField } from '../../state/focus.ts';
import { useWords } from '../../i18n/words.tsx';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import '../../components/parts.css';

/** A certainty in words: never 100%, which would read as proof. */
export function useCertainty(): (share: number) => string {
  const { t, decimal } = useWords();
  return useCallback(
    (certainty: number) => {
      const { percent, isMore } = certaintyPercent(certainty);
      const share = `${decimal(percent)}%`;
      return isMore ? t('duplicates.moreThan', { share }) : share;
    },
    [t, decimal],
  );
}

/** Facts of a group before the decision: its certainty, and whether its files are identical. */
export function GroupFacts({ detail }: { detail: GroupDetail }) {
  const { t } = useWords();
  const share = useCertainty()(detail.certainty);
  return (
    <p className="group-facts">
      {detail.identical ? (
        <>
          <IconFiles size={18} stroke={1.6} aria-hidden />
          <span>
            <strong>{t('duplicates.identical')}</strong>{' '}
            <span className="soft">{t('duplicates.identicalHelp')}</span>
          </span>
        </>
      ) : (
        <span>
          <strong>{t('duplicates.certainty', { share })}</strong>{' '}
          <span className="soft">{t('duplicates.certaintyHelp')}</span>
        </span>
      )}
    </p>
  );
}

/** Pairs of a group that are listed before the operator asks for more. */
const PAIRS_SHOWN = 5;

/** The pairs of the group to choose from, the least similar first. */
export function PairList(props: { detail: GroupDetail; chosen: string; choose: (place: number) => void }) {
  const { detail, chosen, choose } = props;
  const { t, count } = useWords();
  const faces = new Map(detail.faces.map((face) => [face.id, face]));
  const [all, setAll] = useState(false);
  const place = detail.pairs.findIndex(({ first, second }) => chosen === `${first} ${second}`);
  const shown = detail.pairs.slice(0, all ? undefined : Math.max(PAIRS_SHOWN, place + 1));
  return (
    <>
      <h2>{t('duplicates.pairs')}</h2>
      <ul className="choices matches" aria-label={t('duplicates.pairs')}>
        {shown.map((pair, index) => {
          const [first, second] = [faces.get(pair.first), faces.get(pair.second)];
          if (first === undefined || second === undefined) return null;
          const own = chosen === `${pair.first} ${pair.second}`;
          return (
            <li key={`${pair.first} ${pair.second}`}>
              <button type="button" className="choice match" aria-pressed={own} onClick={() => choose(index)}>
                <FaceThumbnail url={first.faceImage.thumbnailUrl} name={first.name} size={36} />
                <FaceThumbnail url={second.faceImage.thumbnailUrl} name={second.name} size={36} />
                <span className="choice-words">
                  {[first, second].map(({ id, name }) => (
                    <span key={id} className="cut" dir="auto" title={name}>
                      {name}
                    </span>
                  ))}
                  {pair.decision === null ? null : (
                    <span className="soft">{t(`duplicates.${pair.decision}`)}</span>
                  )}
                </span>
                <span className="match-score">
                  <ScoreScale reading={pair.reading} />
                  {own ? <ScoreMeaning reading={pair.reading} /> : null}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
      {detail.pairs.length > shown.length ? (
        <Action
          size="xs"
          label={t('duplicates.showPairs', { total: count(detail.pairs.length) })}
          onClick={() => setAll(true)}
        />
      ) : detail.pairCount > shown.length ? (
        <p className="soft">
          {t('duplicates.morePairs', { shown: count(shown.length), total: count(detail.pairCount) })}
        </p>
      ) : null}
    </>
  );
}

/** All photos of the group, to be selected and split off from the others. */
export function FaceList(props: {
  detail: GroupDetail;
  selected: readonly number[];
  select: (faces: readonly number[]) => void;
  /** Undefined: the role decides nothing. */
  split: (() => void) | undefined;
}) {
  const { detail, selected, select, split } = props;
  const { t } = useWords();
  const own = selected.filter((id) => detail.faces.some((face) => face.id === id));
  return (
    <section className="column" aria-labelledby="group-photos">
      <h2 id="group-photos">{t('duplicates.photos')}</h2>
      {split === undefined ? null : <p className="soft">{t('duplicates.splitHelp')}</p>}
      <ul className="face-list">
        {detail.faces.map((face) => (
          <li key={face.id}>
            <label>
              {split === undefined ? null : (
                <Checkbox
                  size="xs"
                  aria-label={t('persons.select', { name: face.name })}
                  checked={own.includes(face.id)}
                  onChange={({ currentTarget: { checked } }) =>
                    select(checked ? [...own, face.id] : own.filter((id) => id !== face.id))
                  }
                />
              )}
              <FaceThumbnail url={face.faceImage.thumbnailUrl} name={face.name} size={44} />
              <span className="choice-words">
                <span dir="auto" className="cut">
                  {face.name}
                </span>
                <span className="soft cut">
                  {face.blacklist?.name ?? t(`duplicates.source_${face.source}`)} ·{' '}
                  <Time at={face.enrolledAt} />
                </span>
              </span>
            </label>
          </li>
        ))}
      </ul>
      {split === undefined || own.length === 0 || own.length === detail.size ? null : (
        <Action
          size="xs"
          Icon={IconArrowsSplit2}
          label={t('duplicates.splitOff', { count: own.length })}
          onClick={split}
        />
      )}
    </section>
  );
}

/** Without green and red: in Review, green is for different persons and red for the same. */
const APPEARANCES = {
  same: { Icon: IconCircleCheck, letter: 'S' },
  different: { Icon: IconCircleX, letter: 'D' },
  unsure: { Icon: IconHelpCircle, letter: 'U' },
} as const;
const ABOUT = ['group', 'pair'] as const;

/** The three decisions, what they are about, and the reason. It stays in sight below the pairs and photos. */
export function GroupDecisionBar(props: {
  detail: GroupDetail;
  about: (typeof ABOUT)[number];
  setAbout: (about: (typeof ABOUT)[number]) => void;
  reason: string;
  setReason: (reason: string) => void;
  busy: boolean;
  error: Error | null;
  /** Keys that wait for their group. */
  waiting: number;
  /** The decision that waits for a second operator; own: of the operator who is signed in. Null: none. */
  confirmation: { decision: GroupDetail['history'][number]; own: boolean } | null;
  /** Undefined: the role decides nothing. */
  decide: ((decision: PersonDecision) => void) | undefined;
}) {
  const { detail, about, setAbout, reason, setReason, busy, error, waiting, confirmation, decide } = props;
  const { t, list } = useWords();
  if (decide === undefined) return null;
  // A split or a join is about other photos than those of the group, and the confirmation is for these alone.
  const faces = new Set(confirmation?.decision.faces);
  const concerned = detail.faces.filter(({ id }) => faces.has(id));
  const isWhole = faces.size === detail.size && concerned.length === detail.faces.length;
  return (
    <div className="case-decision column">
      {detail.size > 2 ? (
        <SegmentedControl
          size="xs"
          aria-label={t('duplicates.about')}
          data={ABOUT.map((value) => ({
            value,
            label: t(value === 'group' ? 'duplicates.aboutGroup' : 'duplicates.aboutPair'),
          }))}
          value={about}
          onChange={setAbout}
        />
      ) : null}
      <TextInput
        size="xs"
        aria-label={t('duplicates.reason')}
        placeholder={t('duplicates.reason')}
        maxLength={1000}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' || event.key === 'Enter') leaveField(event.currentTarget);
        }}
      />
      <ErrorLine error={error} />
      <div className="group-decisions">
        {PERSON_DECISIONS.map((decision) => {
          const { Icon, letter } = APPEARANCES[decision];
          return (
            <Button
              key={decision}
              variant="default"
              disabled={busy || (decision === 'same' && about === 'group' && confirmation?.own === true)}
              leftSection={<Icon size={16} aria-hidden />}
              rightSection={<Kbd size="xs">{letter}</Kbd>}
              onClick={() => decide(decision)}
            >
              {decision === 'same' && about === 'group' && confirmation?.own === false
                ? t('duplicates.confirmSame')
                : t(`duplicates.${decision}`)}
            </Button>
          );
        })}
      </div>
      <p className="soft case-meaning" role="status">
        {waiting > 0
          ? t('review.waiting', { count: waiting })
          : confirmation === null
            ? t('review.meaning')
            : t(confirmation.own ? 'duplicates.confirmOwn' : 'duplicates.confirmOther', {
                name: confirmation.decision.byName ?? confirmation.decision.by,
              })}
      </p>
      {confirmation === null || isWhole ? null : (
        <p>
          {t('duplicates.confirmPart', {
            count: faces.size,
            size: detail.size,
            photos: list(concerned.map(({ name }) => name)),
          })}
        </p>
      )}
    </div>
  );
}
