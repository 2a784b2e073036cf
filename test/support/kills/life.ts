/**
 * `life.ts FOLDER SEED LIFE STEPS MILLISECONDS`: starts on an installation and works on it in a sequence that seed and life
 * decide, until it dies. What it begins and what it has done is written to standard output, a line each, at once.
 */
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { createReadStream, createWriteStream, readFileSync, writeSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { verifyUpdate } from '../../../core/cli/update/updateFile.ts';
import { applyUpdate, findLayout } from '../../../core/cli/update/update.ts';
import { CliError } from '../../../core/cli/terminal/output.ts';
import { readBackupKey } from '../../../core/encryption/backupKey.ts';
import { openHome, restoreBackup } from '../../../core/storage/index.ts';
import { programOf, signedUpdate } from '../../../scripts/package/signedUpdate.ts';
import { acceptPeople, answerAll, type ErasureSite } from '../erasureSite.ts';
import { randomOf } from '../seed.ts';
import type { TestClock } from '../site.ts';
import type { Said } from './model.ts';
import { dieAfter, dieBeforeStep } from './dying.ts';
import {
  BUNDLES,
  currentVersion,
  facesIn,
  namesIn,
  personOf,
  PLATFORM,
  placesOf,
  startAgain,
  trying,
} from './installation.ts';
import type { Company } from '../../../core/domain/ports/auditContext.ts';

/** With more faces than this, people are erased rather than enrolled. */
const MANY_FACES = 24;

const [folder = '', seed, life, steps, milliseconds] = process.argv.slice(2);

function say(line: Said): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

class Life {
  readonly #places = placesOf(folder);
  readonly #random = randomOf(Number(seed), Number(life));
  #site: ErasureSite;
  #company: Company;
  #clock: TestClock;
  #names = 0;

  constructor({ site, company, clock }: Awaited<ReturnType<typeof startAgain>>) {
    this.#site = site;
    this.#company = company;
    this.#clock = clock;
  }

  async live(): Promise<never> {
    for (;;) {
      this.#clock.time = new Date();
      const choice = this.#random();
      if (choice < 0.3) await this.#enrol();
      else if (choice < 0.55) await this.#erase();
      else if (choice < 0.75) await this.#exchange();
      else if (choice < 0.83) await this.#backUp();
      else if (choice < 0.92) await this.#restore();
      else await this.#update();
    }
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count);
  }

  async #enrol(): Promise<void> {
    const site = this.#site;
    if ((await facesIn(site, this.#company)) > MANY_FACES) return this.#erase();
    const names = Array.from({ length: 1 + this.#below(3) }, () => `person ${life} ${(this.#names += 1)}`);
    const { rows } = await site.blacklists.list(this.#company.id, { offset: 0, limit: 1 });
    const list = this.#random() < 0.4 ? rows[0]?.id : undefined;
    say({ begun: 'enrol', names });
    const photos = names.map((name) => ({ person: personOf(name), fileName: `${name}.jpg` }));
    await acceptPeople(site, this.#company, photos, list);
    say({ done: 'enrol' });
    await answerAll(site);
  }

  async #erase(): Promise<void> {
    const site = this.#site;
    const found = await site.erasures.byName(this.#company.id, 'person', 50);
    const matched = found.filter(({ kind }) => kind === 'validation' || kind === 'face');
    const one = matched[this.#below(matched.length)];
    if (one === undefined) return;
    const choice = {
      validations: [],
      faces: [],
      photos: [],
      comparisons: [],
      [one.kind === 'face' ? 'faces' : 'validations']: [Number(one.id)],
    };
    const plan = await site.service.plan(this.#company.id, choice);
    if (plan.goneFaces.length > 0) return;
    say({ begun: 'erase', names: [nameOf(one.name)] });
    const wanted = { choice, code: plan.code, copies: 'keep' } as const;
    const erased = await site.service.run(this.#company.id, wanted, this.#act());
    if (erased.receipt === null) throw new Error('The erasure has no receipt.');
    say({ done: 'erase', receipt: erased.id });
  }

  /** Imports a bundle, or takes the import of it back. */
  async #exchange(): Promise<void> {
    const { blacklistTransfer: exchange } = this.#site;
    const { id: company } = this.#company;
    const bundle = this.#below(BUNDLES);
    const name = `From other ${bundle}`;
    const lists = await this.#site.blacklists.all(company);
    const imports = await this.#site.transferStore.imports(company);
    const list = lists.find((one) => one.name === name)?.id;
    const made = imports.find((one) => one.undoneAt === null && one.blacklist.id === list);
    if (made === undefined) {
      const content = createReadStream(this.#places.bundle(bundle)) as AsyncIterable<Buffer>;
      const { packageId: received } = await exchange.receive(company, content, {}, 'local-admin');
      say({ begun: 'import', names: namesIn(bundle) });
      const result = await exchange.import(company, received, {}, 'local-admin');
      if (result.counts.added !== namesIn(bundle).length) throw new Error(JSON.stringify(result));
      say({ done: 'import' });
    } else {
      say({ begun: 'undo', names: namesIn(bundle) });
      const result = await exchange.undo(company, made.id, 'local-admin');
      if (result.removed !== namesIn(bundle).length) throw new Error(JSON.stringify(result));
      say({ done: 'undo' });
    }
  }

  async #backUp(): Promise<void> {
    const { content } = await this.#site.storage.backups.open(this.#act(), '0.1.0');
    const file = join(folder, `${life}-${(this.#names += 1)}.vouch`);
    await pipeline(content, createWriteStream(`${file}.partial`));
    const before = this.#places.backups();
    // First: an unknown one is not restored.
    say({ done: 'backUp', file: basename(file) });
    await rename(`${file}.partial`, file);
    for (const name of before) await rm(join(folder, name));
  }

  async #restore(): Promise<void> {
    const [file] = this.#places.backups();
    if (file === undefined) return this.#backUp();
    await this.#site.close();
    say({ begun: 'restore', file });
    const key = readBackupKey(readFileSync(this.#places.backupKey, 'utf8'));
    const always = () => Promise.resolve(true);
    const questions = { retention: always, credentials: always };
    await restoreBackup(openHome(this.#places.home), join(folder, file), key, this.#clock, questions);
    say({ done: 'restore' });
    await this.#startAgain();
    for (const name of await readdir(this.#places.home))
      if (name.startsWith('before-restore-')) await rm(join(this.#places.home, name), { recursive: true });
  }

  async #update(): Promise<void> {
    await this.#site.close();
    const running = await currentVersion(this.#places);
    const version = `0.${Number(running.split('.')[1]) + 1}.${this.#below(3)}`;
    const update = await verifyUpdate(await this.#signUpdate(version), [this.#publisher()], folder);
    say({ begun: 'update', version });
    try {
      await applyUpdate(update, {
        layout: await findLayout(join(this.#places.program, 'versions', `vouch-${running}-${PLATFORM}`)),
        homeFolder: this.#places.home,
        running,
        tryVersion: trying(this.#places),
      });
      say({ done: 'update' });
    } catch (cause) {
      if (!(cause instanceof CliError)) throw cause;
      say({ done: 'update', refused: cause.message });
    } finally {
      await update.close();
    }
    await this.#startAgain();
  }

  #publisher() {
    return createPublicKey(readFileSync(this.#places.publisher));
  }

  async #signUpdate(release: string): Promise<string> {
    const file = join(folder, 'stick.update');
    const key = createPrivateKey(readFileSync(this.#places.publisher));
    const program = programOf(this.#places.package, `vouch-${release}-${PLATFORM}.tar.gz`);
    await pipeline(signedUpdate({ release, platform: PLATFORM }, program, key, 0), createWriteStream(file));
    return file;
  }

  async #startAgain(): Promise<void> {
    const { site, company, clock } = await startAgain(this.#places);
    this.#site = site;
    this.#company = company;
    this.#clock = clock;
  }

  #act() {
    return { by: 'local-admin', at: this.#clock.now() } as const;
  }
}

function nameOf(fileName: string): string {
  return fileName.replace(/\.jpg$/, '');
}

if (Number(milliseconds) > 0) dieAfter(Number(milliseconds));
else await dieBeforeStep(Number(steps));
await new Life(await startAgain(placesOf(folder))).live();
