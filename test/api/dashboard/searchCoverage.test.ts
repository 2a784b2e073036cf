/** One rule for what a search covers: at the dashboard, at the terminal, and before an erasure. */
import { localApi } from '../../../core/contracts/local.ts';
import { blacklistApi, blacklistList } from '../../../core/contracts/dashboard/blacklists.ts';
import { transferPorts } from '../../support/transferPorts.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchAnswer } from '../../../core/contracts/dashboard/search.ts';
import { BlacklistTransferService } from '../../../core/domain/blacklistTransfer/blacklistTransferService.ts';
import { createCompanyServices } from '../../../core/domain/services.ts';
import { BOOT_CLOCK } from '../../../core/service/machine.ts';
import { TEST_ACT } from '../../support/act.ts';
import { SILENT_LOG } from '../../support/fakes.ts';
import { photoOf } from '../../support/people.ts';
import { addOperator, ask, signIn } from '../access/operators.ts';
import { openScreeningSite } from '../screeningSite.ts';
import { PLATFORM } from '../../../core/platform/platform.ts';

const LISTS = 1500;

test('a search covers every active list, and an erasure every list, also beyond 1,500', async (t) => {
  const { site, gallery, verifications, newBlacklist, service } = await openScreeningSite(t);
  const { storage, company } = site;
  for (let number = 1; number <= LISTS; number += 1)
    await storage.blacklists.create(company.id, { name: `List ${number}`, description: null }, TEST_ACT);
  const last = await newBlacklist('The last list', { people: [1] });

  const clock = { now: () => new Date() };
  const ports = { ...storage, ...site.engine, gallery, verifications, clock, log: SILENT_LOG };
  const services = createCompanyServices({
    ...PLATFORM,
    ...ports,
    bootClock: BOOT_CLOCK,
    blacklistTransfer: new BlacklistTransferService({ ...ports, ...transferPorts(storage) }),
  });
  const { erasureService: erasure } = services;
  const { terminal } = site.engine;
  await addOperator(site, 'Ira', 'investigator');
  await addOperator(site, 'Ada', 'admin');
  const cookie = await signIn(site, 'Ira');
  const photo = photoOf(1);

  const bySearch = async () => {
    const answer = await site.call('/api/dashboard/search', {
      method: 'POST',
      token: null,
      headers: { origin: site.address, 'content-type': 'image/jpeg', cookie },
      body: new Uint8Array(photo),
    });
    const dashboard = searchAnswer.parse(answer.body);
    const atTerminal = await terminal.ask(localApi.search, { company: company.name, body: photo });
    const [entry] = await storage.audit.list(company.id, { filter: { action: 'search.run' }, limit: 1 });
    const covered = { watchlists: dashboard.watchlists.length, faces: dashboard.searchedFaces };
    const recorded = JSON.parse(entry!.details) as { watchlists: number[]; faces: number };
    assert.deepEqual({ watchlists: recorded.watchlists.length, faces: recorded.faces }, covered);
    assert.deepEqual(atTerminal.watchlists, dashboard.watchlists);
    assert.equal(atTerminal.searchedFaces, dashboard.searchedFaces);
    const found = [dashboard, atTerminal].map(({ faces }) =>
      faces.flatMap(({ candidates }) => candidates.map(({ blacklistName }) => blacklistName)),
    );
    assert.deepEqual(found[0], found[1]);
    return { ...covered, found: found[0] };
  };
  const byErasure = async () => {
    const result = await erasure.findByPhoto(company.id, photo, TEST_ACT);
    const [entry] = await storage.audit.list(company.id, { filter: { action: 'search.run' }, limit: 1 });
    const { watchlists } = JSON.parse(entry!.details) as { watchlists: number[] };
    return { watchlists: watchlists.length, found: result.length };
  };

  const everywhere = { watchlists: LISTS + 2, faces: 1, found: ['The last list'] };
  assert.deepEqual(await bySearch(), everywhere);
  assert.deepEqual(await byErasure(), { watchlists: LISTS + 2, found: 1 });
  const listed = await terminal.ask(blacklistApi.list, { company: company.name });
  assert.equal(listed.items.at(-1)?.name, 'The last list');
  const admin = await signIn(site, 'Ada');
  const shown = await ask(site, 'GET', '/blacklists', { cookie: admin });
  assert.equal(blacklistList.parse(shown.body).items.length, LISTS + 1);
  const log = await ask(site, 'GET', '/audit?action=blacklist.created&limit=1', { cookie: admin });
  assert.equal((log.body.items as { objectName: string }[])[0]?.objectName, 'The last list');

  await service.setActive(company.id, last.id, false);
  assert.deepEqual(await bySearch(), { watchlists: LISTS + 1, faces: 0, found: [] });
  assert.deepEqual(await byErasure(), { watchlists: LISTS + 2, found: 1 }, 'an inactive list is erased from');

  await service.setActive(company.id, last.id, true);
  assert.deepEqual(await bySearch(), everywhere);
  await storage.companies.changeSettings(company.id, { blacklistsEnabled: false }, TEST_ACT);
  assert.deepEqual(await bySearch(), { watchlists: 1, faces: 0, found: [] });
  assert.deepEqual(await byErasure(), { watchlists: LISTS + 2, found: 1 });
});
