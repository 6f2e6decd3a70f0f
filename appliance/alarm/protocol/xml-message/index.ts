export { acceptsContentType, type ContentFailure, decodeContent, type Inflate } from './content.ts';
export { type KnownElements, readFaultyXml } from './read-faulty-xml.ts';
export {
  childrenNamed,
  readXml,
  XML_LIMITS,
  type XmlFailure,
  type XmlLimits,
  xmlText,
} from './read-xml.ts';
export { escapeXml, writeXml, type XmlOutput } from './write-xml.ts';
export type { XmlElement } from './xml-element.ts';
