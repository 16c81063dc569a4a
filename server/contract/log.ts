import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { nextCursor, pageQuery } from './page.ts';
import { timestamp } from './time.ts';

/** From faults that ended the program to details for its developers. */
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export const logLevel = z.enum(logLevels);
export type LogLevel = z.infer<typeof logLevel>;

export const logSources = ['service', 'daemon'] as const;

export const logEntry = z.strictObject({
  at: timestamp,
  source: z.enum(logSources).describe('The program that wrote it'),
  level: logLevel,
  message: z.string().max(2_000),
  detail: z.record(z.string().max(100), z.json()).describe('What belongs to it, without secrets'),
});
export type LogEntry = z.infer<typeof logEntry>;

export const logEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/logs',
    tag: 'logs',
    summary: 'What the programs of this service wrote down, the latest first; it holds no secrets',
    access: 'view_logs',
    query: z.strictObject({
      ...pageQuery,
      level: logLevel.optional().describe('That and worse; info when absent'),
      source: z.enum(logSources).optional(),
      contains: z
        .string()
        .min(1)
        .max(100)
        .optional()
        .describe('In the message or the values of details; upper and lower case alike'),
    }),
    answer: z.strictObject({ logs: z.array(logEntry), next_cursor: nextCursor }),
    statuses: [200],
  }),
};
