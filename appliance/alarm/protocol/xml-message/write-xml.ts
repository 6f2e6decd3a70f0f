/** An element to write: text, or children. */
export interface XmlOutput {
  readonly name: string;
  readonly content: string | readonly XmlOutput[];
}

const ESCAPE: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** One element as text, without declaration and white space: devices with small parsers read it too. */
export function writeXml({ name, content }: XmlOutput): string {
  const inner = typeof content === 'string' ? escapeXml(content) : content.map(writeXml).join('');
  return `<${name}>${inner}</${name}>`;
}

/** Text for an element. Signs that XML 1.0 (2.2) forbids are left out: they would make the whole body unreadable. */
export function escapeXml(text: string): string {
  let safe = '';
  for (const sign of text) if (isXmlSign(sign)) safe += ESCAPE[sign] ?? sign;
  return safe;
}

function isXmlSign(sign: string): boolean {
  const code = sign.codePointAt(0) ?? 0;
  if (code < 0x20) return code === 0x9 || code === 0xa || code === 0xd;
  return !(code >= 0xd800 && code <= 0xdfff) && code !== 0xfffe && code !== 0xffff;
}
