/**
 * The look of our pages on Swagger UI: the colours of the renderer's palette, which the server cannot import, in light
 * and dark.
 */
export const pageStyle = `:root {
  color-scheme: light dark;
  --ground: light-dark(#dfe2e4, #14181b);
  --surface: light-dark(#eef0f1, #1d2226);
  --bright: light-dark(#ffffff, #262c31);
  --text: light-dark(#1c2226, #e2e6e9);
  --quiet: light-dark(#56616a, #a9b4bc);
  --line: light-dark(#c3c9cd, #3b444b);
  --link: light-dark(#2b4257, #a9c4de);
  --error: light-dark(#b3201a, #ff8a80);
}
body { margin: 0; background: var(--ground); color: var(--text); font-family: system-ui, sans-serif; }
.bar {
  position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; gap: 8px 20px; align-items: center;
  padding: 10px 24px; border-bottom: 1px solid var(--line); background: var(--surface);
}
.bar strong { font-size: 1.05rem; }
.bar a { color: var(--link); font-weight: 600; }
.bar input {
  flex: 1 1 14rem; max-width: 34rem; min-height: 40px; padding: 0 12px; border: 1px solid var(--quiet); border-radius: 6px;
  background: var(--bright); color: var(--text); font: inherit;
}
.bar output { color: var(--quiet); min-width: 6rem; }
.page { max-width: 1180px; margin: 0 auto; padding: 8px 4px 64px; }
.codes { margin: 16px 20px; }
.codes summary { padding: 8px 0; font-weight: 600; cursor: pointer; }
.codes table { border-collapse: collapse; background: var(--surface); }
.codes th, .codes td { padding: 6px 12px; border: 1px solid var(--line); text-align: left; }
.swagger-ui, .swagger-ui * { font-family: system-ui, sans-serif; text-shadow: none !important; }
.swagger-ui code, .swagger-ui pre, .swagger-ui pre *, .swagger-ui .microlight, .swagger-ui .microlight *, .swagger-ui .opblock-summary-path *,
.codes code { font-family: ui-monospace, monospace !important; }
.swagger-ui, .swagger-ui :is(p, td, th, h1, h2, h3, h4, h5, li, label, span, div, small, section, table, i, select, .info .title, .opblock-tag,
  .model, .model-title, .parameter__name, .parameter__type, .response-col_status, .tab li, .opblock-summary-description, .opblock-summary-path a) {
  color: var(--text);
}
.swagger-ui :is(.parameter__in, .renderedMarkdown p, .opblock-summary-description, .prop-format) { color: var(--quiet); }
.swagger-ui :is(a, .info a, .info .title a) { color: var(--link); }
.swagger-ui :is(code, .markdown code, .renderedMarkdown code) { background: var(--bright) !important; color: var(--text) !important; }
.swagger-ui :is(h4, h5) { color: var(--text) !important; }
.swagger-ui .info { margin: 24px 0; }
.swagger-ui .info .title small { background: var(--quiet) !important; }
.swagger-ui .info .title small pre { color: var(--ground) !important; }
.swagger-ui .scheme-container { background: none; box-shadow: none; padding: 0 0 12px; margin: 0; }
.swagger-ui .opblock-tag { border-bottom: 1px solid var(--line); font-size: 1.05rem; }
.swagger-ui .opblock, .swagger-ui .opblock .opblock-section-header, .swagger-ui section.models, .swagger-ui .model-container,
.swagger-ui .dialog-ux .modal-ux { background: var(--surface) !important; border: 1px solid var(--line) !important; box-shadow: none !important; }
.swagger-ui .opblock .opblock-section-header { border-width: 0 0 1px !important; }
.swagger-ui .opblock .opblock-summary { border-color: var(--line) !important; }
.swagger-ui .opblock .opblock-summary-method { background: #2b4257 !important; color: #ffffff; border-radius: 4px; }
.swagger-ui .opblock.opblock-delete .opblock-summary-method { background: #b3201a !important; }
.swagger-ui :is(input, select, textarea) {
  background: var(--bright) !important; color: var(--text) !important; border: 1px solid var(--quiet) !important; box-shadow: none !important;
}
.swagger-ui :is(.btn, .btn.authorize, .btn.execute, .try-out__btn) {
  border: 1px solid var(--quiet) !important; background: var(--bright) !important; color: var(--text) !important; box-shadow: none !important;
}
.swagger-ui .btn.authorize span { color: var(--text); }
.swagger-ui svg { fill: var(--text); color: var(--text); }
.swagger-ui :is(.microlight, .microlight *, .highlight-code, .curl-command pre) { background: #1c2226 !important; color: #f1f3f4 !important; }
.swagger-ui .parameter__name.required span, .swagger-ui .parameter__name.required::after { color: var(--error); }
.swagger-ui :focus-visible, .bar :focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
`;
