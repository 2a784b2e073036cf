import { FAILURES } from '../contracts/errors/failures.ts';
import { asLocalAdmin } from '../domain/ports/auditContext.ts';
import { companyNamed } from '../domain/companies/companyNamed.ts';
import type { AdminCommandHandlers } from '../contracts/admin/commands.ts';
import type { GalleryPort } from '../domain/ports/gallery.ts';
import type { Clock } from '../domain/ports/machine.ts';
import type { RecognitionPort } from '../domain/ports/recognition.ts';
import { similarityScore, bandOf } from '../domain/scores/scores.ts';
import { searchImage } from '../domain/search/search.ts';
import { SEARCH, searchCoverage } from '../domain/search/coverage.ts';
import type { AuditLog } from '../storage/audit/auditLog.ts';
import type { Faces } from '../storage/faces/faces.ts';
import type { Companies } from '../storage/settings/companies.ts';
import type { Blacklists } from '../storage/screening/blacklists.ts';

interface SearchCommandPorts {
  companies: Companies;
  blacklists: Pick<Blacklists, 'all'>;
  vision: RecognitionPort;
  gallery: GalleryPort;
  faces: Faces;
  audit: Pick<AuditLog, 'record'>;
  clock: Clock;
}

/** The handler of `vouch search`: the most similar faces with their bands, also below every threshold. */
export function searchCommands(ports: SearchCommandPorts): Pick<AdminCommandHandlers, 'search'> {
  return {
    async search(input) {
      const company = await companyNamed(ports.companies, input.company);
      const { watchlists, searched, faces, names } = await searchCoverage(ports, company.id, SEARCH);
      const result = await searchImage(ports, company.id, Buffer.from(input.image, 'base64'), {
        groups: [watchlists],
        limit: input.limit,
      });
      await ports.audit.record(asLocalAdmin(ports.clock), {
        company: company.id,
        action: 'search.run',
        object: null,
        details: { watchlists: watchlists.length, faces },
      });
      const covered = { searchedFaces: faces, watchlists: [...searched] };
      if (result.kind === 'refused')
        return { refused: FAILURES[result.code].sentence, ...covered, faces: [] };
      const { calibration } = result.recogniser;
      return {
        refused: null,
        ...covered,
        faces: result.faces.map(({ face, candidates }) => ({
          box: face.box,
          quality: face.quality.score,
          candidates: candidates.map((candidate) => ({
            faceId: candidate.faceId,
            name: candidate.name,
            watchlist: candidate.watchlist.kind,
            blacklistName:
              candidate.watchlist.kind === 'blacklist'
                ? (names.get(candidate.watchlist.blacklistId) ?? null)
                : null,
            trustValidationId: candidate.trustValidationId,
            distance: candidate.distance,
            similarityScore: similarityScore(calibration, candidate.distance),
            band: bandOf(calibration, candidate.distance),
            enrolledAt: candidate.enrolledAt.toISOString(),
          })),
        })),
      };
    },
  };
}
