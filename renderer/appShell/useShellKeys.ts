import { useLayoutEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { useSession } from '../api/session.ts';
import { keyOf } from '../state/keyNames.ts';
import { belongsToField, isCovered, runKey } from '../state/keys.ts';
import { undoStore } from '../state/undo.ts';
import { navigationFor } from './navigation.ts';

/** The letter after `g` must come within this time, milliseconds. */
const SEQUENCE_MS = 1_500;

/** The one listener for keys: Ctrl Z, `?`, `g` and a letter, then the screen's own. */
export function useShellKeys(showHelp: () => void): void {
  const navigate = useNavigate();
  const session = useSession();
  // When `g` was pressed. The clock of the page begins at 0, so 0 would mean "just now".
  const armed = useRef(Number.NEGATIVE_INFINITY);
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isCovered() || belongsToField(event)) return;
      if ((event.ctrlKey || event.metaKey) && keyOf(event).toLowerCase() === 'z') {
        event.preventDefault();
        void undoStore.getState().undoLast();
        return;
      }
      if (event.altKey) return;
      if (event.ctrlKey || event.metaKey) {
        runKey(event);
        return;
      }
      if (event.key === '?') {
        event.preventDefault();
        showHelp();
        return;
      }
      if (performance.now() - armed.current < SEQUENCE_MS) {
        armed.current = Number.NEGATIVE_INFINITY;
        const place = navigationFor(session).find(({ key }) => key === keyOf(event));
        if (place !== undefined) {
          event.preventDefault();
          void navigate(place.path);
          return;
        }
      }
      if (keyOf(event) === 'g') armed.current = performance.now();
      else runKey(event);
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [navigate, session, showHelp]);
}
