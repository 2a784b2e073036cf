import { useEffect, useRef } from 'react';
import { useMutation } from '@tanstack/react-query';
import { announceExport } from '../api/exports.ts';

/** Two images stand on a printed comparison. */
const PRINTED = 2;

/**
 * Prints the page once that is on the record. Who prints past the button, by the browser's own menu or keys, cannot be
 * held up: that is put on the record as it happens.
 * @param object what is compared, e.g. `validation:12`
 */
export function useAnnouncedPrint(object: string): { print: () => void; error: Error | null } {
  const announced = useRef(false);
  const { mutate, error } = useMutation({
    mutationFn: () => announceExport({ kind: 'comparison', object, rows: PRINTED }),
  });
  useEffect(() => {
    const before = () => {
      if (!announced.current) mutate();
    };
    window.addEventListener('beforeprint', before);
    return () => window.removeEventListener('beforeprint', before);
  }, [mutate]);
  const print = () =>
    mutate(undefined, {
      onSuccess: () => {
        announced.current = true;
        window.print();
        announced.current = false;
      },
    });
  return { print, error };
}
