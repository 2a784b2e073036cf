/**
 * Node's HTTP. Its import as an ES module reads every name of it, and so loads a client of WebSockets: 35 ms of processor time, as
 * long as Node itself takes to start (Node 24.21).
 */
export const { Agent, STATUS_CODES, createServer, request } = process.getBuiltinModule('node:http');
