import { useEffect, useState } from 'react';

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
