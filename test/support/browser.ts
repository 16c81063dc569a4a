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

/** The shell has no windows: it starts sooner and takes a tenth less of the processor than the whole browser. */
const chromiums = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
export const chromiumPath = process.env.CHROMIUM ?? chromiums.find((file) => existsSync(file)) ?? '/usr/bin/chromium';

/**
 * Whether there is a browser to test with. With REQUIRE_PEERS=1 a missing one is an error, else its tests are skipped
 * and listed.
 */
export function hasBrowser(): boolean {
  const found = existsSync(chromiumPath);
  if (!found && process.env.REQUIRE_PEERS === '1') throw new Error(`no browser at ${chromiumPath}`);
  return found;
}

/** A busy machine may be slow to load a page. */
const pageTimeoutMs = 60_000;

/** SHA-256 of the public key that the service at this address presents, base64: what Chromium pins. */
function keyPin(url: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    // Only reads the pin and sends nothing: trust is up to the browser.
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
    executablePath: chromiumPath,
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

/** A headless Chromium that trusts exactly the key of this service and connects to nothing else. */
export async function openBrowser(url: string): Promise<Browser> {
  return chromium.launch(await launchOptions(url));
}

/** The same, with storage of its pages in a folder, so that it can be reopened. */
export async function openKeptBrowser(url: string, folder: string): Promise<BrowserContext> {
  const options = { viewport: { width: 1440, height: 900 }, locale: 'en-GB', reducedMotion: 'reduce' } as const;
  const context = await chromium.launchPersistentContext(folder, { ...(await launchOptions(url)), ...options });
  context.setDefaultTimeout(pageTimeoutMs);
  return context;
}

/** A page whose errors are collected, so that a test can end by expecting none. */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; errors: string[] }> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    serviceWorkers: 'block', // each context would fetch all pages behind its test
    reducedMotion: 'reduce', // during a fade both elements exist and hold the focus, longer on a busy machine
    ...options,
  });
  context.setDefaultTimeout(pageTimeoutMs);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    // There is no internet here, and Chromium logs each answer that says so; the page itself shows it.
    const { url } = message.location();
    if (message.type() === 'error' && !url.includes('/api/geo/proxy/')) errors.push(`${message.text()} ${url}`);
  });
  return { page, errors };
}
