/** Writes resources/openapi.json, the description of the interface as it is now: `npm run openapi`. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { createApi } from '../core/api/app.ts';
import { createAccessServices } from '../core/domain/services.ts';
import { PassphraseHasher } from '../core/domain/identity/passphrase.ts';
import { openHome, openStorage } from '../core/storage/index.ts';
import type { PipelineId } from '../core/contracts/ids.ts';
import { UnavailableError } from '../core/domain/ports/machine.ts';
import type { RecognitionPort } from '../core/domain/ports/recognition.ts';
import type { SignaturePort } from '../core/domain/ports/signatures.ts';
import { EncounterService } from '../core/domain/abis/encounters.ts';
import { ErasureService } from '../core/domain/erasure/erasureService.ts';
import { GroupService } from '../core/domain/duplicates/groups.ts';
import { DuplicateSearch } from '../core/domain/duplicates/duplicateSearch.ts';
import { PersonService } from '../core/domain/persons/personService.ts';
import { Verifications } from '../core/domain/screening/verifications.ts';
import { openGallery } from '../core/gallery/index.ts';
import { argon2id } from '../core/platform/argon2.ts';
import { PLATFORM } from '../core/platform/platform.ts';

const project = join(import.meta.dirname, '..');
const folder = await mkdtemp(join(tmpdir(), 'vouch-openapi-'));
const clock = { now: () => new Date() };
const silent = () => undefined;
const storage = await openStorage(openHome(folder), clock);
const NO_PIPELINE = 'none' as PipelineId;
/** Nothing is looked at while the interface is only described. */
const blind: RecognitionPort = {
  workers: 0,
  pipelineOf: () => NO_PIPELINE,
  of: () => {
    throw new UnavailableError('There is no engine.');
  },
  calibrationOf: () => undefined,
  whenNotSwitching: () => Promise.resolve(),
};
const unavailable = () => Promise.reject(new UnavailableError('There is no engine.'));
const converter = { convert: unavailable, tokenImage: unavailable };
const log = { info: silent, warn: silent, error: silent };
const matcher: SignaturePort = {
  modelVersion: 'none',
  compare: unavailable,
  compareKnown: unavailable,
  preparingOnce: () => {
    throw new UnavailableError('There is no engine.');
  },
  close: () => Promise.resolve(),
};
const gallery = await openGallery({ pipelineId: NO_PIPELINE }, storage, log);
const groups = new GroupService({ ...storage, ...PLATFORM, clock });
const verifications = new Verifications({ ...storage, vision: blind, gallery, clock, log });
const personService = new PersonService({ ...storage, groups });
const blacklistTransfer = { forgetWaiting: () => Promise.resolve() };
const ports = { ...storage, vision: blind, gallery, clock, log, verifications, blacklistTransfer };
const api = await createApi({
  ...PLATFORM,
  ...storage,
  ...createAccessServices({
    ...storage,
    ...PLATFORM,
    hasher: new PassphraseHasher({ ...PLATFORM, hashing: argon2id() }),
    clock,
  }),
  verifications,
  vision: blind,
  recognition: blind,
  converter,
  readiness: () => Promise.reject(new UnavailableError('There is no service.')),
  groups,
  personService,
  encounterService: new EncounterService({
    ...ports,
    personService,
    pictures: converter,
    erasureService: new ErasureService(ports),
  }),
  duplicateSearch: new DuplicateSearch({
    ...storage,
    ...PLATFORM,
    gallery,
    recognition: blind,
    inProgress: () => 0,
    clock,
    log,
  }),
  signatures: matcher,
  clock,
  log,
  accepted: silent,
});
try {
  await api.ready();
  const file = join(project, 'resources/openapi.json');
  const style = await resolveConfig(file);
  await writeFile(file, await format(JSON.stringify(api.swagger()), { ...style, filepath: file }));
} finally {
  await api.close();
  await gallery.close();
  await storage.close();
  await rm(folder, { recursive: true });
}
