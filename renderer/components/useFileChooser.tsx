import { useRef, type ReactElement } from 'react';

/** An attribute that every browser has and React's types do not. */
const WHOLE_FOLDER = { webkitdirectory: '' };

/**
 * The browser's file dialog behind a button.
 * @returns `chooser`: the hidden file input, to be rendered; `open`: opens the dialog
 */
export function useFileChooser(wanted: {
  /** The label of the button, which names the file input for assistive technology. */
  label: string;
  /** Is given at least one. */
  take: (files: readonly File[]) => void;
  accept?: string;
  multiple?: boolean;
  /** A folder, with all that is in it. */
  folder?: boolean;
}): { chooser: ReactElement; open: () => void } {
  const { label, take, accept, multiple, folder } = wanted;
  const input = useRef<HTMLInputElement>(null);
  return {
    open: () => input.current?.click(),
    chooser: (
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        multiple={multiple}
        {...(folder === true ? WHOLE_FOLDER : {})}
        aria-label={label}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          // The same file may be chosen again: nothing would have changed. This empties the list that was read above.
          currentTarget.value = '';
          if (files.length > 0) take(files);
        }}
      />
    ),
  };
}
