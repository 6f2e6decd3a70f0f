import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { type Arguments, faultIn, listed, type Tool } from './tool.ts';

/** Versions of the Model Context Protocol that differ in nothing which this server uses, newest first. */
const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

/** Codes of JSON-RPC 2.0, section 5.1. */
const CODE = { notJson: -32_700, noRequest: -32_600, unknownMethod: -32_601, wrongParams: -32_602 } as const;

type Id = string | number | null;
interface Request {
  readonly id?: Id;
  readonly method?: unknown;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** A request that gets an error of the protocol. */
class Wrong extends Error {
  readonly code: number;

  constructor(code: number, sentence: string) {
    super(sentence);
    this.code = code;
  }
}

/**
 * Serves the tools over standard input and output: a JSON-RPC message in each line. Resolves when the input has ended and every answer
 * is written.
 */
export async function serveTools(
  tools: readonly Tool[],
  version: string,
  input: Readable,
  write: (line: string) => void,
): Promise<void> {
  const answering = new Set<Promise<void>>();
  for await (const line of createInterface({ input })) {
    if (line.trim() === '') continue;
    const work = answered(tools, version, line).then((answer) => {
      if (answer !== undefined) write(JSON.stringify({ jsonrpc: '2.0', ...answer }));
      answering.delete(work);
    });
    answering.add(work);
  }
  await Promise.all(answering);
}

async function answered(tools: readonly Tool[], version: string, line: string): Promise<object | undefined> {
  let id: Id = null;
  try {
    const request = requestOf(line);
    id = request.id ?? null;
    // A notification has no id and gets no answer.
    if (request.id === undefined) return undefined;
    return { id, result: await resultOf(tools, version, request) };
  } catch (cause) {
    if (!(cause instanceof Wrong)) throw cause;
    return { id, error: { code: cause.code, message: cause.message } };
  }
}

function requestOf(line: string): Request {
  let request: unknown;
  try {
    request = JSON.parse(line);
  } catch {
    throw new Wrong(CODE.notJson, 'The line is no JSON. Write one message of JSON-RPC in each line.');
  }
  if (typeof request !== 'object' || request === null || Array.isArray(request))
    throw new Wrong(CODE.noRequest, 'The line is no request of JSON-RPC 2.0.');
  return request;
}

async function resultOf(
  tools: readonly Tool[],
  version: string,
  { method, params = {} }: Request,
): Promise<object> {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: VERSIONS.find((known) => known === params.protocolVersion) ?? VERSIONS[0],
        capabilities: { tools: {} },
        serverInfo: { name: 'carillon', version },
      };
    case 'ping':
      return {};
    case 'tools/list':
      return { tools: tools.map(listed) };
    case 'tools/call':
      return await called(tools, params);
    default:
      throw new Wrong(
        CODE.unknownMethod,
        `This server has no method ${JSON.stringify(method)}; it has tools.`,
      );
  }
}

/** A tool that fails is an answer: the assistant reads the sentence. */
async function called(
  tools: readonly Tool[],
  { name, arguments: given = {} }: Readonly<Record<string, unknown>>,
) {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined)
    throw new Wrong(CODE.wrongParams, `There is no tool ${JSON.stringify(name)}. tools/list names them.`);
  const fault = faultIn(tool, given as Arguments);
  if (fault !== undefined) throw new Wrong(CODE.wrongParams, fault);
  try {
    return textOf(await tool.run(given as Arguments));
  } catch (cause) {
    return { ...textOf((cause as Error).message), isError: true };
  }
}

const textOf = (text: string) => ({ content: [{ type: 'text', text }] });
