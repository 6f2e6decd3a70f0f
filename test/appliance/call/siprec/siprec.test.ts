import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  changes,
  channelPlan,
  followed,
  labelsOf,
  readMetadata,
  storedName,
  verdictOf,
  writeMetadata,
} from '#appliance/call/siprec/index.ts';
import { must } from '#test/support/media.ts';
import { threadMsOf } from '#test/support/processor/thread-time.ts';

const vector = readFileSync(join(import.meta.dirname, '../../../vectors/siprec/complete.xml'));

describe('recording metadata', () => {
  it('says who sends on which stream', () => {
    expect(must(readMetadata(vector))).toEqual({
      dataMode: 'complete',
      left: [],
      placed: ['srfBElmCRp2QB23b7Mpk0w==', 'zSfPoSvdSDCmU3A3TRDxAw=='],
      participants: [
        { id: 'srfBElmCRp2QB23b7Mpk0w==', aor: 'sip:anna@care.example', name: 'Anna & Co' },
        { id: 'zSfPoSvdSDCmU3A3TRDxAw==', aor: 'sip:bo@care.example', name: 'Bo' },
      ],
      streams: [
        { id: 'UAAMm5GRQKSCMVvLyl4rFw==', label: '96', participants: ['srfBElmCRp2QB23b7Mpk0w=='] },
        { id: 'i1Pz3to5hGk8fuXl+PbwCw==', label: '97', participants: ['zSfPoSvdSDCmU3A3TRDxAw=='] },
      ],
    });
  });

  it.each([
    ['nothing', ''],
    ['no XML', 'recording'],
    ['another root', '<call/>'],
    ['two roots', '<recording/><recording/>'],
    ['a document type', '<!DOCTYPE r [<!ENTITY a "b">]><recording/>'],
    ['mismatched tags', '<recording><stream></recording></stream>'],
    ['a text for a root', '<recording>hello</recording>'],
  ])('that is %s is refused with a reason', (_, text) => {
    const read = readMetadata(Buffer.from(text));
    expect(read).toMatchObject({
      ok: false,
      error: { code: 'Malformed', reason: expect.stringMatching(/\w+ \w+/) },
    });
  });

  it('takes no longer than it may when a stranger sends it, and throws nothing', () => {
    expect(readMetadata(Buffer.alloc(200_000, '<a>'))).toMatchObject({ error: { code: 'TooLarge' } });
    expect(readMetadata(Buffer.alloc(100_000, '<a>'))).toMatchObject({ error: { code: 'TooLarge' } });
    let seed = 7;
    const random = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed / 2 ** 31;
    };
    for (let round = 0; round < 2_000; round++) {
      const bytes = Buffer.from(vector);
      for (let i = 0; i < 4; i++) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
      // Processor time: other programs hold up a thread for longer.
      expect(threadMsOf(() => readMetadata(bytes))).toBeLessThan(200);
    }
  });
});

describe('metadata that follows', () => {
  const [anna, bo, cay] = ['srfBElmCRp2QB23b7Mpk0w==', 'zSfPoSvdSDCmU3A3TRDxAw==', 'c-1'];
  const [first, second] = ['UAAMm5GRQKSCMVvLyl4rFw==', 'i1Pz3to5hGk8fuXl+PbwCw=='];
  const before = followed(undefined, must(readMetadata(vector)));
  const partial = (inside: string) =>
    must(
      readMetadata(
        Buffer.from(
          `<recording xmlns="urn:ietf:params:xml:ns:recording:1"><datamode>partial</datamode>${inside}</recording>`,
        ),
      ),
    );
  const receivedOn = (metadata: typeof before) => metadata.streams.map(({ participants }) => participants);

  it('a participant comes in beside another', () => {
    const now = followed(
      before,
      partial(
        `<participant participant_id="${cay}"><nameID aor="sip:cay@care.example"/></participant>
        <participantstreamassoc participant_id="${cay}"><send>${second}</send></participantstreamassoc>`,
      ),
    );
    expect(now.participants.map(({ id }) => id)).toEqual([anna, bo, cay]);
    expect(receivedOn(now)).toEqual([[anna], [bo, cay]]);
    expect(now.streams.map(({ label }) => label)).toEqual(['96', '97']);
    expect(changes(before, now)).toEqual([
      'sip:cay@care.example joins',
      'stream 97 is of Bo, sip:cay@care.example',
    ]);
  });

  it('a participant leaves', () => {
    const now = followed(
      before,
      partial(
        `<participantsessionassoc participant_id="${bo}" session_id="s"><disassociate-time>2030-01-01T00:00:00Z</disassociate-time></participantsessionassoc>`,
      ),
    );
    expect(now.participants.map(({ id }) => id)).toEqual([anna]);
    expect(receivedOn(now)).toEqual([[anna], []]);
    expect(changes(before, now)).toEqual(['Bo leaves', 'stream 97 is of nobody']);
  });

  it('a participant is put on hold and comes back', () => {
    const held = followed(
      before,
      partial(
        `<participantstreamassoc participant_id="${anna}"><recv>${second}</recv></participantstreamassoc>`,
      ),
    );
    expect(receivedOn(held)).toEqual([[], [bo]]);
    const back = followed(
      held,
      partial(
        `<participantstreamassoc participant_id="${anna}"><send>${first}</send></participantstreamassoc>`,
      ),
    );
    expect(receivedOn(back)).toEqual([[anna], [bo]]);
    expect(changes(held, back)).toEqual(['stream 96 is of Anna & Co']);
  });

  it('a complete one replaces all; what is written is read the same', () => {
    const text = writeMetadata(before, 'session "1" <&>', new Date(0));
    const read = must(readMetadata(Buffer.from(text)));
    expect(followed(partial('<stream stream_id="x"><label>1</label></stream>'), read)).toEqual(before);
    expect(changes(before, followed(before, read))).toEqual([]);
  });
});

describe('channels', () => {
  const [a, b, c] = [
    { leg: 'a', label: '96' },
    { leg: 'b', label: '97' },
    { leg: 'c', label: '98' },
  ];

  it('keep their labels while streams come and go', () => {
    const labels = labelsOf([a, b]);
    expect(channelPlan(labels, [a, b])).toEqual([['a'], ['b']]);
    expect(channelPlan(labels, [b, c])).toEqual([[], ['b']]);
    expect(channelPlan(labels, [c, b, a])).toEqual([['a'], ['b']]);
  });

  it('are those that were asked for, in that order; without labels by place', () => {
    expect(labelsOf([a, b, c], ['98', '96', 'none'])).toEqual(['98', '96']);
    expect(channelPlan(labelsOf([{ leg: 'x' }, { leg: 'y' }]), [{ leg: 'x' }, { leg: 'y' }])).toEqual([
      ['x'],
      ['y'],
    ]);
  });
});

describe('the answer of newCall', () => {
  it.each([
    [
      { drop: true, recordCall: true },
      { kind: 'refuse', status: 603 },
    ],
    [{ recordCall: false }, { kind: 'refuse', status: 603 }],
    [{ recordCall: true }, { kind: 'accept', record: {} }],
    [
      { startFileRecording: { recordingReferenceId: { a: 1 } } },
      { kind: 'accept', record: { recordingReferenceId: { a: 1 } } },
    ],
    [{ wait: true }, { kind: 'accept', record: undefined, stream: undefined }],
    [{}, { kind: 'accept', record: undefined, stream: undefined }],
    [{ startStream: { url: 'wss://x/' } }, { kind: 'accept', stream: { url: 'wss://x/' } }],
  ])('%j', (decision, verdict) => {
    expect(verdictOf(decision)).toMatchObject(verdict);
  });

  it('says for the trace where a session is taken and nothing begins', () => {
    expect(verdictOf({})).toMatchObject({ idle: expect.stringContaining('nothing is recorded') });
    for (const decision of [{ wait: true }, { startFileRecording: {} }, { recordCall: true }])
      expect(verdictOf(decision)).not.toHaveProperty('idle');
  });

  it('names what is stored by date and id', () => {
    expect(storedName('r-1', Date.UTC(2030, 0, 2, 23))).toBe('2030-01-02-r-1.mp3');
  });
});
