import { useEffect, type ReactNode, useState } from 'react';
import { useElementSize } from '@mantine/hooks';
import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useDrawn } from '../components/useDrawn.ts';
import {
  type Layout,
  type Size,
  toImage,
  toPane,
  type Point,
  useMeasuredLines,
  isFinished,
  lengthOf,
  type MeasuredLines,
  type ComparedFact,
  type ComparedImage,
} from './geometry.ts';
import { CompareTools } from './CompareTools.tsx';
import { CrosshairField } from './Crosshair.tsx';
import { Pane } from './Pane.tsx';
import { HALF, PLAIN_LIGHT, useCompare, type Compare, useCompareKeys } from './useCompare.ts';
import { useSession } from '../api/session.ts';
import { Time } from '../components/StatusBadge.tsx';
import { useWords } from '../i18n/words.tsx';
import './compare.css';

/** From this width of the panes, pixels, a third one shows the overlay beside the two photos. */
const THREE_PANES = 960;

interface Props {
  images: readonly [ComparedImage, ComparedImage];
  captions: readonly [string, string];
  facts: readonly ComparedFact[];
  /** The object that the audit log names when this is printed, e.g. `validation:12`. */
  object: string;
  /** Text where there is no image; default: that of a face. */
  none?: string;
  /** Buttons at the end of the tools, beside the one that prints. */
  actions?: ReactNode;
  /** Shown on paper alone, between the head and the images: the score, the decision. */
  paper?: ReactNode;
  /** Called once, when both images are on screen. */
  drawn?: (() => void) | undefined;
}

/**
 * Two images side by side with one zoom and one pan; a wide window shows their overlay beside them. Used for faces, signatures, duplicates and blacklist hits alike.
 * A change of the view is marked as a change and is never saved into an image.
 */
export function CompareView({ images, captions, facts, object, none, actions, paper, drawn }: Props) {
  const { t } = useWords();
  const kind = images[0].eyes !== null && images[1].eyes !== null ? 'faces' : 'pair';
  const compare = useCompare(kind === 'faces' ? 'eyes' : 'whole');
  const { state } = compare;
  const measured = useMeasuredLines();
  const { ref, width } = useElementSize();
  const three = width >= THREE_PANES;
  useCompareKeys(compare, { of: kind, three, measured });
  useBlinkRelease(compare);
  const ready = useDrawn(
    images.flatMap(({ key, url }) => (url === null ? [] : [key])),
    drawn,
  );
  const [first, second] = state.swapped ? ([1, 0] as const) : ([0, 1] as const);
  const layer = (side: 0 | 1, opacity = 1) => ({ image: images[side], turn: state.turns[side], opacity });
  const shown = state.blinking ? second : first;
  const overlaid = [layer(first), layer(second, state.overlay ?? HALF)];
  const overlayInFirst = state.overlay !== null && !three;
  const layers = overlayInFirst ? overlaid : [layer(shown)];
  const aid = <span className="compare-aid">{t('compare.aid')}</span>;
  const measureOver = (side: 0 | 1) => (pane: Size, layout: Layout) => (
    <MeasureLayer
      measured={measured}
      layout={layout}
      pane={pane}
      image={images[side]}
      label={captions[side]}
    />
  );
  return (
    <section className="compare" aria-label={t('compare.label')}>
      <PaperHead object={object}>{paper}</PaperHead>
      <div ref={ref} className={three ? 'compare-panes three' : 'compare-panes'}>
        <Pane
          compare={compare}
          layers={layers}
          label={captions[shown]}
          none={none}
          ready={ready}
          badge={state.blinking || overlayInFirst ? aid : null}
          over={measureOver(overlayInFirst ? first : shown)}
        />
        <Pane
          compare={compare}
          layers={[layer(second)]}
          label={captions[second]}
          none={none}
          ready={ready}
          over={measureOver(second)}
        />
        {three ? (
          <Pane compare={compare} layers={overlaid} label={t('compare.overlay')} none={none} badge={aid} />
        ) : null}
      </div>
      <CompareTools
        compare={compare}
        three={three}
        measured={measured}
        object={object}
        actions={actions}
        of={kind}
      />
      <MeasuredList measured={measured} images={images} captions={captions} />
      <table className="compare-facts">
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">{t('compare.fact')}</span>
            </th>
            <th scope="col" dir="auto" className="cut">
              {captions[first]}
            </th>
            <th scope="col" dir="auto" className="cut">
              {captions[second]}
            </th>
          </tr>
        </thead>
        <tbody>
          {facts.map(({ label, values }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{values[first]}</td>
              <td>{values[second]}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="paper soft">{useSettingsInWords(compare)}</p>
      <PaperFoot />
    </section>
  );
}

/** On paper: how the panes were set when they were printed. */
function useSettingsInWords({ state }: Compare): string {
  const { t } = useWords();
  return t('compare.settings', {
    fit: t(state.fit === 'eyes' ? 'compare.fitEyes' : 'compare.fitWhole'),
    zoom: Math.round(state.view.zoom * 100),
    first: state.turns[0],
    second: state.turns[1],
    brightness: state.light.brightness,
    contrast: state.light.contrast,
    changed: t(
      state.light.brightness === PLAIN_LIGHT.brightness && state.light.contrast === PLAIN_LIGHT.contrast
        ? 'compare.unchanged'
        : 'compare.changed',
    ),
  });
}

/** Blinking lasts as long as B is held, and ends with the focus of the window. */
function useBlinkRelease({ change }: Compare): void {
  useEffect(() => {
    const up = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() === 'b') change({ blinking: false });
    };
    const away = () => change({ blinking: false });
    window.addEventListener('keyup', up);
    window.addEventListener('blur', away);
    return () => {
      window.removeEventListener('keyup', up);
      window.removeEventListener('blur', away);
    };
  }, [change]);
}

/**
 * The head of a printed comparison: the company, the compared object, the operator and the time of printing.
 * @param props `object`: as the audit log names it, e.g. `validation:12`
 */
function PaperHead({ object, children }: { object: string; children: ReactNode }) {
  const { t } = useWords();
  const { company, operator } = useSession();
  const [kind, id = ''] = object.split(':');
  const title =
    kind === 'validation' || kind === 'signatureComparison' || kind === 'face'
      ? t(`compare.paper_${kind}`, { id })
      : t('compare.label');
  return (
    <header className="paper">
      <p className="soft">
        <bdi>{company.name}</bdi>
      </p>
      <h2 className="paper-title">{title}</h2>
      <p className="soft">
        <Time at={usePrintTime()} /> · {t('common.by', { name: operator.name })}
      </p>
      <p>{t('compare.paperLead')}</p>
      {children}
    </header>
  );
}

/** The foot of a printed comparison. The number of the page is written by the browser. */
function PaperFoot() {
  const { t } = useWords();
  return <footer className="paper paper-foot soft">{t('compare.paperFoot')}</footer>;
}

/** When the page was last printed; until then, when it was opened. */
function usePrintTime(): string {
  const [at, setAt] = useState(() => new Date().toISOString());
  useEffect(() => {
    const print = () => setAt(new Date().toISOString());
    window.addEventListener('beforeprint', print);
    return () => window.removeEventListener('beforeprint', print);
  }, []);
  return at;
}

/** The lengths of the measured lines, as numbers and on paper. */
function MeasuredList(props: {
  measured: MeasuredLines;
  images: readonly ComparedImage[];
  captions: readonly string[];
}) {
  const { measured, images, captions } = props;
  const { t, decimal } = useWords();
  const finished = measured.lines.filter(isFinished);
  return (
    <>
      {measured.measuring ? <p className="soft compare-screen-only">{t('compare.measureHelp')}</p> : null}
      {finished.length === 0 ? null : (
        <ul className="measured" aria-label={t('compare.measured')}>
          {finished.map((line) => {
            const side = images.findIndex(({ key }) => key === line.image);
            const image = images[side];
            if (image === undefined) return null;
            const { unit, length } = lengthOf(line, image.eyes);
            return (
              <li key={line.id}>
                <span className="measured-number">{line.id}</span>
                <span dir="auto" className="cut">
                  {captions[side]}
                </span>
                <strong>{t(`compare.length_${unit}`, { length: decimal(length) })}</strong>
                <ActionIcon
                  className="compare-screen-only"
                  variant="subtle"
                  color="gray"
                  size="sm"
                  aria-label={t('compare.measureRemove', { number: line.id })}
                  onClick={() => measured.remove(line.id)}
                >
                  <IconX size={14} aria-hidden />
                </ActionIcon>
              </li>
            );
          })}
        </ul>
      )}
    </>
  );
}

/** The measured lines of the image in a pane, and the crosshair that sets their points. */
function MeasureLayer(props: {
  measured: MeasuredLines;
  image: ComparedImage;
  layout: Layout;
  pane: Size;
  label: string;
}) {
  const { measured, image, layout, pane, label } = props;
  const { t } = useWords();
  const { measuring, setPoint, setMode } = measured;
  const shown = measured.lines.filter((line) => line.image === image.key);
  return (
    <>
      <svg className="measure-lines" width={pane.width} height={pane.height} aria-hidden>
        {shown.map(({ id, from, to }) => (
          <Line key={id} id={id} from={toPane(layout, from)} to={to === null ? null : toPane(layout, to)} />
        ))}
      </svg>
      {measuring ? (
        <CrosshairField
          pane={pane}
          label={t('compare.measureField', { image: label })}
          place={(at) => setPoint(image.key, toImage(layout, at))}
          leave={() => setMode(false)}
        />
      ) : null}
    </>
  );
}

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
