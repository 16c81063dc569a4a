import { BrowserWindow } from 'electron';

/** The sandbox for our page: no Node, its own world, one preload file. */
function webPreferences(preload: string): Electron.WebPreferences {
  return {
    preload,
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webSecurity: true,
    webviewTag: false,
    spellcheck: false,
  };
}

/** Opens the main window; it is shown when the page has drawn itself, so that no white flash is seen. */
export function openWindow(url: string, preload: string): BrowserWindow {
  const window = new BrowserWindow({
    width: 1440,
    height: 900,
    minWidth: 360,
    minHeight: 480,
    show: false,
    title: 'Orangery',
    autoHideMenuBar: true,
    backgroundColor: '#f3f4f4',
    webPreferences: webPreferences(preload),
  });
  window.once('ready-to-show', () => window.show());
  // A page that cannot be loaded shows Chromium's own word on it, and the window's reload tries again.
  window.loadURL(url).catch(() => window.show());
  return window;
}
