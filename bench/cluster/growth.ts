/** The needs of a far larger installation, computed from the measured figures. */
import { table } from '../report.ts';

interface Measured {
  /** Photos per second of one worker of a vision service. */
  photosOfWorker: number;
  /** Photos per second that one company can commit. */
  photosOfCompany: number;
  /** Milliseconds of the start of a service for each enrolled face. */
  startOfFaceMs: number;
  /** The same with the snapshots of an earlier start. */
  restartOfFaceMs: number;
}

/** The installation that is asked about. */
const FACES = 100_000_000;
const SEARCHES = 1_000;
const VISION_NODES = 20;
/** Cores of each machine. */
const CORES = 16;
/** Bytes of a face in memory: codes alone, and with its exact vector (bench:gallery, 128 components). */
const BYTES = { codes: 140, all: 652 };
/** Nanoseconds of one core for each face of a search, 16 at once among a million (bench:gallery). */
const NANOSECONDS = 1.48;
/** Bytes of a template with its ids on its way to a gallery. */
const TEMPLATE = 560;

/** A table of needs and limits, in the order in which they are met. */
export function growth({
  photosOfWorker,
  photosOfCompany,
  startOfFaceMs,
  restartOfFaceMs,
}: Measured): string {
  const workers = VISION_NODES * CORES;
  const photos = workers * photosOfWorker;
  const companies = Math.ceil(photos / photosOfCompany);
  const searchCores = (SEARCHES * FACES * NANOSECONDS) / 1e9;
  const apiNodes = Math.ceil(searchCores / CORES);
  const round = (value: number) => Math.round(value).toLocaleString('en');
  return `Growth on paper: ${VISION_NODES} vision machines and as many api machines as are needed, with ${CORES} cores each, ${round(FACES)} faces and ${round(SEARCHES)} searches per second. The figures of this run are taken as those of one core; a database machine of its own was not measured.

${table(
  ['what', 'amount', 'follows from'],
  [
    [
      'photos per second of all vision workers',
      round(photos),
      `${workers} workers × ${photosOfWorker.toFixed(1)}`,
    ],
    [
      'photos per second that one company can commit',
      round(photosOfCompany),
      'one transaction after the other: **the first limit**',
    ],
    ['workers that one company keeps busy', round(photosOfCompany / photosOfWorker), 'the two lines above'],
    ['companies that keep all workers busy', round(companies), 'if the server commits for them side by side'],
    ['cores for the searches', round(searchCores), `${NANOSECONDS} ns for each face and search`],
    ['api machines', round(apiNodes), `${CORES} cores each; every one holds the whole gallery`],
    [
      'memory of each, GB',
      `${round((FACES * BYTES.codes) / 1e9)} to ${round((FACES * BYTES.all) / 1e9)}`,
      'codes alone, or with exact vectors',
    ],
    [
      'minutes until a new api service is ready',
      round((FACES * startOfFaceMs) / 60_000),
      'it reads every template: **the second limit**',
    ],
    [
      'minutes until a restarted api service is ready',
      round((FACES * restartOfFaceMs) / 60_000),
      'it compares its snapshots with the database',
    ],
    [
      'MB per second to each api machine',
      ((photos * TEMPLATE) / 1e6).toFixed(1),
      'templates of new photos, read before searches',
    ],
  ],
)}`;
}
