import type { KeyboardEvent, ReactNode } from 'react';
import { ActionIcon, Slider, Tooltip } from '@mantine/core';
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
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../api/session.ts';
import { PassphraseDialog } from '../components/ExportButton.tsx';
import { ErrorLine } from '../components/states.tsx';
import type { ComparedKind } from './compared.ts';
import { LightTool } from './LightTool.tsx';
import type { MeasuredLines } from './measuredLines.ts';
import { Tool } from './Tool.tsx';
import { useAnnouncedPrint } from './useAnnouncedPrint.ts';
import { HALF, type Compare } from './useCompare.ts';

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
  const { t } = useTranslation();
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
          <Tool Icon={IconPrinter} label={t('compare.print')} run={() => print.start(undefined)} />
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
  const { t } = useTranslation();
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
  const { t } = useTranslation();
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
