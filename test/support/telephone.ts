import { ha1Of } from '#appliance/sip/auth/index.ts';
import { replicatedTrunkSchema } from '#shared/contract/provisioning/index.ts';
import { type Appliance, DOMAIN, hash, Telephone } from './sip-telephone.ts';

export type { Description, Talk, Telephone } from './sip-telephone.ts';

/** Digest of a password, as the replica holds it. */
const digestOf = (user: string, password: string) => ({
  sha256: ha1Of(hash, 'SHA-256', user, DOMAIN, password),
  md5: ha1Of(hash, 'MD5', user, DOMAIN, password),
});

/** An appliance with telephones around it. */
export function telephones(appliance: Appliance) {
  const known: Telephone[] = [];
  /** Loses messages from the appliance for which it says so. */
  let loses: (to: Telephone, bytes: Buffer) => boolean = () => false;
  /** Everything under way arrives, and what it brings about, too. */
  const pump = async (): Promise<void> => {
    do {
      await appliance.quiet();
      for (const { flow, bytes } of appliance.sent.splice(0)) {
        const to = known.find(
          (each) => each.host === flow.remoteAddress && each.flow.remotePort === flow.remotePort,
        );
        if (to !== undefined && !loses(to, bytes)) to.receive(bytes);
      }
      await appliance.quiet();
    } while (appliance.sent.length > 0);
  };
  return {
    pump,
    lose(which: typeof loses) {
      loses = which;
    },
    /** A party at an address, unknown to the appliance. */
    stranger(user: string, host: string): Telephone {
      const phone = new Telephone(appliance, { user, host });
      known.push(phone);
      return phone;
    },
    /** A trunk at 198.51.100.1, recognised by its network; `fields` go before ours. */
    trunk(fields: Record<string, unknown> = {}): void {
      const body = replicatedTrunkSchema.parse({
        id: 't1',
        name: 'Carrier',
        hosts: [{ uri: 'sip:198.51.100.1:5060', priority: 1 }],
        ipAllowList: ['198.51.100.0/24'],
        optionsInterval: 0,
        srtp: 'never',
        ...fields,
      });
      appliance.tenant.put('trunk', body.id, body);
    },
    /** A provisioned telephone, registered. */
    async device(
      user: string,
      host: string,
      fields: Record<string, unknown> = {},
      registered = true,
    ): Promise<Telephone> {
      const password = `secret of ${user}`;
      appliance.device({
        deviceId: user,
        authType: 'credentials',
        digest: digestOf(user, password),
        ...fields,
      });
      const phone = new Telephone(appliance, { user, host, password });
      known.push(phone);
      if (registered) await phone.register(pump);
      return phone;
    },
    /** Time passes; what was sent meanwhile arrives in between. */
    async after(ms: number, stepMs = 500): Promise<void> {
      for (let left = ms; left > 0; left -= stepMs) {
        await appliance.after(Math.min(stepMs, left));
        await pump();
      }
    },
  };
}
