import { useEffect, useRef, type ReactNode, useState, type DragEvent, type ReactElement } from 'react';
import { IconClipboard, type Icon } from '@tabler/icons-react';
import { Action } from './Page.tsx';
import './parts.css';

/** The MIME types of signatures. */
const IMAGE_TYPES = 'image/jpeg,image/png';
/** Types that a file dialog offers for a photo of a person: pictures that are converted, and face records. */
export const PHOTO_TYPES = 'image/*,.tif,.tiff,.jp2,.j2k,.jpx,.jpf,.xml,.bin,.fac,.dg2,.txt';

/** Takes one image, or as many as `most`: dropped, chosen, or pasted anywhere on the page ({@link usePaste}). */
export function ImageDrop(props: {
  take: (files: [File, ...File[]]) => void;
  most?: number;
  Icon: Icon;
  title: string;
  help: string;
  choose: string;
  paste: string;
  /** The label of the group, for a page with several. */
  label?: string;
  /** Types that the file dialog offers; unless given, those of signatures. */
  accept?: string;
  /** Further ways to give an image, beside the button. */
  children?: ReactNode;
}) {
  const {
    take,
    Icon: Picture,
    title,
    help,
    choose,
    paste,
    label,
    accept = IMAGE_TYPES,
    most = 1,
    children,
  } = props;
  const takeFirst = (files: Iterable<File>) => {
    const [file, ...further] = [...files].slice(0, most);
    if (file !== undefined) take([file, ...further]);
  };
  const { chooser, open } = useFileChooser({
    label: label ?? choose,
    accept,
    take: takeFirst,
    multiple: most > 1,
  });
  return (
    <DropTarget take={({ files }) => takeFirst(files)} label={label}>
      <Picture size={40} stroke={1.2} aria-hidden />
      <p className="drop-title">{title}</p>
      <p className="soft">{help}</p>
      <div className="row wrap drop-ways">
        <Action primary label={choose} onClick={open} />
        {children}
        <span className="soft row">
          <IconClipboard size={16} aria-hidden /> {paste}
        </span>
      </div>
      {chooser}
    </DropTarget>
  );
}

/** Announces the file that was dropped, chosen or pasted. It stays in the page before and after: a new region is not announced. */
export function ChosenFile({ label, file }: { label: string; file: File | null | undefined }) {
  return (
    <span className="sr-only" role="status">
      {file == null ? null : `${label}: ${file.name}`}
    </span>
  );
}

/** Hears an image that is pasted anywhere on the page. */
export function usePaste(take: (file: File) => void): void {
  const latest = useRef(take);
  useEffect(() => {
    latest.current = take;
  });
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const [file] = event.clipboardData?.files ?? [];
      if (file !== undefined) latest.current(file);
    };
    window.addEventListener('paste', paste);
    return () => window.removeEventListener('paste', paste);
  }, []);
}

/** An area that accepts dropped files and highlights while files are over it. */
export function DropTarget(props: {
  take: (data: DataTransfer) => void;
  className?: string;
  label?: string | undefined;
  children: ReactNode;
}) {
  const { take, className = '', label, children } = props;
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer);
  };
  return (
    <div
      className={`drop ${className}${over ? ' over' : ''}`}
      {...(label === undefined ? {} : { role: 'group', 'aria-label': label })}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {children}
    </div>
  );
}

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

/** An address of a file on this machine, for as long as it is shown; null until there is one. */
export function useObjectUrl(file: Blob | null | undefined): string | null {
  const [made, setMade] = useState<{ of: Blob; url: string } | null>(null);
  useEffect(() => {
    if (file == null) return;
    const url = URL.createObjectURL(file);
    setMade({ of: file, url });
    return () => URL.revokeObjectURL(url);
  }, [file]);
  return made?.of === file ? (made?.url ?? null) : null;
}
