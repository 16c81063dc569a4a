import { createHash, X509Certificate } from 'node:crypto';
import { session, shell, type App, type Session, type WebContents } from 'electron';

/** Chromium's code for "take this certificate". */
const trust = 0;
const refuse = -2;

/** SHA-256 of a certificate in DER, hex. */
function fingerprint(pem: string): string {
  return createHash('sha256').update(new X509Certificate(pem).raw).digest('hex');
}

/** The page is trusted by the leaf that this very process serves, so no authority has to be installed for the shell. */
export function trustOnly(leaf: () => string, target: Session = session.defaultSession): void {
  target.setCertificateVerifyProc(({ certificate }, decide) => {
    decide(fingerprint(certificate.data) === fingerprint(leaf()) ? trust : refuse);
  });
}

/** Deny by default: the page asks for no camera, no location, no notification of the system. */
export function denyPermissions(target: Session = session.defaultSession): void {
  target.setPermissionRequestHandler((_contents, _permission, decide) => decide(false));
  target.setPermissionCheckHandler(() => false);
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : 'null';
}

/** Links that leave the application open in the user's browser, web pages only. */
function openOutside(url: string): void {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) void shell.openExternal(url);
}

/** Keeps every window on our own origin, frames and redirections too, without child windows or embedded views. */
export function confineContents(app: App, origin: string): void {
  app.on('web-contents-created', (_event, contents: WebContents) => {
    contents.on('will-frame-navigate', (event) => {
      if (originOf(event.url) !== origin) event.preventDefault();
    });
    contents.on('will-redirect', (event) => {
      if (originOf(event.url) !== origin) event.preventDefault();
    });
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(({ url }) => {
      if (originOf(url) !== origin) openOutside(url);
      return { action: 'deny' };
    });
  });
}
