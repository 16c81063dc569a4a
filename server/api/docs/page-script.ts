import { mediaType } from '../../contract/endpoint.ts';

/**
 * Starts Swagger UI in the page. "Try it out" asks for the version that is served, and sends the session's CSRF token
 * where the reader is logged in and gave no key.
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

  window.ui = SwaggerUIBundle({
    url: '/api/openapi.json',
    dom_id: '#page',
    validatorUrl: null,
    deepLinking: true,
    // Well over a hundred calls: the resources first, all at a glance.
    docExpansion: 'none',
    persistAuthorization: false,
    requestInterceptor: prepare,
    presets: [SwaggerUIBundle.presets.apis],
  });
})();
`;
