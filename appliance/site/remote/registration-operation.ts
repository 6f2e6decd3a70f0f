import { REMOTE_ARGS } from '#shared/contract/feed/index.ts';
import type { RemoteOperation } from '../remote-operation.ts';
import { invalid } from './answer.ts';

/** An answer must fit into one message of 64 KiB; contacts of browsers and user agents can be long. */
const MOST_BYTES = 48_000;

/** Registrations as the registrar has them. */
export interface KnownRegistrations {
  readonly size: number;
  readonly matching: (
    match: string,
    limit: number,
  ) => { readonly deviceIds: readonly string[]; readonly more: boolean };
  readonly online: (deviceId: string) => { readonly contacts: readonly KnownContact[] };
}

interface KnownContact {
  readonly uri: string;
  /** Undefined: its connection is lost. */
  readonly transport?: string | undefined;
  readonly userAgent: string;
  /** Epoch ms. */
  readonly registeredAtMs: number;
  readonly expiresAtMs: number;
}

/** The questions that the cloud may ask about the registrations here. */
export const registrationOperations = (
  registrations: KnownRegistrations,
): Readonly<Record<'sip.registrations', RemoteOperation>> => ({
  'sip.registrations': ({ args }) => {
    const asked = REMOTE_ARGS['sip.registrations'].safeParse(args);
    if (!asked.success) return invalid('/args is not match and limit');
    const { match, limit } = asked.data;
    const found = registrations.matching(match, limit);
    const devices: object[] = [];
    let bytes = 0;
    for (const deviceId of found.deviceIds) {
      const device = { deviceId, contacts: registrations.online(deviceId).contacts.map(contactShown) };
      bytes += Buffer.byteLength(JSON.stringify(device));
      if (bytes > MOST_BYTES) break;
      devices.push(device);
    }
    const more = found.more || devices.length < found.deviceIds.length;
    return { ok: true, value: { devices, of: registrations.size, more } };
  },
});

const contactShown = ({ uri, transport, userAgent, registeredAtMs, expiresAtMs }: KnownContact): object => ({
  uri,
  ...(transport === undefined ? {} : { transport }),
  userAgent,
  registeredAt: registeredAtMs,
  expiresAt: expiresAtMs,
});
