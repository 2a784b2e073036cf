/** The services that share one PostgreSQL database. */
import { z } from 'zod';

/**
 * The work of a service: `api` answers programs and the dashboard and holds the gallery, `vision` enrols waiting photos, `all`
 * does both.
 */
export const NODE_ROLES = ['all', 'api', 'vision'] as const;
export type NodeRole = (typeof NODE_ROLES)[number];

/** One service of the database, as the others see it. */
export const nodeState = z.object({
  name: z.string().describe('chosen at random at the first start and kept in the data directory'),
  role: z.enum(NODE_ROLES),
  version: z.string().describe('version of the program'),
  address: z.string().nullable().describe('where it listens on its own machine; null: on no port'),
  startedAt: z.iso.datetime(),
  seenAt: z.iso.datetime().describe('when it last reported, by the clock of the database'),
  alive: z.boolean().describe('it has reported within the last 30 seconds'),
  draining: z.boolean().describe('it is about to stop and takes no new requests'),
  leads: z.boolean().describe('it does the work that one service does for all'),
  answered: z.number().int().describe('photos that it has enrolled or rejected since its start'),
  leases: z.number().int().describe('photos that it has leased from the queue'),
});
export type NodeState = z.infer<typeof nodeState>;

/** The answer of `GET /health/ready`. */
export const readiness = z.object({
  ready: z.boolean().describe('whether requests should be sent to this service'),
  checks: z.object({
    store: z.boolean().describe('the store can be read'),
    gallery: z.boolean().describe('a search would see every change that was committed'),
    workers: z.boolean().describe('the image workers have started'),
    accepting: z.boolean().describe('false: the service is about to stop'),
  }),
});
export type Readiness = z.infer<typeof readiness>;
