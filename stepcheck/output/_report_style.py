"""What a report's page adds to the style sheet of all pages."""

REPORT = """
.lead { font-size: 1.08rem; max-width: 60rem; }
.tiles { display: flex; flex-wrap: wrap; gap: .7rem; list-style: none; padding: 0; margin: 1.2rem 0; }
.tiles li { border: 1px solid var(--line); border-radius: 8px; padding: .55rem .95rem; min-width: 7rem; margin: 0; }
.tiles b { display: block; font-size: 1.6rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.tiles .error { border-left: 5px solid var(--bad); } .tiles .error b { color: var(--bad); }
.tiles .warning { border-left: 5px double var(--warn); } .tiles .warning b { color: var(--warn); }
.tiles .fine { border-left: 5px solid var(--good); }
.harms td.bar { width: 34%; min-width: 6rem; }
.harms td.number { text-align: right; font-variant-numeric: tabular-nums; }
.harms svg { display: block; width: 100%; height: 1.05rem; } .harms rect { fill: var(--bad); opacity: .75; }
.looked { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: 1rem 0; }
.looked dt { color: var(--soft); } .looked dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
nav.toc ul { columns: 16rem; column-gap: 2rem; list-style: none; padding: 0; }
nav.toc li { break-inside: avoid; overflow-wrap: anywhere; }
h3 small { font-weight: 400; font-size: .85rem; overflow-wrap: anywhere; }
.group { margin-top: 2rem; border-top: 1px solid var(--line); }
.group h3 { margin-top: 1rem; overflow-wrap: anywhere; }
.finding { margin: 1.2rem 0 2rem; padding-left: 1rem; border-left: 4px solid var(--bad); min-width: 0; }
.finding.warning { border-left: 4px double var(--warn); }
.finding h4 { margin: 0 0 .2rem; font-weight: 600; } .finding .message { font-size: 1.05rem; margin: .1rem 0 .5rem; }
.severity { display: inline-block; font-size: .78rem; font-weight: 600; padding: .05rem .5rem; border-radius: 4px;
  margin-right: .35rem; background: var(--bad-back); color: var(--bad); border: 1px solid currentColor; }
.warning .severity { background: var(--warn-back); color: var(--warn); border-style: dashed; }
.at { font: .84rem/1.5 ui-monospace, Menlo, Consolas, monospace; color: var(--soft); margin: .4rem 0 -.35rem;
  overflow-wrap: anywhere; }
.finding dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem .9rem; margin: .5rem 0 0;
  font-size: .92rem; }
.finding dt { color: var(--soft); } .finding dd { margin: 0; min-width: 0; }
.steps th, .steps td { padding: .45rem .9rem .45rem 0; }
.steps tbody th { font-weight: 600; overflow-wrap: anywhere; }
.steps small { display: block; font-weight: 400; color: var(--soft); }
.cell { display: inline-flex; gap: .4rem; align-items: baseline; } .cell > :last-child { overflow-wrap: break-word;
  min-width: 0; } .steps td:last-child .cell > span { min-width: 3.2rem; }
.symbol { width: 1.05rem; height: 1.05rem; vertical-align: -.2em; flex: none; }
.cell .symbol { align-self: flex-start; margin-top: .22em; } .cell .stairs { flex: none; align-self: flex-start; }
.o, .d { fill: none; stroke: currentColor; stroke-width: 1.7; stroke-linecap: round; stroke-linejoin: round; }
.d { stroke-dasharray: 2.6 2; stroke-width: 1.3; } .f { fill: currentColor; }
.i { stroke: var(--paper); stroke-width: 1.9; stroke-linecap: round; }
td.missing { color: var(--bad); font-weight: 600; } td.found .symbol { color: var(--bad); }
td.yes .symbol { color: var(--good); }
td.no, td.opaque { color: var(--soft); }
.stairs { width: 3.5rem; height: 1.25rem; vertical-align: -.25em; } .stairs rect { stroke-width: 1; }
.stairs .on { fill: var(--good); stroke: var(--good); } .stairs .off { fill: none; stroke: var(--soft); }
.stairs .next { stroke: var(--bad); stroke-width: 1.8; }
.stairs .unasked { fill: none; stroke: var(--soft); stroke-dasharray: 1.5 1.5; }
.key { columns: 19rem; list-style: none; padding: 0; font-size: .85rem; color: var(--soft); }
.key li { break-inside: avoid; padding-left: 1.7rem; text-indent: -1.7rem; }
.key .symbol, .key .stairs { color: var(--ink); margin-right: .3rem; }
.harm > summary { border-bottom: 1px solid var(--line); } .harm > summary b { font-weight: 600; }
.harm[open] { margin-bottom: 2rem; }
:target { scroll-margin-top: 1rem; } .group:target > h3, .harm:target > summary { background: var(--warn-back); }
@media screen and (min-width: 64rem) { .steps tbody th { min-width: 10rem; }
  .steps td.no, .steps td[data-title="deadline"] { white-space: nowrap; } }
@media screen and (max-width: 48rem) {
  .steps thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .steps, .steps tbody, .steps tr, .steps th, .steps td { display: block; }
  .steps tr { border: 1px solid var(--line); border-radius: 8px; padding: .6rem .8rem; margin: .7rem 0; }
  .steps th, .steps td { border: 0; padding: .12rem 0; }
  .steps td { display: grid; grid-template-columns: 7.2rem 1fr; gap: .3rem; align-items: baseline; }
  .steps td::before { content: attr(data-title); color: var(--soft); font-weight: 400; }
  .harms .means { display: none; } .finding { padding-left: .7rem; }
  .finding dl, .looked { grid-template-columns: 1fr; } .finding dd, .looked dd { margin: 0 0 .3rem; } }
@media print { .finding, .steps tr, .message { break-inside: avoid; }
  .finding h4, .message, .at { break-after: avoid; }
  nav.toc { display: none; } .steps { font-size: .82rem; } .steps th, .steps td { padding-right: .5rem; } }
"""
