import { mount, type VueWrapper } from '@vue/test-utils';
import { createPinia } from 'pinia';
import type { Component } from 'vue';
import { createMemoryHistory, createRouter, type RouteRecordRaw } from 'vue-router';
import { createVuetify } from 'vuetify';
import { VBtn } from 'vuetify/components/VBtn';
import { VCard, VCardActions, VCardText, VCardTitle } from 'vuetify/components/VCard';
import { VCheckbox } from 'vuetify/components/VCheckbox';
import { VDialog } from 'vuetify/components/VDialog';
import { VFileInput } from 'vuetify/components/VFileInput';
import { VSpacer } from 'vuetify/components/VGrid';
import { VIcon } from 'vuetify/components/VIcon';
import { VList, VListItem } from 'vuetify/components/VList';
import { VMenu } from 'vuetify/components/VMenu';
import { VProgressCircular } from 'vuetify/components/VProgressCircular';
import { VProgressLinear } from 'vuetify/components/VProgressLinear';
import { VRadio } from 'vuetify/components/VRadio';
import { VRadioGroup } from 'vuetify/components/VRadioGroup';
import { VSelect } from 'vuetify/components/VSelect';
import { VSlider } from 'vuetify/components/VSlider';
import { VSnackbar } from 'vuetify/components/VSnackbar';
import { VSwitch } from 'vuetify/components/VSwitch';
import { VTextarea } from 'vuetify/components/VTextarea';
import { VTextField } from 'vuetify/components/VTextField';
import { aliases, mdi } from 'vuetify/iconsets/mdi-svg';
import { ApiClient, clientKey } from '../../../../renderer/client/client.ts';
import { en } from '../../../../renderer/i18n/en/index.ts';
import { createTranslations } from '../../../../renderer/i18n/index.ts';

interface Given {
  props?: Record<string, unknown>;
  fetch?: typeof fetch;
  /** Pages that it links to by name. */
  routes?: RouteRecordRaw[];
}

const noServer: typeof fetch = () => Promise.reject(new TypeError('no server in this test'));

/** A component as the application mounts it, in English, with a server that only this test knows. */
export function mounted(component: Component, { props = {}, fetch = noServer, routes = [] }: Given): VueWrapper {
  const wrapper = mount(component, {
    props,
    global: {
      plugins: [
        createPinia(),
        createRouter({ history: createMemoryHistory(), routes }),
        createTranslations(en),
        createVuetify({
          icons: { defaultSet: 'mdi', aliases, sets: { mdi } },
          components: {
            VBtn,
            VCard,
            VCardActions,
            VCardText,
            VCardTitle,
            VCheckbox,
            VDialog,
            VFileInput,
            VIcon,
            VList,
            VListItem,
            VMenu,
            VProgressCircular,
            VProgressLinear,
            VRadio,
            VRadioGroup,
            VSelect,
            VSlider,
            VSnackbar,
            VSpacer,
            VSwitch,
            VTextarea,
            VTextField,
          },
        }),
      ],
      provide: { [clientKey as symbol]: new ApiClient(fetch) }, // an injection key is a symbol
    },
  });
  return wrapper as VueWrapper; // a component of any kind has instance type any
}
