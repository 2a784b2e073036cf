import { useState, type KeyboardEvent, type PointerEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { ComparedImage } from './compared.ts';
import { toImage, toPane, type Layout, type Point, type Size } from './geometry.ts';
import type { MeasuredLines } from './measuredLines.ts';

/** A press that moves further than this many pixels pans the view instead of setting a point. */
const PRESS_RADIUS = 4;
/** Pixels that an arrow key moves the crosshair: alone and with Shift. */
const STEP = { fine: 2, coarse: 24 };

/** The measured lines of the image in a pane, and the crosshair that sets their points. */
export function MeasureLayer(props: {
  measured: MeasuredLines;
  image: ComparedImage;
  layout: Layout;
  pane: Size;
  label: string;
}) {
  const { measured, image, layout, pane, label } = props;
  const { t } = useTranslation();
  const [cross, setCross] = useState<Point | null>(null);
  const { measuring, setPoint, setMode } = measured;
  const place = (at: Point) => setPoint(image.key, toImage(layout, at));
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
    else if (event.key === 'Escape') setMode(false);
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
  const shown = measured.lines.filter((line) => line.image === image.key);
  return (
    <>
      <svg className="measure-lines" width={pane.width} height={pane.height} aria-hidden>
        {shown.map(({ id, from, to }) => (
          <Line key={id} id={id} from={toPane(layout, from)} to={to === null ? null : toPane(layout, to)} />
        ))}
        {measuring && cross !== null ? <Cross at={cross} /> : null}
      </svg>
      {measuring ? (
        <div
          className="measure-field"
          role="application"
          tabIndex={0}
          aria-label={t('compare.measureField', { image: label })}
          onKeyDown={key}
          onPointerDown={press}
          onFocus={() => setCross((now) => now ?? { x: pane.width / 2, y: pane.height / 2 })}
          onBlur={() => setCross(null)}
        />
      ) : null}
    </>
  );
}

const MOVES: Partial<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

function Line({ id, from, to }: { id: number; from: Point; to: Point | null }) {
  const end = to ?? from;
  return (
    <g>
      {to === null ? null : (
        <>
          <line className="measure-under" x1={from.x} y1={from.y} x2={to.x} y2={to.y} />
          <line className="measure-line" x1={from.x} y1={from.y} x2={to.x} y2={to.y} />
        </>
      )}
      {[from, end].map((at, which) => (
        <circle key={which} className="measure-point" cx={at.x} cy={at.y} r={4} />
      ))}
      <text className="measure-number" x={end.x + 8} y={end.y - 8}>
        {id}
      </text>
    </g>
  );
}

function Cross({ at }: { at: Point }) {
  const path = `M${at.x - 14} ${at.y}h28M${at.x} ${at.y - 14}v28`;
  return (
    <>
      <path className="measure-under" d={path} />
      <path className="measure-line" d={path} />
    </>
  );
}
