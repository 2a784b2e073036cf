/**
 * The table in which the services of one PostgreSQL database count requests. It is not logged, so that counting a request waits for no disk; a crash of the server empties it.
 * `ends_at`: the end of the window, milliseconds by the clock of the server.
 */
export const requestCountTable = `create unlogged table request_count (
  key text collate "C" primary key,
  ends_at bigint not null,
  count bigint not null
)`;
