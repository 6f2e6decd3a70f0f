import { afterEach, describe, expect, it } from 'vitest';
import { answered, testAppliance } from '#test/support/appliance.ts';

const opened: Awaited<ReturnType<typeof testAppliance>>[] = [];

async function appliance() {
  const made = await testAppliance();
  opened.push(made);
  return made;
}

afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

const alarm = (ref: string) =>
  `<mrq><ref>${ref}</ref><cid>scaip-0001</cid><dty>0003</dty><stc>0010</stc></mrq>`;

describe('the sender of an alarm', () => {
  it('is turned away at once (503) while nothing can be stored', async () => {
    const site = await appliance();
    site.bridge();
    site.device({ deviceId: 'scaip-0001' });
    site.storable(false);
    site.request('MESSAGE', 'scaip-0001', { body: alarm('S1') });
    expect(site.take()).toMatchObject([{ status: 503 }]);
    site.request('OPTIONS', 'scaip-0001');
    expect(site.take()).toMatchObject([{ status: 200 }]);
  });

  it('gets 415 for an unreadable body, and 404 for a receiver that is not there', async () => {
    const site = await appliance();
    site.device({ deviceId: 'scaip-0001' });
    site.notify('https://app.example/alarm');
    site.request('MESSAGE', 'scaip-0001', { body: 'x', headers: [['Content-Encoding', 'br']] });
    expect(site.take()).toMatchObject([{ status: 415 }]);
    site.request('MESSAGE', 'scaip-0001', { body: alarm('N1') });
    await site.quiet();
    expect(site.take()).toMatchObject([{ status: 404 }]);
    expect(site.posted.map((each) => each.body.error)).toEqual(['noReceiver']);
  });

  it('asks a registered device at its contact, and an unregistered one where it came from', async () => {
    const site = await appliance();
    site.bridge();
    site.device({ deviceId: 'scaip-0001' });
    site.answerBy(() => answered({ action: 'drop' }));
    site.request('REGISTER', 'scaip-0001', {
      uri: 'sip:scaip-0001@care.example',
      headers: [
        ['Contact', '<sip:unit@10.1.2.3:5070>'],
        ['Expires', '600'],
      ],
    });
    await site.quiet();
    expect(site.take()).toMatchObject([{ status: 200 }]);
    site.request('MESSAGE', 'scaip-0001', { body: alarm('C1') });
    await site.quiet();
    const answer = site.take().find((message) => message.kind === 'request');
    expect(answer?.kind === 'request' && answer.uriText).toBe('sip:unit@10.1.2.3:5070');
    // Registrations of a quarter second share a commit.
    await site.after(300);
    expect(site.journal.bindings()).toHaveLength(1);
  });

  it('is challenged when the device has a password, and a wrong one raises authError once', async () => {
    const site = await appliance();
    site.bridge();
    site.notify('https://app.example/alarm');
    site.answerBy(() => answered({}));
    site.device({
      deviceId: 'locked',
      authType: 'credentials',
      digest: { md5: '0'.repeat(32), sha256: '0'.repeat(64) },
    });
    const lockedAlarm = alarm('L1').replace('scaip-0001', 'locked');
    site.request('MESSAGE', 'locked', { body: lockedAlarm });
    const [challenge] = site.take();
    expect(challenge).toMatchObject({ status: 401 });
    expect(
      challenge?.headers('WWW-Authenticate').map((value) => /algorithm=([\w-]+)/.exec(value)?.[1]),
    ).toEqual(['SHA-256', 'MD5']);
    const nonce = /nonce="([^"]+)"/.exec(challenge?.header('WWW-Authenticate') ?? '')?.[1];
    for (let i = 0; i < 3; i++) {
      const field = `Digest username="locked", realm="care.example", nonce="${nonce}", uri="sip:scaip@care.example", response="${'0'.repeat(64)}", algorithm=SHA-256, qop=auth, nc=0000000${i + 1}, cnonce="x"`;
      site.request('MESSAGE', 'locked', { body: lockedAlarm, headers: [['Authorization', field]] });
      expect(site.take()).toMatchObject([{ status: 401 }]);
    }
    await site.quiet();
    expect(site.posted.map((each) => [each.body.type, each.body.reason])).toEqual([
      ['authError', 'wrongCredentials'],
    ]);
  });
});
