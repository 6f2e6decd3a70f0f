import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Place } from '#test/bench/support/place.ts';
import { until } from '#test/campaign/replica/control-plane-look.ts';
import { CARILLON } from '../../support/program/program.ts';
import type { Replica } from '../cloud/replicas.ts';
import { openReplicaSite, type ReplicaSite } from './stage/replica-site.ts';

/*
 *     carillon listen ─▶ the other replica       person ─▶ the other replica ─ asks ─▶ appliance
 *     appliance ───────▶ the owner of the host              the first replica ◀── document ──┘
 */
const WITHIN_MS = 60_000;
const place = new Place();
let site: ReplicaSite;

/** Which replica has taken a document of a host that another one had asked for. */
const ARRIVALS = `
  CREATE TABLE arrival (n BIGSERIAL, writer TEXT);
  CREATE FUNCTION note_arrival() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO arrival (writer) VALUES (current_setting('application_name'));
    RETURN NEW; END $$;
  CREATE TRIGGER arrival AFTER UPDATE ON upload FOR EACH ROW
    WHEN (NEW.state = 'there' AND OLD.state <> 'there') EXECUTE FUNCTION note_arrival();
`;

beforeAll(async () => {
  site = await openReplicaSite(place);
  await site.replicas.rows(ARRIVALS);
}, 400_000);
afterAll(() => place.close());

const ask = (at: Replica, method: string, path: string, body?: unknown) =>
  site.replicas.ask(at, method, path, body);

/** Writers of documents that came by rows, taken off. */
async function arrivals(): Promise<string[]> {
  const rows = await site.replicas.rows<{ writer: string }>('DELETE FROM arrival RETURNING writer');
  return rows.map(({ writer }) => writer);
}

/** `carillon listen --print-json` at a replica, and the paths of the callbacks that it printed. */
async function startListening({ api }: Replica) {
  const words = ['listen', '--print-json', '--domain', site.domain, '--cloud', api, '--token', site.token];
  const child: ChildProcess = spawn(process.execPath, [CARILLON, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed: string[] = [];
  let complaint = '';
  child.stderr?.on('data', (bytes: Buffer) => {
    complaint += bytes.toString();
  });
  if (child.stdout !== null)
    createInterface({ input: child.stdout }).on('line', (line) => printed.push(line));
  const exited = once(child, 'exit');
  await place.keep(
    Promise.resolve({
      stop: async () => {
        if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
        await exited;
      },
    }),
  );
  return {
    copies: () => printed.filter((line) => line.includes('newAlarmbridgeEvent')).length,
    complaint: () => complaint,
    ended: async () => ((await exited) as [number])[0],
  };
}

/** Whether the stream of each listening of the tenant is read, as this replica shows it. */
const follows = async (at: Replica): Promise<boolean[]> => {
  const { listening } = (await ask(at, 'GET', `/listening/${site.domain}`)) as unknown as {
    listening: { follows: boolean }[];
  };
  return listening.map((each) => each.follows);
};

/** Alarms until one has been copied: a host that has just been asked for copies keeps those from then on. */
const copied = (listening: { copies: () => number }, device: string): Promise<boolean> => {
  const before = listening.copies();
  return until(async () => {
    await site.alarm(device);
    return await until(() => Promise.resolve(listening.copies() > before), 5_000);
  }, WITHIN_MS);
};

describe('documents of a host that reach the replica that did not ask', { timeout: 300_000 }, () => {
  // The balancer gives every connection to the first replica that takes it.
  const asking = () => site.replicas.all[1] as Replica;

  it('a support bundle, which each of the two hands out', async () => {
    const asked = await ask(asking(), 'POST', `${site.hostPath}/rpc`, { op: 'diag.bundle' });
    expect(asked).toMatchObject({
      status: 200,
      data: { bytes: expect.any(Number), path: expect.any(String) },
    });
    expect(await arrivals()).toEqual(['replica-0']);
    const { path, bytes } = asked.data as { path: string; bytes: number };
    for (const { api } of site.replicas.all) {
      const answer = await fetch(`${api}${path}`, { headers: { authorization: `Bearer ${site.token}` } });
      expect(answer.status).toBe(200);
      expect((await answer.arrayBuffer()).byteLength).toBe(bytes);
    }
  });

  it('the trace and the capture of an alarm', async () => {
    await site.alarm('scaip-0001');
    let recordId = '';
    const recorded = async () => {
      const { records = [] } = (await ask(asking(), 'GET', `/record/${site.domain}?limit=5`)) as {
        records?: { recordId: string }[];
      };
      recordId = records[0]?.recordId ?? '';
      return recordId !== '';
    };
    expect(await until(recorded, WITHIN_MS)).toBe(true);
    await arrivals();
    const path = `/record/${site.domain}/${recordId}`;
    const { trace } = (await ask(asking(), 'GET', `${path}/trace`)) as unknown as {
      trace: { hosts: { state: string }[]; steps: unknown[] };
    };
    expect(trace.hosts.map(({ state }) => state)).toEqual(['sent']);
    expect(trace.steps.length).toBeGreaterThan(0);
    expect(await arrivals()).toEqual(['replica-0']);

    const capture = await fetch(`${asking().api}${path}/capture.pcap`, {
      headers: { authorization: `Bearer ${site.token}` },
    });
    expect(capture.status).toBe(200);
    expect((await capture.arrayBuffer()).byteLength).toBeGreaterThan(100);
    expect(await arrivals()).toEqual(['replica-0']);
  });
});

describe('carillon listen at a replica that does not observe the host', { timeout: 400_000 }, () => {
  it('gets the copies, also after the owner of the host was killed, and ends with a sentence when its own is', async () => {
    const { owner, other } = await site.sides();
    const listening = await startListening(other);
    expect(await until(async () => (await follows(owner)).includes(true), WITHIN_MS)).toBe(true);
    expect(await copied(listening, 'scaip-0002'), listening.complaint()).toBe(true);

    await owner.process.kill();
    expect(await until(async () => (await site.sides()).owner.name === other.name, WITHIN_MS)).toBe(true);
    expect(await site.online(other)).toBe(true);
    expect(await copied(listening, 'scaip-0003'), listening.complaint()).toBe(true);
    await owner.process.start();

    await other.process.kill();
    expect(await listening.ended()).not.toBe(0);
    expect(listening.complaint()).not.toBe('');
    // The stream went with its replica; the other one has the session, and says that it is not read.
    expect(await until(async () => (await follows(owner)).every((is) => !is), WITHIN_MS)).toBe(true);
    expect(await until(async () => (await site.sides()).owner.name === owner.name, WITHIN_MS)).toBe(true);
    expect(await site.online(owner)).toBe(true);
    const again = await startListening(owner);
    expect(await copied(again, 'scaip-0004'), again.complaint()).toBe(true);
    await other.process.start();
  });
});
