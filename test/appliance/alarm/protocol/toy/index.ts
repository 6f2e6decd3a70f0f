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
      event: () => toyEvent('toy', text, { unit, number }),
      answer: () => `<ok n="${number}"/>`,
    };
  },
};

/** The first event of a device that says its unit and a number. */
export const toyEvent = (
  protocol: string,
  raw: string,
  fields: { readonly unit: string; readonly number: string },
) =>
  ({
    ordinal: 0,
    kind: 'first',
    event: {
      controllerId: fields.unit,
      deviceType: { native: null, send: 'unknown', receive: null },
      statusCode: { native: fields.number, send: 'alarm', receive: 'alarm' },
      audio: 'none',
      priority: 0,
    },
    source: { protocol, raw, fields, check: { policy: 'none', result: 'notChecked' }, warnings: [] },
    offer: { voice: false },
  }) as const;
