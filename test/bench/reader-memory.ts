import { openMeasurementReader } from '../../server/measurement/sqlite/reader.ts';
import { trendRequest, trendSpans } from './measurement-queries.ts';

/** Draws each trend of the file of the first argument and tells what memory that took, MB. */
const [file = ''] = process.argv.slice(2);
const before = process.memoryUsage.rss();
const reader = openMeasurementReader(file);
for (const [, days] of trendSpans) await reader.trend(trendRequest(days * 86_400_000), new AbortController().signal);
process.send?.((process.memoryUsage.rss() - before) / 2 ** 20);
await reader.close();
process.disconnect();
