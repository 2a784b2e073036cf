/** Which pages of the dashboard a committed change concerns. */
import { EVENT_TOPICS } from '../../contracts/dashboard/work.ts';

/** `access`: sessions and operators, which no page follows. */
export const CHANGE_TOPICS = [...EVENT_TOPICS, 'access'] as const;
export type ChangeTopic = (typeof CHANGE_TOPICS)[number];
