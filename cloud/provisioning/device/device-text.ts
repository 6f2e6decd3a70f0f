import { fail, ok, type Result } from '#shared/result.ts';
import {
  type DeviceText,
  type DeviceWithHeartbeat,
  listDeviceTexts,
  type Page,
  pageOf,
  readDeviceText,
} from '../../store/index.ts';
import { entityTag, entityTagOfText } from '../resource/entity-tag.ts';
import type { ProvisioningPort } from '../resource/port.ts';
import { shownDevice } from './device.ts';

/** A device as the JSON text that `shownDevice` gives, and its tag. */
export interface TaggedText {
  readonly text: string;
  readonly etag: string;
}

/**
 * Devices as text, for reading. Rows are stored as answers show them: where there is no secret to mask, nothing is
 * parsed and nothing is written again.
 */
export function deviceTexts({ store, sha256 }: ProvisioningPort) {
  const tagOf = ({ text, opened }: DeviceText): string =>
    opened === undefined ? entityTagOfText(sha256, text) : entityTag(sha256, opened);

  return {
    read: async (tenant: string, id: string): Promise<Result<TaggedText>> => {
      const row = await readDeviceText(store, tenant, id);
      if (row === undefined) return fail('notFound', `The device ${id} does not exist. Check the deviceId.`);
      return ok({ text: shownText(tenant, row), etag: tagOf(row) });
    },

    /** Devices whose id begins with `prefix`. */
    list: async (tenant: string, prefix: string, after: string, limit: number): Promise<Page<string>> =>
      pageOf(
        await listDeviceTexts(store, tenant, prefix, after, limit + 1),
        limit,
        (row) => row.id,
        (row) => shownText(tenant, row),
      ),
  };
}

function shownText(tenant: string, { id, text, opened, heartbeat }: DeviceText): string {
  if (opened !== undefined) {
    const whole: DeviceWithHeartbeat = { device: { tenant, id, body: opened, updatedAt: 0 }, heartbeat };
    return JSON.stringify(shownDevice(whole));
  }
  if (heartbeat === null) return text;
  const { status, expiration } = heartbeat;
  return `${text.slice(0, -1)},"heartbeatStatus":"${status}","heartbeatExpiration":${expiration}}`;
}
