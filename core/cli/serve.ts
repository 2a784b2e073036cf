/** Runs the service until SIGINT or SIGTERM, then ends cleanly; a second signal ends at once. */
export async function serve(options: {
  home: string;
  port: number;
  workers?: number;
  logLevel: string;
}): Promise<void> {
  const { openService } = await import('../service.ts');
  const service = await openService({ ...options, listen: true });
  console.log(`Vouch listens on ${service.address ?? ''} (home ${options.home}). Ctrl C stops it.`);
  const { promise: told, resolve: stop } = Promise.withResolvers<undefined>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      stop(undefined);
    });
  await told;
  console.log('Finishing what is in work …');
  await service.close();
}
