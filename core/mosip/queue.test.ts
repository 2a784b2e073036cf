/** The STOMP connection against a broker that a test plays, over TLS. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { test, type TestContext } from 'node:test';
import { mosipConnection } from '../contracts/mosip.ts';
import { issueCertificate } from '../platform/certificate.ts';
import { SILENT_LOG } from '../../test/support/fakes.ts';
import { until } from '../../test/support/until.ts';
import { openQueue } from './queue.ts';

interface Frame {
  command: string;
  headers: Record<string, string>;
  body: string;
}

/** A broker with one queue of requests. @param receipts whether it confirms what it was sent */
async function openBroker(t: TestContext, { trusted = true, receipts = true } = {}) {
  const { certificate, privateKey } = await issueCertificate({
    names: ['localhost'],
    from: new Date(Date.now() - 60_000),
    to: new Date(Date.now() + 3_600_000),
  });
  const before = getCACertificates();
  if (trusted) setDefaultCACertificates([...before, certificate]);
  t.after(() => {
    setDefaultCACertificates(before);
  });
  const frames: Frame[] = [];
  const waiting: string[] = [];
  const sockets = new Set<TLSSocket>();
  const server = createServer({ cert: certificate, key: privateKey }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    const send = (command: string, headers: Record<string, string>, body = '') => {
      const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`);
      socket.write(`${command}\n${lines.join('')}\n${body}\0`);
    };
    let received = '';
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString();
      const parts = received.split('\0');
      received = parts.pop() ?? '';
      for (const part of parts) {
        const [head = '', body = ''] = part.trimStart().split('\n\n');
        const [command = '', ...lines] = head.split('\n');
        const headers = Object.fromEntries(
          lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
        );
        frames.push({ command, headers, body });
        if (command === 'CONNECT') send('CONNECTED', { version: '1.2' });
        if (command === 'SUBSCRIBE')
          for (const [index, request] of waiting.entries())
            send(
              'MESSAGE',
              { subscription: 'requests', 'message-id': `m-${index}`, ack: `a-${index}` },
              request,
            );
        if (command === 'SEND' && receipts) send('RECEIPT', { 'receipt-id': headers.receipt ?? '' });
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const connection = mosipConnection.parse({
    broker: `stomp+ssl://localhost:${port}`,
    user: 'abis',
    password: 'secret',
    requests: 'in',
    answers: 'out',
    shares: ['https://share.example'],
  });
  const commands = () => frames.map(({ command }) => command);
  return { connection, frames, waiting, commands };
}

test('a request is acknowledged when the broker has its answer', async (t) => {
  const { connection, frames, waiting, commands } = await openBroker(t);
  waiting.push('one request');
  const queue = openQueue(connection, (request) => Promise.resolve(`answer to ${request}`), SILENT_LOG);
  await until(() => commands().includes('ACK'), 'the acknowledgement');
  assert.equal(queue.connected, true);
  assert.deepEqual(commands(), ['CONNECT', 'SUBSCRIBE', 'SEND', 'ACK']);
  const [connect, , send, ack] = frames;
  assert.deepEqual([connect?.headers.login, connect?.headers.passcode], ['abis', 'secret']);
  assert.deepEqual([send?.headers.destination, send?.body], ['out', 'answer to one request']);
  assert.equal(ack?.headers.id, 'a-0');
  await queue.close();
  assert.equal(queue.connected, false);
});

test('without a receipt of the broker nothing is acknowledged', async (t) => {
  const { connection, waiting, commands } = await openBroker(t, { receipts: false });
  waiting.push('one request');
  const queue = openQueue(connection, () => Promise.resolve('an answer'), SILENT_LOG);
  await until(() => commands().includes('SEND'), 'the answer');
  await queue.close();
  assert.ok(!commands().includes('ACK'));
});

test('a request without an answer comes again on another connection', async (t) => {
  const { connection, waiting, commands, frames } = await openBroker(t);
  waiting.push('one request');
  let tries = 0;
  const answer = () => {
    tries += 1;
    return tries === 1 ? Promise.reject(new Error('The store is away.')) : Promise.resolve('an answer');
  };
  const queue = openQueue(connection, answer, SILENT_LOG);
  await until(() => commands().includes('ACK'), 'the acknowledgement');
  assert.equal(frames.filter(({ command }) => command === 'CONNECT').length, 2);
  await queue.close();
});

test('a broker with a certificate that nobody trusts gets no password', async (t) => {
  const { connection, commands } = await openBroker(t, { trusted: false });
  const warned: object[] = [];
  const log = { ...SILENT_LOG, warn: (facts: object) => void warned.push(facts) };
  const queue = openQueue(connection, () => Promise.resolve('an answer'), log);
  await until(() => warned.length > 0, 'the refusal');
  assert.equal(queue.connected, false);
  await queue.close();
  assert.deepEqual(commands(), []);
});
