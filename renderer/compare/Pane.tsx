import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useElementSize, useMergedRef } from '@mantine/hooks';
import { IconUserOff, IconMinus, IconPlus, IconZoomReset, type Icon } from '@tabler/icons-react';
import { ActionIcon, Tooltip } from '@mantine/core';
import {
  fitEyes,
  fitWhole,
  layOut,
  placement,
  type Layout,
  type Size,
  type ComparedImage,
} from './geometry.ts';
import type { Compare } from './useCompare.ts';
import { useKeys } from '../state/keys.ts';
import { useWords } from '../i18n/words.tsx';

declare module 'react' {
  interface CSSProperties {
    /** Pixels of the pane on screen, for which its images are placed; paper scales them. */
    '--pane-width'?: number;
    '--pane-height'?: number;
  }
}

/** Wheel units per doubling of the zoom. */
const WHEEL_DOUBLING = 480;

interface Layer {
  image: ComparedImage;
  /** Degrees. */
  turn: number;
  opacity: number;
}

/** One pane: images laid over each other in one shared view, dragged, wheeled and pinched. */
export function Pane(props: {
  compare: Compare;
  layers: readonly Layer[];
  label: string;
  badge?: ReactNode;
  /** Text where there is no image; default: that of a face. */
  none?: string | undefined;
  /** Called with the key of an image that has loaded or failed. */
  ready?: ((key: string) => void) | undefined;
  /** Drawn over the images, for a pane of this size. Its buttons can be pressed; a drag beside them pans. */
  over?: (pane: Size, layout: Layout) => ReactNode;
}) {
  const { compare, layers, label, badge, none, ready, over } = props;
  const { ref: sizeRef, width, height } = useElementSize();
  const gestureRef = useGestures(compare, width);
  const ref = useMergedRef(sizeRef, gestureRef);
  const { state } = compare;
  const pane = { width, height };
  return (
    <figure className="pane" style={{ '--pane-width': width, '--pane-height': height }}>
      <div ref={ref} className="pane-window" role="group" aria-label={label}>
        {width === 0
          ? null
          : layers.map((layer) => (
              <Picture
                key={layer.image.key}
                layer={layer}
                compare={compare}
                pane={pane}
                none={none}
                ready={ready}
              />
            ))}
        {width === 0 || layers[0] === undefined ? null : over?.(pane, layoutOf(layers[0], compare, pane))}
        {state.ruler ? <span className="pane-ruler" aria-hidden /> : null}
      </div>
      <figcaption className="pane-caption">
        <span dir="auto" className="cut">
          {label}
        </span>
        {badge}
      </figcaption>
    </figure>
  );
}

/** How the loading of an image ended. */
type Ended = 'shown' | 'unreadable';

function Picture(props: {
  layer: Layer;
  compare: Compare;
  pane: Size;
  none: string | undefined;
  ready: ((key: string) => void) | undefined;
}) {
  const { t } = useWords();
  const { layer, compare, pane, none, ready } = props;
  const [state, setState] = useState<'loading' | Ended>('loading');
  const { image, opacity } = layer;
  const { light } = compare.state;
  if (image.url === null || state === 'unreadable')
    return (
      <p className="pane-none">
        <IconUserOff size={32} stroke={1.4} aria-hidden />
        {state === 'unreadable' ? t('face.unreadable') : (none ?? t('face.noImage'))}
      </p>
    );
  const end = (how: Ended) => {
    setState(how);
    ready?.(image.key);
  };
  return (
    <>
      {state === 'loading' ? <span className="pane-loading" aria-hidden /> : null}
      <img
        src={image.url}
        alt={image.alt}
        draggable={false}
        width={image.width}
        height={image.height}
        onLoad={() => end('shown')}
        onError={() => end('unreadable')}
        style={{
          opacity,
          transform: placement(layoutOf(layer, compare, pane), image.laid?.map),
          filter: `brightness(${light.brightness}%) contrast(${light.contrast}%)`,
        }}
      />
    </>
  );
}

/** How an image, or the frame that it is laid into, is placed in a pane. */
function layoutOf({ image, turn }: Layer, { state }: Compare, pane: Size): Layout {
  const { eyes, laid } = image;
  const fit =
    state.fit === 'eyes' && eyes !== null ? fitEyes(eyes, pane) : fitWhole(laid?.frame ?? image, pane);
  return layOut(fit, state.view, pane, (turn * Math.PI) / 180);
}

/** Wheel and pinch zoom where the pointer is, drag pans. */
function useGestures({ zoom, pan }: Compare, width: number) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const pane = element.current;
    if (pane === null || width === 0) return;
    const pointers = new Map<number, PointerEvent>();
    const fromMiddle = (x: number, y: number) => {
      const frame = pane.getBoundingClientRect();
      return { x: (x - frame.x - frame.width / 2) / width, y: (y - frame.y - frame.height / 2) / width };
    };
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      zoom(2 ** (-event.deltaY / WHEEL_DOUBLING), fromMiddle(event.clientX, event.clientY));
    };
    const down = (event: PointerEvent) => {
      if (event.target instanceof Element && event.target.closest('button') !== null) return;
      pane.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, event);
    };
    const move = (event: PointerEvent) => {
      const before = pointers.get(event.pointerId);
      if (before === undefined) return;
      const other = [...pointers.values()].find(({ pointerId }) => pointerId !== event.pointerId);
      if (other === undefined)
        pan({ x: (event.clientX - before.clientX) / width, y: (event.clientY - before.clientY) / width });
      else {
        const reach = (one: PointerEvent) =>
          Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
        const middle = fromMiddle((event.clientX + other.clientX) / 2, (event.clientY + other.clientY) / 2);
        zoom(reach(event) / Math.max(1, reach(before)), middle);
      }
      pointers.set(event.pointerId, event);
    };
    const up = (event: PointerEvent) => pointers.delete(event.pointerId);
    pane.addEventListener('wheel', wheel, { passive: false });
    pane.addEventListener('pointerdown', down);
    pane.addEventListener('pointermove', move);
    pane.addEventListener('pointerup', up);
    pane.addEventListener('pointercancel', up);
    return () => {
      pane.removeEventListener('wheel', wheel);
      pane.removeEventListener('pointerdown', down);
      pane.removeEventListener('pointermove', move);
      pane.removeEventListener('pointerup', up);
      pane.removeEventListener('pointercancel', up);
    };
  }, [zoom, pan, width]);
  return element;
}

const ZOOM_STEP = 1.25;

/** Zoom of one or several panes, by buttons and keys. */
export function ZoomTools(props: { compare: Compare; label: string }) {
  const {
    compare: { state, zoom, reset },
    label: name,
  } = props;
  const { t } = useWords();
  const tools: { Icon: Icon; label: string; keys: string[]; run: () => void }[] = [
    { Icon: IconMinus, label: t('compare.zoomOut'), keys: ['-'], run: () => zoom(1 / ZOOM_STEP) },
    { Icon: IconPlus, label: t('compare.zoomIn'), keys: ['+', '='], run: () => zoom(ZOOM_STEP) },
    { Icon: IconZoomReset, label: t('compare.reset'), keys: ['0'], run: reset },
  ];
  useKeys(tools.map(({ keys, label, run }) => ({ keys, shown: keys.slice(0, 1), label, run })));
  return (
    <div className="compare-tools" role="toolbar" aria-label={name}>
      {tools.map(({ Icon, label, keys: [key], run }) => (
        <Tooltip key={label} label={`${label} · ${key ?? ''}`}>
          <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={run}>
            <Icon size={18} stroke={1.6} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ))}
      <span className="compare-zoom">{Math.round(state.view.zoom * 100)}%</span>
    </div>
  );
}
