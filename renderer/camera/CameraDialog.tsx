import type { z } from 'zod';
import { validationApi, type frameCheck } from '../../core/contracts/dashboard/validations.ts';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { Checkbox, Loader } from '@mantine/core';
import { IconCamera, IconCircleCheck, IconCircleDashed, IconCircleX } from '@tabler/icons-react';
import type { FailureCode } from '../../core/contracts/errors/failures.ts';
import { errorOf } from '../../core/contracts/errors/problem.ts';
import { Action, ErrorLine } from '../components/Page.tsx';
import { Dialog } from '../components/Form.tsx';
import { Select } from '../components/Select.tsx';
import { ApiError, ask } from '../api/client.ts';
import { useWords } from '../i18n/words.tsx';
import './camera.css';

/**
 * The picture must stay good for so long before it is captured automatically, and the best of the frames of so long is taken,
 * milliseconds.
 */
const GOOD_FOR = 1_000;
/** On a slow machine two frames are more than a second apart; the picture could have been bad between them. */
const GOOD_FRAMES = 3;
/** The frame that is checked is the photo that is taken. */
const JPEG_QUALITY = 0.95;

interface Props {
  /** Receives the photo; the dialog is closed then. */
  take: (photo: File) => void;
  close: () => void;
}

/** The live picture with guidance, and the button that captures a photo. */
export function CameraDialog({ take, close }: Props) {
  const { t } = useWords();
  const camera = useCamera();
  const { video, ready, problem } = camera;
  const { frames, error } = useFrameChecks(video, ready);
  const checked = frames.at(-1) ?? null;
  const [automatic, setAutomatic] = useState(false);
  const done = (photo: Blob) => {
    take(new File([photo], fileName(), { type: 'image/jpeg' }));
    close();
  };
  const capture = async () => {
    const photo =
      bestOf(frames, performance.now()) ?? (video.current === null ? null : await takeFrame(video.current));
    if (photo !== null) done(photo);
  };
  useAutomaticCapture(automatic ? frames : [], done);
  return (
    <Dialog title={t('camera.title')} close={close} wide>
      <div
        className="column camera"
        tabIndex={-1}
        data-autofocus
        onKeyDown={(event) => {
          // A focused control has its own use for the space bar.
          if (event.key !== ' ' || event.target !== event.currentTarget || !ready) return;
          event.preventDefault();
          void capture();
        }}
      >
        <div className="camera-picture">
          <video ref={video} className="camera-video" muted playsInline aria-label={t('camera.live')} />
          {problem !== null ? (
            <Problem problem={problem} retry={camera.retry} />
          ) : ready ? null : (
            <p className="camera-cover row">
              <Loader size="sm" /> {t('camera.opening')}
            </p>
          )}
        </div>
        {problem !== null ? null : <Guidance checked={checked} />}
        <ErrorLine error={error} />
        <div className="row wrap">
          <CameraChoice camera={camera} />
          <Checkbox
            label={t('camera.automatic')}
            checked={automatic}
            onChange={(event) => setAutomatic(event.currentTarget.checked)}
          />
          <Action
            primary
            className="push"
            Icon={IconCamera}
            label={t('camera.capture')}
            disabled={!ready}
            onClick={() => void capture()}
          />
        </div>
      </div>
    </Dialog>
  );
}

/** Captures the best frame once frames have been good for a second, three of them at least. */
function useAutomaticCapture(frames: readonly CheckedFrame[], capture: (frame: Blob) => void): void {
  const latest = useRef(capture);
  useEffect(() => {
    latest.current = capture;
  });
  useEffect(() => {
    const [first, last] = [frames[0], frames.at(-1)];
    if (first === undefined || last === undefined || frames.length < GOOD_FRAMES) return;
    const best = bestOf(frames, last.at);
    if (last.at - first.at >= GOOD_FOR && best !== null) latest.current(best);
  }, [frames]);
}

/**
 * The frame of the highest quality that can be enrolled; null: none can.
 * @param now by the page's clock. Frames of more than {@link GOOD_FOR} before may show somebody else.
 */
function bestOf(frames: readonly CheckedFrame[], now: number): Blob | null {
  const recent = frames.filter((frame) => isGood(frame) && now - frame.at <= GOOD_FOR);
  const [best] = recent.toSorted((a, b) => (b.quality ?? 0) - (a.quality ?? 0));
  return best?.frame ?? null;
}

const isGood = ({ refusals }: CheckedFrame) => refusals.length === 0;

/**
 * Adds a frame, oldest first. One that cannot be enrolled begins anew: the person or the light has changed. Of good ones no
 * more are kept than {@link GOOD_FOR} and {@link GOOD_FRAMES} need.
 */
function withFrame(frames: readonly CheckedFrame[], frame: CheckedFrame): readonly CheckedFrame[] {
  const kept = isGood(frame) ? [...frames.filter(isGood), frame] : [frame];
  const isDispensable = ({ at }: CheckedFrame, next: number) =>
    frame.at - at >= GOOD_FOR && kept.length - next >= GOOD_FRAMES;
  return kept.filter((_, i) => kept[i + 1] === undefined || !isDispensable(kept[i + 1]!, i + 1));
}

/** One sentence at a time, and a mark for each check. */
function Guidance({ checked }: { checked: CheckedFrame | null }) {
  const { t } = useWords();
  const refusals = checked?.refusals ?? [];
  const advice = guidanceOf(refusals);
  const marks = checked === null ? null : marksOf(refusals);
  const [firstOther] = refusals;
  return (
    <>
      <p className="camera-advice" role="status">
        {checked === null
          ? t('camera.checking')
          : advice !== undefined
            ? t(`camera.advice_${advice}`)
            : firstOther !== undefined
              ? t(`failures.${firstOther}.sentence`)
              : t('camera.good')}
      </p>
      <ul className="camera-checks" aria-label={t('camera.checks')}>
        {CHECKS.map((check) => {
          const state = marks?.[check] ?? 'unknown';
          const Icon = { good: IconCircleCheck, bad: IconCircleX, unknown: IconCircleDashed }[state];
          return (
            <li key={check} className={`camera-check camera-check-${state}`}>
              <Icon size={16} stroke={1.8} aria-hidden />
              {t(`camera.check_${check}`)}
              <span className="sr-only">{t(`camera.mark_${state}`)}</span>
            </li>
          );
        })}
      </ul>
    </>
  );
}

function CameraChoice({ camera: { cameras, chosen, choose, video } }: { camera: Camera }) {
  const { t } = useWords();
  const [first, second] = cameras;
  if (first === undefined || second === undefined) return null;
  const { srcObject } = video.current ?? {};
  const open =
    srcObject instanceof MediaStream ? srcObject.getVideoTracks()[0]?.getSettings().deviceId : undefined;
  return (
    <Select
      aria-label={t('camera.choose')}
      data={cameras.map(({ id, name }, index) => ({
        value: id,
        label: name === '' ? t('camera.numbered', { number: index + 1 }) : name,
      }))}
      value={chosen ?? open ?? first.id}
      onChange={(id) => {
        if (id !== null) choose(id);
      }}
    />
  );
}

function Problem({ problem, retry }: { problem: CameraProblem; retry: () => void }) {
  const { t } = useWords();
  return (
    <div className="camera-cover" role="alert">
      <strong>{t(`camera.problem_${problem}`)}</strong>
      <p>{t(`camera.remedy_${problem}`)}</p>
      {problem === 'insecure' ? null : <Action size="xs" label={t('state.retry')} onClick={retry} />}
    </div>
  );
}

/** The moment of the capture, in characters that every file system takes. */
function fileName(): string {
  return `camera-${new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z.jpg`;
}

const CHECKS = ['face', 'distance', 'light', 'pose', 'sharpness', 'uncovered'] as const;
type Check = (typeof CHECKS)[number];

/** Which check a reason belongs to; other reasons are of the picture as a whole. */
const CHECK_OF = {
  NO_FACE: 'face',
  MULTIPLE_FACES: 'face',
  FACE_TOO_SMALL: 'distance',
  FACE_CROPPED: 'distance',
  NEAR_BORDER: 'distance',
  TOO_DARK: 'light',
  TOO_BRIGHT: 'light',
  EXTREME_POSE: 'pose',
  LOW_SHARPNESS: 'sharpness',
  FACE_OBSCURED: 'uncovered',
} as const satisfies Partial<Record<FailureCode, Check>>;

/** Whether a reason has a sentence of its own for a person at a camera. */
const isGuided = (code: FailureCode): code is keyof typeof CHECK_OF => code in CHECK_OF;

/** The first reason that a person at a camera can do something about. */
function guidanceOf(refusals: readonly FailureCode[]): keyof typeof CHECK_OF | undefined {
  return refusals.find((code) => isGuided(code));
}

/** @returns the state of each check; without a face the other checks have none */
function marksOf(refusals: readonly FailureCode[]): Record<Check, 'good' | 'bad' | 'unknown'> {
  const failed = new Set<Check>(refusals.filter(isGuided).map((code) => CHECK_OF[code]));
  const faceless = refusals.includes('NO_FACE') || !refusals.every(isGuided);
  const mark = (check: Check) => (failed.has(check) ? 'bad' : faceless ? 'unknown' : 'good');
  return Object.fromEntries(CHECKS.map((check) => [check, mark(check)])) as Record<
    Check,
    'good' | 'bad' | 'unknown'
  >;
}

interface Camera {
  /** Shows the live picture. */
  video: React.RefObject<HTMLVideoElement | null>;
  ready: boolean;
  problem: CameraProblem | null;
  cameras: readonly { id: string; name: string }[];
  chosen: string | null;
  choose: (id: string) => void;
  /** Tries once more after a problem. */
  retry: () => void;
}

/**
 * A camera that is open exactly while the calling component is on screen: closing the dialog, leaving the page and
 * locking the screen all stop its tracks.
 */
function useCamera(): Camera {
  const video = useRef<HTMLVideoElement>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [cameras, setCameras] = useState<Camera['cameras']>([]);
  const [state, setState] = useState<{ ready: boolean; problem: CameraProblem | null }>({
    ready: false,
    problem: null,
  });
  useEffect(() => {
    if (!hasCameras()) {
      setState({ ready: false, problem: 'insecure' });
      return;
    }
    let stream: MediaStream | undefined;
    let left = false;
    /** A camera can be disconnected while its picture is still starting. */
    let lost = false;
    const wanted = () => !left && !lost;
    const start = async () => {
      setState({ ready: false, problem: null });
      const opened = await openCamera(chosen);
      // The component can leave the screen while the browser still asks for permission.
      if (left) {
        stopCamera(opened);
        return;
      }
      stream = opened;
      for (const track of opened.getTracks())
        track.addEventListener('ended', () => {
          lost = true;
          if (!left) setState({ ready: false, problem: 'lost' });
        });
      setCameras(await listCameras());
      const element = video.current;
      if (element === null) return;
      element.srcObject = opened;
      await element.play();
      if (wanted()) setState({ ready: true, problem: null });
    };
    start().catch((error: unknown) => {
      if (wanted()) setState({ ready: false, problem: problemOf(error) });
    });
    const shown = video.current;
    return () => {
      left = true;
      if (stream !== undefined) stopCamera(stream);
      if (shown !== null) shown.srcObject = null;
    };
  }, [chosen, attempt]);
  return { video, ...state, cameras, chosen, choose: setChosen, retry: () => setAttempt((n) => n + 1) };
}

/** Pause between two checks, milliseconds. */
const LEAST_PAUSE = 250;
/** Longer, and an automatic capture would rest on two frames of its second alone. */
const LONGEST_PAUSE = 400;
const PAUSES_PER_CHECK = 9;
/** After a refusal of the service, because other cameras or operators have their turn. */
const BUSY_PAUSE = 600;

/** A frame that the service checked. */
interface CheckedFrame extends z.infer<typeof frameCheck> {
  frame: Blob;
  /** When it was taken, milliseconds of the page's clock. */
  at: number;
}

/**
 * Sends one frame after another to be checked, never two at once. Checks go before enrolment, so the pause after each is
 * nine times its duration: a camera uses a tenth of the time of one worker. Where a check takes over 45 ms, the pause is
 * shorter than that: guidance that comes late does not help the person in front of the camera.
 */
function useFrameChecks(video: RefObject<HTMLVideoElement | null>, active: boolean) {
  const [frames, setFrames] = useState<readonly CheckedFrame[]>([]);
  const [error, setError] = useState<Error | null>(null);
  useEffect(() => {
    if (!active) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const again = (after: number) => {
      if (!signal.aborted) timer = setTimeout(() => void check(), after);
    };
    const check = async () => {
      const begun = performance.now();
      try {
        const frame = video.current === null ? null : await takeFrame(video.current);
        if (frame !== null) {
          const answer = await checkFrame(frame, signal);
          if (signal.aborted) return;
          const checked = { ...answer, frame, at: begun };
          setFrames((before) => withFrame(before, checked));
          setError(null);
        }
        again(Math.min(Math.max(LEAST_PAUSE, PAUSES_PER_CHECK * (performance.now() - begun)), LONGEST_PAUSE));
      } catch (failure) {
        if (signal.aborted) return;
        const busy = failure instanceof ApiError && failure.status === 429;
        if (!busy) {
          setFrames([]);
          setError(errorOf(failure));
        }
        again(BUSY_PAUSE);
      }
    };
    again(0);
    return () => {
      leaving.abort();
      clearTimeout(timer);
      setFrames([]);
    };
  }, [video, active]);
  return { frames, error };
}

/** Checks a frame of the camera as enrolment would. The service stores nothing of it. */
const checkFrame = (frame: Blob, signal: AbortSignal) =>
  ask(validationApi.checkFrame, { body: frame, signal });

/** The browser's cameras: opened without sound, and what keeps one from being opened. */

/** Why there is no live picture. */
type CameraProblem = 'insecure' | 'denied' | 'none' | 'busy' | 'lost';

/** The size that is asked for; a camera gives the nearest that it has. More pixels cost time and improve no template. */
const WANTED = { width: { ideal: 1280 }, height: { ideal: 720 } };

/** @param deviceId of one of several cameras; null: the one that the browser prefers. @throws {DOMException} */
function openCamera(deviceId: string | null): Promise<MediaStream> {
  const video = { ...WANTED, ...(deviceId !== null && { deviceId: { exact: deviceId } }) };
  return navigator.mediaDevices.getUserMedia({ audio: false, video });
}

/** A page that was not loaded over HTTPS or from this computer has no cameras. */
function hasCameras(): boolean {
  return window.isSecureContext && 'mediaDevices' in navigator;
}

/** The cameras of this machine; they have names only while one is open. */
async function listCameras(): Promise<{ id: string; name: string }[]> {
  const devices = await navigator.mediaDevices.enumerateDevices();
  return devices
    .filter(({ kind, deviceId }) => kind === 'videoinput' && deviceId !== '')
    .map(({ deviceId, label }) => ({ id: deviceId, name: label }));
}

function problemOf(error: unknown): CameraProblem {
  switch (error instanceof DOMException ? error.name : '') {
    case 'NotAllowedError':
    case 'SecurityError':
      return 'denied';
    case 'NotFoundError':
    case 'OverconstrainedError':
      return 'none';
    default:
      return 'busy';
  }
}

function stopCamera(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/**
 * The present picture as the camera takes it, never mirrored.
 * @returns null while the camera shows no picture yet
 */
async function takeFrame(video: HTMLVideoElement): Promise<Blob | null> {
  const { videoWidth: width, videoHeight: height } = video;
  if (width === 0 || height === 0) return null;
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser cannot draw a camera frame.');
  context.drawImage(video, 0, 0);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', JPEG_QUALITY));
}
