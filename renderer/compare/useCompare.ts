import { useCallback, useState } from 'react';
import {
  WHOLE_VIEW,
  zoomAt,
  type Point,
  type SharedView,
  type ComparedKind,
  type MeasuredLines,
} from './geometry.ts';
import { useKeys } from '../state/keys.ts';
import { useWords } from '../i18n/words.tsx';

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

const ZOOM_STEP = 1.25;
const PAN_STEP = 0.06;
const TURN_STEP = 90;

/** The compare view by keyboard. Arrows belong to the screen around it; Shift with W, A, S, D moves the view. */
export function useCompareKeys(
  { state, change, zoom, pan, turn, reset }: Compare,
  { of, three = false, measured }: { of: ComparedKind; three?: boolean; measured?: MeasuredLines },
): void {
  const { t } = useWords();
  const pairKeys = [
    { keys: ['b'], label: t('compare.blinkHold'), run: () => change({ blinking: true }) },
    ...(three
      ? []
      : [
          {
            keys: ['o'],
            label: t('compare.overlay'),
            run: () => change({ overlay: state.overlay === null ? HALF : null }),
          },
        ]),
    { keys: ['w'], label: t('compare.swap'), run: () => change({ swapped: !state.swapped }) },
    { keys: [']'], label: t('compare.turnSecond'), run: () => turn(1, TURN_STEP) },
  ];
  useKeys([
    { keys: ['+', '='], shown: ['+'], label: t('compare.zoomIn'), run: () => zoom(ZOOM_STEP) },
    { keys: ['-'], label: t('compare.zoomOut'), run: () => zoom(1 / ZOOM_STEP) },
    { keys: ['0'], label: t('compare.reset'), run: reset },
    { keys: ['A'], label: t('compare.panLeft'), run: () => pan({ x: PAN_STEP, y: 0 }) },
    { keys: ['D'], label: t('compare.panRight'), run: () => pan({ x: -PAN_STEP, y: 0 }) },
    { keys: ['W'], label: t('compare.panUp'), run: () => pan({ x: 0, y: PAN_STEP }) },
    { keys: ['S'], label: t('compare.panDown'), run: () => pan({ x: 0, y: -PAN_STEP }) },
    ...(of === 'faces'
      ? [
          {
            keys: ['f'],
            label: t('compare.fit'),
            run: () => change({ fit: state.fit === 'eyes' ? 'whole' : 'eyes' } as const),
          },
        ]
      : []),
    { keys: ['['], label: t('compare.turnFirst'), run: () => turn(0, TURN_STEP) },
    ...(of === 'one' ? [] : pairKeys),
    ...(measured === undefined
      ? []
      : [{ keys: ['m'], label: t('compare.measure'), run: () => measured.setMode(!measured.measuring) }]),
    { keys: ['l'], label: t('compare.ruler'), run: () => change({ ruler: !state.ruler }) },
  ]);
}
