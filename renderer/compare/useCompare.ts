import { useCallback, useState } from 'react';
import { WHOLE_VIEW, zoomAt, type Point, type SharedView } from './geometry.ts';

export type FitMode = 'eyes' | 'whole';
/** The opacity that an overlay begins with. */
export const HALF = 0.5;
export const PLAIN_LIGHT = { brightness: 100, contrast: 100 };

export interface CompareState {
  view: SharedView;
  fit: FitMode;
  swapped: boolean;
  /** Turns by hand in degrees: of the first and the second image; they stay with the image when the sides are swapped. */
  turns: readonly [number, number];
  light: typeof PLAIN_LIGHT;
  blinking: boolean;
  /** Opacity of the other image over the first pane, 0 to 1; null: no overlay. */
  overlay: number | null;
  ruler: boolean;
}

const start = (fit: FitMode): CompareState => ({
  view: WHOLE_VIEW,
  fit,
  swapped: false,
  turns: [0, 0],
  light: PLAIN_LIGHT,
  blinking: false,
  overlay: null,
  ruler: false,
});

/** All that can be done to the view. None of it touches an image. */
export function useCompare(startFit: FitMode) {
  const [state, setState] = useState(() => start(startFit));
  const change = useCallback((part: Partial<CompareState>) => setState((now) => ({ ...now, ...part })), []);
  const zoom = useCallback(
    (factor: number, at: Point = { x: 0, y: 0 }) =>
      setState((now) => ({ ...now, view: zoomAt(now.view, factor, at) })),
    [],
  );
  const pan = useCallback(
    (by: Point) =>
      setState((now) => ({
        ...now,
        view: { ...now.view, pan: { x: now.view.pan.x + by.x, y: now.view.pan.y + by.y } },
      })),
    [],
  );
  const turn = useCallback(
    (side: 0 | 1, degrees: number) =>
      setState((now) => {
        const turns: [number, number] = [...now.turns];
        turns[side] = (turns[side] + degrees) % 360;
        return { ...now, turns };
      }),
    [],
  );
  const reset = useCallback(
    () => setState((now) => ({ ...start(startFit), swapped: now.swapped })),
    [startFit],
  );
  return { state, change, zoom, pan, turn, reset };
}
export type Compare = ReturnType<typeof useCompare>;
