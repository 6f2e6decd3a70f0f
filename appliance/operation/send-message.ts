import { invalid } from '#shared/contract/invalid.ts';
import { sipMessageSchema } from '#shared/contract/runtime/index.ts';
import { fail, type Result } from '#shared/result.ts';
import type { OperationFailure } from './failure.ts';
import { jsonToXml } from './xml/json-to-xml.ts';

/** One MESSAGE to send. */
export interface OutgoingMessage {
  readonly reqUri: string;
  readonly from: string;
  readonly contentType: string;
  readonly body: string;
}

/** Sends MESSAGEs; resolves with what became of one. */
export interface MessageSender {
  readonly send: (message: OutgoingMessage) => Promise<Result<undefined, OperationFailure>>;
}

/** sipmessage/message (runtime API document 4.4): answered when the device has taken it. */
export async function sendMessage(
  { messages }: { readonly messages: MessageSender },
  body: unknown,
): Promise<Result<undefined, OperationFailure>> {
  const said = sipMessageSchema.safeParse(body);
  if (!said.success) return { ok: false, error: invalid(said.error) };
  const { reqUri, from, contentType, body: text, convertJSONtoXML } = said.data;
  if (convertJSONtoXML !== true) return await messages.send({ reqUri, from, contentType, body: text });
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json')
    return fail(
      'invalid',
      `/contentType: must be application/json for a conversion, not ${type}`,
      '/contentType',
    );
  const xml = jsonToXml(text);
  if (!xml.ok) return fail('invalid', `/body: ${xml.error.reason}`, '/body');
  return await messages.send({ reqUri, from, contentType: 'application/xml', body: xml.value });
}
