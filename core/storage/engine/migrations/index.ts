import type { Migration } from 'kysely/migration';
import * as enrolment from './0001_enrolment.ts';
import * as screening from './0002_screening.ts';
import * as signedRequests from './0003_signed_requests.ts';
import * as operators from './0004_operators.ts';
import * as audit from './0005_audit.ts';
import * as signatures from './0006_signatures.ts';
import * as gallerySnapshots from './0008_gallery_snapshots.ts';
import * as recoveryKeys from './0010_recovery_keys.ts';
import * as pipelines from './0020_pipelines.ts';
import * as siteCalibration from './0021_site_calibration.ts';
import * as siteKeys from './0030_site_keys.ts';
import * as exchange from './0031_exchange.ts';
import * as deskLists from './0040_desk_lists.ts';
import * as dashboardLists from './0045_dashboard_lists.ts';
import * as appearance from './0046_appearance.ts';
import * as calibrationRates from './0047_calibration_rates.ts';
import * as nameIndex from './0064_name_index.ts';
import * as erasures from './0085_erasures.ts';
import * as facesOfCompany from './0130_faces_of_company.ts';
import * as idempotencyKeys from './0140_idempotency_keys.ts';
import * as lanListener from './0150_lan_listener.ts';

/** In the order in which a new database applies them. A landed migration never changes; a change is a new one. */
export const MIGRATIONS: Record<string, Migration> = {
  '0001_enrolment': enrolment,
  '0002_screening': screening,
  '0003_signed_requests': signedRequests,
  '0004_operators': operators,
  '0005_audit': audit,
  '0006_signatures': signatures,
  '0008_gallery_snapshots': gallerySnapshots,
  '0010_recovery_keys': recoveryKeys,
  '0020_pipelines': pipelines,
  '0021_site_calibration': siteCalibration,
  '0030_site_keys': siteKeys,
  '0031_exchange': exchange,
  '0040_desk_lists': deskLists,
  '0045_dashboard_lists': dashboardLists,
  '0046_appearance': appearance,
  '0047_calibration_rates': calibrationRates,
  '0064_name_index': nameIndex,
  '0085_erasures': erasures,
  '0130_faces_of_company': facesOfCompany,
  '0140_idempotency_keys': idempotencyKeys,
  '0150_lan_listener': lanListener,
};
