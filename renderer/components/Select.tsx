import {
  Select as MantineSelect,
  NativeSelect,
  type ComboboxParsedItem,
  type NativeSelectProps,
  type SelectProps,
} from '@mantine/core';
import { isFound } from '../../core/contracts/searchKey.ts';

interface Item<V> {
  value: V;
  label: string;
}

interface ChoiceProps<V extends string> extends Omit<
  NativeSelectProps,
  'data' | 'value' | 'onChange' | 'children'
> {
  data: readonly (Item<V> | { group: string; items: Item<V>[] })[];
  value: V | null;
  /** null: no value; only possible with `none` */
  onChange: (value: V | null) => void;
  /** The entry for no value. Without it a value can be changed and not cleared. */
  none?: string;
}

/**
 * One of several: the browser's own list. A key pressed right after it was reached or opened is never lost, however slow
 * the machine, and the first letters lead to a name (docs/adr/0035-the-dashboard-runs-under-a-strict-policy.md).
 */
export function Select<V extends string>({ data, value, onChange, none, ...others }: ChoiceProps<V>) {
  const nothing =
    none !== undefined || value === null
      ? [{ value: '', label: none ?? '', disabled: none === undefined }]
      : [];
  const items = data.flatMap((each) => ('group' in each ? each.items : [each]));
  return (
    <NativeSelect
      {...others}
      data={[...nothing, ...data]}
      value={value ?? ''}
      onChange={({ currentTarget }) =>
        onChange(items.find((item) => item.value === currentTarget.value)?.value ?? null)
      }
    />
  );
}

/**
 * A select with a text search over any part of the labels. The first match is highlighted with the key that made it
 * match. The library's highlight by a timer after opening would undo that of a quick key.
 */
export function SearchableSelect<V extends string>(props: SelectProps<V> & { none: string }) {
  const { none, ...others } = props;
  return (
    <MantineSelect
      {...others}
      clearable
      searchable
      filter={({ options, search }) => (search.trim() === '' ? options : foundOptions(options, search))}
      // The list itself scrolls, so that assistive technology finds the scrolling part by the field that controls it.
      withScrollArea={false}
      styles={{ options: { maxHeight: 220, overflowY: 'auto' } }}
      selectFirstOptionOnChange
      selectFirstOptionOnDropdownOpen
      placeholder={none}
    />
  );
}

function foundOptions<V extends string>(
  options: ComboboxParsedItem<V>[],
  search: string,
): ComboboxParsedItem<V>[] {
  return options.flatMap((option): ComboboxParsedItem<V>[] => {
    if (!('group' in option)) return isFound(option.label, search) ? [option] : [];
    const items = option.items.filter(({ label }) => isFound(label, search));
    return items.length > 0 ? [{ ...option, items }] : [];
  });
}
