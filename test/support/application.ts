import { answered, type Posted, type testAppliance } from './appliance.ts';
import { contractFault } from './callback-contract.ts';

type Appliance = Pick<Awaited<ReturnType<typeof testAppliance>>, 'answerBy' | 'posted'>;
type Body = Readonly<Record<string, unknown>>;
/** The answer of an application to a callback; a number: that status; undefined: it stays silent. */
export type Answer = Body | string | number | undefined;

/**
 * The application behind a media service as a test scripts it: its answer to each callback, in order, and the callbacks
 * it got. A callback without a script is answered `{}` with 200 when it is a record; a live request fails the test.
 */
export function application(appliance: Appliance) {
  const script = new Map<string, (Answer | ((body: Body) => Answer))[]>();
  const unscripted: string[] = [];
  /** Words that the contract of a callback does not know: no reader could look them up. */
  const strange: string[] = [];
  /** Requests left open. */
  const open: Posted[] = [];
  appliance.answerBy((posted) => {
    const path = posted.call.path;
    const fault = contractFault(path, posted.body);
    if (fault !== undefined) strange.push(fault);
    const next = script.get(path)?.shift();
    if (next === undefined) {
      const decides =
        path === '/newCall' ||
        path === '/getIvrCommand' ||
        (path === '/callEvent' && posted.body.remainingParticipantId !== undefined);
      if (!decides || posted.delivery.late) return answered({});
      if (script.has(path)) {
        open.push(posted);
        return undefined;
      }
      unscripted.push(path);
      return answered('', 500);
    }
    const answer = typeof next === 'function' ? next(posted.body) : next;
    if (answer === undefined) {
      open.push(posted);
      return undefined;
    }
    return typeof answer === 'number' ? answered('no', answer) : answered(answer);
  });
  return {
    unscripted,
    strange,
    open,
    /** Answers to come; when they are used up, requests stay open. */
    on(path: string, ...answers: (Answer | ((body: Body) => Answer))[]): void {
      script.set(path, [...(script.get(path) ?? []), ...answers]);
    },
    /** Bodies of a callback so far, without repeats. */
    received(path: string): Body[] {
      return appliance.posted
        .filter(({ call, delivery }) => call.path === path && !delivery.late)
        .map(({ body }) => body);
    },
    /** The only or last body of a callback. */
    last(path: string): Body {
      const found = appliance.posted.findLast(({ call }) => call.path === path)?.body;
      if (found === undefined)
        throw new Error(`no ${path}, but ${appliance.posted.map(({ call }) => call.path).join(', ')}`);
      return found;
    },
    /** Every callback in its order. */
    get order(): string[] {
      return appliance.posted.map(({ call }) => call.path);
    },
  };
}
