import { faceApi } from '../../contracts/dashboard/faceImages.ts';
import { oneChunk, sniffImageFormat } from '../../domain/values/bytes.ts';
import { readGiven } from '../terminal/inputFile.ts';
import { withLocalApi } from './localClient.ts';

/**
 * A photo that the command line names, as JPEG or PNG: the service converts other formats and face records.
 * @throws {CliError} the file cannot be read, or not be converted
 */
export async function readPicture(home: string, company: string, file: string): Promise<Uint8Array> {
  const content = readGiven(file);
  if (sniffImageFormat(content) !== undefined) return content;
  const { method, path } = faceApi.convert;
  return withLocalApi(home, async (api) => {
    const { body } = await api.open(`${method} ${path}`, { company, body: oneChunk(content) });
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    return Buffer.concat(chunks);
  });
}
