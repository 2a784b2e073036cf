/** The pipelines of the mock API server. */
import {
  PIPELINE_STEPS,
  pipelineState,
  refusedFacePage,
  type PipelineChange,
} from '../../core/contracts/pipelines.ts';
import { at, thumbnailOf, personName } from './fixtures.ts';

type Answer = [status: number, body: unknown];
/** The part of the mock API server that these answers depend on. */
interface Site {
  behaviour: { change: 'none' | PipelineChange['stage'] };
}

const ID = (name: string, digit: string) => `${name}/1/${digit.repeat(12)}`;
const FULL = ID('vouch-face', 'a');
const LIGHT = ID('vouch-face-light', 'b');
const PACK = ID('example-r50', 'c');
const FACES = 151_284;

export function answerPipelines(site: Site, route: string, body: Buffer): Answer | undefined {
  const { behaviour } = site;
  switch (route) {
    case 'GET /pipelines':
      break;
    case 'GET /pipelines/refused':
      return [200, refusedFacePage.parse({ items: refusedFaces(behaviour.change), nextCursor: null })];
    case 'POST /pipelines/use':
      behaviour.change = 'extracting';
      break;
    case 'POST /pipelines/change': {
      const { step } = JSON.parse(body.toString()) as { step: (typeof PIPELINE_STEPS)[number] };
      behaviour.change =
        step === 'cancel' || step === 'leave' ? 'none' : step === 'pause' ? 'paused' : 'extracting';
      break;
    }
    default:
      return undefined;
  }
  return [200, stateOf(behaviour.change)];
}

function refusedFaces(stage: Site['behaviour']['change']): unknown[] {
  if (stage !== 'refused') return [];
  return [3, 21, 48].map((person, n) => ({
    faceId: 5_000 + person,
    name: personName(person),
    blacklistId: n === 1 ? 11 : null,
    code: n === 2 ? 'CORRUPT_IMAGE' : 'NO_FACE',
    thumbnailUrl: thumbnailOf(person),
  }));
}

function stateOf(stage: Site['behaviour']['change']): unknown {
  const extracted = stage === 'refused' ? FACES - 3 : 61_420;
  const under = stage !== 'none';
  const facts = { builtIn: true, retired: false };
  return pipelineState.parse({
    serving: FULL,
    servingName: 'full',
    pipelines: [
      {
        id: FULL,
        name: 'full',
        title: 'Full: both recognition networks',
        licence: 'MIT and Apache-2.0',
        dimensions: 128,
        templates: FACES,
        ...facts,
      },
      {
        id: LIGHT,
        name: 'light',
        title: 'Light: one network, for weak machines',
        licence: 'Apache-2.0',
        dimensions: 64,
        templates: 0,
        ...facts,
      },
      {
        id: PACK,
        name: 'example-r50',
        title: 'Example R50',
        dimensions: 512,
        licence: 'MIT',
        builtIn: false,
        retired: false,
        templates: under ? extracted : 0,
      },
    ],
    refusedPacks: [
      {
        name: 'other-net',
        reason: {
          code: 'PACK_NET_CHANGED',
          parameters: { file: 'net.onnx', found: 'c1f3…', expected: '9b2e…' },
        },
      },
    ],
    measured: [FULL],
    change: under
      ? {
          target: PACK,
          targetName: 'example-r50',
          startedAt: at(-190),
          stage,
          faces: FACES,
          extracted,
          refused: stage === 'refused' ? 3 : 0,
          facesPerSecond: stage === 'extracting' ? 14.2 : null,
          secondsLeft: stage === 'extracting' ? 6_328 : null,
        }
      : null,
  });
}
