import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { type Listened, type Listening, LONGEST_LISTENING_H } from '#shared/contract/site/index.ts';
import { noAnswerReason } from '#shared/http/index.ts';
import { exitCode, Stop } from '../../exit-code.ts';
import { type ForwardedRequest, forward } from '../../io/network/forward.ts';
import { asked } from '../../io/terminal/terminal.ts';
import { baseOf, callbackTarget } from '../../step/callback-target.ts';
import { findLogin, type Terminal } from '../operator/index.ts';
import { seconds } from '../option/option-word.ts';
import { type ListenApi, listenApi } from './listen-api.ts';
import { type CopySigner, copyRequest } from './listen-copy.ts';

interface Flags {
  readonly forward?: string;
  readonly domain: string;
  readonly filter?: string;
  readonly replay?: string;
  readonly answer?: boolean;
  readonly baseUrl?: string;
  readonly printJson?: boolean;
  readonly hours: number;
  readonly cloud?: string;
  readonly token?: string;
}

/** Chosen: as long as an application may think; the host of an asked callback has its own time besides. */
const ANSWERED_WITHIN_MS = 30_000;

/** As long as applications accept a difference of clocks (SDK, `clockSkewS`), seconds. */
const ACCEPTED_CLOCK_S = 60;

/** `carillon listen`: masked copies of the callbacks of a tenant, live, on a developer's machine. */
export function listenCommand(root: Command, terminal: Terminal): void {
  root
    .command('listen')
    .summary('copies of callbacks on your machine, live')
    .description(
      'Brings masked copies of the callbacks of a tenant to an application of yours. A copy opens nothing: names and numbers are masked, its replyId is inert, and it is signed by a secret of this session.',
    )
    .option('--forward <url>', 'your application: http://localhost:PORT, or https://…')
    .option('--domain <domain>', 'tenant', 'demo.carillon.test')
    .option('--filter <text>', 'only callbacks whose path or body contains this')
    .option('--replay <trace id>', 'brings the copies of a trace again, and ends')
    .option('--print-json', 'one JSON object for each copy')
    .option(
      '--answer',
      'answers receivers whose callbackBaseUrl is the printed one, whole and within their time',
    )
    .option(
      '--base-url <url>',
      'with --answer: https address that hosts reach the control plane at, where that of --cloud is not the one',
    )
    .option('--hours <n>', `ends by itself after this, at most ${LONGEST_LISTENING_H}`, seconds, 1)
    .option('--cloud <url>', 'base URL of the cloud (default: CARILLON_CLOUD, or that of the login)')
    .option('--token <token>', 'API token or JWT (default: CARILLON_TOKEN, or that of the login)')
    .addHelpText(
      'after',
      '\nExamples:\n  carillon listen --forward http://localhost:3000\n  carillon listen --print-json --filter newAlarmbridgeEvent\n  carillon listen --forward http://localhost:3000 --replay 77c6f118-ca3f-4951-b21e-11024b2bf4ad',
    )
    .action((flags: Flags) => listen(flags, terminal));
}

async function listen(flags: Flags, terminal: Terminal): Promise<void> {
  const { environment, say } = terminal;
  const target = flags.forward === undefined ? undefined : callbackTarget('--forward', flags.forward);
  if (flags.answer === true && target === undefined)
    throw new Stop(exitCode.wrongUse, '--answer needs an application: add --forward http://localhost:PORT');
  const login = findLogin(environment, {
    ...(flags.cloud !== undefined && { cloud: flags.cloud }),
    ...(flags.token !== undefined && { token: flags.token }),
  });
  const over = terminal.over ?? untilAsked();
  const api = listenApi(login, flags.domain, over);
  const { listening, aheadS } = await api.open({
    hours: flags.hours,
    answers: flags.answer === true,
    ...(flags.filter !== undefined && { filter: flags.filter }),
  });
  const secret = randomBytes(32).toString('base64url');
  const audience = target?.url.origin ?? '';
  const print = (line: string): void => {
    if (flags.printJson !== true) say(line);
  };
  print(`listens to ${flags.domain} until ${new Date(listening.expiresAt).toISOString()}; Ctrl-C ends it`);
  if (target !== undefined) {
    print(`copies go to ${baseOf(target)}, signed HS256, aud ${audience}, iss ${flags.domain}`);
    print(`secret of this session: ${secret}`);
    if (Math.abs(aheadS) > ACCEPTED_CLOCK_S) print(clockSentence(aheadS));
  }
  const signer = (): CopySigner => ({ secret, audience, domain: flags.domain, nowMs: Date.now() });
  const send = async (request: ForwardedRequest) =>
    target === undefined ? undefined : await forward(target.url, request, ANSWERED_WITHIN_MS);
  const refusals = { explained: false };
  const post: Post = {
    ...{ send, signer, say, api, refusals },
    ...{ listenId: listening.listenId, json: flags.printJson === true },
  };
  try {
    const answered = flags.answer === true ? answeredUrl(listening, flags.baseUrl) : undefined;
    // A receiver that names the address before the stream is open asks in vain.
    const opened = (): void => {
      if (answered !== undefined) print(`answers receivers with callbackBaseUrl ${answered}`);
    };
    if (flags.replay === undefined) await follow(post, login.cloud, over, opened);
    else await replay(post, flags.replay);
  } finally {
    // The end of the command ends the listening; a control plane that is away ends it by time.
    await api.close(listening.listenId).catch(() => undefined);
  }
}

/** An application on this machine has the same clock; one elsewhere refuses what was signed by another time. */
const clockSentence = (aheadS: number): string =>
  `The clock of this machine is ${Math.abs(aheadS)} s ${aheadS > 0 ? 'ahead of' : 'behind'} that of the control plane, and an application on another machine refuses the copies. Set it by NTP.`;

/** A host posts over https only; the control plane may stand behind a proxy that speaks it. */
function answeredUrl({ listenId, callbackBaseUrl }: Listening, baseUrl: string | undefined): string {
  if (baseUrl !== undefined) return `${baseUrl.replace(/\/+$/, '')}/listen/${listenId}`;
  if (callbackBaseUrl.startsWith('https://')) return callbackBaseUrl;
  throw new Stop(
    exitCode.wrongUse,
    `--answer needs an https address of the control plane, since hosts post to no other, and ${callbackBaseUrl} is plain. Add --base-url https://…; npm start prints the one of the demo.`,
  );
}

/** Ctrl-C ends the listening at the control plane, too. */
function untilAsked(): AbortSignal {
  const ending = new AbortController();
  void asked().then(() => ending.abort());
  return ending.signal;
}

interface Post {
  readonly send: (request: ForwardedRequest) => Promise<Awaited<ReturnType<typeof forward>> | undefined>;
  readonly signer: () => CopySigner;
  readonly say: (line: string) => void;
  readonly api: ListenApi;
  readonly listenId: string;
  readonly json: boolean;
  /** One sentence for a session: an application that refuses a copy refuses all. */
  readonly refusals: { explained: boolean };
}

async function follow(post: Post, cloud: string, over: AbortSignal, opened: () => void): Promise<void> {
  try {
    const events = await post.api.events(post.listenId);
    opened();
    for await (const event of events) await take(post, event);
  } catch (cause) {
    if (over.aborted) return;
    if (cause instanceof Stop) throw cause;
    throw new Stop(
      exitCode.tryAgain,
      `The stream of ${cloud} was lost: ${noAnswerReason(cause)}. Start again.`,
    );
  }
  if (!over.aborted) post.say('The listening has ended. Start again to go on.');
}

async function replay(post: Post, traceId: string): Promise<void> {
  const copies = await post.api.copies(post.listenId, traceId);
  if (copies.length === 0)
    throw new Stop(
      exitCode.refused,
      `No host has copies of the trace ${traceId}: each keeps its last 200 callbacks since its start. Check the trace id.`,
    );
  for (const copy of copies) await take(post, { id: '', event: 'copy', data: copy });
}

async function take(post: Post, event: Listened): Promise<void> {
  const { say, json } = post;
  if (event.event === 'copy') {
    const sent = await post.send(copyRequest(event.data, post.signer()));
    const answer = sent === undefined ? undefined : sent.ok ? sent.value : { failed: sent.error.reason };
    say(json ? JSON.stringify({ ...event.data, ...(answer && { answer }) }) : lineOf(event.data, answer));
    if (sent?.ok === true && sent.value.status === 401) explainRefusal(post);
  } else if (event.event === 'ask') await answerAsk(post, event.data);
  else if (json) say(JSON.stringify({ [event.event]: event.data }));
  else if (event.event === 'gap')
    say(`${event.data.hostId}: ${event.data.dropped} copies were dropped; narrow them down by --filter`);
  else say(event.data.reason);
}

function explainRefusal({ say, json, refusals, signer }: Post): void {
  if (json || refusals.explained) return;
  refusals.explained = true;
  const { audience, domain } = signer();
  say(
    `The application has refused the copy; its answer says why. It takes copies with the algorithm HS256, the secret of this session as the key, the audience ${audience} and the issuer ${domain}; an example takes them with that secret in LISTEN_SECRET.`,
  );
}

/** The application of the developer decides; when it cannot be reached, the receiver hears so at once. */
async function answerAsk(
  { send, api, listenId, say, json }: Post,
  { requestId, ...request }: Extract<Listened, { event: 'ask' }>['data'],
): Promise<void> {
  const sent = await send(request);
  if (sent === undefined) return;
  const answer = sent.ok
    ? { status: sent.value.status, headers: { ...sent.value.headers }, body: sent.value.body }
    : {
        status: 502,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ success: false, reason: sent.error.reason }),
      };
  await api
    .answer(listenId, { requestId, ...answer })
    .catch((cause: unknown) => say((cause as Error).message));
  say(
    json
      ? JSON.stringify({ asked: request, answer })
      : `asked ${request.path} -> ${answer.status} ${answer.body}`,
  );
}

type Answered =
  | { readonly status: number; readonly body: string; readonly tookMs: number }
  | { readonly failed: string };

function lineOf(
  { at, path, traceId, body }: { at: number; path: string; traceId: string; body: string },
  answer: Answered | undefined,
): string {
  const head = `${new Date(at).toISOString()}  ${path}  ${traceId}`;
  if (answer === undefined) return `${head}  ${body}`;
  if ('failed' in answer) return `${head}  ${answer.failed}`;
  return `${head}  ${answer.status} ${answer.body} (${answer.tookMs.toFixed(1)} ms)`;
}
