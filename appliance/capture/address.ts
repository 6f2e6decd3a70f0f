/** The bytes of an IP literal, in network order; undefined: it is none. A zone (`%eth0`) is left out (RFC 4007 11.2). */
export function addressBytes(text: string): Uint8Array | undefined {
  const bare = text.split('%')[0] ?? '';
  return bare.includes(':') ? ipv6Bytes(bare) : ipv4Bytes(bare);
}

/** Every address of the machine: an end that a listener of all of them does not know. */
export const isUnspecified = (address: string): boolean =>
  addressBytes(address)?.every((byte) => byte === 0) ?? false;

function ipv4Bytes(text: string): Uint8Array | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255))
    return undefined;
  return Uint8Array.from(parts, Number);
}

function ipv6Bytes(text: string): Uint8Array | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [left, right] = halves.map(groupsOf);
  if (left === undefined || (halves.length === 2 && right === undefined)) return undefined;
  const missing = 8 - left.length - (right?.length ?? 0);
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined;
  const groups = [...left, ...new Array<number>(missing).fill(0), ...(right ?? [])];
  return Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
}

/** 16-bit groups; the last one may be an IPv4 address, which is two. */
function groupsOf(half: string): number[] | undefined {
  if (half === '') return [];
  const groups: number[] = [];
  const parts = half.split(':');
  for (const [i, part] of parts.entries()) {
    const ipv4 = i === parts.length - 1 && part.includes('.') ? ipv4Bytes(part) : undefined;
    if (ipv4 !== undefined) {
      const [a = 0, b = 0, c = 0, d = 0] = ipv4;
      groups.push((a << 8) | b, (c << 8) | d);
    } else if (/^[0-9a-f]{1,4}$/i.test(part)) groups.push(Number.parseInt(part, 16));
    else return undefined;
  }
  return groups;
}
