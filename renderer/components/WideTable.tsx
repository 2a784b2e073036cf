import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';

/** A table of data that may be wider than its place: then it scrolls by itself, by the keyboard too. */
export function WideTable({ label, children }: { label: string; children: ReactNode }) {
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
      {...(wide ? { role: 'region', 'aria-label': label, tabIndex: 0 } : {})}
    >
      {children}
    </div>
  );
}
