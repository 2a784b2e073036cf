/** Records of comparisons as the dashboard shows them. */
import type { ComparisonQuery, InkPictureView, SignatureRow } from '../../contracts/dashboard/signatures.ts';
import type { SignedIn } from '../../domain/identity/signInService.ts';
import type { ComparisonFacts } from '../../domain/ports/comparisons.ts';
import type {
  KnownSetComparisonRecord,
  SignatureComparisonRecord,
  InkPicture,
} from '../../domain/ports/signatures.ts';
import { periodOf } from '../http/query.ts';
import { cursorAfter } from '../http/paging.ts';
import { actorNames, type ActorPorts } from '../../domain/audit/entryNames.ts';
import type { Comparisons } from '../../storage/screening/comparisons.ts';

const PAGE = 100;

type Names = ReadonlyMap<string, string>;

/** The records of one subject, for reading. */
interface Listed<Kept> extends Pick<Comparisons<ComparisonFacts>, 'count' | 'credentials'> {
  list(...of: Parameters<Comparisons<ComparisonFacts>['list']>): Promise<Kept[]>;
}

/**
 * A page of a company's comparisons of one subject, newest first.
 * @param rowOf shows one record; the names are those of the company's operators and programs
 */
export async function comparisonPageOf<Kept extends { id: number }, Row>(
  ports: ActorPorts & { comparisons: Listed<Kept> },
  { companyId }: SignedIn,
  query: ComparisonQuery,
  rowOf: (record: Kept, names: Names) => Row,
) {
  const { cursor, limit = PAGE, template_id, verification_id, verdict, credential } = query;
  const filter = {
    templateId: template_id,
    verificationId: verification_id,
    verdict,
    credential,
    ...periodOf(query),
  };
  const [records, total, credentials, names] = await Promise.all([
    ports.comparisons.list(companyId, { filter, limit, after: cursor }),
    ports.comparisons.count(companyId, filter),
    ports.comparisons.credentials(companyId),
    actorNames(ports, companyId),
  ]);
  const items = records.map((record) => ({ id: record.id, row: rowOf(record, names) }));
  return {
    items: items.map(({ row }) => row),
    nextCursor: cursorAfter(items, limit, ({ id }) => String(id)),
    total,
    actors: credentials.map((each) => ({ credential: each, operator: names.get(each) ?? null })),
  };
}

/** A record as the dashboard shows it. */
export function comparisonBody<Record extends { at: Date; credential: string }>(
  record: Record,
  names: Names,
) {
  const { at, credential, ...rest } = record;
  return { ...rest, at: at.toISOString(), credential, operator: names.get(credential) ?? null };
}

/** A record of the history of signatures: of two images or of a known set. */
export function signatureRowOf(
  record: SignatureComparisonRecord | KnownSetComparisonRecord,
  names: Names,
): SignatureRow {
  return 'known' in record ? comparisonBody(record, names) : comparisonBody(record, names);
}

/** The ink of an image as a data URI. */
export function pictureBody({ png, width, height }: InkPicture): InkPictureView {
  return { url: `data:image/png;base64,${Buffer.from(png).toString('base64')}`, width, height };
}
