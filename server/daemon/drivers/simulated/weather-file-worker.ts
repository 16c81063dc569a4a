import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../../contract/message-of.ts';
import { readYearFile } from '../../../db/year-file.ts';
import { WeatherFileError } from '../../../domain/climate/weather-file.ts';
import type { WeatherFileAnswer, WeatherFileQuestion } from './weather-folder.ts';

function answerTo({ file, utc_offset_h }: WeatherFileQuestion): WeatherFileAnswer {
  try {
    return { year: readYearFile(file, utc_offset_h) };
  } catch (error) {
    if (error instanceof WeatherFileError) return { fault: 'malformed', message: error.message };
    return { fault: 'unreadable', message: messageOf(error) };
  }
}

// workerData is what `WeatherFolder` sent
parentPort?.postMessage(answerTo(workerData as WeatherFileQuestion));
