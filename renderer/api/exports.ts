import { z } from 'zod';
import { requestJson } from './client.ts';
import type { exportNotice } from '../../core/contracts/dashboard/lists.ts';

/** Adds an export to the audit log. A file must be saved, or a page printed, only after it resolves. */
export const announceExport = (notice: z.input<typeof exportNotice>) =>
  requestJson('POST', '/exports', z.null(), { body: notice });
