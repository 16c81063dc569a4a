import { createPinia } from 'pinia';
import { createApp } from 'vue';
import App from './App.vue';
import { ApiClient, clientKey } from './client/client.ts';
import { createTranslations, loadLanguage } from './i18n/index.ts';
import { createAppRouter } from './router/index.ts';
import { usePreference } from './stores/preference.ts';
import { createTheme } from './ui/theme/vuetify.ts';

async function start(): Promise<void> {
  const app = createApp(App);
  const translations = createTranslations();
  app.provide(clientKey, new ApiClient(window.fetch.bind(window)));
  app.use(createPinia()).use(translations).use(createTheme());
  await loadLanguage(translations.global, usePreference().language);
  app.use(createAppRouter());
  app.mount('#app');
}

void start();
