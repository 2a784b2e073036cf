import { useId, type ReactNode } from 'react';
import './parts.css';

interface Props<V extends string> {
  'aria-label': string;
  data: readonly (V | { value: V; label: ReactNode })[];
  value: V;
  onChange: (value: V) => void;
  size?: 'xs';
  disabled?: boolean | undefined;
  className?: string;
}

/**
 * One of a few, all in sight: radio buttons in a row. The mark under the chosen one is drawn by its style alone; one that
 * slides there is measured first, and measuring lays out the list whose filter this is, twice.
 */
export function SegmentedControl<V extends string>({
  data,
  value,
  onChange,
  size,
  disabled,
  className,
  ...rest
}: Props<V>) {
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label={rest['aria-label']}
      className={['one-of', size === 'xs' ? 'one-of-small' : '', className ?? ''].join(' ').trim()}
    >
      {data.map((each) => {
        const item = typeof each === 'string' ? { value: each, label: each } : each;
        return (
          <label key={item.value}>
            <input
              type="radio"
              name={name}
              value={item.value}
              checked={item.value === value}
              disabled={disabled}
              onChange={() => onChange(item.value)}
            />
            <span>{item.label}</span>
          </label>
        );
      })}
    </div>
  );
}
