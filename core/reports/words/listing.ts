/** Words that state why a face is in a blacklist. The severities are those of the screen. */
import type { Severity } from '../../contracts/faceListing.ts';

const severities: Record<Severity, string> = {
  information: 'Information',
  caution: 'Caution',
  stop: 'Stop',
};

export const en = {
  severity: 'Severity',
  severities,
  reason: 'Reason for listing',
  hit: (severity: string, list: string) => `${severity} · Blacklist match: ${list}`,
  moreHits: (hits: string) => `Further blacklist matches, in the tables below: ${hits}`,
};

export const ar: typeof en = {
  severity: 'الخطورة',
  severities: { information: 'معلومة', caution: 'تنبيه', stop: 'منع' },
  reason: 'سبب الإدراج',
  hit: (severity, list) => `${severity} · تطابق في القائمة السوداء: ${list}`,
  moreHits: (hits) => `تطابقات أخرى في القوائم السوداء، في الجداول أدناه: ${hits}`,
};
