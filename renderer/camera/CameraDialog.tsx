import { useEffect, useRef, useState } from 'react';
import { Button, Checkbox, Loader } from '@mantine/core';
import { IconCamera, IconCircleCheck, IconCircleDashed, IconCircleX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../components/Dialog.tsx';
import { Select } from '../components/Select.tsx';
import { ErrorLine } from '../components/states.tsx';
import { takeFrame, type CameraProblem } from './camera.ts';
import { CHECKS, guidanceOf, marksOf } from './guidance.ts';
import { useCamera, type Camera } from './useCamera.ts';
import { useFrameChecks, type CheckedFrame } from './useFrameChecks.ts';
import './camera.css';

/** The picture must stay good for so long before it is captured automatically, milliseconds. */
const GOOD_FOR = 1_000;
/** On a slow machine two frames are more than a second apart; the picture could have been bad between them. */
const GOOD_FRAMES = 3;
const JPEG_QUALITY = 0.95;

interface Props {
  /** Receives the photo; the dialog is closed then. */
  take: (photo: File) => void;
  close: () => void;
}

/** The live picture with guidance, and the button that captures a photo. */
export function CameraDialog({ take, close }: Props) {
  const { t } = useTranslation();
  const camera = useCamera();
  const { video, ready, problem } = camera;
  const { checked, error } = useFrameChecks(video, ready);
  const [automatic, setAutomatic] = useState(false);
  const done = (photo: Blob) => {
    take(new File([photo], fileName(), { type: 'image/jpeg' }));
    close();
  };
  const capture = async () => {
    const photo = video.current === null ? null : await takeFrame(video.current, JPEG_QUALITY);
    if (photo !== null) done(photo);
  };
  useAutomaticCapture(automatic ? checked : null, done);
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
          <Button
            className="push"
            leftSection={<IconCamera size={16} aria-hidden />}
            disabled={!ready}
            onClick={() => void capture()}
          >
            {t('camera.capture')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** Captures the checked frame itself once frames have been good for a second, three of them at least. */
function useAutomaticCapture(checked: CheckedFrame | null, capture: (frame: Blob) => void): void {
  const good = useRef({ since: 0, frames: 0 });
  const latest = useRef(capture);
  useEffect(() => {
    latest.current = capture;
  });
  useEffect(() => {
    if (checked === null || checked.refusals.length > 0) {
      good.current = { since: 0, frames: 0 };
      return;
    }
    const { since, frames } = good.current;
    good.current = { since: frames === 0 ? checked.at : since, frames: frames + 1 };
    if (checked.at - good.current.since >= GOOD_FOR && frames + 1 >= GOOD_FRAMES)
      latest.current(checked.frame);
  }, [checked]);
}

/** One sentence at a time, and a mark for each check. */
function Guidance({ checked }: { checked: CheckedFrame | null }) {
  const { t } = useTranslation();
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
  const { t } = useTranslation();
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
  const { t } = useTranslation();
  return (
    <div className="camera-cover" role="alert">
      <strong>{t(`camera.problem_${problem}`)}</strong>
      <p>{t(`camera.remedy_${problem}`)}</p>
      {problem === 'insecure' ? null : (
        <Button size="xs" variant="default" onClick={retry}>
          {t('state.retry')}
        </Button>
      )}
    </div>
  );
}

/** The moment of the capture, in characters that every file system takes. */
function fileName(): string {
  return `camera-${new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z.jpg`;
}
