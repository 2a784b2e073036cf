import { useEffect, useRef, useState } from 'react';
import { hasCameras, listCameras, openCamera, problemOf, stopCamera, type CameraProblem } from './camera.ts';

export interface Camera {
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
export function useCamera(): Camera {
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
