import type { AnswerOf } from '../../../../server/contract/endpoint.ts';
import { daemonEndpoints } from '../../../../server/contract/daemon.ts';
import { healthEndpoints } from '../../../../server/contract/health.ts';
import { logEndpoints } from '../../../../server/contract/log.ts';
import { messageOf } from '../../../../server/contract/message-of.ts';
import { useCall } from '../../../client/client.ts';
import { desktopShell } from '../../../client/shell.ts';

const supportParts = ['program', 'health', 'daemon', 'log'] as const;

export interface SupportPart {
  name: (typeof supportParts)[number];
  /** Its content; null when it could not be read. */
  text: string | null;
  reason: string;
  isIn: boolean;
}

const mostLines = 500;

/** The log as text, oldest first. */
export function logText({ logs }: Pick<AnswerOf<typeof logEndpoints.list>, 'logs'>): string {
  const line = ({ at, source, level, message, detail }: (typeof logs)[number]): string => {
    const more = Object.keys(detail).length === 0 ? '' : `  ${JSON.stringify(detail)}`;
    return `${at} ${source} ${level.toUpperCase()} ${message}${more}`;
  };
  return logs.map(line).reverse().join('\n');
}

/** The text to save: each included part under its name. */
export function supportText(parts: readonly SupportPart[]): string {
  return parts
    .filter(({ isIn }) => isIn)
    .map(({ name, text, reason }) => `===== ${name} =====\n${text ?? `(${reason})`}\n`)
    .join('\n');
}

/**
 * Collects the parts. None contains passwords, keys or the site's map; the log may contain names and addresses of
 * devices. A part that cannot be read gives the reason.
 */
export function useSupportParts(version: () => string) {
  const call = useCall();
  const readers: Record<SupportPart['name'], () => Promise<string>> = {
    program: async () => {
      const { data_directory: _, ...shell } = (await desktopShell()?.status()) ?? { data_directory: null };
      const { userAgent: browser, language } = navigator;
      return json({ version: version(), at: new Date().toISOString(), browser, language, shell });
    },
    health: async () => json(await call(healthEndpoints.health)),
    daemon: async () => json(await call(daemonEndpoints.get)),
    log: async () => logText(await call(logEndpoints.list, { query: { level: 'info', limit: mostLines } })),
  };

  async function read(name: SupportPart['name']): Promise<SupportPart> {
    try {
      return { name, text: await readers[name](), reason: '', isIn: true };
    } catch (error) {
      return { name, text: null, reason: messageOf(error), isIn: true };
    }
  }

  return () => Promise.all(supportParts.map(read));
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
