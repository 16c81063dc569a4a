import { createHash, X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { connect } from 'node:tls';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type LaunchOptions,
  type Page,
} from 'playwright-core';

const executable = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Whether there is a browser to test with. With REQUIRE_PEERS=1 a missing one is an error, else its tests are skipped and listed. */
export function hasBrowser(): boolean {
  const found = existsSync(executable);
  if (!found && process.env.REQUIRE_PEERS === '1') throw new Error(`no browser at ${executable}`);
  return found;
}

/** SHA-256 of the public key that the service at this address shows, base64: what Chromium pins. */
function keyPin(url: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    // The pin is read, nothing is sent: the browser is what has to trust it.
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false }, () => {
      const key = new X509Certificate(socket.getPeerCertificate().raw).publicKey.export({
        type: 'spki',
        format: 'der',
      });
      socket.destroy();
      resolve(createHash('sha256').update(key).digest('base64'));
    });
    socket.once('error', reject);
  });
}

async function launchOptions(url: string): Promise<LaunchOptions> {
  return {
    executablePath: executable,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--ignore-certificate-errors-spki-list=${await keyPin(url)}`,
    ],
  };
}

/** A headless Chromium that trusts exactly the key of this service and talks to nobody else. */
export async function openBrowser(url: string): Promise<Browser> {
  return chromium.launch(await launchOptions(url));
}

/** The same, which keeps in a folder what pages store, so that it can be opened again. */
export async function openKeptBrowser(url: string, folder: string): Promise<BrowserContext> {
  const options = { viewport: { width: 1440, height: 900 }, locale: 'en-GB', reducedMotion: 'reduce' } as const;
  return chromium.launchPersistentContext(folder, { ...(await launchOptions(url)), ...options });
}

/** A page whose errors are collected, so that a test can say at its end that there was none. */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; errors: string[] }> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    serviceWorkers: 'block', // each context would fetch all pages behind its test
    reducedMotion: 'reduce', // what fades is there twice, and holds the focus, for as long as the machine is busy
    ...options,
  });
  context.setDefaultTimeout(60_000); // a busy machine may take its time over a page
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    // Here is no internet, and Chromium notes each answer that says so; the page says it to who reads it.
    const isOutside = message.location().url.includes('/api/geo/proxy/');
    if (message.type() === 'error' && !isOutside) errors.push(message.text());
  });
  return { page, errors };
}
