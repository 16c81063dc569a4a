import { watch } from 'vue';
import { useRoute, useRouter } from 'vue-router';

/**
 * Does what the address asks of this page (`?ask=add`), once, and takes it out of the address: a reload asks for
 * nothing.
 */
export function useAsked(deeds: Readonly<Record<string, () => void>>): void {
  const [route, router] = [useRoute(), useRouter()];
  const own = route.matched.at(-1);
  watch(
    () => route.query['ask'],
    (asked) => {
      if (typeof asked !== 'string' || route.matched.at(-1) !== own) return;
      const { ask: _, ...query } = route.query;
      void router.replace({ query });
      if (Object.hasOwn(deeds, asked)) deeds[asked]?.();
    },
    { immediate: true },
  );
}
