import {
  createRouter,
  createWebHistory,
  type RouteLocationNormalized,
  type RouteLocationRaw,
  type Router,
} from 'vue-router';
import { isApiError } from '../client/api-error.ts';
import { useSession } from '../stores/session.ts';
import { useSettings } from '../stores/settings.ts';
import { features } from '../features/features.ts';
import UnreachablePage from '../features/shell/UnreachablePage.vue';

/** Where a navigation is redirected, or true when it may continue. */
async function admit(to: RouteLocationNormalized): Promise<true | RouteLocationRaw> {
  const session = useSession();
  if (session.isSetUp === null) await session.load();
  if (session.isSetUp === false) return to.name === 'setup' ? true : { name: 'setup' };
  if (!session.isLoggedIn) return to.meta.isPublic === true && to.name !== 'setup' ? true : loginFor(to);
  const settings = useSettings();
  if (settings.site === null) await settings.load();
  // The later steps of setup need a logged-in administrator.
  if (to.name === 'setup') return session.can('edit_settings') ? true : { path: '/' };
  return to.name === 'login' ? { path: '/' } : true;
}

function loginFor(to: RouteLocationNormalized): RouteLocationRaw {
  return to.fullPath === '/' || to.name === 'setup'
    ? { name: 'login' }
    : { name: 'login', query: { next: to.fullPath } };
}

/** `speak` loads all messages, which most pages need before they are shown. */
export function createAppRouter(speak: () => Promise<void>): Router {
  const router = createRouter({
    history: createWebHistory(),
    routes: [
      ...features.flatMap((feature) => feature.routes),
      {
        path: '/unreachable',
        name: 'unreachable',
        component: UnreachablePage, // it must not have to be loaded
        meta: { isPublic: true, hasFirstWords: true },
      },
      {
        path: '/:rest(.*)*',
        name: 'not-found',
        component: () => import('../features/shell/NotFoundPage.vue'),
        meta: { hasFirstWords: true },
      },
    ],
  });
  router.beforeEach(async (to) => {
    if (to.name === 'unreachable') return true;
    try {
      return await admit(to);
    } catch (error) {
      if (!isApiError(error)) throw error;
      return { name: 'unreachable', query: { next: to.fullPath } };
    }
  });
  router.beforeResolve(async (to) => {
    if (to.meta.hasFirstWords !== true) await speak();
  });
  return router;
}
