import { createPinia } from 'pinia';
import { createApp } from 'vue';
import App from './App.vue';
import { ApiClient, clientKey } from './client/client.ts';
import { createTranslations, loadLanguage, showFirst } from './i18n/index.ts';
import { createAppRouter } from './router/index.ts';
import { usePreference } from './stores/preference.ts';
import { createTheme } from './ui/theme/vuetify.ts';

async function start(): Promise<void> {
  const app = createApp(App);
  const translations = createTranslations();
  app.provide(clientKey, new ApiClient(window.fetch.bind(window)));
  app.use(createPinia()).use(translations).use(createTheme());
  const preference = usePreference();
  await showFirst(translations.global, preference.language);
  const router = createAppRouter(() => loadLanguage(translations.global, preference.language));
  app.use(router);
  // Until then the frame from index.html is shown.
  const isShown = await router.isReady().then(
    () => true,
    () => false,
  );
  app.mount('#app');
  const next = location.pathname + location.search;
  if (!isShown) await router.replace({ name: 'unreachable', query: { next } });
}

void start();
