import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { ActionIcon, Slider, Tooltip, Popover } from '@mantine/core';
import {
  IconArrowsLeftRight,
  IconEye,
  IconFlipVertical,
  IconGrid4x4,
  IconLayersIntersect,
  IconMaximize,
  IconMinus,
  IconPlus,
  IconPrinter,
  IconRestore,
  IconRotateClockwise,
  IconRulerMeasure,
  type Icon,
  IconSun,
} from '@tabler/icons-react';
import { Action, ErrorLine } from '../components/Page.tsx';
import { useMay } from '../api/session.ts';
import { PassphraseDialog } from '../components/ExportButton.tsx';
import type { ComparedKind, MeasuredLines } from './geometry.ts';
import { HALF, type Compare, PLAIN_LIGHT } from './useCompare.ts';
import { announceExport } from '../api/validations.ts';
import { useReauthentication } from '../components/Form.tsx';
import { useWords } from '../i18n/words.tsx';

interface Props {
  compare: Compare;
  of: ComparedKind;
  /** A third pane shows the overlay, so that no tool has to. */
  three?: boolean;
  /** Absent: the view has no lines to measure. */
  measured?: MeasuredLines;
  /** The object that the audit log names when this is printed, e.g. `validation:12`. */
  object: string;
  actions?: ReactNode;
}

/** The tools of the view, each with its key in the tooltip. */
export function CompareTools({ compare, of, three = false, measured, object, actions }: Props) {
  const { t } = useWords();
  const { state, change, zoom, turn, reset } = compare;
  const may = useMay();
  const print = useAnnouncedPrint(object);
  const FitIcon = state.fit === 'eyes' ? IconMaximize : IconEye;
  return (
    <div className="compare-tools" role="toolbar" aria-label={t('compare.tools')}>
      <Tool Icon={IconMinus} label={t('compare.zoomOut')} shortcut="−" run={() => zoom(0.8)} />
      <span className="compare-zoom">{Math.round(state.view.zoom * 100)}%</span>
      <Tool Icon={IconPlus} label={t('compare.zoomIn')} shortcut="+" run={() => zoom(1.25)} />
      <Tool Icon={IconRestore} label={t('compare.reset')} named shortcut="0" run={reset} />
      {of === 'faces' ? (
        <Tool
          Icon={FitIcon}
          label={t(state.fit === 'eyes' ? 'compare.fitWhole' : 'compare.fitEyes')}
          shortcut="F"
          run={() => change({ fit: state.fit === 'eyes' ? 'whole' : 'eyes' })}
        />
      ) : null}
      {of === 'one' ? null : (
        <Tool
          Icon={IconArrowsLeftRight}
          label={t('compare.swap')}
          shortcut="W"
          on={state.swapped}
          run={() => change({ swapped: !state.swapped })}
        />
      )}
      <Tool
        Icon={IconRotateClockwise}
        which={of === 'one' ? undefined : 1}
        label={t('compare.turnFirst')}
        named
        shortcut="["
        run={() => turn(0, 90)}
      />
      {of === 'one' ? null : (
        <Tool
          Icon={IconRotateClockwise}
          which={2}
          label={t('compare.turnSecond')}
          named
          shortcut="]"
          run={() => turn(1, 90)}
        />
      )}
      <LightTool compare={compare} />
      {of === 'one' ? null : <OverlayTool compare={compare} three={three} />}
      <Tool
        Icon={IconGrid4x4}
        label={t('compare.ruler')}
        shortcut="L"
        on={state.ruler}
        run={() => change({ ruler: !state.ruler })}
      />
      {measured === undefined ? null : (
        <Tool
          Icon={IconRulerMeasure}
          label={t('compare.measure')}
          shortcut="M"
          on={measured.measuring}
          run={() => measured.setMode(!measured.measuring)}
        />
      )}
      {of === 'one' ? null : <BlinkTool compare={compare} />}
      <span className="push row">
        {actions}
        {may('exports:create') ? (
          <Tool Icon={IconPrinter} label={t('compare.print')} run={() => print.mutate()} />
        ) : null}
      </span>
      {print.field === null ? (
        <ErrorLine error={print.error} />
      ) : (
        <PassphraseDialog title={t('compare.print')} work={print} />
      )}
    </div>
  );
}

/** Shows the other image for as long as it is pressed: by pointer, by touch, or by Space and Enter. */
function BlinkTool({ compare: { state, change } }: { compare: Compare }) {
  const { t } = useWords();
  const show = (blinking: boolean) => () => change({ blinking });
  const byKey = (blinking: boolean) => (event: KeyboardEvent) => {
    if (event.key === ' ' || event.key === 'Enter') change({ blinking });
  };
  return (
    <Tooltip label={`${t('compare.blinkHold')} · B`}>
      <ActionIcon
        className="compare-blink"
        variant={state.blinking ? 'light' : 'subtle'}
        color={state.blinking ? 'blue' : 'gray'}
        aria-label={t('compare.blinkHold')}
        onPointerDown={show(true)}
        onPointerUp={show(false)}
        onPointerLeave={show(false)}
        onPointerCancel={show(false)}
        onContextMenu={(event) => event.preventDefault()}
        onKeyDown={byKey(true)}
        onKeyUp={byKey(false)}
        onBlur={show(false)}
      >
        <IconFlipVertical size={18} stroke={1.6} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

/** Lays the other image over the first; a third pane always does, and needs only the opacity. */
function OverlayTool({ compare: { state, change }, three }: { compare: Compare; three: boolean }) {
  const { t } = useWords();
  const overlay = three ? (state.overlay ?? HALF) : state.overlay;
  return (
    <>
      {three ? null : (
        <Tool
          Icon={IconLayersIntersect}
          label={t('compare.overlay')}
          named
          shortcut="O"
          on={overlay !== null}
          run={() => change({ overlay: overlay === null ? HALF : null })}
        />
      )}
      {overlay === null ? null : (
        <Slider
          className="compare-overlay"
          size="sm"
          min={0}
          max={1}
          step={0.01}
          label={null}
          thumbLabel={t('compare.overlayShare')}
          value={overlay}
          onChange={(value) => change({ overlay: value })}
        />
      )}
    </>
  );
}

/**
 * Prints the page once the service has recorded it. A print from the browser's own menu or keys cannot be prevented: the
 * service is notified and records it as done or, where the operator must not export, as refused.
 * @param object the compared object, e.g. `validation:12`
 */
function useAnnouncedPrint(object: string) {
  const announced = useRef(false);
  useEffect(() => {
    const before = () => {
      // The answer of the service changes nothing here: the page is printed either way.
      if (!announced.current) announceExport({ kind: 'comparison', object }).catch(() => undefined);
    };
    window.addEventListener('beforeprint', before);
    return () => window.removeEventListener('beforeprint', before);
  }, [object]);
  return useReauthentication<undefined, unknown>(
    () => announceExport({ kind: 'comparison', object }),
    () => {
      announced.current = true;
      window.print();
      announced.current = false;
    },
    'export',
  );
}

interface ToolProps {
  Icon: Icon;
  /** The image that it acts on, where another tool does the same to the other. */
  which?: 1 | 2 | undefined;
  label: string;
  /** A wide window shows the label beside the icon, because the icon alone says too little. */
  named?: boolean;
  shortcut?: string;
  on?: boolean;
  run: () => void;
}

/** A tool of the view as an icon button, with its key in the tooltip. */
function Tool({ Icon: Picture, which, label, named = false, shortcut, on, run }: ToolProps) {
  return (
    <Tooltip label={shortcut === undefined ? label : `${label} · ${shortcut}`}>
      <ActionIcon
        variant={on === true ? 'light' : 'subtle'}
        color={on === true ? 'blue' : 'gray'}
        aria-label={label}
        {...(named ? { className: 'tool-named' } : {})}
        aria-pressed={on}
        onClick={run}
      >
        <Picture size={18} stroke={1.6} aria-hidden />
        {which === undefined ? null : (
          <span className="compare-which" aria-hidden>
            {which}
          </span>
        )}
        {named ? (
          <span className="tool-word" aria-hidden>
            {label}
          </span>
        ) : null}
      </ActionIcon>
    </Tooltip>
  );
}

/** Brightness and contrast of the view. */
function LightTool({ compare: { state, change } }: { compare: Compare }) {
  const { t } = useWords();
  const { light } = state;
  const changed = light.brightness !== PLAIN_LIGHT.brightness || light.contrast !== PLAIN_LIGHT.contrast;
  return (
    <>
      <Popover width={240} trapFocus>
        <Popover.Target>
          <ActionIcon
            variant={changed ? 'light' : 'subtle'}
            color={changed ? 'orange' : 'gray'}
            aria-label={t('compare.light')}
          >
            <IconSun size={18} stroke={1.6} aria-hidden />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown>
          <div className="column">
            {(['brightness', 'contrast'] as const).map((which) => (
              <div key={which}>
                <p>
                  {t(`compare.${which}`)} <span className="soft">{light[which]}%</span>
                </p>
                <Slider
                  min={30}
                  max={300}
                  label={null}
                  thumbLabel={t(`compare.${which}`)}
                  value={light[which]}
                  onChange={(value) => change({ light: { ...light, [which]: value } })}
                />
              </div>
            ))}
            <p className="soft">{t('compare.lightNote')}</p>
            <Action
              size="xs"
              label={t('compare.lightReset')}
              onClick={() => change({ light: PLAIN_LIGHT })}
            />
          </div>
        </Popover.Dropdown>
      </Popover>
      {changed ? <span className="compare-aid">{t('compare.changed')}</span> : null}
    </>
  );
}
