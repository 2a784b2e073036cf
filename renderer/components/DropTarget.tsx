import { useState, type DragEvent, type ReactNode } from 'react';
import './parts.css';

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
