/** The dashboard's routes at a test site: everything real but the machine under it. */
import { join } from 'node:path';
import type { ApiPorts } from '../../core/api/app.ts';
import { Doctor } from '../../core/domain/doctor/doctor.ts';
import type { Verifications } from '../../core/domain/screening/verifications.ts';
import type { Clock, GalleryPort, Logger, RecognitionPort } from '../../core/domain/ports.ts';
import { pdfReports } from '../../core/reports/index.ts';
import type { Storage } from '../../core/storage/index.ts';
import { ScriptedSignatures } from '../support/fakes.ts';

interface Engine {
  storage: Storage;
  vision: RecognitionPort;
  gallery: GalleryPort;
  verifications: Verifications;
  clock: Clock;
  log: Logger;
  accepted: () => void;
}

export function dashboardOf(folder: string, engine: Engine): NonNullable<ApiPorts['dashboard']> {
  const { storage, clock } = engine;
  const models = () => Promise.resolve([]);
  return {
    ...storage,
    ...engine,
    signatures: new ScriptedSignatures(),
    reports: pdfReports,
    inWork: () => 0,
    models,
    doctor: new Doctor({
      clock,
      models,
      store: storage,
      home: storage.homeInspection,
      processor: () =>
        Promise.resolve({
          model: 'a test',
          cores: 1,
          architecture: 'x64',
          features: null,
          wasmSimd: true,
          memoryBytes: 1,
        }),
      ports: { problemAt: () => Promise.resolve(undefined), isFree: () => Promise.resolve(true) },
      port: 0,
      service: () => null,
    }),
    process: { version: '0.0.0', startedAt: clock.now(), perMinute: () => null, staff: () => [] },
    pagesFolder: join(folder, 'no pages'),
  };
}
