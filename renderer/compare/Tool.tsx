import { ActionIcon, Tooltip } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';

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
export function Tool({ Icon: Picture, which, label, named = false, shortcut, on, run }: ToolProps) {
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
