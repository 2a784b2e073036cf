import { useEffect } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { dashboardEvent } from '../../core/contracts/dashboard/work.ts';

/**
 * Listens to what the core says has changed and asks again for what is on screen of it: no polling storms.
 * The browser reconnects by itself; after a gap everything on screen is asked for once.
 */
export function useLiveUpdates(): void {
  const client = useQueryClient();
  useEffect(() => {
    const source = new EventSource('/api/dashboard/events');
    let gap = false;
    source.onopen = () => {
      if (gap) void client.invalidateQueries();
      gap = false;
    };
    source.onerror = () => {
      gap = true;
    };
    source.onmessage = ({ data }) => {
      const event = dashboardEvent.safeParse(JSON.parse(String(data)));
      if (!event.success) return;
      // The first page counts all of it but pipelines.
      if (event.data.topics.some((topic) => topic !== 'pipelines'))
        void client.invalidateQueries({ queryKey: ['overview'] });
      for (const topic of event.data.topics) void client.invalidateQueries({ queryKey: [topic] });
    };
    return () => source.close();
  }, [client]);
}
