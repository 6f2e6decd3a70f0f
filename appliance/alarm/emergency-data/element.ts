import { escapeXml } from '../protocol/xml-message/index.ts';

const XML = '<?xml version="1.0" encoding="UTF-8"?>';

/** An element with text; empty where there is none. */
export const element = (name: string, text: string | undefined, attributes = ''): string =>
  text === undefined || text === '' ? '' : `<${name}${attributes}>${escapeXml(text)}</${name}>`;

/** A document of one element around others. `attributes`: namespaces and the like, each with a blank before it. */
export const documentOf = (name: string, attributes: string, inner: readonly string[]): Uint8Array =>
  Buffer.from(`${XML}<${name}${attributes}>${inner.join('')}</${name}>`, 'utf8');

/** One more attribute of an element. */
export const attribute = (name: string, value: string): string => ` ${name}="${escapeXml(value)}"`;
