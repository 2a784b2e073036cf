/** A run of enrolment: the photos of one folder, which are sent in many uploads. */
import { z } from 'zod';
import { runId } from './ids.ts';

/** `dashboard`: an operator's browser or desktop window; `program`: the terminal, a watched folder or another program; `demo`: sample photos. */
export const RUN_SOURCES = ['dashboard', 'program', 'import', 'demo'] as const;
export type RunSource = (typeof RUN_SOURCES)[number];

/** `refuse`: a photo with several faces fails; `main`: its largest face is enrolled where it is clearly the main one. */
export const SEVERAL_FACES = ['refuse', 'main'] as const;
export type SeveralFaces = (typeof SEVERAL_FACES)[number];

/** Characters of the name of a run: that of a folder. */
export const LONGEST_RUN_NAME = 255;
/** Photos of one run. */
const MAX_PHOTOS = 100_000_000;

/** The query of an upload that belongs to a run. The first upload of a run creates it; later ones join it. */
export const runDeclaration = z.object({
  run: runId.optional().describe('UUID that the uploads of one folder share'),
  runName: z.string().trim().min(1).max(LONGEST_RUN_NAME).optional().describe('name of the folder'),
  runPhotos: z.coerce.number().int().min(1).max(MAX_PHOTOS).optional().describe('photos of the whole run'),
  severalFaces: z
    .enum(SEVERAL_FACES)
    .optional()
    .describe(
      'refuse (default): a photo with several faces fails; main: the largest face is enrolled if it is clearly the main one',
    ),
});
export type RunDeclaration = z.infer<typeof runDeclaration>;

const box = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });

/** The faces that were found in a photo; pixels of the upright image. */
export const foundFaces = z.object({
  width: z.number(),
  height: z.number(),
  /** Largest first. */
  boxes: z.array(box),
  /** Heads that are covered or unclear: they count, and none of them can be used. Largest first. */
  unclear: z.array(box),
  /** Several faces and heads count, and all of them are of one person. */
  onePerson: z.boolean(),
});
export type FoundFaces = z.infer<typeof foundFaces>;
