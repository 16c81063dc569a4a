import { computed, type ComputedRef } from 'vue';
import { useRoute } from 'vue-router';

/** Whether this page is a wall display, by `?wall` in its address: without rail, menus and headers. */
export function useIsWall(): ComputedRef<boolean> {
  const route = useRoute();
  return computed(() => route.query.wall !== undefined);
}
