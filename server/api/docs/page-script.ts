import { mediaType } from '../../contract/endpoint.ts';

/**
 * Starts Swagger UI in the page. "Try it out" asks for the served version, and sends the session's CSRF token if the
 * reader is logged in and gave no key.
 */
export const pageScript = `'use strict';
(() => {
  const mediaType = ${JSON.stringify(mediaType)};
  let csrfToken;

  async function sessionToken() {
    const answer = await fetch('/api/auth/session', { headers: { Accept: mediaType } });
    return answer.ok ? (await answer.json()).csrf_token : null;
  }

  async function prepare(request) {
    if (!request.url.includes('/api/') || request.url.endsWith('/api/openapi.json')) return request;
    request.headers.Accept = mediaType;
    delete request.headers.accept;
    const hasKey = request.headers['X-API-KEY'] || request.headers.Authorization || request.url.includes('api_key=');
    if (hasKey) return request;
    csrfToken ??= await sessionToken();
    if (csrfToken) request.headers['X-CSRF-Token'] = csrfToken;
    return request;
  }

  /** The calls of which path, method, summary or resource holds every word. */
  function matching(spec, words) {
    const paths = {};
    for (const [path, calls] of Object.entries(spec.paths)) {
      for (const [method, call] of Object.entries(calls)) {
        const text = [path, method, call.summary, ...(call.tags ?? [])].join(' ').toLowerCase();
        if (words.every((word) => text.includes(word))) (paths[path] ??= {})[method] = call;
      }
    }
    const used = new Set(Object.values(paths).flatMap((calls) => Object.values(calls).flatMap(({ tags }) => tags ?? [])));
    return { ...spec, paths, tags: (spec.tags ?? []).filter(({ name }) => used.has(name)) };
  }

  const countOf = (spec) => Object.values(spec.paths).reduce((sum, calls) => sum + Object.keys(calls).length, 0);

  /** Names and roles that Swagger UI leaves out, as its parts are drawn. */
  function mend() {
    for (const one of page.querySelectorAll('h3.opblock-tag:not([aria-level])')) one.setAttribute('aria-level', '2');
    for (const one of page.querySelectorAll('h4:not([aria-level])'))
      one.setAttribute('aria-level', one.closest('.models') ? '2' : '3');
    for (const [name, parts] of [['About', '.information-container'], ['Authorization', '.schemes-server-container, .scheme-container']]) {
      const one = page.querySelector(parts);
      one?.setAttribute('role', 'region');
      one?.setAttribute('aria-label', name);
    }
    for (const one of page.querySelectorAll('.opblock-summary-control a[href]')) one.removeAttribute('href');
    for (const one of page.querySelectorAll('.microlight:not([tabindex])')) one.tabIndex = 0;
    for (const one of page.querySelectorAll('select:not([aria-label]), textarea:not([aria-label])')) {
      const row = one.closest('[data-param-name]');
      one.setAttribute('aria-label', row ? row.dataset.paramName : 'Form of the content');
    }
  }

  /**
   * A part of the description with its references filled in. All of ours are within it, so a lookup does; the resolver
   * of Swagger UI works through the whole description each time, which takes ten seconds. What is said beside a
   * reference, such as a description of its own, goes before what is said there.
   */
  function filledIn(spec) {
    const at = (path) => path.reduce((part, key) => part?.[key], spec);
    const named = new Map();
    function fill(part, above) {
      if (part === null || typeof part !== 'object') return part;
      if (Array.isArray(part)) return part.map((one) => fill(one, above));
      const own = (one) => Object.fromEntries(Object.entries(one).map(([key, value]) => [key, fill(value, above)]));
      const { $ref: name, ...beside } = part;
      if (typeof name !== 'string') return own(part);
      if (above.includes(name)) return part;
      if (!named.has(name)) named.set(name, fill(at(name.slice(2).split('/')), [...above, name]));
      const found = named.get(name);
      return Object.keys(beside).length === 0 ? found : { ...found, ...own(beside) };
    }
    return async (_, path) => ({ spec: fill(at(path), []), errors: [] });
  }

  const page = document.getElementById('page');
  const search = document.getElementById('search');
  const found = document.getElementById('found');

  let ui;

  /** Draws the calls of a description, opened where there are few; a key that was given stays. */
  function draw(spec, docExpansion) {
    const given = ui?.authSelectors.authorized().toJS();
    const domNode = document.createElement('div');
    page.replaceChildren(domNode);
    ui = SwaggerUIBundle({
      spec,
      domNode,
      docExpansion,
      validatorUrl: null,
      deepLinking: true,
      persistAuthorization: false,
      requestInterceptor: prepare,
      presets: [SwaggerUIBundle.presets.apis],
      // There is one server, this.
      plugins: [() => ({ fn: { resolveSubtree: filledIn(spec) }, wrapComponents: { ServersContainer: () => () => null } })],
      onComplete: () => given && ui.authActions.authorize(given),
    });
  }

  async function start() {
    const spec = await (await fetch('/api/openapi.json')).json();
    new MutationObserver(mend).observe(page, { childList: true, subtree: true });
    // Well over a hundred calls: the resources first, all at a glance.
    draw(spec, 'none');
    let waiting;
    search.addEventListener('input', () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => {
        const words = search.value.trim().toLowerCase().split(/\\s+/).filter(Boolean);
        const shown = words.length === 0 ? spec : matching(spec, words);
        draw(shown, words.length === 0 ? 'none' : 'list');
        const n = countOf(shown);
        found.value = words.length === 0 ? '' : n === 1 ? '1 call' : n + ' calls';
      }, 250);
    });
  }

  void start();
})();
`;
