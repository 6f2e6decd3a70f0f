import { openRecorder } from '#appliance/io/recorder/index.ts';
import { speakTogether, ToneSpeaker } from '#test/appliance/io/recorder/tone.ts';

/**
 * A process that records for ever, faster than time, into the folder it is given; it says each second of audio that the
 * recorder has taken. To be killed.
 */
const [folder = '.'] = process.argv.slice(2);
const recorder = await openRecorder({ folder, leastFreeBytes: 0, onEvent: () => undefined });
const pairs = ['r.wav', 'r.mp3', 'alaw.wav'].map((file) => ({
  file,
  speakers: [new ToneSpeaker(440), new ToneSpeaker(1_000)],
}));
for (const { file, speakers } of pairs) {
  const inputs = speakers.map(({ ring }) => ring);
  const samples = file === 'alaw.wav' ? 'alaw' : 'pcm16';
  const started = await recorder.start({ recording: file, file, inputs, layout: 'perSide', samples });
  if (!started.ok) throw new Error(started.error.reason);
}
for (let tick = 0; ; tick += 50) {
  await speakTogether(
    pairs.flatMap(({ speakers }) => speakers),
    tick,
    tick + 50,
  );
  process.stdout.write('.');
}
