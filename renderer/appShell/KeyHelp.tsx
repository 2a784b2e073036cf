import { useEffect, useState } from 'react';
import { Anchor, Kbd, CloseButton } from '@mantine/core';
import { IconHelp, IconArrowBackUp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Fact } from '../components/StatusBadge.tsx';
import { errorOf } from '../../core/contracts/errors/problem.ts';
import { Action, ErrorLine } from '../components/Page.tsx';
import { useSession } from '../api/session.ts';
import { Dialog } from '../components/Form.tsx';
import { alongText, keyMap } from '../state/keys.ts';
import { screensFor } from '../state/navigation.ts';
import type { PictureOriginal, RecordRemark } from '../../core/contracts/faceRecords.ts';
import { faceQuery } from '../api/validations.ts';
import { WholePhoto } from '../components/FaceThumbnail.tsx';
import { useWords } from '../i18n/words.tsx';
import { hoverPreviewStore, UNDO_TIME, undoStore, type Undoable } from '../state/undo.ts';
import '../components/parts.css';

const SHOWN: Record<string, string> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: 'Esc',
  ' ': 'Space',
};

/** A letter as it is printed on its key. A capital one needs Shift. */
function nameOf(key: string): string {
  if (/^[A-Z]$/.test(key)) return `Shift ${key}`;
  return SHOWN[key] ?? (key.length === 1 ? key.toUpperCase() : key);
}

/** The keys of the screen that is open, those that work everywhere, and the way to its page of the manual. */
export function KeyHelp({ close, showManual }: { close: () => void; showManual: () => void }) {
  const { t } = useWords();
  const session = useSession();
  const layers = keyMap((state) => state.layers);
  const here = layers.toReversed().flatMap(({ bindings }) => bindings);
  return (
    <Dialog close={close} title={t('keys.title')} wide>
      <div className="key-columns">
        {here.length === 0 ? null : (
          <section>
            <h3>{t('keys.here')}</h3>
            <dl>
              {here.map(({ keys, label, shown }) => (
                <KeyRow key={`${label}${keys.join()}`} keys={shown ?? keys} label={label} />
              ))}
            </dl>
          </section>
        )}
        <section>
          <h3>{t('keys.everywhere')}</h3>
          <dl>
            <KeyRow keys={['Ctrl K']} label={t('keys.palette')} />
            <KeyRow keys={['Ctrl Z']} label={t('keys.undo')} />
            <KeyRow keys={['?']} label={t('keys.thisHelp')} />
          </dl>
          <h3>
            {t('keys.goTo')} <Kbd>G</Kbd> {t('keys.then')}
          </h3>
          <dl className="key-places">
            {screensFor(session).map(({ key, word }) =>
              key === undefined ? null : <KeyRow key={key} keys={[key]} label={t(`nav.${word}`)} />,
            )}
          </dl>
          <p className="row wrap key-manual">
            <Action size="xs" Icon={IconHelp} label={t('keys.manual')} onClick={showManual} />
            <Anchor href="/manual/glossary.html" target="_blank" rel="noreferrer">
              {t('keys.glossary')}
            </Anchor>
          </p>
        </section>
      </div>
    </Dialog>
  );
}

function KeyRow({ keys, label }: { keys: readonly string[]; label: string }) {
  return (
    <div className="key-row">
      <Fact label={label}>
        {keys.map((key) => (
          <Kbd key={key}>{nameOf(alongText(key))}</Kbd>
        ))}
      </Fact>
    </div>
  );
}

const PHOTO = { width: 284, height: 330 };
/** With the words under the photo. */
const SIZE = { width: 302, height: 400 };
/** Between the thumbnail and the photo, and to the edges of the window, CSS pixels. */
const GAP = 12;

/**
 * The whole photo of the face that the pointer rests on. It stays while the pointer is on either, and Escape, scrolling
 * or a click puts it away (WCAG 1.4.13). By keyboard, Enter opens what holds the same photo.
 */
export function HoverPreview() {
  const previewed = hoverPreviewStore((state) => state.previewed);
  useEffect(() => {
    if (previewed === null) return;
    const { hide } = hoverPreviewStore.getState();
    const escape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      hide();
    };
    window.addEventListener('keydown', escape, true);
    window.addEventListener('scroll', hide, true);
    window.addEventListener('pointerdown', hide, true);
    return () => {
      window.removeEventListener('keydown', escape, true);
      window.removeEventListener('scroll', hide, true);
      window.removeEventListener('pointerdown', hide, true);
      hide();
    };
  }, [previewed]);
  return previewed === null ? null : <Photo key={previewed.face} {...previewed} />;
}

function Photo({ face, name, at }: { face: string; name: string; at: DOMRect }) {
  const { t, count } = useWords();
  const { data } = useQuery(faceQuery(face));
  const { over, away } = hoverPreviewStore.getState();
  if (data === undefined) return null;
  const { faceImage, original, remarks } = data;
  const before = at.left - GAP - SIZE.width;
  const after = at.right + GAP;
  const left = after + SIZE.width <= innerWidth - GAP || before < GAP ? after : before;
  const top = Math.max(GAP, Math.min(at.top, innerHeight - SIZE.height - GAP));
  return (
    <aside
      className="hover-preview"
      style={{ width: SIZE.width, left, top }}
      aria-label={t('face.photo', { name })}
      onPointerEnter={() => over()}
      onPointerLeave={away}
    >
      <WholePhoto faceImage={faceImage} name={name} room={PHOTO} />
      <div>
        <p className="cut">
          <strong>{name}</strong>
        </p>
        <p className="soft">
          {faceImage.quality === null ? null : t('face.quality', { score: count(faceImage.quality) }) + ' · '}
          {count(faceImage.width)} × {count(faceImage.height)}
        </p>
        {original === null ? null : <Origin original={original} remarks={remarks} />}
      </div>
    </aside>
  );
}

/** The file that the photo was made from, as far as its face record tells. */
function Origin({ original, remarks }: { original: PictureOriginal; remarks: readonly RecordRemark[] }) {
  const { t, count } = useWords();
  const { kind, record } = original;
  if (record === null) return <p className="soft">{t('face.original', { kind })}</p>;
  const { standard, face, faces, captured, created, creator, pose, qualities } = record;
  const scores = qualities.flatMap(({ score }) => (score === null ? [] : count(score)));
  const degrees = (angle: number | null) => (angle === null ? '–' : `${count(angle)}°`);
  const facts = [
    t('face.record', { standard, face: count(face), faces: count(faces) }),
    captured === null ? null : t('face.captured', { captured }),
    created === null ? null : t('face.written', { created }),
    creator === null ? null : t('face.creator', { creator }),
    pose === null
      ? null
      : t('face.statedPose', {
          yaw: degrees(pose.yaw),
          pitch: degrees(pose.pitch),
          roll: degrees(pose.roll),
        }),
    scores.length === 0 ? null : t('face.statedQuality', { scores: scores.join(', ') }),
  ];
  return (
    <>
      <p className="soft">{facts.filter((fact) => fact !== null).join(' · ')}</p>
      {remarks.map((remark) => (
        <p key={remark}>{t(`face.remark_${remark}`)}</p>
      ))}
    </>
  );
}

/** Offers undo of the last action for ten seconds. The time stops while the pointer or the focus is on the bar. */
export function UndoBar() {
  const last = undoStore((state) => state.last);
  return <div role="status">{last === null ? null : <Offer key={last.id} offer={last} />}</div>;
}

function Offer({ offer }: { offer: Undoable }) {
  const { t } = useWords();
  const [left, setLeft] = useState(UNDO_TIME / 1000);
  const [held, setHeld] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  useEffect(() => {
    if (held || error !== null) return;
    const timer = setInterval(() => setLeft((seconds) => seconds - 1), 1000);
    return () => clearInterval(timer);
  }, [held, error]);
  useEffect(() => {
    if (left <= 0) undoStore.getState().forget(offer.id);
  }, [left, offer.id]);
  const takeBack = () => {
    undoStore
      .getState()
      .undoLast()
      .catch((cause: unknown) => setError(errorOf(cause)));
  };
  return (
    <div
      className="undo"
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span>
        {offer.undone === true ? `${t('common.undone')} ` : null}
        {offer.notice === undefined ? null : `${offer.notice} `}
        {offer.text ?? t('common.undoNothing')}
      </span>
      <ErrorLine error={error} />
      {offer.undo === null ? null : (
        <>
          <Action size="compact-sm" Icon={IconArrowBackUp} label={t('common.undo')} onClick={takeBack} />
          <span className="undo-left soft" aria-hidden>
            {t('common.undoSeconds', { seconds: Math.max(0, left) })}
          </span>
        </>
      )}
      <CloseButton
        size="sm"
        aria-label={t('common.dismiss')}
        onClick={() => undoStore.getState().forget(offer.id)}
      />
    </div>
  );
}
