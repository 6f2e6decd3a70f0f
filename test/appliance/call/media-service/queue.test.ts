import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { levelAt } from '#test/appliance/media/engine/sound.ts';
import { NOTHING_LEFT, type TwoTelephones, twoTelephones } from '#test/support/media-house.ts';
import type { Telephone } from '#test/support/telephone.ts';

let house: TwoTelephones;
let anna: Telephone;
let bo: Telephone;
let cia: Telephone;

beforeEach(async () => {
  house = await twoTelephones();
  ({ anna, bo } = house);
  cia = await house.net.device('cia', '192.0.2.22');
  house.app.on('/newCall', { action: 'ivr' }, { action: 'ivr' });
  // A record of an agent that was not reached takes one, too.
  house.app.on('/callEvent', ...Array(4).fill({ action: 'drop' }));
});
afterEach(() => house.close((left) => expect(left).toEqual(NOTHING_LEFT)));

const HOLD = { getIVRCommandAfter: 3_600 };
const music = { format: 'tone', frequency: 440, duration: 1_000 };
const queues = (more: object = {}) => ({ enqueue: { queue: 'support', agents: ['bo'], music, ...more } });
const commands = (...list: Readonly<Record<string, unknown>>[]) => house.app.on('/getIvrCommand', ...list);
const figures = () => house.appliance.runtime.media.shown.queues({ mediaserviceId: 'service-1' })[0];
const isRung = (phone: Telephone) => phone.has('INVITE');

describe('callers in a queue', () => {
  it('hear music until the agent answers, and then speak with it; the next one follows', async () => {
    commands(queues(), queues(), HOLD);
    const first = await house.calls(anna);
    const agent = await house.takes(bo);
    expect(await house.hearing(anna, bo)).toBe(true);
    expect(house.app.last('/callAnswered')).toMatchObject({
      queue: { queue: 'support', agent: 'bo', waited: expect.any(Number) },
    });
    const second = await house.calls(cia);
    cia.audio.forget();
    await house.net.after(800, 20);
    expect(levelAt(cia.audio.received, 440)).toBeGreaterThan(-30);
    expect(figures()).toMatchObject({ waiting: 1, answered: 1, agents: [{ agent: 'bo', state: 'talking' }] });
    await house.hangsUp(anna, first);
    await house.leaves(bo);
    const again = await house.takes(bo);
    expect(await house.hearing(cia, bo)).toBe(true);
    expect(agent).not.toBe(again);
    await house.hangsUp(cia, second);
    await house.leaves(bo);
    expect(figures()).toMatchObject({ waiting: 0, entered: 2, answered: 2, agents: [{ state: 'free' }] });
  });

  it('an agent that is busy is tried again, and the caller hears no end', async () => {
    commands(queues(), HOLD);
    const call = await house.calls(anna);
    bo.respond(bo.request('INVITE'), 486);
    await house.net.pump();
    bo.request('ACK');
    expect(figures()).toMatchObject({ waiting: 1, agents: [{ state: 'busy' }] });
    await house.net.after(5_000, 500);
    await house.takes(bo);
    expect(await house.hearing(bo, anna)).toBe(true);
    await house.hangsUp(anna, call);
    await house.leaves(bo);
  });

  it('an empty queue: the application learns it, and says what follows', async () => {
    commands(queues({ agents: ['nobody'] }), HOLD);
    const call = await house.calls(anna);
    await house.net.after(2_000, 100);
    expect(house.app.last('/getIvrCommand')).toMatchObject({
      lastCommandResult: { queue: { queue: 'support', reason: 'noAgents' } },
    });
    expect(figures()).toMatchObject({ waiting: 0, overflowed: 1, agents: [{ state: 'away' }] });
    await house.hangsUp(anna, call);
  });

  it('the agents go while callers wait: each of them is notified, and none waits for ever', async () => {
    commands(queues(), queues(), HOLD, HOLD);
    const first = await house.calls(anna);
    bo.respond(bo.request('INVITE'), 486);
    await house.net.pump();
    bo.request('ACK');
    const second = await house.calls(cia);
    expect(figures()).toMatchObject({ waiting: 2, overflowed: 0 });
    await house.net.after(5_000, 500);
    bo.respond(bo.request('INVITE'), 480);
    await house.net.pump();
    bo.request('ACK');
    await house.net.after(2_000, 100);
    expect(figures()).toMatchObject({ waiting: 0, overflowed: 2, agents: [{ state: 'away' }] });
    const reported = house.app.received('/getIvrCommand').slice(-2);
    for (const body of reported)
      expect(body).toMatchObject({ lastCommandResult: { queue: { queue: 'support', reason: 'noAgents' } } });
    await house.hangsUp(anna, first);
    await house.hangsUp(cia, second);
  });

  it('a queue that is full sends the next caller back to the application', async () => {
    commands(queues({ maxLength: 1 }), queues({ maxLength: 1 }), HOLD);
    const first = await house.calls(anna);
    bo.respond(bo.request('INVITE'), 486);
    await house.net.pump();
    bo.request('ACK');
    const second = await house.calls(cia);
    await house.net.after(2_000, 100);
    expect(house.app.last('/getIvrCommand')).toMatchObject({
      lastCommandResult: { queue: { queue: 'support', reason: 'full' } },
    });
    expect(figures()).toMatchObject({ waiting: 1, overflowed: 1 });
    await house.hangsUp(cia, second);
    await house.hangsUp(anna, first);
  });

  it('a caller that hangs up while the agent rings: the agent rings no more, and for the next one at once', async () => {
    commands(queues(), queues(), HOLD);
    const first = await house.calls(anna);
    const invite = bo.request('INVITE');
    bo.respond(invite, 180);
    await house.net.pump();
    const second = await house.calls(cia);
    await house.hangsUp(anna, first);
    bo.respond(bo.request('CANCEL'), 200);
    bo.respond(invite, 487);
    await house.net.pump();
    bo.request('ACK');
    await house.takes(bo);
    expect(await house.hearing(cia, bo)).toBe(true);
    expect(figures()).toMatchObject({ abandoned: 1, answered: 1 });
    await house.hangsUp(cia, second);
    await house.leaves(bo);
  });

  it('an agent that hangs up has its time before it is called again', async () => {
    commands(queues({ wrapUpTime: 10 }), queues({ wrapUpTime: 10 }), HOLD);
    const first = await house.calls(anna);
    const agent = await house.takes(bo);
    const second = await house.calls(cia);
    await house.hangsUp(bo, agent);
    await house.leaves(anna);
    expect(first).toBeDefined();
    await house.net.after(9_000, 500);
    expect(isRung(bo)).toBe(false);
    expect(figures()).toMatchObject({ waiting: 1, agents: [{ state: 'wrapUp' }] });
    await house.net.after(1_500, 500);
    await house.takes(bo);
    await house.hangsUp(cia, second);
    await house.leaves(bo);
  });
});
