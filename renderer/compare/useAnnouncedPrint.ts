import { useEffect, useRef } from 'react';
import { announceExport } from '../api/exports.ts';
import { useReauthentication } from '../components/useReauthentication.tsx';

/**
 * Prints the page once the service has recorded it. A print from the browser's own menu or keys cannot be prevented: the
 * service is notified and records it as done or, where the operator must not export, as refused.
 * @param object the compared object, e.g. `validation:12`
 */
export function useAnnouncedPrint(object: string) {
  const announced = useRef(false);
  useEffect(() => {
    const before = () => {
      // The answer of the service changes nothing here: the page is printed either way.
      if (!announced.current) announceExport({ kind: 'comparison', object }).catch(() => undefined);
    };
    window.addEventListener('beforeprint', before);
    return () => window.removeEventListener('beforeprint', before);
  }, [object]);
  return useReauthentication<undefined, null>(
    () => announceExport({ kind: 'comparison', object }),
    () => {
      announced.current = true;
      window.print();
      announced.current = false;
    },
    'export',
  );
}
