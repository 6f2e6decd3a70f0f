import type { MessageProtocol } from '#appliance/alarm/protocol/index.ts';

/** A protocol that no device speaks, as a contributor would add one: `<toy n="1">unit</toy>` is answered by `<ok n="1"/>`. */
export const TOY: MessageProtocol = {
  name: 'toy',
  namesItself: true,
  read(body) {
    const text = Buffer.from(body).toString('utf8');
    const said = /^<toy n="(\d+)">(\w+)<\/toy>$/.exec(text);
    if (said === null) return undefined;
    const [, number = '', unit = ''] = said;
    return {
      text,
      repeatMs: 60_000,
      withinMs: 10_000,
      responseMode: 'message',
      contentType: 'application/toy+xml',
      event: () => ({
        ordinal: 0,
        kind: 'first',
        event: {
          controllerId: unit,
          deviceType: { native: null, send: 'unknown', receive: null },
          statusCode: { native: number, send: 'alarm', receive: 'alarm' },
          audio: 'none',
          priority: 0,
        },
        source: {
          protocol: 'toy',
          raw: text,
          fields: { number, unit },
          check: { policy: 'none', result: 'notChecked' },
          warnings: [],
        },
        offer: { voice: false },
      }),
      answer: () => `<ok n="${number}"/>`,
    };
  },
};
