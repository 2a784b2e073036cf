import { useLayoutEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { useSession } from '../api/session.ts';
import { belongsToField, isCovered, runKey } from '../state/keys.ts';
import { undoStore } from '../state/undo.ts';
import { navigationFor } from './navigation.ts';

/** After `g`, the letter must come within this time; milliseconds. */
const SEQUENCE = 1_500;

/** The one listener for keys: Ctrl Z, `?`, `g` and a letter, then the screen's own. */
export function useShellKeys(showHelp: () => void): void {
  const navigate = useNavigate();
  const session = useSession();
  // When `g` was pressed; never yet, also in the first moments of the page, whose clock begins at 0.
  const armed = useRef(Number.NEGATIVE_INFINITY);
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isCovered() || belongsToField(event)) return;
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z') {
        event.preventDefault();
        void undoStore.getState().undoLast();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === '?') {
        event.preventDefault();
        showHelp();
        return;
      }
      if (performance.now() - armed.current < SEQUENCE) {
        armed.current = Number.NEGATIVE_INFINITY;
        const place = navigationFor(session).find(({ key }) => key === event.key);
        if (place !== undefined) {
          event.preventDefault();
          void navigate(place.path);
          return;
        }
      }
      if (event.key === 'g') armed.current = performance.now();
      else runKey(event);
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [navigate, session, showHelp]);
}
