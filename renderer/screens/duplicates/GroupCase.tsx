import { useCallback, useLayoutEffect, useState } from 'react';
import { Link } from 'react-router';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { IconArrowsJoin2, IconArrowBackUp } from '@tabler/icons-react';
import type {
  GroupDecisionRequest,
  GroupDetail,
  GroupPair,
  PersonDecision,
  ListedFace,
} from '../../../core/contracts/dashboard/duplicates.ts';
import { Action, ErrorLine } from '../../components/Page.tsx';
import { useMay, useSession } from '../../api/session.ts';
import { CompareView } from '../../compare/CompareView.tsx';
import { comparedFaceImage, useFaceImageFacts } from '../../compare/faceImageFacts.tsx';
import { ScoreMeaning, ScoreScale } from '../../components/ScoreScale.tsx';
import { useChosenByKey } from '../../state/focus.ts';
import { undoStore } from '../../state/undo.ts';
import type { TypedAhead } from '../review/useTypedAhead.ts';
import { FaceList, GroupFacts, PairList, GroupDecisionBar } from './groupParts.tsx';
import type { GoTo } from './Filters.tsx';
import type { ComparedFact } from '../../compare/geometry.ts';
import { decideGroup, groupQueryById, undoDecision } from '../../api/persons.ts';
import { ApiError } from '../../api/client.ts';
import { ExamineButton } from '../../components/ExamineButton.tsx';
import { FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import { Time } from '../../components/StatusBadge.tsx';
import { useWords } from '../../i18n/words.tsx';
import '../review/review.css';
import '../validations/validations.css';

const DECISION_OF: Readonly<Record<string, PersonDecision>> = { s: 'same', d: 'different', u: 'unsure' };

/** One group: a pair side by side, all its photos, and the decision. */
export function GroupCase({ detail, go, keys }: { detail: GroupDetail; go: GoTo; keys: TypedAhead }) {
  const { t } = useWords();
  const may = useMay()('duplicates:review');
  const { operator } = useSession();
  const [place, setPlace] = useState(0);
  const [about, setAbout] = useState<'group' | 'pair'>('group');
  const [selected, setSelected] = useState<readonly number[]>([]);
  const [reason, setReason] = useState('');
  const [drawn, setDrawn] = useState<string | null>(null);
  const pair = detail.pairs[Math.min(place, detail.pairs.length - 1)];
  const shown = pair === undefined ? '' : `${pair.first} ${pair.second}`;
  const draw = useCallback(() => setDrawn(shown), [shown]);
  const work = useGroupDecision(go);
  const send = (what: GroupDecisionRequest['about'], decision: PersonDecision) => {
    if (!may || work.isPending) return;
    keys.show({ id: detail.id, drawn: true, act: null });
    const stays = what.kind === 'pair' && detail.size > 2;
    work.mutate(
      { detail, about: what, decision, reason },
      { onSuccess: () => (stays ? setPlace((now) => now + 1) : go('next')), onError: keys.discard },
    );
  };
  const awaiting = detail.history.find((entry) => entry.awaitsConfirmation);
  const own = awaiting?.by === `operator:${operator.id}`;
  const decide = (decision: PersonDecision) =>
    send(
      about === 'group' && decision === 'same' && awaiting !== undefined && !own
        ? { kind: 'confirm', decision: awaiting.id }
        : about === 'pair' && pair !== undefined
          ? { kind: 'pair', first: pair.first, second: pair.second }
          : { kind: 'group' },
      decision,
    );
  const byKey = useChosenByKey('.match[aria-pressed=true]', place);
  const step = (by: number) => {
    byKey();
    setPlace((now) => Math.max(0, Math.min(detail.pairs.length - 1, now + by)));
  };
  const act = (key: string) => {
    const decision = DECISION_OF[key];
    if (decision !== undefined) decide(decision);
    else if (key === 'j') go('next');
    else if (key === 'k') go('previous');
    else if (key === 'n') step(1);
    else if (key === 'p') step(-1);
    else if (key === 'z') keys.hold(undoStore.getState().undoLast());
  };
  useLayoutEffect(() => {
    keys.show({
      id: detail.id,
      drawn: pair === undefined || drawn === shown,
      act: work.isPending ? null : act,
    });
  });
  return (
    <div className="paired">
      <div className="case-main page-scroll">
        <GroupFacts detail={detail} />
        {pair === undefined ? null : <PairCompare key={shown} detail={detail} pair={pair} drawn={draw} />}
      </div>
      <aside className="case-side paired-side" aria-label={t('duplicates.decisionTitle')}>
        <PairList detail={detail} chosen={shown} choose={setPlace} />
        {detail.size > 2 ? (
          <FaceList
            detail={detail}
            selected={selected}
            select={setSelected}
            split={may ? () => send({ kind: 'split', together: [...selected] }, 'same') : undefined}
          />
        ) : null}
        <AlsoNear
          detail={detail}
          join={may ? ({ face, group }) => send({ kind: 'join', face: face.id, group }, 'same') : undefined}
        />
        <DecisionHistory detail={detail} />
        <GroupDecisionBar
          detail={detail}
          about={about}
          setAbout={setAbout}
          reason={reason}
          setReason={setReason}
          busy={work.isPending}
          error={work.error}
          waiting={keys.waiting}
          confirmation={awaiting === undefined ? null : { decision: awaiting, own }}
          decide={may ? decide : undefined}
        />
      </aside>
    </div>
  );
}

/** Two faces of the group side by side. */
function PairCompare(props: { detail: GroupDetail; pair: GroupPair; drawn: () => void }) {
  const { detail, pair, drawn } = props;
  const { t } = useWords();
  const facts = useFaceImageFacts();
  const listed = useListedFaceFacts();
  const first = detail.faces.find(({ id }) => id === pair.first);
  const second = detail.faces.find(({ id }) => id === pair.second);
  if (first === undefined || second === undefined) return null;
  const image = ({ id, name, faceImage }: ListedFace) =>
    comparedFaceImage(faceImage, String(id), t('face.thumbnail', { name }));
  return (
    <CompareView
      images={[image(first), image(second)]}
      captions={[first.name, second.name]}
      object={`face:${first.id}`}
      actions={<ExamineButton pair={[first.faceImage, second.faceImage]} />}
      drawn={drawn}
      paper={
        <ScoreScale reading={pair.reading}>
          <ScoreMeaning reading={pair.reading} />
        </ScoreScale>
      }
      facts={[...listed([first, second]), ...facts([first.faceImage, second.faceImage])]}
    />
  );
}

/** Where each of two enrolled faces is from, and the person that it belongs to. */
function useListedFaceFacts(): (pair: readonly [ListedFace, ListedFace]) => ComparedFact[] {
  const { t } = useWords();
  const list = ({ blacklist }: ListedFace) => blacklist?.name ?? t('common.mainGallery');
  const source = ({ source: from, runName }: ListedFace) =>
    runName === null
      ? t(`duplicates.source_${from}`)
      : t('duplicates.sourceFolder', { source: t(`duplicates.source_${from}`), folder: runName });
  const validation = ({ trustValidationId: id }: ListedFace) =>
    id === null ? '–' : <Link to={`/validations/${id}`}>{id}</Link>;
  const person = ({ person: of }: ListedFace) =>
    of === null ? '–' : <Link to={`/persons/${of.id}`}>{of.name}</Link>;
  return ([first, second]) => [
    { label: t('facts.name'), values: [first.name, second.name] },
    { label: t('common.list'), values: [list(first), list(second)] },
    { label: t('common.source'), values: [source(first), source(second)] },
    { label: t('validations.validationId'), values: [validation(first), validation(second)] },
    ...(first.person === null && second.person === null
      ? []
      : [{ label: t('facts.person'), values: [person(first), person(second)] as const }]),
  ];
}

interface GroupDecision {
  detail: GroupDetail;
  about: GroupDecisionRequest['about'];
  decision: PersonDecision;
  /** Empty: without a reason. */
  reason: string;
}

/**
 * Decides about a group, a pair, a split or a join, and offers for ten seconds to undo it.
 * @param undone runs after the decision was undone, e.g. to open the group
 */
function useGroupDecision(undone: (group: number) => void) {
  const { t } = useWords();
  const client = useQueryClient();
  const refresh = async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: ['duplicates'] }),
      client.invalidateQueries({ queryKey: ['persons'] }),
    ]);
  };
  return useMutation({
    mutationFn: ({ detail, about, decision, reason }: GroupDecision) =>
      decideGroup(detail.id, {
        version: detail.version,
        about,
        decision,
        reason: reason.trim() === '' ? null : reason.trim(),
      }),
    onSuccess: ({ decisionId, group }, { detail: { id }, decision }) => {
      const waits = group?.state === 'awaitingConfirmation';
      const text = t(waits ? 'duplicates.done_confirmation' : `duplicates.done_${decision}`, { id });
      if (decisionId === null) undoStore.getState().notify(text);
      else
        undoStore.getState().offer(text, async () => {
          await undoDecision(decisionId);
          await refresh();
          undone(id);
        });
      void refresh();
    },
    onError: (error, { detail }) => {
      // Another operator has changed the group in the meantime: show its present state.
      if (error instanceof ApiError && error.status === 409)
        void client.invalidateQueries({ queryKey: groupQueryById(detail.id).queryKey });
    },
  });
}

/** Faces near the group that are not in it, why, and joining them by hand. */
function AlsoNear(props: {
  detail: GroupDetail;
  /** Undefined: the role decides nothing. */
  join: ((near: GroupDetail['alsoNear'][number]) => void) | undefined;
}) {
  const { detail, join } = props;
  const { t } = useWords();
  if (detail.alsoNear.length === 0) return null;
  return (
    <section className="column" aria-labelledby="also-near">
      <h2 id="also-near">{t('duplicates.alsoNear')}</h2>
      <p className="soft">{t('duplicates.alsoNearHelp')}</p>
      <ul className="face-list">
        {detail.alsoNear.map((near) => (
          <li key={near.face.id} className="near-face">
            <FaceThumbnail url={near.face.faceImage.thumbnailUrl} name={near.face.name} size={44} />
            <span className="choice-words">
              <span dir="auto" className="cut">
                {near.face.name}
              </span>
              <span className="soft">{t(`duplicates.why_${near.why}`)}</span>
            </span>
            <span className="row">
              {near.group === null ? null : (
                <Action
                  size="compact-xs"
                  label={t('duplicates.openGroup')}
                  to={`/duplicates/${near.group.id}`}
                />
              )}
              {join === undefined ? null : (
                <Action
                  size="compact-xs"
                  Icon={IconArrowsJoin2}
                  label={t('duplicates.join')}
                  onClick={() => join(near)}
                />
              )}
            </span>
            <span className="near-score">
              <ScoreScale reading={near.reading} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Every decision about the group, newest first. One that stands can be undone, also after later ones. */
function DecisionHistory({ detail }: { detail: GroupDetail }) {
  const { t, time, decimal } = useWords();
  const client = useQueryClient();
  const undo = useMutation({
    mutationFn: undoDecision,
    onSuccess: () => undoStore.getState().notify(t('persons.undone')),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['duplicates'] }),
        client.invalidateQueries({ queryKey: ['persons'] }),
      ]),
  });
  if (detail.history.length === 0) return null;
  return (
    <section className="column" aria-labelledby="group-history">
      <h2 id="group-history">{t('duplicates.history')}</h2>
      <ErrorLine error={undo.error} />
      <ol className="history">
        {detail.history.map((entry) => (
          <li key={entry.id}>
            <div className="row">
              <strong>{t(`duplicates.${entry.decision}`)}</strong>
              <span className="soft">{t('duplicates.decidedFaces', { count: entry.faces.length })}</span>
              <span className="push soft">
                <Time at={entry.at} />
              </span>
            </div>
            <p className="soft">{t('common.by', { name: entry.byName ?? entry.by })}</p>
            {entry.measured?.score == null ? null : (
              <p className="soft">
                {t('duplicates.measuredThen', { score: decimal(entry.measured.score) })} ·{' '}
                <bdi>{entry.measured.pipeline}</bdi>
              </p>
            )}
            {entry.reason === null ? null : (
              <p className="history-note">
                <bdi>{entry.reason}</bdi>
              </p>
            )}
            {entry.awaitsConfirmation ? <p className="soft">{t('duplicates.awaitsConfirmation')}</p> : null}
            {entry.undoneAt !== null ? (
              <p className="soft">{t('duplicates.undone', { time: time(entry.undoneAt) })}</p>
            ) : (
              <Action
                may="duplicates:review"
                size="compact-xs"
                Icon={IconArrowBackUp}
                label={t('duplicates.undoDecision')}
                disabled={undo.isPending}
                onClick={() => undo.mutate(entry.id)}
              />
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
