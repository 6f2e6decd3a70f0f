const HEADER_BYTES = 44;
const SAMPLE_BYTES = 2;
const PCM = 1;

/** A WAV file of one channel, 16 bit, from samples between -1 and 1 at `rate` Hz. */
export function wavOf(samples: Float32Array, rate: number): Uint8Array<ArrayBuffer> {
  const dataBytes = samples.length * SAMPLE_BYTES;
  const file = new Uint8Array(HEADER_BYTES + dataBytes);
  const view = new DataView(file.buffer);
  const text = (at: number, word: string): void => {
    for (let index = 0; index < word.length; index++) file[at + index] = word.charCodeAt(index);
  };
  text(0, 'RIFF');
  view.setUint32(4, HEADER_BYTES - 8 + dataBytes, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, PCM, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * SAMPLE_BYTES, true);
  view.setUint16(32, SAMPLE_BYTES, true);
  view.setUint16(34, 8 * SAMPLE_BYTES, true);
  text(36, 'data');
  view.setUint32(40, dataBytes, true);
  samples.forEach((sample, index) => {
    const limited = Math.max(-1, Math.min(1, sample));
    view.setInt16(HEADER_BYTES + index * SAMPLE_BYTES, Math.round(limited * 0x7fff), true);
  });
  return file;
}

/** The media type that the storage of prompts takes, by the name of a file; undefined: it takes no such file. */
export function promptType(name: string): 'audio/wav' | 'audio/mpeg' | 'audio/ogg' | undefined {
  switch (/\.([^.]+)$/.exec(name)?.[1]?.toLowerCase()) {
    case 'wav':
      return 'audio/wav';
    case 'mp3':
      return 'audio/mpeg';
    case 'ogg':
    case 'opus':
      return 'audio/ogg';
    default:
      return undefined;
  }
}
