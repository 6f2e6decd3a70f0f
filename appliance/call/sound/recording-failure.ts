/** Sentences for the reasons with which a recording fails; the words themselves are in `recordingReady`. */
const CAUSES: Readonly<Record<string, string>> = {
  exists: 'a file of that name exists. Choose another name, or set overwrite.',
  diskPressure: 'the disk of the host has too little room. Delete recordings, or enlarge the disk.',
  diskFull: 'the disk of the host is full. Delete recordings, or enlarge the disk.',
  diskSlow: 'the disk of the host is too slow. Check the disk.',
  diskFailed: 'the disk of the host failed. Check the disk.',
  interrupted: 'the recorder of the host ended. Record again.',
  overload: 'the host was overloaded. Reduce its calls, or add a host.',
  mediaServerError: 'the media of the call ended.',
  refused: 'the recorder refused its name or channels. Choose a name that ends in .wav or .mp3.',
};

/** Why a recording failed, as one text for a person: what failed, the cause, and the next step. */
export const recordingFailure = (fileName: string, reason = 'failed'): string =>
  `${fileName} is not recorded (${reason}): ${CAUSES[reason] ?? 'the recorder of the host failed. Record again.'}`;
