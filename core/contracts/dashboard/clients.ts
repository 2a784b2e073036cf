/** The client programs that come with an installation, as `GET /clients/<file>` hands them out. */
export const CLIENT_FILES = {
  shell: 'vouch-client.sh',
  Node: 'vouch-client.mjs',
  Python: 'vouch_client.py',
} as const;
