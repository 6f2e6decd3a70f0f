import { createHash } from 'node:crypto';
import { readReplyId } from '#appliance/delivery/callback/index.ts';
import { render, tone } from '#appliance/media/dtmf/index.ts';
import { hangUpRemoteParticipant, remoteCall } from '#appliance/operation/remote-call.ts';
import { replicatedCloudSipUaSchema } from '#shared/contract/provisioning/index.ts';
import type { RemoteCallOperation } from '#shared/contract/runtime/index.ts';
import { addressPolicy } from '#shared/matching/index.ts';
import { levelAt } from '#test/appliance/media/engine/sound.ts';
import { type TestOptions, testAppliance } from './appliance.ts';
import { application } from './application.ts';
import type { Phone } from './phone.ts';
import { telephones } from './telephone.ts';

/** Where the application hears: a host of its own on the fake network. */
export const APP_HOST = '10.7.0.5';
export const APP_PORT = 40_000;

/** A whole appliance with a cloud SIP user agent, telephones around it and its application behind it. */
export async function remoteHouse(options: TestOptions = {}) {
  const audioPolicy = addressPolicy({
    allowPrivate: ['10.7.0.0/16', '127.0.0.0/8'],
    listeners: () => [],
    ownAddresses: () => [],
  });
  const appliance = await testAppliance({ audioPolicy, ...options });
  const net = telephones(appliance);
  const app = application(appliance);
  return {
    appliance,
    net,
    app,
    agent(fields: Record<string, unknown> = {}) {
      const body = replicatedCloudSipUaSchema.parse({
        id: 'agent-1',
        name: 'SecureListeners',
        destinationMatch: '^door-',
        callbackBaseUrl: 'https://app.example/cb',
        ...fields,
      });
      appliance.tenant.put('cloudsipua', body.id, body);
    },
    /** The application's end of the audio. */
    ear: (setting: Partial<ConstructorParameters<typeof Phone>[0]> = {}): Phone =>
      appliance.media.phone({ host: APP_HOST, port: APP_PORT, ...setting }),
    /** An operation as the doors bring it, the handle verified. */
    async operate(operation: RemoteCallOperation | 'hangupremoteparticipant', body: object) {
      const { wallMs } = appliance.clock;
      const ports = {
        hostId: 'box-1',
        media: appliance.runtime.media,
        remote: appliance.runtime.remote,
        readReply: (replyId: string) =>
          readReplyId(
            replyId,
            { domain: appliance.tenant.domain, wallMs: wallMs(), maxAgeS: 604_800 },
            (input, signature) => createHash('sha256').update(input).digest().equals(signature),
          ),
      };
      const done =
        operation === 'hangupremoteparticipant'
          ? (hangUpRemoteParticipant(ports, body) as ReturnType<ReturnType<typeof remoteCall>>)
          : remoteCall(operation)(ports, body);
      await net.pump();
      return await done;
    },
    /** Audio that arrives at the other when this one speaks. */
    async hearing(from: Phone, to: Phone, hz = 700): Promise<boolean> {
      to.forget();
      from.say(render([tone(hz, 400, -12)]));
      await net.after(800, 100);
      return levelAt(to.received, hz) > -30;
    },
    /** Every party has left, and nothing is left behind. */
    async close(expectQuiet: (left: object) => void): Promise<void> {
      await net.after(40_000, 4_000);
      expectQuiet({
        strange: app.strange,
        defects: appliance.logged.filter((line) => line.includes('defect')),
        calls: appliance.runtime.load.calls,
        legs: appliance.runtime.load.legs,
        sessions: appliance.runtime.remote.size,
        openLegs: appliance.media.openLegs,
      });
      await appliance.close();
    },
  };
}

export type RemoteHouse = Awaited<ReturnType<typeof remoteHouse>>;
/** State that `close` finds when all is well. */
export const NOTHING_LEFT = { strange: [], defects: [], calls: 0, legs: 0, sessions: 0, openLegs: [] };
