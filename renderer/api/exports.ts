import { z } from 'zod';
import type { exportNotice } from '../../core/contracts/dashboard/exports.ts';
import { requestJson } from './client.ts';

/** Adds an export to the audit log. A file must be saved, or a page printed, only after it resolves. */
export const announceExport = (notice: z.input<typeof exportNotice>) =>
  requestJson('POST', '/exports', z.null(), { body: notice });
