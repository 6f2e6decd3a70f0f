import { expect, it } from 'vitest';
import type { Flow } from '#appliance/sip/endpoint/index.ts';
import { testAppliance } from '#test/support/appliance.ts';

const FLOW: Flow = {
  transport: 'UDP',
  ...{ localAddress: '192.0.2.10', localPort: 5060, remoteAddress: '203.0.113.66', remotePort: 5060 },
  ...{ connection: 0, reliable: false },
};
/** Datagrams that are handled as they come, and those that wait. */
const TAKEN = 5_000;
const DROPPED = 250;

it('datagrams of unknown senders for which there is no room are counted as attempts of their source', async () => {
  const site = await testAppliance();
  for (let n = 0; n < TAKEN + DROPPED; n++)
    site.runtime.message(
      FLOW,
      Buffer.from(
        [
          'OPTIONS sip:care.example SIP/2.0',
          `Via: SIP/2.0/UDP 203.0.113.66:5060;branch=z9hG4bK${n}`,
          `From: <sip:stranger@care.example>;tag=${n}`,
          ...['To: <sip:care.example>', `Call-ID: c${n}`, 'CSeq: 1 OPTIONS', 'Max-Forwards: 70'],
          'Content-Length: 0\r\n\r\n',
        ].join('\r\n'),
      ),
    );
  site.recorder.flush();
  expect(site.records.all()).toMatchObject([
    {
      ...{ kind: 'attempt', source: '203.0.113.66', attempts: DROPPED },
      reason: 'The last attempt was refused: no room for more messages of strangers',
    },
  ]);
  await site.close();
});
