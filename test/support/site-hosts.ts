import { createHash } from 'node:crypto';
import { createOperations } from '#appliance/engine/operations.ts';
import type { AnswerOperation, OperationAnswer } from '#appliance/operation/index.ts';
import { type Copies, noCopies } from '#appliance/site/host/peer/site-journal.ts';
import { SitePeers } from '#appliance/site/host/peer/site-peers.ts';
import { callsLeft, endOrdinaryCalls } from '#appliance/site/host/site-call.ts';
import { SiteDrain } from '#appliance/site/host/site-drain.ts';
import { forwardedHere, siteForward } from '#appliance/site/host/site-forward.ts';
import type { Member } from '#appliance/site/peer/index.ts';
import type { DrainProgress, Twin } from '#shared/contract/feed/index.ts';
import { forwardSchema, type Hello } from '#shared/contract/peer/index.ts';
import type { RuntimeOperation } from '#shared/contract/runtime/index.ts';
import { ok } from '#shared/result.ts';
import { testAppliance } from './appliance.ts';

type Appliance = Awaited<ReturnType<typeof testAppliance>>;

/** Facts that a host reports; may change while it runs. */
export type HostWords = Pick<Hello, 'labels' | 'memory' | 'sick'>;

export interface SiteHost {
  readonly site: Appliance;
  readonly hostId: string;
  readonly uid: string;
  readonly peers: SitePeers;
  readonly drain: SiteDrain;
  /** Reports of its drain to the cloud. */
  readonly reported: DrainProgress[];
  readonly words: HostWords;
  alive: boolean;
  /** The state of keepalived here, where it differs from the real holder of the address. */
  believesVip: boolean | undefined;
  /** Said of an address that two hosts hold: it is, it is not any more. */
  readonly vipTwice: boolean[];
  /** Operations as this host does them in the name of `hostId`. */
  readonly operateAs: (hostId: string) => AnswerOperation;
  /** An operation of an application, sent to this host. */
  readonly operate: (operation: RuntimeOperation, body: unknown, token?: string) => Promise<OperationAnswer>;
}

export const SERVICES = ['sip', 'media', 'alarm', 'callback', 'recording'] as const;
const STEP_MS = 250;
const TOKEN = 'ct_right';

const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');

/** Whole appliances of one site on one fake clock, with a link between them that can be cut. */
export async function siteHosts(wordsOf: readonly HostWords[]) {
  const hosts: SiteHost[] = [];
  const running = new Set<Promise<unknown>>();
  const timers = new Set<{ readonly of: SiteHost; readonly atMs: number; readonly fire: () => void }>();
  const cut = new Set<string>();
  let vip: SiteHost | undefined;
  const members: Member[] = wordsOf.map((_, order) => {
    const uid = `01jc7z5t3k9q8w6m4n2p0r1s5${'abcdef'[order]}`;
    return { uid, hostId: `h${order + 1}`, publicKey: '', order, address: uid };
  });

  const run = (work: Promise<unknown>): void => {
    running.add(work);
    void work.catch(() => undefined).finally(() => running.delete(work));
  };

  const reach = (from: SiteHost, uid: string): SiteHost | undefined => {
    const to = hosts.find((each) => each.uid === uid);
    const parted = cut.has(`${from.uid} ${uid}`) || cut.has(`${uid} ${from.uid}`);
    return to?.alive && from.alive && !parted ? to : undefined;
  };

  async function open({ uid, hostId }: Member, order: number): Promise<SiteHost> {
    const copies: Copies = {
      available: () => made?.peers.copies.available() ?? false,
      copy: async (writes) => {
        const kept = made?.peers.copies ?? noCopies;
        const by = made?.peers.copies.heldBy;
        if (made === undefined || by === undefined || reach(made, by) !== undefined)
          return await kept.copy(writes);
        // No peer confirms: as after 150 ms, which do not pass here while a commit is waited for.
        kept.note(writes);
        return false;
      },
      holder: () => (made?.peers.copies ?? noCopies).holder(),
      note: (writes) => (made?.peers.copies ?? noCopies).note(writes),
    };
    let made: SiteHost | undefined;
    const site = await testAppliance({ address: `192.0.2.1${order + 1}`, hostId, copies });
    const { runtime, journal, clock, tenant } = site;
    tenant.put('apitoken', 't', { id: 't', hash: sha256(TOKEN), role: 'operator' });
    const words: HostWords = { ...wordsOf[order] };
    const reported: DrainProgress[] = [];
    const host = (): SiteHost => {
      if (made === undefined) throw new Error('the host is not open yet');
      return made;
    };
    const hostParts = {
      clock,
      log: () => undefined,
      run,
      startTimer: (delayMs: number, fire: () => void) => {
        const one = { of: host(), atMs: clock.monoMs() + delayMs, fire };
        timers.add(one);
        return () => void timers.delete(one);
      },
    };
    const drain = new SiteDrain({
      ...hostParts,
      facts: () => {
        const left = journal.undelivered(0, 1_000).filter(({ id }) => !peers.copies.isHeld(id));
        const rows = (lane: string): number => left.filter((row) => row.lane === lane).length;
        return {
          services: SERVICES,
          calls: callsLeft(runtime.calls),
          lanes: { alarm: rows('alarm'), svc: rows('svc') },
          target: peers.substitute?.hostId,
          places: peers.places,
          hasPeers: true,
          vip: vip?.hostId,
          hostId,
        };
      },
      admit: (admittance) => {
        runtime.cordon.admittance = admittance;
      },
      endOrdinaryCalls: () => endOrdinaryCalls(runtime.calls),
      pauseServices: () => undefined,
      resumeServices: () => undefined,
      report: (progress) => reported.push(progress),
    });
    const operateAs = (as: string): AnswerOperation =>
      createOperations(
        {
          clock,
          tenant: () => tenant,
          place: {
            siteId: 'north',
            hostId: as,
            siteBaseUrl: `https://${hostId}`,
            address: site.address,
            epoch: 1,
          },
        },
        {
          commands: runtime.commands,
          alarmStreams: runtime.alarmStreams,
          sender: runtime.sending.sender,
          messages: runtime.messages,
          handshakes: runtime.handshakes,
          media: runtime.media,
          mediaSessions: runtime.media.shown,
          remote: runtime.remote,
          crypto: { sha256Hex: sha256, kidOf: () => undefined, verify: async () => ok({}) },
          verifyReply: (input, signature) => sha256(input) === Buffer.from(signature).toString('hex'),
        },
      );
    const peers: SitePeers = new SitePeers({
      ...hostParts,
      self: uid,
      journal,
      members: () => members,
      call: async (to, path, body) => {
        const there = reach(host(), to.uid);
        if (there === undefined) return undefined;
        const said: unknown = JSON.parse(JSON.stringify(body));
        const answer =
          path === 'operation'
            ? await forwardedHere(forwardSchema.safeParse(said).data, there.operateAs(there.hostId))
            : await there.peers.answer(path as 'hello', uid, said);
        return answer === undefined ? undefined : JSON.parse(JSON.stringify(answer));
      },
      standing: () => ({
        ready: true,
        serving: runtime.cordon.admittance === 'open',
        ...(vip && { vip: made?.believesVip ?? vip.uid === uid }),
        ...words,
        moving: drain.reschedules ? [...SERVICES] : [],
      }),
      running: () => runtime.sessionIds,
      twinOf: (id, atMs) => runtime.alarmSessions.twinOf(id, atMs),
      onEpoch: () => undefined,
      onLeft: (left) => runtime.alarmSessions.restore(left),
      onAdopted: (adoption) => runtime.takeOver(adoption),
      withdraw: (ids) => runtime.delivery.withdraw(ids),
      isInFlight: (id) => runtime.delivery.isInFlight(id),
      deadline: () => runtime.delivery.deadline(),
      onVipTwice: (twice) => {
        if (made?.vipTwice.at(-1) !== twice) made?.vipTwice.push(twice);
      },
      onHello: () => undefined,
      onSilent: () => undefined,
      onBack: () => undefined,
    });
    const answer = siteForward({
      self: () => hostId,
      other: (name) => {
        const member = peers.member(name);
        return member && { member, dead: peers.view.links[member.uid]?.at === 'dead' };
      },
      isHere: (session) => runtime.alarmSessions.bySession(session) !== undefined,
      operateAs,
      ask: async (to, request) => {
        const there = reach(host(), to.uid);
        const said = forwardSchema.parse(JSON.parse(JSON.stringify({ v: 1, from: uid, ...request })));
        return there && (await forwardedHere(said, there.operateAs(there.hostId)));
      },
    });
    made = {
      site,
      hostId,
      uid,
      peers,
      drain,
      reported,
      words,
      alive: true,
      believesVip: undefined,
      vipTwice: [],
      operateAs,
      operate: (operation, body, token = TOKEN) =>
        answer({ operation, domain: site.domain, authorization: `Bearer ${token}`, body: () => ok(body) }),
    };
    return made;
  }
  for (const [order, member] of members.entries()) hosts.push(await open(member, order));

  const settle = async (): Promise<void> => {
    do {
      for (const { site, alive } of hosts) if (alive) await site.quiet();
      await Promise.allSettled(running);
    } while (running.size > 0);
  };
  const after = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= STEP_MS) {
      for (const { site, alive } of hosts) if (alive) await site.after(Math.min(left, STEP_MS));
      for (const one of [...timers]) {
        if (!one.of.alive || one.atMs > one.of.site.clock.monoMs() || !timers.delete(one)) continue;
        one.fire();
      }
      await settle();
    }
  };
  for (const { peers } of hosts) peers.start();
  await after(2_000);
  return {
    hosts,
    after,
    settle,
    /** The address of the site goes there; undefined: the site has none. */
    moveVip(to: SiteHost | undefined): void {
      vip = to;
    },
    part(a: SiteHost, b: SiteHost): void {
      cut.add(`${a.uid} ${b.uid}`);
    },
    /** The machine is lost, and nothing of it is heard again. */
    kill(host: SiteHost): void {
      host.alive = false;
      host.peers.stop();
      host.drain.stop();
    },
    async close(): Promise<void> {
      for (const { peers, drain } of hosts) {
        peers.stop();
        drain.stop();
      }
      await settle();
      for (const { site } of hosts) await site.close();
    },
  };
}

export type SiteHosts = Awaited<ReturnType<typeof siteHosts>>;

/** Orders of the cloud to a host. */
export const desired = (life: Twin['life'], more: Partial<Twin> = {}): Twin =>
  ({ life, op: null, doNotReschedule: false, force: false, deadline: null, ...more }) as Twin;
