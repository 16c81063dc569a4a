import { inflateSync } from 'node:zlib';
import { convertIndexedToRgb, decode, encode, type DecodedPng } from 'fast-png';

/**
 * Part of a square picture, as a deeper tile within it: `levels` deeper, with column from the west and row from the
 * north.
 */
export interface TilePart {
  levels: number;
  column: number;
  row: number;
}

/** A larger picture, pixels a side, is not a tile, and would fill the memory. */
const longestSide = 1_024;

/**
 * Part of a PNG enlarged to the size of the whole, without interpolation: nothing is invented between two values. null
 * for anything but a PNG of at most 1,024 pixels a side.
 */
export function enlargedPart(png: Buffer, { levels, column, row }: TilePart): Buffer | null {
  const whole = decoded(png);
  if (whole === null) return null;
  const { width, height, channels, data } = whole;
  const scale = 2 ** levels;
  const enlarged = new Uint8Array(width * height * channels);
  for (let y = 0; y < height; y += 1) {
    const from = Math.floor((row * height + y) / scale) * width;
    for (let x = 0; x < width; x += 1) {
      const source = (from + Math.floor((column * width + x) / scale)) * channels;
      const target = (y * width + x) * channels;
      for (let channel = 0; channel < channels; channel += 1) enlarged[target + channel] = data[source + channel] ?? 0;
    }
  }
  return Buffer.from(encode({ width, height, channels, data: enlarged }));
}

type Pixels = Pick<DecodedPng, 'width' | 'height' | 'channels'> & { data: Uint8Array };

const signatureBytes = 8;
/** Bytes of a chunk beside its data: length and name before, checksum after (ISO 15948, 5.3). */
const [headBytes, sumBytes] = [8, 4];
/** The chunks that make up pixels. Others are skipped unread: an iCCP would be unpacked to any size. */
const ofPixels = ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'];

/** null for data that would unpack to more than its dimensions allow. */
function bare(png: Buffer): Buffer | null {
  const kept = [png.subarray(0, signatureBytes)];
  const packed: Buffer[] = [];
  let headers = 0;
  for (let at = signatureBytes; at + headBytes + sumBytes <= png.length;) {
    const dataFrom = at + headBytes;
    const dataTo = dataFrom + png.readUInt32BE(at);
    const name = png.toString('latin1', at + 4, dataFrom);
    if (ofPixels.includes(name)) kept.push(png.subarray(at, dataTo + sumBytes));
    if (name === 'IDAT') packed.push(png.subarray(dataFrom, dataTo));
    if (name === 'IHDR') headers += 1;
    at = dataTo + sumBytes;
  }
  if (headers !== 1 || png.toString('latin1', 12, 16) !== 'IHDR') return null; // the sides are those of the first
  // Pixels have at most 8 bytes; interlaced, a picture has up to two rows for each of its own (8.2), each with a filter
  // byte, and a few more.
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  inflateSync(Buffer.concat(packed), { maxOutputLength: height * (8 * width + 2) + 8 });
  return Buffer.concat(kept);
}

function decoded(png: Buffer): Pixels | null {
  // The dimensions come first in a PNG (ISO 15948, 11.2.2): they are known before anything is unpacked.
  if (png.length < 24 || Math.max(png.readUInt32BE(16), png.readUInt32BE(20)) > longestSide) return null;
  try {
    const pixels = bare(png);
    if (pixels === null) return null;
    const picture = decode(pixels);
    const { width, height } = picture;
    if (picture.palette !== undefined) {
      const data = convertIndexedToRgb(picture);
      return { width, height, data, channels: data.length / (width * height) };
    }
    const { data, channels } = picture;
    return picture.depth === 8 && data instanceof Uint8Array ? { width, height, channels, data } : null;
  } catch {
    return null;
  }
}
