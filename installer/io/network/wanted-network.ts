import { type NetworkRequest, networkRequestSchema } from '#shared/contract/feed/index.ts';
import { layout } from '../../plan/index.ts';
import { run } from '../host/host-program.ts';
import { AS_APPLIANCE } from './wanted-release.ts';

/** A twin, and the statements of sixteen changes of its key. */
const MOST_BYTES = 49_152;

export type WantedNetwork =
  | { readonly kind: 'none' }
  /** Something was there that is no request; it is removed now. */
  | { readonly kind: 'damaged' }
  | { readonly kind: 'taken'; readonly request: NetworkRequest };

/**
 * Takes up a twin that the appliance lays before root, with the rights of the appliance. It is put aside before it is read: another
 * one may be laid at any moment, and what is removed must be what was read. `before`: words that take those rights.
 */
export async function takeWantedNetwork(
  folder: string = layout.networkRequests,
  before: readonly string[] = AS_APPLIANCE,
): Promise<WantedNetwork> {
  const [wanted, taken] = [`${folder}/wanted.json`, `${folder}/taken.json`];
  const asAppliance = (...words: readonly string[]) => run([...before, ...words]);
  await asAppliance('rm', '-rf', '--one-file-system', taken);
  const moved = await asAppliance('mv', '-T', wanted, taken);
  if (moved.code !== 0 && moved.err.includes('No such file')) return { kind: 'none' };
  const read = await asAppliance('head', '-c', String(MOST_BYTES + 1), taken);
  // A request that cannot even be put aside is removed with its folder, or the path unit would ask for ever.
  await asAppliance('rm', '-rf', '--one-file-system', moved.code === 0 ? taken : folder);
  const request = read.out.length > MOST_BYTES ? undefined : requestIn(read.out);
  return request === undefined ? { kind: 'damaged' } : { kind: 'taken', request };
}

function requestIn(text: string): NetworkRequest | undefined {
  try {
    return networkRequestSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
