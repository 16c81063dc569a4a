import type { StartStep } from '../server/service.ts';
import { fill } from '../server/contract/fill.ts';
import type { Words } from './words.ts';

/**
 * The steps of a start, in order. When attached to a running service, those between the first and the last are skipped.
 */
export const bootSteps = ['look', 'databases', 'certificate', 'daemon', 'values', 'page'] as const satisfies (
  | StartStep
  | 'look'
  | 'page'
)[];
export type BootStep = (typeof bootSteps)[number];

/** No script, nothing from outside: it is shown before any server exists. */
const policy = "default-src 'none'; style-src 'unsafe-inline'";
const style = `
  :root { color-scheme: light dark; font: 15px/1.6 system-ui, sans-serif; }
  body { display: grid; place-content: center; min-height: 100vh; margin: 0; background: Canvas; color: CanvasText; }
  h1 { margin: 0 0 12px; font-size: 20px; font-weight: 650; }
  ol { margin: 0; padding: 0; list-style: none; }
  li { padding-left: 28px; position: relative; opacity: 0.5; }
  li::before { position: absolute; left: 4px; content: '\\25CB'; }
  .is-done { opacity: 0.8; }
  .is-done::before { content: '\\2713'; }
  .is-now { opacity: 1; font-weight: 600; }
  .is-now::before { content: '\\25CF'; animation: wait 1.2s infinite alternate; }
  @keyframes wait { to { opacity: 0.2; } }
  @media (prefers-reduced-motion: reduce) { .is-now::before { animation: none; } }`;

/** The page of a start, as a URL: steps done, under way and to come. */
export function startPage({ boot }: Words, language: string, now: BootStep): string {
  const at = bootSteps.indexOf(now);
  const items = bootSteps.map((step, index) => {
    const state = index < at ? 'is-done' : index === at ? 'is-now' : '';
    return `<li class="${state}"${index === at ? ' aria-current="step"' : ''}>${escape(boot[step])}</li>`;
  });
  return addressOf(language, boot.title, `<ol>${items.join('')}</ol>`);
}

/** The page while the service does not answer. */
export function awayPage({ away }: Words, language: string): string {
  return addressOf(language, away.title, `<p>${escape(away.text)}</p>`);
}

function addressOf(language: string, title: string, content: string): string {
  const html = fill(
    '<!doctype html><html lang="{language}"><head><meta charset="utf-8">' +
      '<meta http-equiv="Content-Security-Policy" content="{policy}"><title>Orangery</title><style>{style}</style></head>' +
      '<body><main role="status"><h1>{title}</h1>{content}</main></body></html>',
    { language, policy, style, title: escape(title), content },
  );
  return `data:text/html;charset=utf-8,${encodeURIComponent(html)}`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
