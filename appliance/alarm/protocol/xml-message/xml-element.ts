/** An element without its attributes and namespace prefix. `text` is trimmed, entities are decoded. */
export interface XmlElement {
  readonly name: string;
  readonly text: string;
  readonly children: readonly XmlElement[];
}
