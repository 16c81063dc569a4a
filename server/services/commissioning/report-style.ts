/** How the printed report looks; the only style that its page may have. */
export const reportStyle = `
@page { size: A4; margin: 14mm 14mm 16mm; @bottom-right { content: counter(page) " / " counter(pages); font: 8pt system-ui, sans-serif; color: #555; } }
body { font: 9pt/1.35 system-ui, sans-serif; color: #111; max-width: 182mm; margin: 0 auto; padding: 6mm; }
h1 { font-size: 16pt; margin: 0; } h2 { font-size: 11.5pt; margin: 5mm 0 1.5mm; break-after: avoid; } h3 { font-size: 9.5pt; margin: 0; }
p { margin: .5mm 0; } .place { font-size: 11.5pt; margin: .5mm 0 2.5mm; } .quiet { color: #555; font-size: 7.5pt; }
table { border-collapse: collapse; width: 100%; } thead { display: table-header-group; } tr { break-inside: avoid; }
th, td { text-align: left; padding: .7mm 2mm .7mm 0; border-bottom: .2mm solid #bbb; vertical-align: top; } th { font-size: 8pt; color: #555; }
dl { display: grid; grid-template-columns: max-content 1fr max-content 1fr; gap: .4mm 4mm; margin: 0; } dt { color: #555; } dd { margin: 0; overflow-wrap: anywhere; }
dl.lines { grid-template-columns: max-content 1fr; } .fault { break-inside: avoid; border-left: .8mm solid #111; padding: .2mm 0 .2mm 3mm; margin-bottom: 3mm; }
.bad { font-weight: 700; } td div { white-space: nowrap; } svg { display: block; width: 44mm; height: 8mm; } .fault svg { width: 100%; height: 18mm; }
.trace { display: flex; gap: 1.5mm; } .trace > span { display: flex; flex-direction: column; justify-content: space-between; font-size: 6.5pt; line-height: 1; color: #555; white-space: nowrap; }
.signatures { display: grid; grid-template-columns: 1fr 1fr; gap: 10mm; margin-top: 16mm; break-inside: avoid; } .signatures div { border-top: .3mm solid #111; padding-top: 1mm; }
.hash { font: 7.5pt ui-monospace, monospace; overflow-wrap: anywhere; }
@media print { body { padding: 0; } }
@media (width < 600px) { dl { grid-template-columns: max-content 1fr; } .wide { overflow-x: auto; } }
`;
