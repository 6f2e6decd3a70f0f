import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { readReplyId } from '#appliance/delivery/callback/index.ts';
import { render, tone } from '#appliance/media/dtmf/index.ts';
import { mediaCall } from '#appliance/operation/media-call.ts';
import { replicatedMediaServiceSchema } from '#shared/contract/provisioning/index.ts';
import type { MediaOperation } from '#shared/contract/runtime/index.ts';
import { levelAt } from '#test/appliance/media/engine/sound.ts';
import { type TestOptions, testAppliance } from './appliance.ts';
import { application } from './application.ts';
import { type TestSoundOptions, testSound } from './sound.ts';
import { type Talk, type Telephone, telephones } from './telephone.ts';

/** A whole appliance with a media service, real sound threads, telephones around it and an application behind it. */
export async function mediaService({
  recognisers,
  ...options
}: Pick<TestOptions, 'audioPolicy' | 'audioTowards' | 'quality'> &
  Pick<TestSoundOptions, 'recognisers'> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-media-service-'));
  const threads = testSound({
    folder,
    allowPrivate: ['127.0.0.0/8'],
    ...(recognisers && { recognisers }),
  });
  const appliance = await testAppliance({ folder, sound: threads.adapters, ...options });
  const net = telephones(appliance);
  const app = application(appliance);
  return {
    appliance,
    threads,
    net,
    app,
    folder,
    service(fields: Record<string, unknown> = {}) {
      const body = replicatedMediaServiceSchema.parse({
        id: 'service-1',
        name: 'Switchboard',
        destinationMatch: '^ivr$',
        callbackBaseUrl: 'https://app.example/cb',
        ...fields,
      });
      appliance.tenant.put('mediaservice', body.id, body);
    },
    /** A telephone calls the service and is answered by it. */
    async calls(phone: Telephone): Promise<Talk> {
      const talk = await phone.invite('ivr', net.pump);
      phone.acknowledge(talk, phone.response(200));
      await net.pump();
      return talk;
    },
    /** A telephone takes the call it gets. */
    async takes(phone: Telephone): Promise<Talk> {
      const invite = phone.request('INVITE');
      phone.hearPort(invite);
      phone.respond(invite, 180);
      await net.pump();
      phone.respond(invite, 200, { sdp: phone.describe() });
      await net.pump();
      phone.request('ACK');
      return phone.answeredTalk(invite);
    },
    async hangsUp(phone: Telephone, talk: Talk): Promise<void> {
      phone.inDialog(talk, 'BYE');
      await net.pump();
      phone.response(200, 'BYE');
    },
    /** We have hung up on it. */
    async leaves(phone: Telephone): Promise<void> {
      phone.respond(phone.request('BYE'), 200);
      await net.pump();
    },
    /** Audio that arrives at the other when this one speaks. */
    async hearing(from: Telephone, to: Telephone, hz = 700): Promise<boolean> {
      to.audio.forget();
      from.audio.say(render([tone(hz, 400, -12)]));
      await net.after(800, 100);
      return levelAt(to.audio.received, hz) > -30;
    },
    /** An operation as the doors bring it, the handle verified. */
    async operate(operation: MediaOperation, body: object) {
      const { wallMs } = appliance.clock;
      const done = mediaCall(operation)(
        {
          hostId: 'box-1',
          media: appliance.runtime.media,
          readReply: (replyId) =>
            readReplyId(
              replyId,
              { domain: appliance.tenant.domain, wallMs: wallMs(), maxAgeS: 604_800 },
              (input, signature) => createHash('sha256').update(input).digest().equals(signature),
            ),
        },
        body,
      );
      await net.pump();
      return await done;
    },
    /** Every party has left, and nothing is left behind. */
    async close(expectQuiet: (left: object) => void): Promise<void> {
      await net.after(40_000, 4_000);
      expectQuiet({
        unscripted: app.unscripted,
        strange: app.strange,
        calls: appliance.runtime.load.calls,
        legs: appliance.runtime.load.legs,
        sessions: appliance.runtime.media.size,
        openLegs: appliance.media.openLegs,
      });
      await appliance.close(true);
      await threads.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The same with its service and two telephones, as most stories begin. */
export async function twoTelephones(options: Parameters<typeof mediaService>[0] = {}) {
  const house = await mediaService(options);
  house.service();
  const anna = await house.net.device('anna', '192.0.2.20');
  const bo = await house.net.device('bo', '192.0.2.21');
  return { ...house, anna, bo };
}

/** Gives each test of a file such a house, and fails it when something is left behind. */
export function eachWithTwoTelephones(use: (house: TwoTelephones) => void): void {
  let house: TwoTelephones;
  beforeEach(async () => {
    house = await twoTelephones();
    use(house);
  });
  afterEach(() => house.close((left) => expect(left).toEqual(NOTHING_LEFT)));
}

export type TwoTelephones = Awaited<ReturnType<typeof twoTelephones>>;
export type TestMediaService = Awaited<ReturnType<typeof mediaService>>;
/** State that `close` finds when all is well. */
export const NOTHING_LEFT = { unscripted: [], strange: [], calls: 0, legs: 0, sessions: 0, openLegs: [] };
