import type { SendOrder } from '#appliance/alarm/sending/order/send-order.ts';
import { TenantModel } from '#appliance/replica/index.ts';
import {
  replicatedAlarmBridgeSchema,
  replicatedAlarmEventMapperSchema,
  replicatedDeviceSchema,
} from '#shared/contract/provisioning/index.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A tenant with what a test puts in. */
export function orderTenant() {
  const tenant = new TenantModel('care.example');
  return {
    tenant,
    mapper(targetEndpoint?: Fields, fields: Fields = {}) {
      const body = { id: 'mapper-1', name: 'Centre', ...(targetEndpoint && { targetEndpoint }), ...fields };
      tenant.put('alarmeventmapper', 'mapper-1', replicatedAlarmEventMapperSchema.parse(body));
    },
    bridge(fields: Fields) {
      const body = replicatedAlarmBridgeSchema.parse({ name: 'Bridge', destinationMatch: '^x$', ...fields });
      tenant.put('alarmbridge', body.id, body);
    },
    device(fields: Fields) {
      const body = replicatedDeviceSchema.parse({ authType: 'deviceid', srtp: 'never', ...fields });
      tenant.put('device', body.deviceId, body);
    },
  };
}

/** An order of one event of unit 7 behind a controller. */
export const orderOfUnit = (fields: Fields = {}): SendOrder => ({
  event: {
    controllerId: '12345678',
    deviceId: '0007',
    deviceType: { native: null, send: 'fallDetector', receive: null },
    statusCode: { native: null, send: null, receive: null },
    audio: 'duplex',
    priority: 1,
  },
  callingParty: 'unit',
  voice: { transparent: false, tones: { towardsReceiver: 'inaudio', towardsDevice: 'inaudio' } },
  ...fields,
});
