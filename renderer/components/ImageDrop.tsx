import { useEffect, useRef, type ReactNode } from 'react';
import { Button } from '@mantine/core';
import { IconClipboard, type Icon } from '@tabler/icons-react';
import { DropTarget } from './DropTarget.tsx';
import { useFileChooser } from './useFileChooser.tsx';

/** Takes one image: dropped, chosen, or pasted anywhere on the page ({@link usePaste}). */
export function ImageDrop(props: {
  take: (file: File) => void;
  Icon: Icon;
  title: string;
  help: string;
  choose: string;
  paste: string;
  /** The label of the group, for a page with several. */
  label?: string;
  /** The MIME types that the file dialog offers; unless given, those that the service accepts. */
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
    accept = 'image/jpeg,image/png',
    children,
  } = props;
  const takeFirst = ([file]: Iterable<File>) => {
    if (file !== undefined) take(file);
  };
  const { chooser, open } = useFileChooser({
    label: label ?? choose,
    accept,
    take: takeFirst,
  });
  return (
    <DropTarget take={({ files }) => takeFirst(files)} label={label}>
      <Picture size={40} stroke={1.2} aria-hidden />
      <p className="drop-title">{title}</p>
      <p className="soft">{help}</p>
      <div className="row wrap drop-ways">
        <Button onClick={open}>{choose}</Button>
        {children}
        <span className="soft row">
          <IconClipboard size={16} aria-hidden /> {paste}
        </span>
      </div>
      {chooser}
    </DropTarget>
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
