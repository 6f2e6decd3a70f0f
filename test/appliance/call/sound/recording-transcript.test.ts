import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EndedRecording } from '#appliance/call/sound/index.ts';
import { wordsOfRecordings } from '#appliance/compose/recording/index.ts';
import { render, silence, tone } from '#appliance/media/dtmf/index.ts';
import type { RecogniserSetting } from '#shared/setting/index.ts';
import { until } from '#test/appliance/io/recorder/tone.ts';
import { PITCH, program } from '#test/appliance/io/speech/recogniser-program.ts';
import { must } from '#test/support/media.ts';
import { type SoundStage, soundStage } from './stage.ts';

let stage: SoundStage;
const open = async (...recognisers: RecogniserSetting[]) => {
  stage = await soundStage({ recognisers });
};
beforeEach(() => open(program(PITCH, { transcribes: true })));
afterEach(() => stage.close());

const report = { dest: 'bridge bridge-1', sessionId: 's-1', connectionId: 'c-1', traceId: 't-1' };
const reported = () =>
  stage.appliance.posted.filter(({ call }) => call.path === '/recordingReady').map(({ body }) => body);

/** Two telephones in a call that is recorded. */
async function recorded(speakers = ['device', 'people']) {
  const [one, other] = [await stage.caller('a', 4_000), await stage.caller('b', 4_010)];
  must(await stage.appliance.media.media.connect('a', 'b'));
  const ends: EndedRecording[] = [];
  const recording = must(
    stage.sound.record({
      ...{ fileName: 'call.wav', channels: [['a'], ['b']], report, speakers },
      onEnded: (end) => ends.push(end),
    }),
  );
  const stopped = async (): Promise<EndedRecording | undefined> => {
    recording.stop();
    await until(() => ends.length > 0, 20_000);
    await stage.appliance.after(1_000);
    return ends[0];
  };
  return { one, other, recording, stopped };
}
type Phone = Awaited<ReturnType<SoundStage['caller']>>;
async function says(phone: Phone, hz: number): Promise<void> {
  phone.say(render([tone(hz, 600, -15), silence(400)]));
  await stage.pass(1_800);
}

describe('the transcript of a recording', () => {
  it('has who said what and when, in the callback and on the card of the recording', async () => {
    const { one, other, recording, stopped } = await recorded();
    expect(recording.isTranscribed).toBe(true);
    await stage.pass(400);
    await says(one, 300);
    await says(other, 900);
    const end = await stopped();
    // Lines stand in the order in which they were recognised, each by a recogniser of its channel.
    const byChannel = <Line extends { channel: number }>(lines: readonly Line[] = []) =>
      lines.toSorted((a, b) => a.channel - b.channel);
    expect(end?.transcript?.missed).toBe(0);
    const spoken = byChannel(end?.transcript?.lines);
    expect(spoken).toMatchObject([{ channel: 0 }, { channel: 1 }]);
    expect(spoken[0]?.offsetMs).toBeLessThan(spoken[1]?.offsetMs ?? 0);
    const [ready] = reported();
    const words = ready?.transcript as { missed: number; lines: { channel: number }[] };
    expect(words.missed).toBe(0);
    expect(byChannel(words.lines)).toMatchObject([
      { channel: 0, speaker: 'device', text: 'low', confidence: 0.9, recogniser: 'own' },
      { channel: 1, speaker: 'people', text: 'high' },
    ]);
    const [card] = await stage.threads.adapters.recordingStore.all();
    expect(card?.transcript).toEqual(end?.transcript);
    const [running] = await wordsOfRecordings(
      stage.appliance.runtime.sound,
      stage.threads.adapters.recordingStore,
    );
    expect(running).toMatchObject({ traceId: 't-1', fileName: 'call.wav', running: false, partials: [] });
    expect(running?.lines).toHaveLength(2);
  });

  it('is read while the recording runs, and goes with it', async () => {
    const { one, recording } = await recorded();
    await says(one, 300);
    const { sound } = stage.appliance.runtime;
    const { recordingStore } = stage.threads.adapters;
    await until(() => (sound?.transcripts[0]?.live.lines.length ?? 0) > 0, 20_000);
    const [running] = await wordsOfRecordings(sound, recordingStore);
    expect(running).toMatchObject({ running: true, lines: [{ speaker: 'device', text: 'low' }] });
    recording.cancel();
    await until(() => sound?.transcripts.length === 0);
    await stage.appliance.quiet();
    expect(await wordsOfRecordings(sound, recordingStore)).toEqual([]);
  });

  it('has nothing of a pause', async () => {
    const { one, recording, stopped } = await recorded();
    await says(one, 300);
    recording.pause();
    await stage.appliance.quiet();
    await says(one, 900);
    recording.resume();
    await stage.appliance.quiet();
    await says(one, 300);
    expect((await stopped())?.transcript?.lines.map(({ text }) => text)).toEqual(['low', 'low']);
  });

  it('delays no recording when its recogniser hangs', async () => {
    await stage.close();
    await open(program('setInterval(() => 0, 1000)', { transcribes: true, answerWithin: 0.3 }));
    const { one, stopped } = await recorded();
    await says(one, 300);
    expect(await stopped()).toMatchObject({
      event: 'recordingSuccessful',
      transcript: { lines: [], missed: 1, error: 'own: it has not answered within 0.3 s' },
    });
  });

  it('is absent where no recogniser transcribes', async () => {
    await stage.close();
    await open(program(PITCH));
    const { one, recording, stopped } = await recorded();
    expect(recording.isTranscribed).toBe(false);
    await says(one, 300);
    expect(await stopped()).not.toHaveProperty('transcript');
    expect(reported()[0]).not.toHaveProperty('transcript');
  });
});
