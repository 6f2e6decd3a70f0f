import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  description,
  METADATA,
  multipart,
  type RecordingHouse,
  recordingHouse,
} from '#test/support/recording-house.ts';

/* Metadata of a recording client that is not as RFC 7866 has it: the recording runs. */

let house: RecordingHouse;

beforeEach(async () => {
  house = await recordingHouse();
});
afterEach(() => house.close());

async function begins(sdp: string, contentType = 'multipart/mixed;boundary=b') {
  const { client, net } = house;
  const headers = [['Require', 'siprec'] as const];
  const talk = await client.invite('rec', net.pump, { sdp, contentType, headers });
  client.acknowledge(talk, client.response(200));
  await net.pump();
  return house.told('/newCall')[0] ?? {};
}

describe('metadata', () => {
  it.each(['application/rs-metadata', 'application/xml', 'text/plain'])(
    'is known by its disposition when it has type %s',
    async (type) => {
      const reported = await begins(multipart().replace('application/rs-metadata+xml', type));
      expect(reported.metaData).toBe(METADATA);
      expect(reported.metaDataWarning).toBeUndefined();
    },
  );

  it('in a body with blanks around the boundary is read', async () => {
    expect(await begins(multipart(), 'multipart/mixed; boundary = b')).toMatchObject({ metaData: METADATA });
  });

  it('is reported once as the begin of a session, also when streams are offered again', async () => {
    const { client, net } = house;
    const talk = await house.opened();
    await house.received('/sessionStarted');
    for (const version of [2, 3]) {
      client.inDialog(talk, 'INVITE', { sdp: description([4_000, 4_010], version) });
      const { cseq } = talk;
      await net.pump();
      client.response(200);
      client.inDialog(talk, 'ACK', { cseq });
      await net.pump();
    }
    await house.hangsUp(talk);
    await house.received('/sessionCompleted');
    expect(house.events().filter((event) => event === 'SESSIONSTARTED')).toHaveLength(1);
  });

  it('that is no XML is reported as it came, with a warning, and the session is recorded', async () => {
    const reported = await begins(multipart('caller=4711'));
    expect(reported).toMatchObject({
      metaData: 'caller=4711',
      metaDataWarning: expect.stringContaining('no XML'),
    });
    await house.received('/sessionStarted');
    expect(house.events()).toContain('RECORDINGSTARTED');
  });
});
