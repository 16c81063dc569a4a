import { computed, type ComputedRef } from 'vue';
import { useTheme } from 'vuetify';
import type { Palette } from '../../../scene/stage/look.ts';
import { dark, light } from '../../../ui/theme/palette.ts';

/** The page's colours for the model. */
export function usePalette(): ComputedRef<Palette> {
  const theme = useTheme();
  return computed(() => {
    const isDark = theme.current.value.dark;
    const { colors = {} } = isDark ? dark : light;
    const of = (name: string): string => {
      const color = colors[name];
      return typeof color === 'string' ? color : '#808080';
    };
    return { isDark, unknown: of('unknown'), running: of('primary'), ink: of('on-surface'), quiet: of('quiet') };
  });
}
