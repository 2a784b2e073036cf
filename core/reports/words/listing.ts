/** Words that state why a face is in a blacklist. The severities are those of the screen. */
import type { ListingText, Severity } from '../../contracts/faceListing.ts';

const severities: Record<Severity, string> = {
  information: 'Information',
  caution: 'Caution',
  stop: 'Stop',
};

const texts: Record<ListingText, string> = { reason: 'Reason for listing' };

export const en = {
  severity: 'Severity',
  severities,
  texts,
  hit: (severity: string, list: string) => `${severity} · Blacklist match: ${list}`,
  moreHits: (hits: string) => `Further blacklist matches, in the tables below: ${hits}`,
};

export const ar: typeof en = {
  severity: 'الخطورة',
  severities: { information: 'معلومة', caution: 'تنبيه', stop: 'منع' },
  texts: { reason: 'سبب الإدراج' },
  hit: (severity, list) => `${severity} · تطابق في القائمة السوداء: ${list}`,
  moreHits: (hits) => `تطابقات أخرى في القوائم السوداء، في الجداول أدناه: ${hits}`,
};
