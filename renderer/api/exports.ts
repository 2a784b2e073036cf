import { z } from 'zod';
import type { exportNotice } from '../../core/contracts/dashboard/exports.ts';
import { requestJson } from './client.ts';

/** Says that a file is about to be saved or a page printed. Resolves when that is on the record: only then may it be. */
export const announceExport = (notice: z.input<typeof exportNotice>) =>
  requestJson('POST', '/exports', z.null(), { body: notice });
