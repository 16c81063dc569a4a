import { randomUUID } from 'node:crypto';
import { Refusal } from '../contract/errors.ts';
import type { RequestHandler } from './app.ts';
import { problemBody, problemType } from './problem-body.ts';

/**
 * Answers everything with 503 until the daemon is there: the port is taken before anything starts that should not be
 * stopped again.
 */
export const answerStarting: RequestHandler = (_request, response) => {
  const refusal = new Refusal('starting', 'the service is starting: try again in a moment');
  response.writeHead(refusal.status, { 'Content-Type': problemType, 'Cache-Control': 'no-store', 'Retry-After': '1' });
  response.end(JSON.stringify(problemBody(refusal, randomUUID())));
};
