import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';

/** A table of data that may be wider than its place: then it scrolls by itself, by the keyboard too. */
export function WideTable(props: {
  label: string;
  /** It is all that its surroundings scroll for, and nothing in it takes the focus: so it does, however wide. */
  alone?: boolean;
  children: ReactNode;
}) {
  const { label, alone, children } = props;
  const place = useRef<HTMLDivElement>(null);
  const [wide, setWide] = useState(false);
  useLayoutEffect(() => {
    const element = place.current;
    if (element === null) return;
    const measure = () => setWide(element.scrollWidth > element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    for (const each of [element, ...element.children]) observer.observe(each);
    return () => observer.disconnect();
  }, []);
  return (
    <div
      ref={place}
      className="wide-table"
      {...(wide || alone === true ? { role: 'region', 'aria-label': label, tabIndex: 0 } : {})}
    >
      {children}
    </div>
  );
}
