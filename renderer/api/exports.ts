import { z } from 'zod';
import type { ExportNotice } from '../../core/contracts/dashboard/exports.ts';
import { requestJson } from './client.ts';

/** Says that a file is about to be saved or a page printed. Resolves when that is on the record: only then may it be. */
export const announceExport = (notice: ExportNotice) =>
  requestJson('POST', '/exports', z.null(), { body: notice });
