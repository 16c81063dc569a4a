import { readFileSync, statSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../../contract/message-of.ts';
import { mostBytes, readEpw, readWeatherCsv, WeatherFileError } from '../../../domain/climate/weather-file.ts';
import type { WeatherYear } from '../../../domain/climate/weather-year.ts';
import type { WeatherFileAnswer, WeatherFileQuestion } from './weather-folder.ts';

function yearOf({ file, utc_offset_h }: WeatherFileQuestion): WeatherYear {
  const stats = statSync(file);
  if (!stats.isFile()) throw new WeatherFileError(null, 'is no file');
  if (stats.size > mostBytes) throw new WeatherFileError(null, 'is longer than a year of weather can be');
  const text = readFileSync(file, 'utf8');
  return file.toLowerCase().endsWith('.epw') ? readEpw(text) : readWeatherCsv(text, { utc_offset_h });
}

function answerTo(question: WeatherFileQuestion): WeatherFileAnswer {
  try {
    return { year: yearOf(question) };
  } catch (error) {
    if (error instanceof WeatherFileError) return { fault: 'malformed', message: error.message };
    return { fault: 'unreadable', message: messageOf(error) };
  }
}

// workerData is what weather-folder.ts sent
parentPort?.postMessage(answerTo(workerData as WeatherFileQuestion));
