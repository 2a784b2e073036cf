/** Loaded into a service by a test: SIGUSR2 is an uncaught error. */
process.on('SIGUSR2', () => {
  throw new Error('A test wants this process to crash.');
});
