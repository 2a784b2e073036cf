import { join } from 'node:path';

/** The paths of Node and of the service's program: in a package inside its resources, in a checkout in the sources. */
export function serviceExecutable(
  place: { packaged: true; resources: string } | { packaged: false; project: string },
): { node: string; cli: string } {
  const binary = process.platform === 'win32' ? 'node.exe' : 'node';
  if (place.packaged) {
    const service = join(place.resources, 'service');
    return { node: join(service, 'bin', binary), cli: join(service, 'app', 'core', 'cli.js') };
  }
  return {
    node: join(place.project, 'node_modules', 'node', 'bin', binary),
    cli: join(place.project, 'core', 'cli.ts'),
  };
}
