/** Signature specimens of persons: adding, reading and erasing them. */
import type { CompanyId, PersonId, SignatureSpecimenId } from '../../contracts/ids.ts';
import { type SignatureFault, SIGNATURE_FAULT_PROBLEMS } from '../../contracts/signatures.ts';
import { discardImages, referTo } from '../work/writtenImages.ts';
import type { AuditContext } from '../ports/auditContext.ts';
import type { ImageFiles } from '../ports/images.ts';
import type { Platform } from '../ports/machine.ts';
import type { SignaturePort } from '../ports/signatures.ts';
import type { SignatureSpecimen } from '../../storage/persons/specimens.ts';
import type { AuditLog } from '../../storage/audit/auditLog.ts';
import { oneChunk, sniffImageFormat } from '../values/bytes.ts';
import type { Storage } from '../../storage/index.ts';
import { CodedError, InvalidInput, problem } from '../../contracts/errors/problem.ts';
import { SPECIMEN_LIMITS } from '../../contracts/persons.ts';
import { Service } from '../serviceParts.ts';

interface SpecimenPorts extends Pick<Storage, 'companies' | 'signatureSpecimens'>, Pick<Platform, 'log'> {
  images: ImageFiles;
  signatures: Pick<SignaturePort, 'compare'>;
  audit: Pick<AuditLog, 'record'>;
}

export interface LoadedSpecimen extends SignatureSpecimen {
  content: Uint8Array;
}

export class SpecimenService extends Service<SpecimenPorts> {
  /**
   * Stores an image as a specimen, if the matcher can compare it.
   * @param content JPEG or PNG
   * @throws {InvalidInput} the image cannot be read or compared
   * @throws {CodedError} SPECIMENS_OFF, NOT_FOUND, SPECIMEN_PRESENT, SPECIMENS_FULL
   */
  async add(
    company: CompanyId,
    person: PersonId,
    content: Uint8Array,
    act: AuditContext,
  ): Promise<SignatureSpecimen> {
    const { companies, images, signatures, signatureSpecimens } = this.ports;
    if ((await companies.find(company))?.settings.signatureSpecimens !== true)
      throw new CodedError('SPECIMENS_OFF');
    const format = sniffImageFormat(content);
    if (format === undefined) throw invalidSpecimen('NOT_AN_IMAGE');
    // Compared with itself, an image shows whether the matcher can use it.
    const tried = await signatures.compare(content, content, { pictures: false, company });
    if (tried.kind === 'refused' && tried.faults.image1 !== undefined)
      throw invalidSpecimen(tried.faults.image1);
    if (tried.kind === 'inconclusive' && tried.reasons.image1 !== undefined)
      throw new InvalidInput({ image: [problem('SPECIMEN_UNUSABLE')] });
    const image = await images.write(company, format, oneChunk(content));
    return referTo(this.ports, company, [image], () => signatureSpecimens.add(company, person, image, act));
  }

  /** The image of one specimen, recorded as viewed; undefined: the person has no such specimen. */
  async view(
    company: CompanyId,
    person: PersonId,
    id: SignatureSpecimenId,
    act: AuditContext,
  ): Promise<LoadedSpecimen | undefined> {
    const stored = await this.ports.signatureSpecimens.of(company, person);
    const found = stored.find((specimen) => specimen.id === id);
    if (found === undefined) return undefined;
    const loaded = await this.#load(company, found);
    await this.ports.audit.record(act, {
      company,
      action: 'specimen.viewed',
      object: `person:${person}`,
      details: { specimen: id },
    });
    return loaded;
  }

  /** All specimens of a person with their images, recorded as used in a comparison. */
  async use(company: CompanyId, person: PersonId, act: AuditContext): Promise<LoadedSpecimen[]> {
    const loaded = [];
    for (const specimen of await this.ports.signatureSpecimens.of(company, person))
      loaded.push(await this.#load(company, specimen));
    if (loaded.length > 0)
      await this.ports.audit.record(act, {
        company,
        action: 'specimen.used',
        object: `person:${person}`,
        details: { specimens: loaded.map(({ id }) => id) },
      });
    return loaded;
  }

  /** @returns false: the person has no such specimen */
  async erase(
    company: CompanyId,
    person: PersonId,
    id: SignatureSpecimenId,
    act: AuditContext,
  ): Promise<boolean> {
    const image = await this.ports.signatureSpecimens.erase(company, person, id, act);
    if (image === undefined) return false;
    await discardImages(this.ports, company, [image]);
    return true;
  }

  async #load(company: CompanyId, specimen: SignatureSpecimen): Promise<LoadedSpecimen> {
    const file = await this.ports.images.read(company, specimen.image);
    if (file === undefined) throw new Error(`The image of specimen ${specimen.id} is gone.`);
    return { ...specimen, content: file.content };
  }
}

/** The refusal of an image that is no specimen. */
export function invalidSpecimen(fault: SignatureFault): InvalidInput {
  return new InvalidInput({ image: [SIGNATURE_FAULT_PROBLEMS[fault]('image', SPECIMEN_LIMITS.bytes)] });
}
