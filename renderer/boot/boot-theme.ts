/** The user's colour theme before the first paint; stored by `stores/preference.ts`. */
function chosenTheme(): string | null {
  try {
    return localStorage.getItem('orangery.theme');
  } catch {
    return null; // the browser has no storage
  }
}

document.documentElement.dataset['bootTheme'] = chosenTheme() ?? 'system';
