import { defineComponent } from 'vue';
import { useText } from '../../../../renderer/i18n/index.ts';
import { useSettings } from '../../../../renderer/stores/settings.ts';
import { useFormat, type Format } from '../../../../renderer/ui/format.ts';
import type { Language } from '../../../../server/contract/language.ts';
import { mounted } from './mounted.ts';

/** How a page of a site in that zone writes. */
export function formatOf(time_zone: string, language: Language = 'en'): Format {
  let format: Format | undefined;
  mounted(
    defineComponent(() => {
      format = useFormat();
      useText().locale.value = language;
      useSettings().$patch({ site: { time_zone } });
      return () => null;
    }),
    {},
  );
  if (format === undefined) throw new Error('not mounted');
  return format;
}
