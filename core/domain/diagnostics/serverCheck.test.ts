import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DatabaseServerFacts } from '../ports/diagnostics.ts';
import { judgeServer } from './doctor.ts';

const SERVER: DatabaseServerFacts = {
  version: '15.8',
  role: 'vouch_service',
  unsafeSettings: [],
  hasChecksums: true,
  otherCollations: [],
  hasNameIndex: true,
  clockDifference: 0.2,
  connections: 20,
  maxConnections: 97,
  oldestTransaction: 3,
  awaitedStandbys: '',
  standbys: [],
  seesActivity: true,
  services: 1,
  sharesImages: false,
  ownsAuditLog: false,
  changedRows: [],
};
const codeOf = (facts: Partial<DatabaseServerFacts>) => judgeServer({ ...SERVER, ...facts }).code;

test('a file has no server, and a sound server is described', () => {
  assert.equal(judgeServer(undefined).code, 'serverNone');
  const standby = { name: 'b', isSynchronous: true, lag: null };
  assert.deepEqual(judgeServer({ ...SERVER, awaitedStandbys: 'b', standbys: [standby] }), {
    code: 'serverGood',
    facts: { version: '15.8', connections: '20', most: '97', standbys: '1' },
  });
});

test('every weakness of a server has a finding, and failures come before warnings', () => {
  const warnings: [Partial<DatabaseServerFacts>, string][] = [
    [{ services: 2 }, 'serverImages'],
    [{ standbys: [{ name: 'b', isSynchronous: false, lag: 31 }] }, 'serverStandbyLags'],
    [{ connections: 90 }, 'serverConnections'],
    [{ oldestTransaction: 3_601 }, 'serverTransaction'],
    [{ ownsAuditLog: true }, 'serverOwner'],
    [{ hasNameIndex: false }, 'serverNameIndex'],
    [{ hasChecksums: false }, 'serverChecksums'],
    [{ seesActivity: false }, 'serverHidden'],
  ];
  const failures: [Partial<DatabaseServerFacts>, string][] = [
    [{ changedRows: ['operator (id 1)'] }, 'serverRows'],
    [{ unsafeSettings: ['fsync'] }, 'serverUnsafe'],
    [{ otherCollations: ['face.name'] }, 'serverCollation'],
    [{ clockDifference: -61 }, 'serverClock'],
    [{ awaitedStandbys: 'b' }, 'serverStandbyLost'],
  ];
  for (const [facts, code] of [...failures, ...warnings]) assert.equal(codeOf(facts), code);
  const everyWarning = {
    ...(Object.assign({}, ...warnings.map(([facts]) => facts)) as Partial<DatabaseServerFacts>),
    seesActivity: true,
  };
  for (const [facts, code] of failures) assert.equal(codeOf({ ...everyWarning, ...facts }), code);
});

test('a role that sees no standbys does not report a lost one', () => {
  assert.equal(codeOf({ awaitedStandbys: 'b', seesActivity: false }), 'serverHidden');
});
