import type { RecordFilter } from '#shared/contract/session-record/index.ts';
import type { RecordKey } from '../store/index.ts';

const begins = (value: string | null, prefix: string): boolean => value?.startsWith(prefix) === true;

/** Whether a record fits all that is given. */
export function fits(key: Omit<RecordKey, 'id' | 'at'>, filter: RecordFilter): boolean {
  const { siteId, hostId, kind, deviceId, number, bridge, protocol, result, warning, traceId } = filter;
  return (
    (siteId === undefined || key.siteId === siteId) &&
    (hostId === undefined || key.hostId === hostId) &&
    (kind === undefined || key.kind === kind) &&
    (result === undefined || key.result === result) &&
    (bridge === undefined || key.receiver === bridge) &&
    (protocol === undefined || key.protocol === protocol) &&
    (traceId === undefined || key.traceId === traceId) &&
    (deviceId === undefined || begins(key.deviceId, deviceId)) &&
    (number === undefined || begins(key.fromParty, number) || begins(key.toParty, number)) &&
    (warning === undefined || key.warnings?.split('\n').includes(warning) === true)
  );
}
