import { describe, expect, it } from 'vitest';
import { Pulse } from '#appliance/site/supervision/pulse.ts';

/** Listeners by their address, each with what is wrong with it; this machine has the addresses of `here`. */
function room(
  listeners: Readonly<Record<string, string | undefined>>,
  here: readonly string[] = Object.keys(listeners),
) {
  const done: string[] = [];
  const at = { listeners, here, workers: [1] as readonly (number | undefined)[] };
  const pulse = new Pulse({
    listeners: () => Object.entries(at.listeners).map(([host, fault]) => ({ host, ask: async () => fault })),
    workers: async () => at.workers as never,
    write: async () => done.push('write'),
    has: (host) => at.here.includes(host),
    log: (_level, event, _message, detail) => void done.push(`${event} ${String(detail?.found)}`),
  });
  return { pulse, done, at };
}

describe('the pulse of an appliance', () => {
  it('is without fault where everything answers, and has written to the disk', async () => {
    const { pulse, done } = room({ '192.0.2.1': undefined });
    expect([await pulse.faults(), done]).toEqual([[], ['write']]);
  });

  it('names each listener that is silent', async () => {
    const { pulse } = room({
      '192.0.2.1': 'SIP 1 is silent',
      '192.0.2.2': undefined,
      '::1': 'SIP 3 is silent',
    });
    expect(await pulse.faults()).toEqual(['SIP 1 is silent', 'SIP 3 is silent']);
  });

  it('has no fault where the machine has lost the address; the log says it once, and again after it was back', async () => {
    const { pulse, done, at } = room({ '192.0.2.1': 'SIP 1 is silent' }, []);
    for (let times = 0; times < 2; times++) expect(await pulse.faults()).toEqual([]);
    expect(done.filter((line) => line !== 'write')).toEqual(['listener.address_lost SIP 1 is silent']);
    at.listeners = { '192.0.2.1': undefined };
    await pulse.faults();
    at.listeners = { '192.0.2.1': 'SIP 1 is silent' };
    await pulse.faults();
    expect(done.filter((line) => line !== 'write')).toHaveLength(2);
  });
});
