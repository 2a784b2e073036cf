/** The ports of the interface for programs and of the dashboard, from the parts of a running service. */
import { join } from 'node:path';
import type { ApiPorts } from '../api/ports.ts';
import type { Reports } from '../domain/ports/reports.ts';
import { PLATFORM } from '../platform/platform.ts';
import { VERSION } from '../platform/version.ts';
import { inspectModels } from '../vision/nets/inspect.ts';
import { CLOCK, MODELS, PROJECT, type Foundation } from './foundation.ts';
import type { ServiceParts } from './parts.ts';
import { readinessOf } from './readiness.ts';

/** Few requests ask for a report: what draws it is loaded then. */
function reportsWith(fontsFolder: string): Reports {
  const load = async () => (await import('../reports/index.ts')).pdfReports;
  return {
    search: async (report) => (await load()).search({ ...report, fontsFolder }),
    signatures: async (report) => (await load()).signatures({ ...report, fontsFolder }),
    knownSignatures: async (report) => (await load()).knownSignatures({ ...report, fontsFolder }),
    erasure: async (report) => (await load()).erasure({ ...report, fontsFolder }),
    duplicateGroup: async (report) => (await load()).duplicateGroup({ ...report, fontsFolder }),
    faceCase: async (report) => (await load()).faceCase({ ...report, fontsFolder }),
    faceComparison: async (report) => (await load()).faceComparison({ ...report, fontsFolder }),
  };
}

export function apiPorts(foundation: Foundation, parts: ServiceParts): ApiPorts {
  const { storage, vision, log } = foundation;
  const { services, memory, membership, networkListener, metrics, workerStart } = parts;
  return {
    ...storage,
    ...PLATFORM,
    ...services.access,
    ...screeningPorts(foundation, parts),
    duplicateSearch: services.duplicateSearch,
    groups: services.groups,
    personService: services.personService,
    recognition: vision,
    networkListener,
    metrics,
    readiness: readinessOf({
      store: () => Promise.all([storage.installation.settings(), storage.homeInspection.tryWriting()]),
      gallery: () => memory.moment(),
      workers: () => workerStart.isReady,
      draining: () => membership.draining,
      log,
    }),
    dashboard: dashboardPorts(foundation, parts),
  };
}

/** The ports that accept photos and compare them. */
function screeningPorts({ vision, signatures, log }: Foundation, { services, dispatcher }: ServiceParts) {
  const { verifications, gallery } = services;
  return {
    verifications,
    vision,
    gallery,
    signatures,
    clock: CLOCK,
    log,
    accepted: () => {
      dispatcher.wake();
    },
  };
}

function dashboardPorts(foundation: Foundation, parts: ServiceParts): NonNullable<ApiPorts['dashboard']> {
  const { home, storage, vision } = foundation;
  const { services, dispatcher, state, workers } = parts;
  const { company, blacklistTransfer, ...others } = services;
  return {
    ...storage,
    ...PLATFORM,
    ...others,
    ...company,
    ...screeningPorts(foundation, parts),
    recognition: vision,
    exchange: blacklistTransfer,
    reports: reportsWith(home.fonts),
    inProgress: () => dispatcher.inProgress,
    models: () => inspectModels(MODELS),
    process: {
      version: VERSION,
      startedAt: state.startedAt,
      perMinute: () => dispatcher.pace.perMinute(CLOCK.now()),
      workers,
    },
    pagesFolder: join(PROJECT, 'dist', 'renderer'),
  };
}
