import { AlarmReceiver } from '../alarm/receiver/index.ts';
import type { ReplicatedBridge } from '../replica/index.ts';
import type { RuntimePorts } from './port.ts';
import { VOICE_BRIDGE } from './voice/index.ts';

/** Who takes alarms as the tenant is now: built anew when the bridges have changed; running alarms keep the bridge they began with. */
export function receiverNow(tenantNow: RuntimePorts['tenant']): () => AlarmReceiver {
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
