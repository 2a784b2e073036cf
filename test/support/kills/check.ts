/** Looks at an installation after a kill from several sides, which must agree with each other and with a possible state. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3-multiple-ciphers';
import type { BlacklistId, ImageId } from '../../../core/contracts/ids.ts';
import { photoWithTraces, vectorOf } from '../tracesOfPeople.ts';
import { TEST_PIPELINE } from '../site.ts';
import { currentVersion, facesIn, personOf, placesOf, startAgain } from './installation.ts';
import { without, type Model } from './model.ts';

interface FaceRow {
  id: number;
  name: string;
  image_id: ImageId;
  kind: 'duplicate' | 'blacklist';
  blacklist_id: BlacklistId | null;
}

/** Rows of which each is half of something. */
const HALVES = {
  'face without its template': `select id from face where id not in (select face_id from template)`,
  'face without its thumbnail': `select id from face where id not in (select face_id from face_thumbnail)`,
  'face without its validation': `select id from face where kind = 'duplicate' and trust_validation_id is null`,
  'validation without its face': `select id from trust_validation where id not in (select trust_validation_id from face where trust_validation_id is not null)`,
  'image of nothing': `select id from image where id not in (select image_id from face) and id not in (select image_id from signature_specimen)`,
  'photo without an answer': `select id from upload_item where status = 1`,
  'enrolled photo without its face': `select id from upload_item where status = 2 and face_id is null`,
  'upload with fewer photos than it says': `select id from upload where image_count <> (select count(*) from upload_item where upload_id = upload.id) and image_count <> 0`,
  'list of an import that is not there': `select id from blacklist_import where reverted_at is null and created_blacklist = 1 and blacklist_id not in (select id from blacklist)`,
  'face of an import that was undone': `select face_id from import_membership where import_id in (select id from blacklist_import where reverted_at is not null)`,
  'erasure without its receipt': `select id from erasure where images is not null or signature is null`,
} as const;

/** Files that only work that is going on has in a home. */
const UNFINISHED = /^(restoring-.*|restore\.json.*|snapshot-.*|trial-.*|before-update.*|update\.json.*)$/;

/**
 * Starts the installation, as the service does, and reports each disagreement.
 * @param models states that are possible. @returns the one that it is in, and what is wrong
 */
export async function checkInstallation(
  folder: string,
  models: readonly Model[],
  receipts: readonly string[],
): Promise<{ model: Model | undefined; faults: string[] }> {
  const places = placesOf(folder);
  const { site, company } = await startAgain(places);
  const faults: string[] = [];
  const db = openBeside(places.home);
  try {
    await site.storage.sweepOrphans(0);
    const rows = (query: string) => db.prepare(query).all([]) as Record<string, unknown>[];
    const faces = rows('select id, name, image_id, kind, blacklist_id from face order by id') as FaceRow[] &
      Record<string, unknown>[];
    for (const [half, query] of Object.entries(HALVES)) {
      const found = rows(query);
      if (found.length > 0) faults.push(`${half}: ${JSON.stringify(found)}`);
    }
    if (rows('pragma foreign_key_check').length > 0) faults.push('a row refers to one that is not there');
    if (rows('pragma integrity_check')[0]?.integrity_check !== 'ok') faults.push('the database is damaged');

    const images = new Set(rows('select id from image').map(({ id }) => String(id)));
    const files = readdirSync(join(places.home, 'storage'), { recursive: true })
      .map((file) => /([0-9a-f]{32})\.vimg$/.exec(String(file))?.[1])
      .filter((id) => id !== undefined);
    for (const id of without(images, files)) faults.push(`image ${id} has no file`);
    for (const id of without(files, images)) faults.push(`image ${id} has a file and no row`);
    for (const { id, name, image_id, kind, blacklist_id } of faces) {
      const image = await site.images.read(company.id, image_id).catch(() => undefined);
      if (image === undefined || !photoWithTraces(personOf(name)).equals(image.content))
        faults.push(`the photo of ${name} is not what was sent`);
      const watchlist =
        kind === 'duplicate' ? ({ kind } as const) : ({ kind, blacklistId: blacklist_id! } as const);
      const [match] = await site.gallery.search(company.id, {
        probe: { pipelineId: TEST_PIPELINE, vector: vectorOf(personOf(name)) },
        watchlists: [watchlist],
        limit: 1,
        maxDistance: 0.01,
      });
      if (Number(match?.faceId) !== id) faults.push(`the gallery does not find ${name}`);
    }
    const held = await facesIn(site, company);
    if (held !== faces.length)
      faults.push(`the gallery holds ${held} faces and the database ${faces.length}`);
    const names = faces.map(({ name }) => name);
    if (new Set(names).size !== names.length) faults.push(`a person is there twice: ${names.join()}`);

    for (const entry of readdirSync(places.home))
      if (UNFINISHED.test(entry)) faults.push(`${entry} is left over`);
    if (existsSync(site.home.received) && readdirSync(site.home.received).length > 0)
      faults.push('a package that was handed in is left over');
    const { firstBad } = await site.audit.verify([]);
    if (firstBad !== null) faults.push(`the audit log is broken: ${JSON.stringify(firstBad)}`);
    for (const receipt of receipts)
      if ((await site.erasures.receipt(company.id, receipt)) === undefined)
        faults.push(`receipt ${receipt} is gone`);

    const version = await currentVersion(places);
    const mark = (await site.storage.installation.settings()).installationName;
    const differences = models.map((model) => differencesOf(model, { names, version, mark }));
    const at = differences.findIndex((some) => some.length === 0);
    if (at < 0)
      faults.push(...differences.map((some, index) => `possible state ${index + 1}: ${some.join(', ')}`));
    return { model: models[at], faults };
  } finally {
    db.close();
    await site.close();
    for (const entry of readdirSync(places.home))
      if (entry.startsWith('before-restore-')) await rm(join(places.home, entry), { recursive: true });
  }
}

function differencesOf(
  model: Model,
  { names, version, mark }: { names: readonly string[]; version: string; mark: string | null },
): string[] {
  return [
    ...[...without(model.standing, names)].map((name) => `${name} is lost`),
    ...[...without(names, model.standing)].map((name) => `${name} should not be there`),
    ...(version === model.version ? [] : [`version ${version} is current, not ${model.version}`]),
    ...(mark === model.mark ? [] : [`the database is that of ${mark}, not of ${model.mark}`]),
  ];
}

/** A second connection, which only reads. */
function openBeside(home: string): Sqlite {
  const db = new Sqlite(join(home, 'vouch.db'));
  db.pragma(`cipher='chacha20'`);
  db.pragma(`key="x'${readFileSync(join(home, 'store.key'), 'utf8').trim()}'"`);
  return db;
}
