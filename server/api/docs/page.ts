import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Document } from '../documents.ts';
import { errorTable } from '../error-table.ts';
import { pageScript } from './page-script.ts';
import { pageStyle } from './page-style.ts';

/** Codes and meanings are our own texts, without HTML markup. */
const errorRows = errorTable
  .map(({ status, code, meaning }) => `<tr><td>${status}</td><td><code>${code}</code></td><td>${meaning}</td></tr>`)
  .join('\n');

const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Orangery API</title>
    <link rel="stylesheet" href="/api/docs/swagger-ui.css">
    <link rel="stylesheet" href="/api/docs/page.css">
    <link rel="icon" type="image/png" href="/api/docs/favicon-32x32.png">
  </head>
  <body>
    <header class="bar">
      <strong>Orangery API</strong>
      <input id="search" type="search" placeholder="Find a call: path, method, resource or words" aria-label="Find a call">
      <output id="found" for="search"></output>
      <a href="/api/openapi.json">openapi.json</a>
      <a href="/">Open the pages</a>
    </header>
    <div class="page">
      <div id="page"></div>
      <section aria-label="Error codes"><details class="codes">
        <summary>Error codes</summary>
        <table id="error-codes">
          <thead><tr><th>Status</th><th>Code</th><th>Meaning</th></tr></thead>
          <tbody>
${errorRows}
          </tbody>
        </table>
      </details></section>
    </div>
    <script src="/api/docs/swagger-ui-bundle.js"></script>
    <script src="/api/docs/page.js"></script>
  </body>
</html>
`;

const assetTypes = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

/** Folder of the swagger-ui-dist package, when the program runs from its sources. */
export function installedSwaggerUi(): string {
  return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
}

/**
 * The page at /api and the files it loads, all from this service. Throws when the folder lacks swagger-ui-dist's files.
 */
export function pageDocuments(swaggerUiDirectory: string): Map<string, Document> {
  const page = { type: 'text/html; charset=utf-8', content: html };
  const documents = new Map<string, Document>([
    ['/api', page],
    ['/api/', page],
    ['/api/docs/page.css', { type: 'text/css; charset=utf-8', content: pageStyle }],
    ['/api/docs/page.js', { type: 'text/javascript; charset=utf-8', content: pageScript }],
  ]);
  for (const [name, type] of Object.entries(assetTypes)) {
    documents.set(`/api/docs/${name}`, { type, content: readFileSync(join(swaggerUiDirectory, name)) });
  }
  return documents;
}
