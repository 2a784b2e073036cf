import { problem, CodedError } from '../contracts/errors/problem.ts';
import { importViewOf, type ReceivedPackage } from '../contracts/blacklistTransfer.ts';
import { trusted, type BlacklistId } from '../contracts/ids.ts';
import { asLocalAdmin } from '../domain/ports/auditContext.ts';
import { companyNamed } from '../domain/companies/companyNamed.ts';
import type { AdminCommandHandlers } from '../contracts/admin/commands.ts';
import type { Clock } from '../domain/ports/machine.ts';
import type { BlacklistTransferService } from '../domain/blacklistTransfer/service.ts';
import type { TrustedInstallation } from '../domain/ports/blacklistTransfer.ts';
import type { TrustedInstallations } from '../storage/blacklistTransfer/trustedInstallations.ts';
import type { Companies, Installation } from '../storage/settings/companies.ts';
import { nameKey } from '../contracts/displayName.ts';

export interface BlacklistTransferCommandPorts {
  companies: Companies;
  installation: Installation;
  trustedInstallations: TrustedInstallations;
  exchange: BlacklistTransferService;
  clock: Clock;
}

type ExchangeHandlers = Pick<
  AdminCommandHandlers,
  | 'blacklist.import'
  | 'blacklist.discard-package'
  | 'blacklist.list-imports'
  | 'blacklist.revert-import'
  | 'installation.show'
  | 'installation.rename'
  | 'installation.trust'
  | 'installation.list'
  | 'installation.revoke'
>;

/** The handlers of `vouch installation …` and of the commands for imported blacklists. */
export function blacklistTransferCommands(ports: BlacklistTransferCommandPorts): ExchangeHandlers {
  const { companies, installation, exchange, clock } = ports;
  return {
    ...trustCommands(ports),
    'installation.show': () => exchange.certificate('local-admin'),
    async 'installation.rename'({ name }) {
      await installation.update({ installationName: name }, asLocalAdmin(clock));
      return exchange.certificate('local-admin');
    },
    async 'blacklist.import'({ company, packageId, into }) {
      const { id } = await companyNamed(companies, company);
      const result = await exchange.import(id, packageId, targetOf(into), 'local-admin');
      if (result === undefined) throw new CodedError(problem('PACKAGE_GONE'));
      return result;
    },
    async 'blacklist.discard-package'({ company, packageId }) {
      const { id } = await companyNamed(companies, company);
      return { dropped: await exchange.drop(id, packageId) };
    },
    async 'blacklist.list-imports'({ company }) {
      const { id } = await companyNamed(companies, company);
      return (await exchange.imports(id)).map(importViewOf);
    },
    async 'blacklist.revert-import'({ company, id }) {
      const owner = await companyNamed(companies, company);
      const undone = await exchange.undo(owner.id, id, 'local-admin');
      if (undone === undefined) throw new CodedError(problem('IMPORT_UNKNOWN', { import: id, company }));
      return undone;
    },
  };
}

function trustCommands({
  companies,
  exchange,
  trustedInstallations,
  clock,
}: BlacklistTransferCommandPorts): Pick<
  ExchangeHandlers,
  'installation.trust' | 'installation.list' | 'installation.revoke'
> {
  return {
    async 'installation.trust'({ company, certificate, name, fingerprint }) {
      const { id } = await companyNamed(companies, company);
      return exchange.trust(id, { certificate, name, fingerprint }, asLocalAdmin(clock));
    },
    async 'installation.list'({ company }) {
      const { id } = await companyNamed(companies, company);
      return exchange.trusted(id);
    },
    async 'installation.revoke'({ company, name }) {
      const { id } = await companyNamed(companies, company);
      const revoked = await installationNamed(trustedInstallations, id, name);
      return { distrusted: await trustedInstallations.distrust(id, revoked.id, asLocalAdmin(clock)) };
    },
  };
}

/** The commands whose input or output is a transfer package, which is a stream. @throws {CodedError} the command was rejected */
export class BlacklistTransferCommands {
  readonly #ports: BlacklistTransferCommandPorts;

  constructor(ports: BlacklistTransferCommandPorts) {
    this.#ports = ports;
  }

  async export(wanted: {
    company: string;
    list: number;
    installation: string;
    photos: boolean;
  }): Promise<AsyncIterable<Uint8Array>> {
    const { companies, trustedInstallations, exchange } = this.#ports;
    const { id } = await companyNamed(companies, wanted.company);
    const receiver = await installationNamed(trustedInstallations, id, wanted.installation);
    const { photos } = wanted;
    const list = trusted.blacklist(wanted.list);
    return (await exchange.export(id, { list, installation: receiver.id, photos }, 'local-admin')).content;
  }

  async receive(
    wanted: { company: string; into?: number | undefined },
    content: AsyncIterable<Uint8Array>,
  ): Promise<ReceivedPackage> {
    const { companies, exchange } = this.#ports;
    const { id } = await companyNamed(companies, wanted.company);
    return exchange.receive(id, content, targetOf(wanted.into), 'local-admin');
  }
}

async function installationNamed(
  trustedInstallations: TrustedInstallations,
  company: Parameters<TrustedInstallations['list']>[0],
  name: string,
): Promise<TrustedInstallation> {
  const installations = await trustedInstallations.list(company);
  const installation = installations.find((one) => nameKey(one.name) === nameKey(name));
  if (installation !== undefined) return installation;
  const known = installations.map((one) => `"${one.name}"`).join(', ');
  throw new CodedError(problem('INSTALLATION_UNKNOWN', { name, known: known === '' ? 'none' : known }));
}

function targetOf(into: number | undefined): { into?: BlacklistId } {
  return into === undefined ? {} : { into: trusted.blacklist(into) };
}
