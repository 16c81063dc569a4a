import { XMLBuilder } from 'fast-xml-parser';

const builder = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: '@', suppressBooleanAttributes: false });
/** No XML can have them, escaped or not (XML 1.0, 2.2). */
const control = /[\p{Cc}\uFFFE\uFFFF]|\p{Surrogate}/gu;

/** An XML document; members that begin with @ are attributes, lists are repeated elements, undefined is left out. */
export function xmlText(root: Record<string, unknown>): string {
  return builder.build({ '?xml': { '@version': '1.0', '@encoding': 'UTF-8' }, ...root });
}

export function xmlLetters(text: string): string {
  return text.replace(control, (letter) => (/[\t\n\r]/.test(letter) ? ' ' : ''));
}
