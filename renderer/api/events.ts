import { useEffect } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { dashboardEvent } from '../../core/contracts/dashboard/work.ts';

/**
 * Follows the changes that the service reports, and reloads the data on screen that they concern. When the stream opens, all
 * data on screen is reloaded once: it may have changed between its loading and the opening, or while the connection was lost.
 */
export function useLiveUpdates(): void {
  const client = useQueryClient();
  useEffect(() => {
    const source = new EventSource('/api/dashboard/events');
    source.onopen = () => {
      void client.invalidateQueries();
    };
    source.onmessage = ({ data }) => {
      const event = dashboardEvent.safeParse(JSON.parse(String(data)));
      if (!event.success) return;
      // The overview counts all of it but pipelines.
      if (event.data.topics.some((topic) => topic !== 'pipelines'))
        void client.invalidateQueries({ queryKey: ['overview'] });
      for (const topic of event.data.topics) void client.invalidateQueries({ queryKey: [topic] });
    };
    return () => source.close();
  }, [client]);
}
