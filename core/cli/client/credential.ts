import { settingsApi } from '../../contracts/dashboard/company.ts';
import { localApi } from '../../contracts/local.ts';
import { credentialApi } from '../../contracts/dashboard/credentials.ts';
import type { Command } from 'commander';
import { hasSystemCode } from '../../contracts/errors/systemProblem.ts';
import { COMPANY_LIMITS } from '../../contracts/limits/limits.ts';
import type { Scope } from '../../contracts/codes.ts';
import { firstLine, readGiven } from '../terminal/inputFile.ts';
import { CliError, EXIT } from '../terminal/output.ts';
import { createToken } from '../../domain/credentials/secrets.ts';
import { CRYPTO } from '../../platform/platform.ts';
import { withLocalApi, type LocalApi } from './localClient.ts';

/** The credentials of a command that uses the public API. */
export interface CredentialOptions {
  home: string;
  /** Into this company of the home's own service, through a token made for this run. */
  company?: string | undefined;
  /** Or with this token, into any service. */
  token?: string | undefined;
  address?: string | undefined;
}

export interface Credential {
  address: string;
  token: string;
  limits: SendingLimits;
  /** The service on this machine as the local administrator; null: an API token was given. */
  local: LocalApi | null;
  /** Of the service on this machine; null: an API token was given. */
  companyId: number | null;
}

/** The size of an upload where the options of the command set none. */
export interface SendingLimits {
  images: number;
  /** Bytes of each file. */
  imageBytes: number;
}

/** The limits of a service that is reached with an API token: the defaults. */
const DEFAULT_LIMITS: SendingLimits = {
  images: COMPANY_LIMITS.maxBatchImages.default,
  imageBytes: COMPANY_LIMITS.maxImageBytes.default,
};

/** At most the default number of images, even if the company accepts more: small uploads show progress sooner. */
async function limitsOf(api: LocalApi, company: string): Promise<SendingLimits> {
  const limits = await api.ask(settingsApi.limits, { company });
  const { maxBatchImages, maxImageBytes } = limits.company;
  const { maxWaitingImages } = limits.installation;
  return {
    images: Math.min(DEFAULT_LIMITS.images, maxBatchImages, maxWaitingImages ?? Infinity),
    imageBytes: maxImageBytes,
  };
}

/** The options of a command for the service that it uses. */
export interface Target {
  company?: string;
  tokenFile?: string;
  address?: string;
}

/** Adds the options for the service that a command uses, and for its credentials. */
export function withTarget(command: Command): Command {
  return command
    .option('--company <name>', 'name of the company (service on this machine)')
    .option('--token-file <file>', 'file of an API token, instead of --company (or set VOUCH_TOKEN)')
    .option('--address <url>', 'address of the service (default: the one on this machine)');
}

/** @throws CliError where the token's file cannot be read */
export function credentialOptions(home: string, { company, tokenFile, address }: Target): CredentialOptions {
  return { home, company, address, token: readToken(tokenFile) };
}

/**
 * A token from the first line of a file, or from the environment: on the command line every account of the machine could
 * read it. @throws {CliError} it cannot be one; the message does not contain it
 */
function readToken(file: string | undefined): string | undefined {
  const token = file === undefined ? process.env.VOUCH_TOKEN : firstLine(readGiven(file).toString()).trim();
  // Of characters that a header takes: the error of the header would contain the token.
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token))
    throw new CliError(
      `${file === undefined ? 'VOUCH_TOKEN' : `The first line of ${file}`} is not an API token. A token consists of letters, digits, "_" and "-".`,
    );
  return token;
}

/** Longest lifetime of a token for one run. */
const TOKEN_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

/** @param scopes of a token that is made for this run alone and revoked after it. @param name of the token in lists */
export async function withCredential<T>(
  options: CredentialOptions,
  { name, scopes }: { name: string; scopes: Scope[] },
  work: (credential: Credential) => Promise<T>,
): Promise<T> {
  const { company, token, address: named } = options;
  if (token !== undefined)
    return work({
      address: named ?? 'http://127.0.0.1:4610',
      token,
      limits: DEFAULT_LIMITS,
      local: null,
      companyId: null,
    });
  if (company === undefined)
    throw new CliError('Name the company with --company, or give an API token with --token-file.');
  return withLocalApi(options.home, async (api) => {
    const { address } = await api.ask(localApi.status);
    if (address === null)
      throw new CliError('The service is not running. Start it with: vouch serve', EXIT.unreachable);
    const expiresAt = new Date(Date.now() + TOKEN_LIFETIME_MS).toISOString();
    const limits = await limitsOf(api, company);
    const { token: secret, hex } = createToken(CRYPTO);
    await revokeLeftovers(api, company, name);
    const own = `${name} (process ${process.pid})`;
    const body = { kind: 'token', name: own, scopes, expiresAt, hash: hex, forOneRun: true };
    const made = await api.ask(localApi.storeCredential, { company, body });
    const revoke = () => revokeToken(api, company, made.id);
    const stopListening = beforeSignalsEnd(revoke);
    try {
      return await work({
        address: named ?? address,
        token: secret,
        limits,
        local: api,
        companyId: made.companyId,
      });
    } finally {
      stopListening();
      await revoke();
    }
  });
}

/** A token that was revoked meanwhile stays so. */
async function revokeToken(api: LocalApi, company: string, id: number): Promise<void> {
  await api.ask(credentialApi.revoke, { company, params: { kind: 'token', id } }).catch((error: unknown) => {
    if (!(error instanceof CliError && error.problem.code === 'NOT_FOUND')) throw error;
  });
}

/** Revokes the tokens of earlier runs of a command whose process was killed before it could do so. */
export async function revokeLeftovers(api: LocalApi, company: string, name: string): Promise<void> {
  const { items } = await api.ask(credentialApi.list, { company });
  for (const token of items) {
    const owner = token.name.startsWith(`${name} (process `) ? /(\d+)\)$/.exec(token.name)?.[1] : undefined;
    if (token.kind === 'token' && owner !== undefined && token.revokedAt === null && !isAlive(Number(owner)))
      await revokeToken(api, company, token.id);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !hasSystemCode(error, 'ESRCH');
  }
}

/** Runs `work` before a signal ends this process. @returns a function that removes the listeners */
function beforeSignalsEnd(work: () => Promise<unknown>): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const onSignal = (signal: NodeJS.Signals) => {
    // The command handles the signal itself and revokes the token at its end.
    if (process.listenerCount(signal) > 1) return;
    void work().finally(() => {
      stop();
      process.kill(process.pid, signal);
    });
  };
  const stop = () => {
    for (const signal of signals) process.off(signal, onSignal);
  };
  for (const signal of signals) process.on(signal, onSignal);
  return stop;
}
