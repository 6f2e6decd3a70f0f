import { REMOTE_ARGS } from '#shared/contract/feed/index.ts';
import type { Registrations } from '../registration/registrations.ts';
import type { RemoteOperation } from '../site/host/site-port.ts';

/** An answer must fit into one message of 64 KiB; contacts of browsers and user agents can be long. */
const MOST_BYTES = 48_000;

/** The questions that the cloud may ask about the registrations here. */
export const registrationOperations = (
  desk: Pick<Registrations, 'matching' | 'online' | 'size'>,
): Readonly<Record<string, RemoteOperation>> => ({
  'sip.registrations': ({ args }) => {
    const wish = REMOTE_ARGS['sip.registrations'].safeParse(args);
    if (!wish.success) return { ok: false, code: 'invalid', reason: '/args is not match and limit' };
    const { match, limit } = wish.data;
    const found = desk.matching(match, limit);
    const devices: object[] = [];
    let bytes = 0;
    for (const deviceId of found.deviceIds) {
      const device = { deviceId, contacts: contactsOf(desk, deviceId) };
      bytes += Buffer.byteLength(JSON.stringify(device));
      if (bytes > MOST_BYTES) break;
      devices.push(device);
    }
    const more = found.more || devices.length < found.deviceIds.length;
    return { ok: true, value: { devices, of: desk.size, more } };
  },
});

const contactsOf = (desk: Pick<Registrations, 'online'>, deviceId: string): object[] =>
  desk.online(deviceId).contacts.map(({ uri, transport, userAgent, registeredAtMs, expiresAtMs }) => ({
    uri,
    ...(transport === undefined ? {} : { transport }),
    userAgent,
    registeredAt: registeredAtMs,
    expiresAt: expiresAtMs,
  }));
