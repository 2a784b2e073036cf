/** ActiveMQ of Debian, with STOMP on a free port of this machine; nothing of it is kept. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import type { TestContext } from 'node:test';
import { freePort } from './network.ts';
import { temporaryFolder } from './site.ts';

const LIBRARIES = '/usr/share/activemq/lib';

/** Why a test with a broker is left out; false: it can run. */
export const WITHOUT_BROKER =
  !(existsSync(`${LIBRARIES}/activemq-stomp.jar`) && existsSync('/usr/bin/java')) &&
  "needs Debian's package activemq (apt-get install --no-install-recommends activemq)";

export interface Broker {
  port: number;
  /** Ends it as a power cut would; resolves when it is gone. */
  stop(): Promise<void>;
}

/** @param port of an earlier one, to start it again */
export async function startBroker(t: Pick<TestContext, 'after'>, port?: number): Promise<Broker> {
  const at = port ?? (await freePort());
  const broker = spawn(
    '/usr/bin/java',
    [
      '-Xmx128m',
      '-cp',
      `${LIBRARIES}/*:${LIBRARIES}/optional/*`,
      'org.apache.activemq.console.Main',
      'start',
      `broker:(stomp://127.0.0.1:${at})?persistent=false&useJmx=false`,
    ],
    { cwd: temporaryFolder(t), stdio: 'ignore' },
  );
  const gone = once(broker, 'close');
  const stop = async () => {
    broker.kill('SIGKILL');
    await gone;
  };
  t.after(stop);
  for (let tries = 0; !(await accepts(at)); tries += 1) {
    if (tries > 300 || broker.exitCode !== null) throw new Error('ActiveMQ does not start.');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return { port: at, stop };
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** MOSIP's side of the queues: sends requests and collects answers. */
export async function openMosip(
  t: Pick<TestContext, 'after'>,
  port: number,
  queues: { requests: string; answers: string },
) {
  const socket = connect(port, '127.0.0.1');
  t.after(() => socket.destroy());
  await once(socket, 'connect');
  const answers: Record<string, unknown>[] = [];
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString();
    const frames = received.split('\0');
    received = frames.pop() ?? '';
    for (const frame of frames) {
      const [head = '', body = ''] = frame.trimStart().split('\n\n');
      if (head.startsWith('MESSAGE')) answers.push(JSON.parse(body) as Record<string, unknown>);
      else if (head.startsWith('ERROR')) throw new Error(frame);
    }
  });
  const send = (command: string, headers: Record<string, string>, body = '') => {
    const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`);
    socket.write(`${command}\n${lines.join('')}\n${body}\0`);
  };
  send('CONNECT', { 'accept-version': '1.2', host: 'mosip' });
  send('SUBSCRIBE', { id: '0', destination: queues.answers, ack: 'auto' });
  return {
    /** In the order in which they came. */
    answers,
    request: (body: object) => {
      send('SEND', { destination: queues.requests }, JSON.stringify(body));
    },
  };
}
