import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { api } from '../../client/api.ts';
import { domain } from '../../client/session.ts';
import { Act } from '../../component/act.tsx';
import { Field } from '../../component/field.tsx';
import { type Recorder, startRecorder } from './recorder.ts';
import { promptType } from './wav.ts';

/** Stores a file under a name; one of the same name gives way. */
const store = (filename: string, body: Uint8Array<ArrayBuffer>) =>
  api.call('putMediaserviceByDomainPromptfileByFilename', {
    ...{ domain: domain.value, filename, body },
    headers: { 'Content-Type': promptType(filename) ?? 'audio/wav' },
  } as never);

/** Takes a file from the disk or by dragging, or a recording of the microphone. */
export function Upload({ done }: { readonly done: () => void }) {
  const { t } = useLingui();
  const [isOver, setOver] = useState(false);
  const [said, setSaid] = useState('');
  const take = async (files: readonly File[]): Promise<void> => {
    const lines: string[] = [];
    for (const file of files) {
      const { name } = file;
      if (promptType(name) === undefined) {
        lines.push(t`${name} is not taken: a prompt is a WAV, MP3 or OGG file. Convert it first.`);
        continue;
      }
      const answer = await store(name, new Uint8Array(await file.arrayBuffer()));
      lines.push(answer.ok ? t`${name} is stored, and on its way to every site.` : answer.error.reason);
    }
    setSaid(lines.join(' '));
    done();
  };
  return (
    <section>
      <h2>
        <Trans>Add a prompt</Trans>
      </h2>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the field in it does the same by keyboard */}
      <div
        className={isOver ? 'drop over' : 'drop'}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          void take([...event.dataTransfer.files]);
        }}
      >
        <label>
          <Trans>Drag WAV, MP3 or OGG files here, or choose them</Trans>
          <input
            type="file"
            multiple
            accept=".wav,.mp3,.ogg,.opus"
            onChange={(event) => void take([...(event.currentTarget.files ?? [])])}
          />
        </label>
        <p className="dim flat">
          <Trans>At most 50 MiB and two hours each. A file of the same name is replaced.</Trans>
        </p>
      </div>
      <p className="flat" role="status">
        {said}
      </p>
      <Record done={done} />
    </section>
  );
}

/** Another sound under the name that applications play: a file of the same kind, or, where it is a WAV, a recording. */
export function Replacement({ name, done }: { readonly name: string; readonly done: () => void }) {
  const { t } = useLingui();
  const [refused, setRefused] = useState('');
  const type = promptType(name);
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    const { name: given } = file;
    if (promptType(given) !== type) {
      setRefused(t`${given} is of another kind than ${name}. Convert it, or add it under a name of its own.`);
      return;
    }
    const answer = await store(name, new Uint8Array(await file.arrayBuffer()));
    if (answer.ok) done();
    else setRefused(answer.error.reason);
  };
  return (
    <>
      <p className="dim flat">
        <Trans>Applications play the new sound as soon as a site has it. The one before is not kept.</Trans>
      </p>
      <label>
        <Trans>File that takes its place</Trans>
        <input
          type="file"
          accept=".wav,.mp3,.ogg,.opus"
          onChange={(event) => void take(event.currentTarget.files?.[0])}
        />
      </label>
      <p className="refused" role="alert">
        {refused}
      </p>
      {type === 'audio/wav' && <Record fixed={name} done={done} />}
    </>
  );
}

/** Records a prompt by the microphone of the person. `fixed`: the name is not asked for. */
function Record({ fixed, done }: { readonly fixed?: string; readonly done: () => void }) {
  const { t } = useLingui();
  const [name, setName] = useState('');
  const [recorder, setRecorder] = useState<Recorder | undefined>();
  const [sound, setSound] = useState<Uint8Array<ArrayBuffer> | undefined>();
  const [url, setUrl] = useState('');
  const [refused, setRefused] = useState('');
  const [seconds, setSeconds] = useState(0);
  const begin = async (): Promise<void> => {
    setRefused('');
    setSound(undefined);
    setSeconds(0);
    try {
      setRecorder(await startRecorder((ms) => setSeconds(Math.ceil(ms / 1_000))));
    } catch {
      setRefused(t`The browser gives no microphone. Allow it for this page, or choose a file.`);
    }
  };
  const end = async (): Promise<void> => {
    if (recorder === undefined) return;
    setRecorder(undefined);
    const recorded = await recorder.stop();
    if (recorded === undefined) {
      setRefused(t`Nothing was recorded yet. Begin again, and stop when the seconds count.`);
      return;
    }
    setSound(recorded);
    setUrl((before) => {
      if (before !== '') URL.revokeObjectURL(before);
      return URL.createObjectURL(new Blob([recorded], { type: 'audio/wav' }));
    });
  };
  const filename = fixed ?? `${name.trim().replace(/\.wav$/i, '')}.wav`;
  return (
    <details>
      <summary>
        <Trans>Record it with the microphone</Trans>
      </summary>
      <p className="acts">
        {recorder === undefined ? (
          <button type="button" className="plain" onClick={() => void begin()}>
            <Trans>Begin</Trans>
          </button>
        ) : (
          <button type="button" onClick={() => void end()}>
            <Trans>Stop</Trans>
          </button>
        )}
        {recorder !== undefined && seconds > 0 && (
          <span className="dim">
            <Trans>Recording: {seconds} s</Trans>
          </span>
        )}
        <span className="refused" role="alert">
          {refused}
        </span>
      </p>
      {sound !== undefined && (
        <>
          {/* biome-ignore lint/a11y/useMediaCaption: the person has just said it */}
          <audio controls src={url} />
          <div className="line">
            {fixed === undefined && <Field label={t`Name of the prompt`} value={name} onChange={setName} />}
            <Act
              label={t`Store it`}
              disabled={fixed === undefined && name.trim() === ''}
              run={() => store(filename, sound)}
              done={() => {
                setSound(undefined);
                setName('');
                done();
              }}
            />
          </div>
        </>
      )}
    </details>
  );
}
