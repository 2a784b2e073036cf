/** Answers the definitions of MOSIP's compliance toolkit for an ABIS, through a broker and a running service. */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { openMosip, startBroker, WITHOUT_BROKER } from '../test/support/activeMq.ts';
import { encrypted, EXPIRED, keyPair, openShare } from '../test/support/mosipShare.ts';
import { run, startService } from '../test/support/serviceProcess.ts';
import { dataPath } from './data.ts';
import { publish, table } from './report.ts';

/** How long an answer may take, milliseconds. */
const ANSWER_TIMEOUT_MS = 60_000;
const QUEUES = { requests: 'to-abis', answers: 'from-abis' };

const definitionSchema = z.object({
  testId: z.string(),
  testName: z.string(),
  inactive: z.boolean().default(false),
  methodName: z.array(z.enum(['insert', 'identify'])),
  otherAttributes: z.object({
    insertReferenceId: z.string().optional(),
    invalidRequestAttribute: z.string().optional(),
    expectedFailureReason: z.string().optional(),
    expectedDuplicateCount: z.string().optional(),
    identifyReferenceId: z.string().optional(),
    identifyGalleryIds: z.array(z.string()).optional(),
  }),
});
type Definition = z.infer<typeof definitionSchema>;
const answerSchema = z.object({
  id: z.string(),
  requestId: z.string(),
  responsetime: z.iso.datetime(),
  returnValue: z.enum(['1', '2']),
  failureReason: z.string().optional(),
  candidateList: z
    .object({ count: z.string(), candidates: z.array(z.object({ referenceId: z.string() })) })
    .optional(),
});
type Answer = z.infer<typeof answerSchema>;

if (WITHOUT_BROKER !== false) {
  console.error(`The measurement ${WITHOUT_BROKER}.`);
  process.exit(2);
}
const pack = dataPath('records', 'mosip-abis-face.zip');
const definitions = z
  .array(definitionSchema)
  .parse(JSON.parse(readFileSync(dataPath('records', 'mosip-abis-tests.json'), 'utf8')));
const folder = mkdtempSync(join(tmpdir(), 'vouch-mosip-'));
const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
const t = { after: (end: () => unknown) => void ends.unshift(end) };
try {
  execFileSync('unzip', ['-q', pack, '-d', folder]);
  const [own, foreign] = [keyPair(), keyPair()];
  const share = await openShare(t);
  const broker = await startBroker(t);
  const mosip = await openMosip(t, broker.port, QUEUES);
  const home = join(folder, 'home');
  const service = await startService(home, 0, 1);
  t.after(() => service.kill());
  const account = { url: `${share.origin}/account`, appId: 'regproc', clientId: 'abis', secretKey: 'secret' };
  const connection = {
    broker: `stomp://127.0.0.1:${broker.port}`,
    ...QUEUES,
    shares: [share.origin],
    account,
    privateKey: own.privateKey,
  };
  writeFileSync(join(folder, 'mosip.json'), JSON.stringify(connection));
  share.token = 'not granted yet';
  for (const args of [
    ['company', 'create', 'Acme'],
    ['mosip', 'connect', 'Acme', join(folder, 'mosip.json')],
  ]) {
    const { code, stderr } = await run(home, args);
    if (code !== 0) throw new Error(stderr);
  }

  const ask = async (body: object & { requestId?: string }): Promise<Answer> => {
    const before = mosip.answers.length;
    mosip.request(body);
    const until = Date.now() + ANSWER_TIMEOUT_MS;
    while (mosip.answers.length === before) {
      if (Date.now() > until) throw new Error('There is no answer.');
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return answerSchema.parse(mosip.answers[before]);
  };
  const bodyOf = (operation: string, fields: object) => ({
    id: `mosip.abis.${operation}`,
    version: '1.1',
    requestId: randomUUID(),
    requesttime: new Date().toISOString(),
    ...fields,
  });
  /** The request with the fault that the definition names. */
  const faulty = (body: Record<string, unknown>, fault = ''): object => {
    const { [fault]: _, ...without } = body;
    switch (fault) {
      case 'newUnknownValue':
        return { ...body, newUnknownValue: 'x' };
      case 'version':
        return { ...body, version: 'invalid' };
      case 'invalidId':
        return { ...body, id: 'invalid' };
      case 'invalidRequestTime':
        return { ...body, requesttime: '2023/05/04' };
      case 'incorrectReferenceURL':
        return { ...body, referenceURL: `${share.origin}/incorrect` };
      case 'invalidReferenceURL':
        return { ...body, referenceURL: 'invalid' };
      default:
        return without;
    }
  };

  /** @returns what is wrong; empty: nothing */
  const outcomeOf = async ({ testId, methodName, otherAttributes }: Definition): Promise<string> => {
    const { invalidRequestAttribute: fault, expectedFailureReason, expectedDuplicateCount } = otherAttributes;
    const isOnly = (kind: string) => methodName.length === 1 && methodName[0] === kind;
    const files = isOnly('identify') ? [] : readdirSync(join(folder, 'ABIS', testId)).sort();
    const answers: Answer[] = [];
    for (const [index, file] of files.entries()) {
      const numbered = files.length > 1 ? `${testId}_${index + 1}` : testId;
      const path = `/${testId}-${index}`;
      const content = readFileSync(join(folder, 'ABIS', testId, file), 'utf8');
      const { publicKey } = fault === 'incorrectPartnerId' ? foreign : own;
      share.files.set(path, fault === 'expireDataShareUrl' ? EXPIRED : encrypted(content, publicKey, '1.2'));
      if (testId === 'ABIS3031') share.token = `expired ${index}`;
      const referenceId = otherAttributes.insertReferenceId ?? numbered;
      answers.push(
        await ask(faulty(bodyOf('insert', { referenceId, referenceURL: share.origin + path }), fault)),
      );
    }
    const granted = share.granted;
    if (methodName.includes('identify')) {
      if (answers.some(({ returnValue }) => returnValue !== '1'))
        return `an insert failed: ${JSON.stringify(answers)}`;
      const gallery = otherAttributes.identifyGalleryIds?.map((referenceId) => ({ referenceId }));
      const fields = {
        referenceId: otherAttributes.identifyReferenceId,
        ...(gallery && { gallery: { referenceIds: gallery } }),
      };
      const body = bodyOf('identify', fields);
      const flags = { maxResults: '30', targetFPIR: '30', flag1: 'string', flag2: 'string' };
      const asked = isOnly('identify') ? fault : undefined;
      answers.push(await ask(faulty({ ...body, requestId: randomUUID(), flags }, asked)));
      // The threshold of the company, in place of the rate of the request.
      const plain = await ask(faulty(body, asked));
      if (plain.candidateList?.count !== answers.at(-1)?.candidateList?.count)
        return `without flags: ${JSON.stringify(plain)}`;
    }
    const last = answers.at(-1);
    if (testId === 'ABIS3030' && granted > 1) return `${granted} tokens were granted`;
    const found = last?.candidateList?.count;
    if (expectedFailureReason !== undefined)
      return last?.failureReason === expectedFailureReason ? '' : JSON.stringify(last);
    if (answers.some(({ returnValue }) => returnValue !== '1')) return JSON.stringify(answers);
    return expectedDuplicateCount === undefined || found === expectedDuplicateCount
      ? ''
      : JSON.stringify(last);
  };

  const wrong: [string, string, string][] = [];
  for (const definition of definitions) {
    const { testId, testName } = definition;
    const fault = await outcomeOf(definition);
    console.log(testId, testName, fault === '' ? 'right' : `WRONG ${fault}`);
    if (fault !== '') wrong.push([testId, testName, fault]);
    // Each definition begins without the references of the one before.
    for (let n = 0; n <= 6; n += 1)
      await ask(bodyOf('delete', { referenceId: n === 0 ? testId : `${testId}_${n}` }));
  }
  const right = definitions.length - wrong.length;
  publish({
    name: 'mosip',
    title: "Definitions of MOSIP's compliance toolkit for an ABIS",
    body: [
      `${right} of ${definitions.length} definitions are answered as they ask, those included that the toolkit marks as inactive. ` +
        'The records are encrypted, the data share wants a token, and requests and answers pass through ActiveMQ.',
      ...(wrong.length === 0 ? [] : [table(['definition', 'content', 'answer'], wrong)]),
    ].join('\n\n'),
  });
} finally {
  for (const end of ends) await end();
}
