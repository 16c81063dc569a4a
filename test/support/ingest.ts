import { openMeasurementWriter } from '../../server/measurement/sqlite/writer.ts';
import { ingestWrite } from './ingest-samples.ts';

/**
 * Writes into the file of the first argument, from the write of the second on, until it is killed; prints each stored
 * write.
 */
const [file = '', first = '0'] = process.argv.slice(2);
const writer = openMeasurementWriter(file);
const inFlight = 10;

async function write(from: number): Promise<void> {
  for (let n = from; ; n += inFlight) {
    await writer.write(ingestWrite(n));
    process.send?.(n);
  }
}

for (let lane = 0; lane < inFlight; lane += 1) void write(Number(first) + lane);
