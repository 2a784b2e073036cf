/**
 * Loaded into every process of the service under test: writes each attempt to reach anything but this machine into
 * VOUCH_TEST_NETWORK_LOG, and refuses it.
 */
import dgram from 'node:dgram';
import dns from 'node:dns';
import { appendFileSync } from 'node:fs';
import net from 'node:net';

const log = process.env.VOUCH_TEST_NETWORK_LOG ?? '';
const note = (what) => appendFileSync(log, `${process.pid} ${what}\n`);
const LOCAL = new Set(['localhost', '127.0.0.1', '::1', undefined]);

note('watching');

const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function watched(...args) {
  const [options] = Array.isArray(args[0]) ? args[0] : args;
  const target = typeof options === 'object' ? options : { port: options, host: args[1] };
  if (target.path === undefined && !LOCAL.has(target.host)) {
    note(`connect ${target.host}:${target.port}`);
    throw new Error('No network at run time.');
  }
  return connect.apply(this, args);
};

for (const api of [dns, dns.promises])
  for (const name of Object.keys(api).filter((key) => /^(lookup|resolve)/.test(key))) {
    const original = api[name];
    api[name] = (host, ...rest) => {
      if (!LOCAL.has(host)) note(`${name} ${host}`);
      return original.call(api, host, ...rest);
    };
  }

const send = dgram.Socket.prototype.send;
dgram.Socket.prototype.send = function watched(...args) {
  note('datagram');
  return send.apply(this, args);
};
