/** Serializer id of marshal, Python's own binary form: used here only as the envelope of a refusal. */
export const marshal = 2;

const shortAscii = 0xfa;
const shortAsciiInterned = 0xda;
const maxTextBytes = 255;

/** The marshal form of a short ASCII text, in which Pyro5 refuses before it knows a serializer. */
export function encodeRefusal(text: string): Buffer {
  const bytes = Buffer.from(text.replace(/[^\x20-\x7e]/g, '?'), 'ascii').subarray(0, maxTextBytes);
  return Buffer.concat([Buffer.from([shortAscii, bytes.length]), bytes]);
}

/** The text of a marshal refusal; for other forms its printable characters. Nothing else of marshal is read. */
export function decodeRefusal(payload: Buffer): string {
  const isShort = payload[0] === shortAscii || payload[0] === shortAsciiInterned;
  const text = isShort && payload[1] === payload.length - 2 ? payload.subarray(2) : payload;
  return text
    .toString('latin1')
    .replace(/[^\x20-\x7e]/g, '')
    .slice(0, maxTextBytes);
}
