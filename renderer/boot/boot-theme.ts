/** The colours that a person chose, before the first frame is painted; `stores/preference.ts` keeps them. */
function chosenTheme(): string | null {
  try {
    return localStorage.getItem('orangery.theme');
  } catch {
    return null; // a browser that keeps nothing
  }
}

document.documentElement.dataset['bootTheme'] = chosenTheme() ?? 'system';
