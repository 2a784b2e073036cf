import { useTranslation } from 'react-i18next';
import { useKeys } from '../state/keys.ts';
import type { ComparedKind } from './compared.ts';
import type { MeasuredLines } from './measuredLines.ts';
import { HALF, type Compare } from './useCompare.ts';

const ZOOM_STEP = 1.25;
const PAN_STEP = 0.06;
const TURN_STEP = 90;

/** The compare view by keyboard. Arrows belong to the screen around it; Shift with W, A, S, D moves the view. */
export function useCompareKeys(
  { state, change, zoom, pan, turn, reset }: Compare,
  { of, three = false, measured }: { of: ComparedKind; three?: boolean; measured?: MeasuredLines },
): void {
  const { t } = useTranslation();
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
