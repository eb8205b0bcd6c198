"""The style of the matrix's page: light, dark, paper, phone."""

STYLE = """
:root { --paper: #fdfdfc; --ink: #1d2126; --soft: #5d6671; --line: #d5d9de; --card: #f4f5f6;
  --good: #e3f3e6; --good-ink: #17552a; --bad: #fbe0dd; --bad-ink: #9a1c12; --person: #fdf0cf;
  --person-ink: #6e4b00; --accent: #2456a6; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171a; --ink: #e4e7ea; --soft: #9aa3ad;
  --line: #343b42; --card: #1c2024; --good: #163322; --good-ink: #9fdcb0; --bad: #4a1c19;
  --bad-ink: #ffb4aa; --person: #3d3012; --person-ink: #f2d38a; --accent: #8db8ff; } }
* { box-sizing: border-box; }
html { scroll-behavior: smooth; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
main { max-width: 76rem; margin: 0 auto; padding: 1.5rem 1.25rem 3rem; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: .5rem 0 1.5rem; text-wrap: balance; }
h2 { font-size: 1.3rem; margin: 2rem 0 0; }
h3 { font-size: 1.1rem; margin: 0; overflow-wrap: anywhere; }
summary { font-size: .95rem; cursor: pointer; }
summary b { color: var(--bad-ink); }
a { color: inherit; text-decoration-color: color-mix(in srgb, currentColor 45%, transparent); }
.place { color: var(--soft); margin: 0; font-size: .9rem; }
.sum { padding: .6rem .9rem; border-radius: .5rem; font-weight: 600; }
.sum.good { background: var(--good); color: var(--good-ink); }
.sum.bad { background: var(--bad); color: var(--bad-ink); }
.wide { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: separate; border-spacing: 2px; font-size: .85rem; }
thead th { font-weight: 500; color: var(--soft); vertical-align: bottom; text-align: left;
  padding: .25rem .4rem; min-width: 4.5rem; line-height: 1.25; }
thead th:first-child { padding-left: 0; }
tbody th { text-align: left; font-weight: 600; padding: .35rem .7rem .35rem 0; position: sticky; left: 0;
  background: var(--paper); }
tbody th small { display: block; font-weight: 400; color: var(--soft); }
td { padding: .35rem .4rem; border-radius: .3rem; line-height: 1.25; }
td.good { background: var(--good); color: var(--good-ink); }
td.bad { background: var(--bad); color: var(--bad-ink); font-weight: 700; }
td.person { background: var(--person); color: var(--person-ink); }
td.none { color: var(--soft); text-align: center; }
.legend { display: grid; grid-template-columns: max-content 1fr; gap: .1rem .9rem; font-size: .85rem;
  color: var(--soft); margin: 0 0 1.5rem; }
.legend dt { font-weight: 600; color: var(--ink); }
.legend dd { margin: 0; }
article { border: 1px solid var(--line); border-radius: .6rem; padding: 1rem 1.1rem; margin: 1rem 0;
  scroll-margin-top: 1rem; }
article > p { margin: .1rem 0 .4rem; color: var(--soft); font-size: .9rem; }
article > p.warning { color: var(--bad-ink); font-weight: 600; }
.story { background: var(--card); border-radius: .5rem; padding: .7rem 1rem; margin: .7rem 0;
  scroll-margin-top: 1rem; }
.story:target { outline: 2px solid var(--accent); }
.story ol { margin: .35rem 0 0; padding-left: 1.6rem; font-size: .92rem; }
.story li:last-child { font-weight: 600; }
code { font-size: .92em; }
svg.states { display: block; }
.state rect { fill: var(--card); stroke: var(--soft); stroke-width: 1; }
.state.end rect { fill: var(--good); stroke: var(--good-ink); }
.state.person rect { fill: var(--person); stroke: var(--person-ink); }
.state text { font: 600 10.5px system-ui, sans-serif; text-anchor: middle; fill: var(--ink); }
.arrow path { fill: none; stroke: var(--soft); stroke-width: 1.3; }
.arrow text { font: 11px system-ui, sans-serif; fill: var(--soft); stroke: var(--paper); stroke-width: 5px;
  stroke-linejoin: round; paint-order: stroke; }
.arrow.bad path { stroke: var(--bad-ink); stroke-width: 2; }
.arrow.bad text { fill: var(--bad-ink); font-weight: 700; }
.tip { fill: var(--soft); }
.tip-bad { fill: var(--bad-ink); }
footer { margin-top: 2.5rem; color: var(--soft); font-size: .85rem; }
@media print { :root { --paper: #fff; --ink: #000; --soft: #444; --card: #fff; }
  body { font-size: 11px; } main { max-width: none; padding: 0; } .wide { overflow: visible; }
  article, .story { break-inside: avoid; } tbody th { position: static; } table { font-size: 8px; }
  thead th { min-width: 0; } svg.states { max-width: 100%; height: auto; }
  * { -webkit-print-color-adjust: exact; print-color-adjust: exact; } }
"""
