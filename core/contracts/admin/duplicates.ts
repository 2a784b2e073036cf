/** The administrator's commands for duplicate searches. */
import { z } from 'zod';
import { duplicateRun, duplicateRunRequest } from '../dashboard/duplicates.ts';
import { companyName, type AdminCommandShapes } from './shapes.ts';

/** A search as the terminal shows it. */
const search = duplicateRun.pick({
  id: true,
  mode: true,
  state: true,
  oneIn: true,
  faces: true,
  compared: true,
  pairs: true,
  identical: true,
  expected: true,
  facesPerSecond: true,
  secondsLeft: true,
  startedAt: true,
  endedAt: true,
  problem: true,
});
export type TerminalSearch = z.infer<typeof search>;

const ofCompany = { input: z.object({ company: companyName }), output: search };

export const DUPLICATE_COMMANDS = {
  'duplicates.find': { input: duplicateRunRequest.extend({ company: companyName }), output: search },
  'duplicates.status': { ...ofCompany, output: search.nullable().describe('null: none was started') },
  'duplicates.pause': ofCompany,
  'duplicates.resume': ofCompany,
  'duplicates.cancel': ofCompany,
} as const satisfies AdminCommandShapes;
