import { decodeAtm, encodeAtm } from '#appliance/alarm/protocol/nowip/index.ts';
import type { Talk, Telephone, telephones } from './telephone.ts';

/** A NOW-IP device or controller that reaches the receiver `here` by a trunk, played by a telephone. */
export interface NowIpUnit {
  /** Sends a MESSAGE of this type; its 200 and what it leads to are there afterwards. */
  readonly says: (type: string, data: string) => Promise<void>;
  /** Calls, and is answered. */
  readonly calls: () => Promise<Talk>;
  /** Types and data of what was said to it since the last time, each answered 200. */
  readonly received: () => string[];
}

export function nowIpUnit(unit: Telephone, { pump }: Pick<ReturnType<typeof telephones>, 'pump'>): NowIpUnit {
  let messages = 0;
  return {
    async says(type, data) {
      unit.send({
        method: 'MESSAGE',
        uri: 'sip:here@care.example',
        headers: [
          ['From', '<sip:unit@care.example>;tag=m'],
          ['To', '<sip:here@care.example>'],
          ['Call-ID', `message-${++messages}`],
          ['CSeq', '1 MESSAGE'],
          ['Content-Type', 'application/xml'],
        ],
        body: Buffer.from(encodeAtm({ version: '1', type, data, time: '.', mac: '.' })),
      });
      await pump();
    },
    async calls() {
      const talk = await unit.invite('here', pump, { challenged: false });
      unit.acknowledge(talk, unit.response(200));
      await pump();
      return talk;
    },
    received() {
      const said: string[] = [];
      while (unit.has('MESSAGE')) {
        const request = unit.request('MESSAGE');
        unit.respond(request, 200);
        const atm = decodeAtm(request.body);
        if (atm.ok) said.push(`${atm.value.type} ${atm.value.data}`.trim());
      }
      return said;
    },
  };
}
