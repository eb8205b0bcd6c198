"""What the handbook adds to the style sheet of all pages."""

HANDBOOK = """
main { max-width: 66rem; padding-top: .5rem; } .top { max-width: 66rem; padding-top: 1rem; padding-bottom: 1rem; }
.top { display: flex; flex-wrap: wrap; gap: .4rem 1.2rem; align-items: baseline; font-size: .92rem; }
.top ul { list-style: none; display: flex; flex-wrap: wrap; gap: .2rem .95rem; padding: 0; margin: 0; }
.top a { text-decoration: none; } .top a:hover, .top a:focus { text-decoration: underline; }
.top [aria-current] { color: var(--ink); font-weight: 600; border-bottom: 2px solid var(--ink); }
.home { color: var(--ink); } .top form { margin-left: auto; }
input[type=search] { font: inherit; color: inherit; background: var(--head); border: 1px solid var(--soft);
  border-radius: 6px; padding: .2rem .6rem; width: 9rem; max-width: 100%; }
.lead { font-size: 1.12rem; color: var(--soft); max-width: 46rem; } h1 { margin-top: .6rem; }
main > p, section > p, section > ul, section > ol { max-width: 46rem; }
.tags { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; align-items: baseline; font-size: .95rem; }
.severity { font-size: .8rem; font-weight: 600; padding: .05rem .5rem; border-radius: 4px;
  border: 1px solid currentColor; }
.severity.error { background: var(--bad-back); color: var(--bad); }
.severity.warning { background: var(--warn-back); color: var(--warn); border-style: dashed; }
.rules tbody th, .rules thead th:first-child { width: 17rem; overflow-wrap: anywhere; }
.rules th:last-child, .rules td:last-child { width: 10rem; color: var(--soft); }
.rules small { font-weight: 400; } small.error { color: var(--bad); } small.warning { color: var(--warn); }
.ideas { columns: 16rem; } figure { margin: 0; } .twins { margin: 1rem 0; } .twin { padding: .7rem .9rem .9rem; }
.twins.stacked { grid-template-columns: 1fr; gap: .8rem; } figcaption { font-weight: 600; font-size: .92rem; }
.twin pre.code { margin: .4rem 0 .2rem; } pre.plain { padding: .6rem .9rem; }
.at { font: .84rem/1.5 ui-monospace, Menlo, Consolas, monospace; color: var(--soft); margin: .5rem 0 -.1rem; }
.further { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: .8rem; font-size: .92rem; }
.more { border-top: 1px solid var(--line); } .more:last-of-type { border-bottom: 1px solid var(--line); }
.more > summary { font-weight: 600; } .more[open] { padding-bottom: 1rem; }
#results li { margin: .5rem 0; }
@media (max-width: 40rem) { .top form { margin-left: 0; width: 100%; } .top input { width: 100%; }
  .rules thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .rules, .rules tbody, .rules tr, .rules th, .rules td { display: block; width: auto; border: 0; padding: 0; }
  .rules tr { border-bottom: 1px solid var(--line); padding: .5rem 0; } }
@media print { main { max-width: none; } .top, .further { display: none; } }
"""
