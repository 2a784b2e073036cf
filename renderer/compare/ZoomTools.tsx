import { ActionIcon, Tooltip } from '@mantine/core';
import { IconMinus, IconPlus, IconZoomReset, type Icon } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useKeys } from '../state/keys.ts';
import type { Compare } from './useCompare.ts';

const ZOOM_STEP = 1.25;

/** Zoom of one or several panes, by buttons and keys. */
export function ZoomTools({
  compare: { state, zoom, reset },
  label: name,
}: {
  compare: Compare;
  label: string;
}) {
  const { t } = useTranslation();
  const tools: { Icon: Icon; label: string; keys: string[]; run: () => void }[] = [
    { Icon: IconMinus, label: t('compare.zoomOut'), keys: ['-'], run: () => zoom(1 / ZOOM_STEP) },
    { Icon: IconPlus, label: t('compare.zoomIn'), keys: ['+', '='], run: () => zoom(ZOOM_STEP) },
    { Icon: IconZoomReset, label: t('compare.reset'), keys: ['0'], run: reset },
  ];
  useKeys(tools.map(({ keys, label, run }) => ({ keys, shown: keys.slice(0, 1), label, run })));
  return (
    <div className="compare-tools" role="toolbar" aria-label={name}>
      {tools.map(({ Icon: Picture, label, keys: [key], run }) => (
        <Tooltip key={label} label={`${label} · ${key ?? ''}`}>
          <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={run}>
            <Picture size={18} stroke={1.6} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ))}
      <span className="compare-zoom">{Math.round(state.view.zoom * 100)}%</span>
    </div>
  );
}
