import { session, shell, type App, type Session, type WebContents } from 'electron';

/** Chromium's codes for accepting and refusing a certificate. */
const trust = 0;
const refuse = -2;

/** The session of the windows. Nothing else in this process uses it, so its trust extends nowhere else. */
export function ownSession(): Session {
  return session.fromPartition('persist:orangery');
}

/** Only the server that the host vouches for serves pages; no other is contacted. */
export function trustOnly(
  isTrusted: (certificate: string, hostName: string) => boolean | Promise<boolean>,
  target: Session = ownSession(),
): void {
  target.setCertificateVerifyProc(({ certificate, hostname }, decide) => {
    // An unreadable certificate is refused, without further effect.
    const judged = new Promise<boolean>((resolve) => resolve(isTrusted(certificate.data, hostname)));
    judged.then((isTaken) => decide(isTaken ? trust : refuse)).catch(() => decide(refuse));
  });
}

/** What a page may do: copy its own text, and use the whole screen. No camera, no location, no device. */
const granted: ReadonlySet<string> = new Set(['clipboard-sanitized-write', 'fullscreen']);

/** Denies by default, in each session. */
export function denyPermissions(
  origin: string,
  targets: readonly Session[] = [ownSession(), session.defaultSession],
): void {
  for (const target of targets) {
    target.setPermissionRequestHandler((contents, permission, decide) => {
      decide(granted.has(permission) && originOf(contents?.getURL() ?? '') === origin);
    });
    // The origin arrives with a trailing slash.
    target.setPermissionCheckHandler(
      (_contents, permission, asking) => granted.has(permission) && originOf(asking) === origin,
    );
    target.setDevicePermissionHandler(() => false);
  }
}

export function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : 'null';
}

/** Links that leave the application open in the user's browser, web pages only. */
function openOutside(url: string): void {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return;
  shell.openExternal(url).catch(() => undefined); // a machine without a browser is no fault of this process
}

interface Confinement {
  /** Origin of the service; undefined while there is none, when no page may navigate. */
  origin: () => string | undefined;
  openWindow: (path: string) => void;
}

/**
 * Keeps every window on our own origin, including frames and redirects, without embedded views. A link that asks for a
 * window gets one of ours by `openWindow` for our own pages, the user's browser for others. Call it before the first
 * window is made.
 */
export function confineContents(app: App, confinement: Confinement): void {
  app.on('web-contents-created', (_event, contents: WebContents) => confine(contents, confinement));
}

function confine(contents: WebContents, { origin, openWindow }: Confinement): void {
  const stay = (event: { url: string; preventDefault: () => void }): void => {
    if (originOf(event.url) !== origin()) event.preventDefault();
  };
  contents.on('will-frame-navigate', stay);
  contents.on('will-redirect', stay);
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    if (originOf(url) === origin()) openWindow(pathOf(url));
    else openOutside(url);
    return { action: 'deny' };
  });
}

/** The part of a page's address after the origin. */
export function pathOf(url: string): string {
  const { pathname, search, hash } = new URL(url);
  return pathname + search + hash;
}
