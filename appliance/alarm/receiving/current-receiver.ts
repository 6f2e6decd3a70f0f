import type { ReplicatedBridge, TenantPorts } from '../../replica/index.ts';
import { AlarmReceiver } from '../receiver/index.ts';

/** User part of the voice bridge: devices without a destination of their own are asked to call it. */
export const VOICE_BRIDGE = 'voice';

/**
 * The receiver of alarms as the tenant is now. It is built again when the bridges have changed; running alarms keep the
 * bridge they began with.
 */
export function receiverNow(tenantNow: TenantPorts['tenant']): () => AlarmReceiver {
  let receiver: AlarmReceiver | undefined;
  let builtOf: readonly ReplicatedBridge[] | undefined;
  return () => {
    const tenant = tenantNow();
    if (receiver === undefined || builtOf !== tenant.bridges) {
      builtOf = tenant.bridges;
      const voiceBridge = `sip:${VOICE_BRIDGE}@${tenant.domain}`;
      receiver = new AlarmReceiver(tenant.bridges, tenant, { voiceBridge });
    }
    return receiver;
  };
}
