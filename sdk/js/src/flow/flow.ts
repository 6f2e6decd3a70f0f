import type { GetIvrCommand, IvrCommand } from '../contract/api.codes.ts';

/** One place of a flow. */
export interface Step {
  /** The command when the caller gets here. */
  readonly command: (body: GetIvrCommand) => IvrCommand | Promise<IvrCommand>;
  /** Name of the next step by the digits and the result of the command; the same name asks again. Absent: the last one. */
  readonly next?: (digits: string, body: GetIvrCommand) => string | Promise<string>;
}

/** Answers getIvrCommand. */
export type Flow = (body: GetIvrCommand) => Promise<IvrCommand>;

/** Member of sessionReferenceId that holds the step. */
const MEMBER = 'flowStep';

/**
 * An IVR from named steps. The name of the step travels in sessionReferenceId, so that every process of the application
 * can answer the next callback, and a restart forgets no caller.
 */
export function createFlow<Name extends string>(
  first: NoInfer<Name>,
  steps: Readonly<Record<Name, Step>>,
): Flow {
  const stepOf = (name: string): Step => {
    if (!Object.hasOwn(steps, name))
      throw new Error(`The flow has no step ${name}. Name one of ${Object.keys(steps).join(', ')}.`);
    return steps[name as Name];
  };
  return async (body) => {
    const reference = referenceOf(body);
    const last = reference[MEMBER];
    const isFirst = typeof last !== 'string' || body.lastCommandResult === undefined;
    const name = isFirst ? first : await nextOf(stepOf(last), last, body);
    const command = await stepOf(name).command(body);
    return { ...command, sessionReferenceId: { ...reference, ...objectOf(command), [MEMBER]: name } };
  };
}

const nextOf = async ({ next }: Step, last: string, body: GetIvrCommand): Promise<string> =>
  next === undefined ? last : next(body.dtmfParams?.dtmfMatch ?? '', body);

const referenceOf = (body: GetIvrCommand): Record<string, unknown> =>
  objectOf(body as { sessionReferenceId?: unknown });

const objectOf = ({ sessionReferenceId }: { sessionReferenceId?: unknown }): Record<string, unknown> =>
  typeof sessionReferenceId === 'object' && sessionReferenceId !== null
    ? (sessionReferenceId as Record<string, unknown>)
    : {};
