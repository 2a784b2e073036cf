import { useCallback, useLayoutEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type {
  GroupDecisionRequest,
  GroupDetail,
  GroupPair,
  PersonDecision,
  ListedFace,
} from '../../../core/contracts/dashboard/duplicates.ts';
import { useMay, useSession } from '../../api/session.ts';
import { CompareView } from '../../compare/CompareView.tsx';
import { comparedFaceImage, useFaceImageFacts } from '../../compare/faceImageFacts.tsx';
import { ScoreMeaning, ScoreScale } from '../../components/ScoreScale.tsx';
import { undoStore } from '../../state/undo.ts';
import type { TypedAhead } from '../review/useTypedAhead.ts';
import '../review/review.css';
import '../validations/validations.css';
import { AlsoNear } from './AlsoNear.tsx';
import { DecisionHistory } from './DecisionHistory.tsx';
import { FaceList, GroupFacts, PairList } from './groupParts.tsx';
import { GroupDecisionBar } from './GroupDecisionBar.tsx';
import type { GoTo } from './groupFilter.ts';
import { useListedFaceFacts } from './listedFaceFacts.tsx';
import { useGroupDecision } from './useGroupDecision.ts';

const DECISION_OF: Readonly<Record<string, PersonDecision>> = { s: 'same', d: 'different', u: 'unsure' };

/** One group: a pair side by side, all its photos, and the decision. */
export function GroupCase({ detail, go, keys }: { detail: GroupDetail; go: GoTo; keys: TypedAhead }) {
  const { t } = useTranslation();
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
  const step = (by: number) => setPlace((now) => Math.max(0, Math.min(detail.pairs.length - 1, now + by)));
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
    <div className="case">
      <div className="case-main page-scroll">
        <GroupFacts detail={detail} />
        {pair === undefined ? null : <PairCompare key={shown} detail={detail} pair={pair} drawn={draw} />}
      </div>
      <aside className="case-side" aria-label={t('duplicates.decisionTitle')}>
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
          confirmation={awaiting === undefined ? null : { name: awaiting.byName ?? awaiting.by, own }}
          decide={may ? decide : undefined}
        />
      </aside>
    </div>
  );
}

/** Two faces of the group side by side. */
function PairCompare(props: { detail: GroupDetail; pair: GroupPair; drawn: () => void }) {
  const { detail, pair, drawn } = props;
  const { t } = useTranslation();
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
