import { describe, expect, it } from 'vitest';
import { HealthCheck, listenerQuestions } from '#appliance/site/supervision/health-check.ts';

/** Listeners by their address, each with what is wrong with it; this machine has the addresses of `here`. */
function room(
  listeners: Readonly<Record<string, string | undefined>>,
  here: readonly string[] = Object.keys(listeners),
) {
  const done: string[] = [];
  const at = { listeners, here, workers: [1] as readonly (number | undefined)[] };
  const check = new HealthCheck({
    listeners: () => Object.entries(at.listeners).map(([host, fault]) => ({ host, ask: async () => fault })),
    workers: async () => at.workers as never,
    write: async () => done.push('write'),
    has: (host) => at.here.includes(host),
    log: (_level, event, _message, detail) => void done.push(`${event} ${String(detail?.found)}`),
  });
  return { check, done, at };
}

describe('the health check of an appliance', () => {
  it('is without fault where everything answers, and has written to the disk', async () => {
    const { check, done } = room({ '192.0.2.1': undefined });
    expect([await check.faults(), done]).toEqual([[], ['write']]);
  });

  it('names each listener that is silent', async () => {
    const { check } = room({
      '192.0.2.1': 'SIP 1 is silent',
      '192.0.2.2': undefined,
      '::1': 'SIP 3 is silent',
    });
    expect(await check.faults()).toEqual(['SIP 1 is silent', 'SIP 3 is silent']);
  });

  it('has no fault where the machine has lost the address; the log says it once, and again after it was back', async () => {
    const { check, done, at } = room({ '192.0.2.1': 'SIP 1 is silent' }, []);
    for (let times = 0; times < 2; times++) expect(await check.faults()).toEqual([]);
    expect(done.filter((line) => line !== 'write')).toEqual(['listener.address_lost SIP 1 is silent']);
    at.listeners = { '192.0.2.1': undefined };
    await check.faults();
    at.listeners = { '192.0.2.1': 'SIP 1 is silent' };
    await check.faults();
    expect(done.filter((line) => line !== 'write')).toHaveLength(2);
  });
});

describe('the questions for the listeners that are open', () => {
  const at = (port: number) => ({ host: '192.0.2.1', port });
  const asked = async (open: Partial<Parameters<typeof listenerQuestions>[0]>) => {
    const said: string[] = [];
    const note = (text: string) => async (): Promise<undefined> => void said.push(text);
    const questions = listenerQuestions(
      { sip: [], https: [], dc09: [], commandQueue: [], peer: [], ...open },
      {
        sip: ({ transport, port }) => note(`SIP ${transport} ${port}`)(),
        https: ({ port }) => note(`HTTPS ${port}`)(),
        stream: (name, { port }, secure) => note(`${name} ${port} ${secure ? 'TLS' : 'TCP'}`)(),
      },
    );
    for (const { ask } of questions) await ask();
    return { hosts: questions.map(({ host }) => host), said };
  };

  it('go to each by what it speaks, at its address', async () => {
    const open = {
      https: [at(8_443)],
      dc09: [at(10_500)],
      commandQueue: [at(8_883)],
      peer: [at(7_443), at(7_444)],
    };
    const { hosts, said } = await asked(open);
    expect(hosts).toEqual(Array(5).fill('192.0.2.1'));
    expect(said).toEqual([
      'HTTPS 8443',
      'DC-09 10500 TCP',
      'the command queue 8883 TLS',
      'the link to the other hosts 7443 TLS',
      'the link to the other hosts 7444 TLS',
    ]);
  });

  it('go to SIP over UDP, TCP and TLS, and to no WebSocket', async () => {
    const sip = ['UDP', 'TCP', 'TLS', 'WS', 'WSS'].map((transport, n) => ({ ...at(5_060 + n), transport }));
    expect((await asked({ sip })).said).toEqual(['SIP UDP 5060', 'SIP TCP 5061', 'SIP TLS 5062']);
  });

  it('are none where nothing is open', async () => {
    expect((await asked({})).said).toEqual([]);
  });
});
