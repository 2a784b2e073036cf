import { useState, type KeyboardEvent, type PointerEvent } from 'react';
import type { Point, Size } from './geometry.ts';

/** A press that moves further than this many pixels pans the view instead of setting a point. */
const PRESS_RADIUS = 4;
/** Pixels that an arrow key moves the crosshair: alone and with Shift. */
const STEP = { fine: 2, coarse: 24 };

/** Sets points over a pane: by a press, or with the arrow keys and Enter. */
export function CrosshairField(props: {
  pane: Size;
  label: string;
  /** Called with a point of the pane. */
  place: (at: Point) => void;
  /** Escape. */
  leave?: () => void;
}) {
  const { pane, label, place, leave } = props;
  const [cross, setCross] = useState<Point | null>(null);
  const key = (event: KeyboardEvent) => {
    const at = cross ?? { x: pane.width / 2, y: pane.height / 2 };
    const step = event.shiftKey ? STEP.coarse : STEP.fine;
    const move = MOVES[event.key];
    if (move !== undefined)
      setCross({
        x: Math.min(pane.width, Math.max(0, at.x + step * move.x)),
        y: Math.min(pane.height, Math.max(0, at.y + step * move.y)),
      });
    else if (event.key === 'Enter' || event.key === ' ') place(at);
    else if (event.key === 'Escape' && leave !== undefined) leave();
    else return;
    // These keys belong to the crosshair while it has the focus, not to the screen.
    event.preventDefault();
    event.stopPropagation();
  };
  const press = ({ currentTarget, clientX, clientY, isPrimary }: PointerEvent) => {
    if (!isPrimary) return;
    const frame = currentTarget.getBoundingClientRect();
    // The pane captures the pointer for its drags, so the release does not reach this element.
    const release = (end: globalThis.PointerEvent) => {
      if (Math.hypot(end.clientX - clientX, end.clientY - clientY) <= PRESS_RADIUS)
        place({ x: clientX - frame.x, y: clientY - frame.y });
    };
    window.addEventListener('pointerup', release, { once: true });
  };
  return (
    <>
      {cross === null ? null : (
        <svg className="measure-lines" width={pane.width} height={pane.height} aria-hidden>
          <Cross at={cross} />
        </svg>
      )}
      <div
        className="measure-field"
        role="application"
        tabIndex={0}
        aria-label={label}
        onKeyDown={key}
        onPointerDown={press}
        onFocus={() => setCross((now) => now ?? { x: pane.width / 2, y: pane.height / 2 })}
        onBlur={() => setCross(null)}
      />
    </>
  );
}

const MOVES: Partial<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

function Cross({ at }: { at: Point }) {
  const path = `M${at.x - 14} ${at.y}h28M${at.x} ${at.y - 14}v28`;
  return (
    <>
      <path className="measure-under" d={path} />
      <path className="measure-line" d={path} />
    </>
  );
}
