/** Words that state why a face is in a blacklist. The severities are those of the screen. */
import type { Severity } from '../../contracts/faceListing.ts';

const severities: Record<Severity, string> = {
  information: 'Information',
  caution: 'Caution',
  stop: 'Stop',
};

export const en = { severity: 'Severity', severities, reason: 'Reason for listing' };

export const ar: typeof en = {
  severity: 'الخطورة',
  severities: { information: 'معلومة', caution: 'تنبيه', stop: 'منع' },
  reason: 'سبب الإدراج',
};
