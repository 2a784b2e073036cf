/** Loaded into a service by a test: SIGUSR2 is an error that nobody catches. */
process.on('SIGUSR2', () => {
  throw new Error('A test wants this process to crash.');
});
