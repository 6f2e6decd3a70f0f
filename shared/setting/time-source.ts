import { fail, ok, type Result } from '#shared/result.ts';
import { addressOf } from './shared-address.ts';

const wrong = (reason: string) => fail('configurationWrong', reason);
/** A host name (RFC 1123 2.1) with its dots. */
const NAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i;

const parts = (written: string): readonly string[] =>
  written
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');

const twice = (list: readonly string[]): string | undefined =>
  list.find((each, at) => list.indexOf(each) !== at);

/** `ntp1.example,192.0.2.1`: names or addresses; an empty text: none is named. */
export function timeServers(written: string): Result<readonly string[]> {
  const list = parts(written);
  const bad = list.find(
    (each) => addressOf(each) === undefined && (!NAME.test(each) || /^[\d.]+$/.test(each)),
  );
  if (bad !== undefined)
    return wrong(`"${bad}" is neither a name nor an address; write for example ntp.example,192.0.2.1`);
  const again = twice(list);
  return again === undefined ? ok(list) : wrong(`${again} stands there twice`);
}

/** `192.0.2.11,192.0.2.12`: hosts of the site by their addresses, the same text on each; an empty text: none. */
export function timeHosts(written: string): Result<readonly string[]> {
  const example = 'write for example 192.0.2.11,192.0.2.12, the same on every host';
  const list: string[] = [];
  for (const each of parts(written)) {
    // As the kernel writes it: a host finds itself among them.
    const address = addressOf(each);
    if (address === undefined) return wrong(`"${each}" is not an address of a host; ${example}`);
    if (list.includes(address)) return wrong(`${address} stands there twice; ${example}`);
    list.push(address);
  }
  return list.length === 1 ? wrong(`names one host, and two or more keep a time; ${example}`) : ok(list);
}
