import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  replicatedAlarmEventMapperSchema,
  replicatedTrunkSchema,
  TARGET_FAMILY,
} from '#shared/contract/provisioning/index.ts';
import { CENTRE } from '#test/support/pair.ts';
import {
  AT_CENTRE,
  callbacksOf,
  centreBridge,
  centreKnows,
  keptPairs,
  LOGIN,
  type Pair,
  phoneAt,
  send,
  sendingPair,
  VOICE,
} from '#test/support/sending.ts';
import {
  atPhone,
  inviteOf,
  messageOf,
  NOWHERE,
  PHONE_HOST,
  takesAlarm,
} from '#test/support/sending-phone.ts';

/*
 * Every field of `targetEndpoint` of an alarm event mapper (provisioning document 2.3), by what the receiver gets. The last test knows
 * the fields of the contract.
 */

const opened = keptPairs();

type Said = Record<string, unknown>;

const FRAMES_AT = `${CENTRE}:12300`;

async function pairTo(target: Said): Promise<Pair> {
  const made = await sendingPair(target);
  opened.push(made);
  return made;
}

const fromOf = (target: Said, body: Said = {}) =>
  messageOf(opened, target, {}, body).then(({ from }) => from.uriText);

/** Events by SCAIP to a receiver that takes them and asks for a call without a number (cre 61): who is called. */
async function calledBy(target: Said, body: Said = {}): Promise<string[]> {
  const { made, arc } = await atPhone(opened, target);
  const people = [];
  for (const name of ['first', 'second', 'third']) people.push(await phoneAt(made, 'sender', name));
  await send(made, { ...VOICE, ...body });
  await takesAlarm(made, arc, { mre: 1, cre: 61 });
  await made.after(2_000);
  return people.filter((phone) => phone.has('INVITE')).map(({ user }) => user);
}

/** The outcome of an event to a centre that knows `carillon` by its password, over its second way. */
async function overBackup(backup: Said): Promise<unknown> {
  const login = { sipAuthUser: 'somebody', sipAuthPassword: 'else' };
  const made = await pairTo({
    protocol: 'bs8521',
    destAddr: NOWHERE,
    ...login,
    backupEndpoint: { backupDestAddr: AT_CENTRE, ...backup },
  });
  centreKnows(made);
  centreBridge(made, 'bs8521');
  await send(made);
  const outcomes = () => [
    ...callbacksOf(made.sender, 'alarmSent'),
    ...callbacksOf(made.sender, 'alarmSendFailure'),
  ];
  await made.until(() => outcomes().length === 1, 240_000);
  return outcomes()[0]?.warning ?? 'sent';
}

const FIELDS: Readonly<Record<string, () => Promise<void>>> = {
  destAddr: async () => {
    const message = await messageOf(opened, { destAddr: `sip:night@${PHONE_HOST}` });
    expect(message.uriText).toBe(`sip:night@${PHONE_HOST}`);
    expect((await inviteOf(opened, { destAddr: `sip:night@${PHONE_HOST}` })).uriText).toContain('sip:night@');
  },
  partnerUrl: async () => {
    const made = await pairTo({ protocol: 'callback', partnerUrl: 'https://partner.example/in' });
    await send(made);
    await made.after(1_000);
    expect(made.sender.posted.map(({ target }) => target.url)).toContain('https://partner.example/in');
  },
  restAuthentication: async () => {
    const restAuthentication = [{ sub: 'a', scope: 'b', secret: 's'.repeat(40), type: 'HS256' }];
    const partnerUrl = 'https://partner.example/in';
    const made = await pairTo({ protocol: 'callback', partnerUrl, restAuthentication });
    await send(made);
    await made.after(1_000);
    const posted = made.sender.posted.find(({ target }) => target.url === partnerUrl);
    expect(posted?.target.restAuthentication).toEqual(restAuthentication);
  },
  siaMapping: async () => {
    /** SIA code of a key box that was opened. */
    const code = async (siaMapping: Said) => {
      const made = await pairTo({ protocol: 'sia-dcs', destAddr: FRAMES_AT, ...siaMapping });
      centreBridge(made, 'dc09', { destinationMatch: '#1234$' });
      const devices = { protocol: 'scaip', name: 'Devices', destinationMatch: '^devices$' };
      made.sender.bridge({ id: 'devices', ...devices, alarmEventMapperId: 'mapper-1' });
      const body =
        '<mrq><ref>R1</ref><cid>1234</cid><dty>0035</dty><stc>0010</stc><crd>no-voice:</crd></mrq>';
      made.sender.request('MESSAGE', 'box', { uri: 'sip:devices@care.example', body });
      await made.until(() => made.frames.sent.length > 0);
      return /Nri1\/([A-Z]{2})/.exec(made.frames.sent[0] ?? '')?.[1];
    };
    expect(await code({ siaMapping: 'scaip' })).toBe('JK');
    const usual = await code({});
    expect(usual).toMatch(/^[A-Z]{2}$/);
    expect(usual).not.toBe('JK');
    expect(await code({ siaMapping: 'default' })).toBe(usual);
  },
  sipAuthUser: async () => {
    const { made, arc } = await atPhone(opened, { sipAuthUser: 'site-4', sipAuthPassword: 'secret' });
    await send(made);
    await made.until(() => arc.has('MESSAGE'));
    const first = arc.request('MESSAGE');
    expect(first.header('Authorization')).toBeUndefined();
    const challenge = 'Digest realm="centre.example", nonce="n1", qop="auth", algorithm=SHA-256';
    arc.respond(first, 401, { headers: [['WWW-Authenticate', challenge]] });
    const second = await takesAlarm(made, arc);
    expect(second.header('Authorization')).toContain('username="site-4"');
    // Where nothing else says who we are, it is the user part of From.
    expect(await fromOf({ sipAuthUser: 'site-4' })).toBe('sip:site-4@care.example');
  },
  sipAuthPassword: async () => {
    const outcome = async (sipAuthPassword: string) => {
      const made = await pairTo({ protocol: 'bs8521', destAddr: AT_CENTRE, ...LOGIN, sipAuthPassword });
      centreKnows(made);
      centreBridge(made, 'bs8521');
      const { traceId } = await send(made);
      await made.until(() => made.sender.posted.length === 1, 120_000);
      expect(JSON.stringify([made.sender.trace(traceId), made.sender.logged])).not.toContain(sipAuthPassword);
      return made.sender.posted[0]?.body.warning ?? 'sent';
    };
    expect(await outcome(LOGIN.sipAuthPassword)).toBe('sent');
    expect(await outcome('hush-4711')).toBe('authFailed');
  },
  overrideSipFrom: async () => {
    const body = { sipFrom: 'unit-17' };
    expect(await fromOf({ overrideSipFrom: 'site-4' }, body)).toBe('sip:site-4@care.example');
    expect(await fromOf({ overrideSipFrom: 'sip:site-4@homes.example' }, body)).toBe(
      'sip:site-4@homes.example',
    );
    const invite = await inviteOf(opened, { overrideSipFrom: 'site-4' }, {}, body);
    expect(invite.from.uriText).toBe('sip:site-4@care.example');
  },
  defaultVoiceDestination: async () => {
    const own = { defaultVoiceDestination: 'sip:first@care.example' };
    const asked = { defaultEmergencyDestination: 'sip:second@care.example' };
    expect(await calledBy(own, asked)).toEqual(['first']);
    expect(await calledBy({}, asked)).toEqual(['second']);
  },
  terminatingTrunkGroupId: async () => {
    const target = { destAddr: '+46855511000', terminatingTrunkGroupId: 'carrier-north' };
    const { made, arc } = await atPhone(opened, { protocol: 'voicecall', ...target });
    const other = await phoneAt(made, 'sender', 'other');
    const trunk = (id: string, host: string) => {
      const row = {
        id,
        name: id,
        trunkGroupId: id,
        hosts: [{ uri: `sip:${host}:5060` }],
        optionsInterval: 0,
      };
      made.sender.tenant.put('trunk', id, replicatedTrunkSchema.parse(row));
    };
    trunk('a-carrier', other.host);
    trunk('carrier-north', arc.host);
    await send(made, VOICE);
    await made.until(() => arc.has('INVITE'), 10_000);
    expect(arc.request('INVITE').header('X-Terminating-Trunk-Group-Id')).toBe('carrier-north');
    expect(other.has('INVITE')).toBe(false);
    const message = await messageOf(opened, { terminatingTrunkGroupId: 'carrier-north' });
    expect(message.header('X-Terminating-Trunk-Group-Id')).toBe('carrier-north');
  },
  trunkKey: async () => {
    expect((await messageOf(opened, { trunkKey: 'key-4711' })).header('X-Trunk-Key')).toBe('key-4711');
    expect((await inviteOf(opened, { trunkKey: 'key-4711' })).header('X-Trunk-Key')).toBe('key-4711');
    expect((await messageOf(opened, {})).header('X-Trunk-Key')).toBeUndefined();
  },
  'dc09.account': async () => {
    const account = async (dc09: Said) => {
      const made = await pairTo({ protocol: 'sia-dcs', destAddr: FRAMES_AT, dc09 });
      await send(made);
      await made.until(() => made.frames.sent.length > 0);
      return /L0#([0-9A-F]+)\[#([0-9A-F]+)\|/.exec(made.frames.sent[0] ?? '')?.slice(1);
    };
    expect(await account({ account: 'ABCD' })).toEqual(['ABCD', 'ABCD']);
    expect(await account({})).toEqual(['12345678', '12345678']);
  },
  'backupEndpoint.backupOverrideSipFrom': async () => {
    const from = (target: Said, backup: Said) => {
      const backupEndpoint = { backupDestAddr: `sip:alarm@${PHONE_HOST}`, ...backup };
      return fromOf({ destAddr: NOWHERE, ...target, backupEndpoint }, { sipFrom: 'unit-17' });
    };
    expect(await from({ overrideSipFrom: 'day' }, { backupOverrideSipFrom: 'night' })).toBe(
      'sip:night@care.example',
    );
    expect(await from({ overrideSipFrom: 'day' }, {})).toBe('sip:day@care.example');
  },
  'backupEndpoint.backupSipAuthUser': async () => {
    const { sipAuthUser: backupSipAuthUser, sipAuthPassword: backupSipAuthPassword } = LOGIN;
    expect(await overBackup({ backupSipAuthUser, backupSipAuthPassword })).toBe('sent');
    expect(await overBackup({ backupSipAuthUser: 'nobody', backupSipAuthPassword })).toBe('authFailed');
  },
  'backupEndpoint.backupSipAuthPassword': async () => {
    const { sipAuthUser: backupSipAuthUser } = LOGIN;
    expect(await overBackup({ backupSipAuthUser, backupSipAuthPassword: 'wrong' })).toBe('authFailed');
    // Without it the password of the first way is said.
    expect(await overBackup({})).toBe('authFailed');
  },
  'backupEndpoint.backupDefaultVoiceDestination': async () => {
    const backup = { backupDestAddr: `sip:alarm@${PHONE_HOST}` };
    const target = { destAddr: NOWHERE, defaultVoiceDestination: 'sip:first@care.example' };
    const own = { ...backup, backupDefaultVoiceDestination: 'sip:third@care.example' };
    expect(await calledBy({ ...target, backupEndpoint: own })).toEqual(['third']);
    expect(await calledBy({ ...target, backupEndpoint: backup })).toEqual(['first']);
  },
};

describe('targetEndpoint', () => {
  it.each(Object.keys(FIELDS))('%s', (field) => FIELDS[field]?.());

  it.each(Object.values(TARGET_FAMILY).flat())(
    'protocol %s: is what the receiver is spoken to in',
    async (protocol) => {
      const isFrame = protocol === 'sia-dcs' || protocol === 'adm-cid';
      const partner = { partnerUrl: 'https://partner.example/in', destAddr: undefined };
      const made = await pairTo({
        protocol,
        destAddr: isFrame ? FRAMES_AT : AT_CENTRE,
        ...LOGIN,
        ...(protocol === 'callback' && partner),
      });
      centreKnows(made);
      const spoken = isFrame ? 'dc09' : protocol;
      if (protocol !== 'callback')
        centreBridge(made, spoken, isFrame ? { destinationMatch: '#12345678$' } : {});
      await send(made);
      await made.until(() => callbacksOf(made.sender, 'alarmSent').length === 1);
      await made.after(1_000);
      expect(callbacksOf(made.sender, 'alarmSent')).toMatchObject([{ protocol }]);
      const received = callbacksOf(made.centre, 'newAlarmbridgeEvent').map(
        (event) => event.sourceAlarmProtocol,
      );
      expect(received).toEqual(protocol === 'callback' ? [] : [spoken]);
    },
  );
});

/** Fields that frames, backups and their receivers are tested by, by the file that does. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'dc09.line': 'sending-dc09.test.ts',
  'dc09.receiver': 'sending-dc09.test.ts',
  'dc09.key': 'sending-dc09.test.ts',
  'dc09.transport': 'sending-dc09.test.ts',
  'dc09.supervisionInterval': 'sending-dc09.test.ts',
  'backupEndpoint.backupDestAddr': 'sending-failure.test.ts',
};

it('has a test here for each field of the contract, or names the file of it', () => {
  const target = replicatedAlarmEventMapperSchema.shape.targetEndpoint.unwrap();
  const fields = new Set<string>();
  for (const { shape } of target.options) {
    const { protocol: _, backupEndpoint, ...rest } = shape;
    const { dc09 } = rest as { dc09?: { unwrap(): { shape: object } } };
    for (const name of Object.keys(rest)) if (name !== 'dc09') fields.add(name);
    for (const name of Object.keys(dc09?.unwrap().shape ?? {})) fields.add(`dc09.${name}`);
    for (const name of Object.keys(backupEndpoint.unwrap().shape)) fields.add(`backupEndpoint.${name}`);
  }
  const tested = [...Object.keys(FIELDS), ...Object.keys(ELSEWHERE)];
  expect(tested.toSorted()).toEqual([...fields].toSorted());
  for (const [field, file] of Object.entries(ELSEWHERE))
    expect(readFileSync(`${import.meta.dirname}/${file}`, 'utf8')).toContain(field.split('.').at(-1));
});
