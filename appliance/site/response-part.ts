import { PAYLOAD_LIMIT_BYTES, type RemoteResponse } from '#shared/contract/feed/index.ts';

/** As many as the cloud puts together. */
const MOST_PARTS = 64;

/**
 * An answer as it travels: in parts of at most 64 KiB (control plane 3.5), for a broker ends the connection over a longer one. Lists are
 * spread over the parts, where the cloud joins lists of the same name; all else is in the first. An answer that does not fit so
 * becomes `tooLarge` instead.
 */
export function partsOf(response: RemoteResponse): readonly RemoteResponse[] {
  if (sizeOf(response) <= PAYLOAD_LIMIT_BYTES) return [response];
  const lists = Object.entries(response.data).filter(([, value]) => Array.isArray(value));
  const plain = Object.fromEntries(
    Object.entries(response.data).filter(([, value]) => !Array.isArray(value)),
  );
  const parts: Record<string, unknown>[] = [
    { ...plain, ...Object.fromEntries(lists.map(([name]) => [name, []])) },
  ];
  const frame = sizeOf({ ...response, data: {}, part: MOST_PARTS, last: false });
  let bytes = frame + sizeOf(parts[0]);
  for (const [name, list] of lists) {
    for (const item of list as readonly unknown[]) {
      const size = sizeOf(item) + 1;
      if (bytes + size > PAYLOAD_LIMIT_BYTES) {
        parts.push({});
        bytes = frame;
      }
      const part = parts.at(-1) ?? {};
      if (part[name] === undefined) {
        part[name] = [];
        bytes += sizeOf({ [name]: [] });
      }
      (part[name] as unknown[]).push(item);
      bytes += size;
    }
  }
  const made = parts.map((data, at) => ({ ...response, data, part: at + 1, last: at === parts.length - 1 }));
  const fits = made.length <= MOST_PARTS && made.every((each) => sizeOf(each) <= PAYLOAD_LIMIT_BYTES);
  return fits ? made : [tooLarge(response)];
}

const tooLarge = ({ v, id }: RemoteResponse): RemoteResponse => ({
  ...{ v, id, ok: false, data: {}, part: 1, last: true },
  error: { code: 'tooLarge', reason: 'the answer is longer than the management connection carries' },
});

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');
