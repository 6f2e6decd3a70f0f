import type { ArrivalKind } from '#shared/matching/index.ts';
import type { SipRequest } from '../../sip/message/index.ts';
import { SCAIP_PROFILE } from '../protocol/scaip/index.ts';
import { acceptsContentType, decodeContent, type Inflate, xmlText } from '../protocol/xml-message/index.ts';

/** The content of a MESSAGE, as far as its type and its first element show. */
export interface MessageKind {
  readonly kind: Extract<ArrivalKind, 'scaip' | 'nowip' | 'lacs' | 'message'>;
  /** It calls itself an alarm: a person must know when no receiver takes it. */
  readonly isAlarm: boolean;
}

const ROOTS: ReadonlyMap<string, 'scaip' | 'nowip'> = new Map([
  ['mrq', 'scaip'],
  ['atm', 'nowip'],
]);
/** Chosen: longer than any declaration and comment before an element. */
const HEAD = 1024;
/** The root of a request behind signs that do not belong there. */
const FAULTY_SCAIP = /<\s{0,4}(?:[\w.-]{1,32}:)?mrq\b/i;
/** The same of NOW-IP, or the digits of an alarm where the root is lost. */
const FAULTY_NOWIP =
  /<\s{0,4}\/?\s{0,4}(?:[\w.-]{1,32}:)?(?:atm\b|data[^<>\w][^<>]{0,64}>\s{0,8}\d{24}\b|data>\s{0,8}\d{24}\b)/i;
const SCAIP_TYPE = 'application/scaip+xml';

/**
 * By which protocol a receiver is looked for. Any other element may be LACS, whose elements are the customer's to name. A body that is
 * no XML and is not said to be of another type counts as SCAIP, which answers whatever it cannot read.
 */
export function messageKind(request: SipRequest, inflate: Inflate): MessageKind {
  const type = request.contentType;
  const body = decodeContent(request.body, request.header('Content-Encoding'), inflate);
  const head = body.ok ? xmlText(body.value.subarray(0, HEAD)) : '';
  const root = rootOf(head);
  const known = ROOTS.get(root?.toLowerCase() ?? '') ?? faultyKind(head);
  if (known !== undefined) return { kind: known, isAlarm: true };
  const isScaip = type !== undefined && acceptsContentType([SCAIP_TYPE], type);
  if (root !== undefined) return { kind: 'lacs', isAlarm: isScaip };
  const mayBe = type === undefined || acceptsContentType(SCAIP_PROFILE.contentTypesAccepted, type);
  return { kind: mayBe ? 'scaip' : 'message', isAlarm: isScaip };
}

/** The protocol of a text that does not begin with its root. */
function faultyKind(head: string): 'scaip' | 'nowip' | undefined {
  if (FAULTY_SCAIP.test(head)) return 'scaip';
  return FAULTY_NOWIP.test(head) ? 'nowip' : undefined;
}

/** Name of the first element, without its prefix; undefined: the text does not begin as XML. */
function rootOf(head: string): string | undefined {
  let rest = head.trimStart();
  while (rest.startsWith('<?') || rest.startsWith('<!--')) {
    const end = rest.startsWith('<?') ? '?>' : '-->';
    const at = rest.indexOf(end);
    if (at < 0) return undefined;
    rest = rest.slice(at + end.length).trimStart();
  }
  return /^<(?:[\w.-]+:)?([\w.-]+)/.exec(rest)?.[1];
}
