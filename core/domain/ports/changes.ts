/** Which pages of the dashboard a committed change concerns. */
import { EVENT_TOPICS } from '../../contracts/dashboard/work.ts';
import type { CompanyId } from '../../contracts/ids.ts';

/** `access`: sessions and operators, which no page follows. */
export const CHANGE_TOPICS = [...EVENT_TOPICS, 'access'] as const;
export type ChangeTopic = (typeof CHANGE_TOPICS)[number];

/** Reports what the store has committed. */
export interface ChangeFeed {
  /**
   * Calls the listener after each COMMIT that changed rows of the company, or rows of the whole installation, which a topic
   * stands for. A transaction that was rolled back is not reported. The listener runs after the writer has its result, so
   * an error in the listener cannot look like a failed write.
   * @returns ends the subscription
   */
  subscribe(company: CompanyId, listener: (topics: ReadonlySet<ChangeTopic>) => void): () => void;
}
